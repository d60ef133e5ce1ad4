"""Errors for programs that cannot be exported: the user's line, the reason, and the remedy."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from runtime.core.context import Origin
from runtime.errors import UnimplementedError
from runtime.graph.node import Node

_OUTSIDE = "leave it outside of the function that is exported"

_TEST = "test before it whether the statement can fail, as in `if n != 0:`"
_LOOP = "write a loop, with a list of the remaining work"
_DRAW = "give the numbers as an argument, or draw rt.random.{}(shape, seed)"
_GIVEN = "give the numbers as an argument"
_DRAW_ANY = "draw without a seed, or give the numbers as an argument"
_DATASET = "loop over the dataset outside, and export the function of one element"
_FUNCTIONS = "write it with functions of rt, such as rt.cast, rt.round and rt.math.exp"
_TEXT = "return the values, and make the text of them outside"
_RECORD = "return the values, and write the summaries outside"
_GRADIENT = "export the function without its gradient"

_TRIES = "try_except note_state leave_try from_exception raise_again make_error"
_DRAWN = {
    "random_normal": "stateless_normal",
    "random_uniform": "stateless_uniform",
    "random_uniform_int": "stateless_uniform",
    "truncated_normal": "stateless_truncated_normal",
}
_DRAWN_OTHERWISE = "random_categorical random_gamma random_poisson random_shuffle"
_SEEDED = """
skip_variable stateless_binomial stateless_categorical stateless_full_int stateless_gamma
stateless_key_counter stateless_normal stateless_poisson stateless_shuffle
stateless_truncated_normal stateless_uniform stateless_uniform_int
"""
_DATASETS = """
dataset_begin dataset_size dataset_has_item dataset_item dataset_place_after dataset_seeds
dataset_store iterator_has_next iterator_next
"""
_PYTHON = "python_math python_round python_power power_modulo py_function"
_TEXTS = "text_method text_item number_method format_values"
_SUMMARIES = "write_summary flush_summaries close_summaries"
_GRADIENTS = """
avg_pool_back convolution_to_filter einsum_grad gathered_back gru_gates_grad
joined_part lstm_gates_grad max_pool_back max_pool_picked max_pool_places moved on_diagonal
placed_along recurrence repeats_summed replaced_part rows_back slice_back sliced_back taken_along
tensordot_grad tiles_summed unmasked unpadded given_gradient
gather_item_gradients scatter_item_gradients move_item_gradients move_item_gradients_back
place_item_gradients join_item_gradients pick_item_gradients drop_item_gradients
limit_item_gradients no_item_gradients rows_as_item_gradients item_gradients_as_rows
parts_as_item_gradients item_gradients_as_parts lengths_of_items
"""

INSTEAD = MappingProxyType(
    {
        "recursion": _LOOP,
        "call": _LOOP,
        "new_variable": "make it before, and assign to it in the function",
        "timestamp": "give the time as an argument",
        **dict.fromkeys(_TRIES.split(), _TEST),
        **{drawn: _DRAW.format(instead) for drawn, instead in _DRAWN.items()},
        **dict.fromkeys(_DRAWN_OTHERWISE.split(), _GIVEN),
        **dict.fromkeys(_SEEDED.split(), _GIVEN),
        **dict.fromkeys(_DATASETS.split(), _DATASET),
        **dict.fromkeys(_PYTHON.split(), _FUNCTIONS),
        **dict.fromkeys(_TEXTS.split(), _TEXT),
        **dict.fromkeys(_SUMMARIES.split(), _RECORD),
        **dict.fromkeys(_GRADIENTS.split(), _GRADIENT),
    }
)
"""The code to write in the place of an op that most formats refuse, by the name of the op."""


def refused_node(node: Node, reason: str, file: str) -> UnimplementedError:
    """Return the error for a node that a file cannot have, with its line and a replacement.

    Args:
        node: the node.
        reason: why the file cannot have it.
        file: the kind of file with its article, such as "a GraphDef".

    >>> import autograph.runtime as rt
    >>> graph = rt.Graph("f")
    >>> with graph.recording():
    ...     now = rt.timestamp()
    >>> refused_node(graph.nodes[0], "it has no clock", "a file").message.partition(") ")[2]
    'does not go into a file: it has no clock; give the time as an argument'
    """
    return refused_op(node.op.name, _place(node), reason, file)


def refused_op(op: str, origin: Origin | None, reason: str, file: str) -> UnimplementedError:
    """Return the error for an op at a line of the user's; see `refused_node`."""
    line = origin.line_text() if origin is not None else ""
    shown = f" (`{line}`)" if line else ""
    if origin is not None and origin.scope:
        # The line may be that of the export, where a model calls its layers.
        shown += f" of {origin.scope}"
    instead = INSTEAD.get(op, _OUTSIDE)
    if op in _DRAWN and file == "a TensorFlow Lite model":
        # It has no random numbers of a seed either.
        instead = _GIVEN
    if op in _SEEDED.split() and file == "an ONNX model":
        instead = _DRAW_ANY
    return UnimplementedError(f"'{op}'{shown} does not go into {file}: {reason}; {instead}", origin)


def refused_nodes(errors: Sequence[UnimplementedError], file: str) -> UnimplementedError:
    """Return one error for several; ops of one line with the same reason are told once."""
    told = {(each.message.rpartition("' (`")[2], each.origin): each for each in reversed(errors)}
    first, *others = reversed(told.values())
    if not others:
        return first
    lines = "\n".join(map(str, (first, *others)))
    return UnimplementedError(f"{1 + len(others)} places do not go into {file}:\n{lines}")


def _place(node: Node) -> Origin | None:
    """Return the user's line of a node; of a recursive function, that of a call of itself."""
    if node.op.name != "recursion":
        return node.origin
    calls = [each for region in node.regions for each in region.walk() if each.op.name == "call"]
    return calls[0].origin if calls else node.origin
