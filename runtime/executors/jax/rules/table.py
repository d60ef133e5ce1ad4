"""The registry of lowering rules from ops to JAX.

A rule is called while JAX traces, with the run, the node and one array per operand:

    @rule("cumsum")
    def _cumsum(run, node, x, *, axis, exclusive, reverse):    attributes are keywords
        ...
        return y                                               one array, or a tuple of arrays

Operands are traced arrays, or NumPy arrays of known values. A rule calls `run.fail(condition)`
where the NumPy kernel raises an error: if an element of the condition is true, the run is thrown
away, and the NumPy executor runs the call again. Results have the kernel's dtypes and shapes.

An op is in one of three tables: `RULES`, `IN_CORE` or `UNSUPPORTED`. A law test compares them with
the registry of ops.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from runtime.core.dtypes import as_dtype
from runtime.core.spec import TensorSpec
from runtime.errors import OpError
from runtime.executors.jax.rules.jax_modules import jnp
from runtime.ops.op import output_specs

Rule = Callable[..., Any]

RULES: dict[str, Rule] = {}


class Unsupported(Exception):
    """A node that has no rule for its attributes, shapes or dtypes.

    Args:
        reason: the end of "the engine has ...".
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NoResult(Exception):
    """Raised by a rule for operands for which the kernel raises an error in any run."""


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Return a decorator that enters a function into the table, as the rule of these ops.

    The keyword parameters of the function are attributes of the node.

    >>> from types import SimpleNamespace
    >>> @rule("an_example")
    ... def _example(run, node, x, *, by=2):
    ...     return x * by
    >>> RULES.pop("an_example")(None, SimpleNamespace(attrs={"by": 3}), 5)
    15
    """

    def enter(function: Rule) -> Rule:
        made = _checked(function, _takes_attributes(function))
        for name in names:
            assert name not in RULES, name
            RULES[name] = made
        return function

    return enter


def _takes_attributes(function: Rule) -> bool:
    kinds = [each.kind for each in inspect.signature(function).parameters.values()]
    return inspect.Parameter.KEYWORD_ONLY in kinds


def _checked(function: Rule, takes_attributes: bool) -> Rule:
    """Return a rule that fails the run if the operands do not fit the op or each other."""

    @wraps(function)
    def checked(run: Any, node: Any, *inputs: Any) -> Any:
        try:
            return function(run, node, *inputs, **(node.attrs if takes_attributes else {}))
        except Unsupported:
            raise
        except NoResult:
            pass
        except Exception:
            if _fit(node, inputs):
                raise
        run.fail(True)
        return tuple(_blank(each.spec) for each in node.outputs)

    return checked


def _fit(node: Any, inputs: Sequence[Any]) -> bool:
    try:
        output_specs(node.op, list(map(operand_spec, inputs)), node.attrs)
    except OpError:
        return False
    return True


def operand_spec(array: Any) -> TensorSpec:
    """Return the spec of an operand; a size that is exported as a symbol is no number.

    >>> import numpy as np
    >>> operand_spec(np.zeros((2, 3), np.int8))
    TensorSpec(shape=(2, 3), dtype=rt.int8, name=None)
    """
    dims = [dim if isinstance(dim, int) else None for dim in array.shape]
    return TensorSpec(dims, as_dtype(array.dtype))


def _blank(spec: TensorSpec) -> Any:
    """Return a result for a run that has failed."""
    if not spec.shape.is_fully_defined():
        raise Unsupported("no shape for the result of an op that fails")
    return jnp.zeros(spec.shape.dims, spec.dtype.np_dtype)


# Ops on values that are not one array: statements, lists, variables, errors, and arrays whose
# length only a run knows. The engine itself runs them.
IN_CORE = frozenset(
    """
    constant given_gradient
    cond switch_case while_loop function_call call recursion try_except
    assert assert_data assert_rank assert_relation assert_shapes check check_numerics refuse
    raise raise_again make_error from_exception leave_try note_state
    new_variable read_variable assign_variable assign_add_variable assign_sub_variable
    assign_item_variable scatter_variable scatter_nd_variable adam_variable skip_variable
    list_of list_append list_extend list_length list_get list_set list_pop list_insert list_slice
    list_set_slice list_delete list_delete_slice list_reverse list_repeat list_take list_stack
    list_concat list_from_rows list_from_parts
    tensor_array tensor_array_write tensor_array_scatter tensor_array_fill tensor_array_read
    tensor_array_items tensor_array_size
    no_item_gradients join_item_gradients limit_item_gradients place_item_gradients
    pick_item_gradients drop_item_gradients gather_item_gradients scatter_item_gradients
    move_item_gradients move_item_gradients_back rows_as_item_gradients item_gradients_as_rows
    parts_as_item_gradients item_gradients_as_parts lengths_of_items
    random_uniform random_uniform_int random_normal truncated_normal random_gamma random_poisson
    random_shuffle random_categorical
    boolean_mask nonzero unique unique_with_counts dynamic_partition
    """.split()
)

_TEXTS = """
as_string bytes_split format_values hash_bucket hash_bucket_fast hash_bucket_strong reduce_join
regex_full_match regex_replace string_format string_join string_length string_lower string_ngrams
string_split string_strip string_upper substr text_item text_method to_number unicode_decode
unicode_encode unicode_split unicode_transcode unsorted_segment_join
"""
_FILES = "read_file write_file decode_image encode_png decode_wav encode_wav"
_DATASETS = """
dataset_begin dataset_size dataset_has_item dataset_item dataset_place_after dataset_seeds
dataset_store iterator_has_next iterator_next
"""

# Ops without a rule, with the reasons, which end the sentence "the engine has ...".
UNSUPPORTED: dict[str, str] = {
    **dict.fromkeys(_TEXTS.split(), "no texts"),
    **dict.fromkeys(_DATASETS.split(), "no datasets: their steps run outside of the graph"),
    **dict.fromkeys("write_summary flush_summaries close_summaries".split(), "no files"),
    **dict.fromkeys(_FILES.split(), "no texts, which the contents of files are"),
    "print": "no output",
    "py_function": "no Python functions",
    "timestamp": "no clock",
    "new_number": "no numbers of objects in this process",
    **dict.fromkeys(
        ("tensor_array_resize", "tensor_array_sum"), "no arrays of elements that were never written"
    ),
}
