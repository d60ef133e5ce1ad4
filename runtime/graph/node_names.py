"""Names of nodes as TensorFlow assigns them, for programs that look nodes up.

A node's label comes from the call that records it: `tf.add(x, y, name="total")` makes `total`,
`x * 2` makes `mul` and `mul/y`, `tf.matmul(a, b)` makes `MatMul`. If a call records several nodes,
the last one has the name, and the others have it as a prefix: `loss/sub`.
"""

from __future__ import annotations

import re
from types import CodeType, FrameType

from runtime.core.context import LibraryCall, call_by_user
from runtime.core.name_scopes import NOT_IN_NAMES, node_scoped
from runtime.errors import ArgumentValueError
from runtime.graph.node import Node
from runtime.ops.op import REGISTRY, Op

# The names of Python's operators, if they differ from the function that records the node.
_OPERATORS = {
    "abs": "Abs",
    "div": "truediv",
    "eq": "Equal",
    "ge": "GreaterEqual",
    "getitem": "strided_slice",
    "gt": "Greater",
    "invert": "LogicalNot",
    "le": "LessEqual",
    "lt": "Less",
    "ne": "NotEqual",
    "neg": "Neg",
}
_PLAIN = frozenset("add sub mul truediv floordiv mod pow matmul and or xor".split())
# Functions whose calls have another label than their op.
_FUNCTIONS = {
    "add": "Add",
    "assign": "AssignVariableOp",
    "assign_add": "AssignAddVariableOp",
    "assign_sub": "AssignSubVariableOp",
    "bias_add": "BiasAdd",
    "constant": "Const",
    "convert_to_tensor": "Const",
    "divide": "truediv",
    "divide_no_nan": "div_no_nan",
    "expand_dims": "ExpandDims",
    "matmul": "MatMul",
    "minimum": "Minimum",
    "placeholder": "Placeholder",
    "print_": "PrintV2",
    "reduce_logsumexp": "ReduceLogSumExp",
    "get_item": "strided_slice",
    "l2_loss": "L2Loss",
    "leaky_relu": "LeakyRelu",
    "normal": "random_normal",
    "pad": "Pad",
    "selu": "Selu",
    "shuffle": "RandomShuffle",
    "size": "Size",
    "tensordot": "Tensordot",
    "to_hash_bucket": "StringToHashBucket",
    "to_hash_bucket_fast": "StringToHashBucketFast",
    "to_hash_bucket_strong": "StringToHashBucketStrong",
    "top_k": "TopKV2",
    "uniform": "random_uniform",
    "where": "SelectV2",
}
# The labels of statements, which no function call records.
_STATEMENTS = {
    "call": "call",
    "cond": "cond",
    "function_call": "PartitionedCall",
    "recursion": "recursion",
    "switch_case": "switch_case",
    "try_except": "try_except",
    "while_loop": "while",
}
# Functions whose calls are labelled with the function's name.
_LABELLED_BY_NAME = frozenset(
    """
    clip_by_value concat cond einsum eye floordiv linspace norm one_hot ones ones_like range split
    stack transpose truediv unstack while_loop zeros zeros_like
    """.split()
)
# Functions that may record only a constant.
_CONSTANTS = frozenset("constant convert_to_tensor rank shape size zeros ones fill eye".split())
_VALID = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*\Z")


class CallNames:
    """Assigns labels to the nodes of one graph, from the user's calls that record them.

    Args:
        scope: the name scope around the graph, which its labels do not include.
    """

    def __init__(self, scope: str) -> None:
        self._outer = scope
        # Keyed by lower-case labels: labels that differ in case only count as equal.
        self._numbers: dict[str, int] = {}
        self._reserved: set[str] = set()
        # The user's call that recorded the last node. Comparing frames would identify a call for
        # certain, but a kept frame keeps its variables alive, which tracing of functions checks.
        self.compares_frames = False
        self._frame: FrameType | None = None
        self._call_key: object = None
        self._progress: list[int] = []
        self._base = self._label = self._name = ""
        self._is_user_name, self._operands = False, 0
        self._last_node: Node | None = None

    def forget(self) -> None:
        """Forget the last call: later nodes do not belong to it."""
        self._frame = self._call_key = self._last_node = None

    def fresh_reserved(self, base: str) -> str:
        """Return a fresh label, which `fresh` returns unchanged at the next request for it."""
        return self.reserve(self.fresh(base))

    def reserve(self, label: str) -> str:
        """Let `fresh` return a used label unchanged at the next request for it."""
        self._reserved.add(label)
        return label

    def fresh(self, base: str) -> str:
        """Return a label that no node has, with a number if `base` is taken."""
        if base in self._reserved:
            self._reserved.remove(base)
            return base
        numbers, lower = self._numbers, base.lower()
        number = numbers.get(lower, 0)
        if not number:
            numbers[lower] = 1
            return base
        while f"{lower}_{number}" in numbers:
            number += 1
        numbers[lower] = number + 1
        numbers[f"{lower}_{number}"] = 1
        return f"{base}_{number}"

    def label_for(self, op: Op, call: LibraryCall) -> str:
        """Return the label of the node that a call records now.

        Raises:
            ArgumentValueError: the given name is not valid.
        """
        caller, function, progress = call
        call_key = None
        if function is not None and caller is not None:
            call_key = id(function), id(caller), caller.f_lasti
        if not self._is_same_call(function, call_key, progress):
            self.forget()
            base, is_user_name = None, False
            if function is not None:
                takes_name, default = _naming_of(function.f_code)
                base = self._given_name(function) if takes_name else None
                is_user_name = base is not None
                base = base or _STATEMENTS.get(op.name) or default
            if base is None:
                return self.fresh(self._in_scope(_STATEMENTS.get(op.name) or _type_of(op)))
            self._call_key, self._base = call_key, self._in_scope(base)
            self._frame = function if self.compares_frames else None
            self._label = self.fresh(self._base)
            self._is_user_name, self._operands = is_user_name, 0
        self._progress = progress
        assert function is not None
        if op.name == "constant" and not _makes_constants(function.f_code):
            self._operands += 1
            return self.fresh(f"{self._label}/{_operand_of(function, self._operands)}")
        self._pass_label_on()
        return self._label

    def _is_same_call(
        self, function: FrameType | None, call_key: object, progress: list[int]
    ) -> bool:
        """Return whether a call is the one that recorded the last node.

        Args:
            function, progress: as in `LibraryCall`.
            call_key: the key of the call among the active ones.
        """
        if function is None or self._call_key is None:
            return False
        if self.compares_frames:
            return function is self._frame
        # Until the call has recorded its own node, one line of the library may make several of its
        # operands.
        is_further = self._last_node is None or progress > self._progress
        return is_further and self._call_key == call_key

    def label_for_group(self, base: str) -> str:
        """Return the label of a group of nodes: that of the call that makes the group, if any."""
        call = call_by_user()
        if self._last_node is None or self._base != base:
            return self.fresh(base)
        if not self._is_same_call(call.function, _call_key_of(call), call.progress):
            return self.fresh(base)
        self._pass_label_on()
        self.forget()
        return self._label

    def _pass_label_on(self) -> None:
        """Move the label of the call from its last node to the next one."""
        node = self._last_node
        if node is not None:
            node.label = self.fresh(f"{self._label}/{_type_of(node.op)}")
            assert node.graph is not None
            if node.graph.runs_by_fetches:
                node.name = node.label
            elif self._is_user_name:
                node.name = node.graph.fresh_name(node.label)

    def assign_name(self, node: Node) -> None:
        """Record that a node has the label of the call; a user's label becomes its name, too."""
        if self._call_key is None or node.label != self._label:
            return
        assert node.graph is not None
        if self._is_user_name and not node.graph.runs_by_fetches:
            self._name = self._name if self._last_node else node.graph.fresh_name(node.label)
            node.name = self._name
        self._last_node = node

    def _given_name(self, call: FrameType) -> str | None:
        """Return the `name` argument of a call, None if there is none.

        Raises:
            ArgumentValueError: the name is not valid in a session's graph; in functions, where
                names are only labels, invalid characters become `_`.
        """
        given = call.f_locals.get("name")
        if not isinstance(given, str) or not given:
            return None
        if self.compares_frames:
            return checked_name(given)
        return NOT_IN_NAMES.sub("_", given).lstrip("_\\/>-").rstrip("/") or None

    def _in_scope(self, name: str) -> str:
        return node_scoped(name).removeprefix(self._outer)


def _call_key_of(call: LibraryCall) -> tuple[int, int, int] | None:
    """Return the key of a call among the active ones."""
    if call.function is None or call.caller is None:
        return None
    return id(call.function), id(call.caller), call.caller.f_lasti


def _naming_of(code: CodeType) -> tuple[bool, str | None]:
    """Return whether a function takes a `name`, and the label of the nodes that its calls record.

    The label is None if nodes are labelled by their own op.
    """
    known = _NAMINGS.get(id(code))
    if known is None:
        known = _NAMINGS[id(code)] = code, (_takes_name(code), _default_label(code.co_name))
    return known[1]


def _default_label(function: str) -> str | None:
    if function.startswith("__"):
        operator = function.strip("_")
        return _operator(operator) or (_operator(operator[1:]) if operator[:1] in "ri" else None)
    if function.startswith(("_", "<")):
        return None
    if function in _LABELLED_BY_NAME:
        return function
    called = REGISTRY.get(function) or REGISTRY.get(f"string_{function}")
    return _FUNCTIONS.get(function) or (function if called is None else _type_of(called))


def _takes_name(code: CodeType) -> bool:
    arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return "name" in arguments and not code.co_name.startswith("__")


# By the identity of a library function's code, which is kept alive: hashing code by value is slow.
_NAMINGS: dict[int, tuple[CodeType, tuple[bool, str | None]]] = {}


def _operator(name: str) -> str | None:
    return name if name in _PLAIN else _OPERATORS.get(name)


def checked_name(name: str) -> str:
    """Return a valid name of a node.

    Raises:
        ArgumentValueError: the name is not valid.

    >>> checked_name("layer/weights")
    'layer/weights'
    """
    if not _VALID.match(name):
        raise ArgumentValueError(
            f"{name!r} is not a valid name of a node: write letters, digits and any of `_.\\/>-`, "
            "and begin with a letter, a digit or a point"
        )
    return name.rstrip("/")


def _type_of(op: Op) -> str:
    return op.tensorflow_name or op.name


def _makes_constants(code: CodeType) -> bool:
    return code.co_name in _CONSTANTS


def _operand_of(function: FrameType, number: int) -> str:
    """Return the name of a Python value that became an operand: usually the right one.

    Args:
        function: the call that takes it.
        number: its index among those operands of the call, counted from 1.
    """
    code = function.f_code
    named = _OPERANDS.get(code.co_name)
    if named is not None:
        given = function.f_locals
        # A tensor is used directly, without a constant.
        values = [part for part in named.split() if not hasattr(given.get(part), "spec")]
        found = values[number - 1] if number <= len(values) else "Const"
        return _OPERAND_LABELS.get(found, found)
    operator = code.co_name.strip("_")
    if operator in _PLAIN or operator in _OPERATORS or code.co_name in _BINARY:
        return "y"
    return "x" if operator[:1] == "r" and operator[1:] in _PLAIN else "Const"


# The parameters of functions that become operands, in this order.
_OPERANDS = {
    "broadcast_to": "input",
    "gather": "params indices axis",
    "linspace": "start stop",
    "one_hot": "on_value off_value",
    "range": "start limit delta",
    "scatter_nd": "indices updates",
    "slice": "begin size",
    "where": "condition x y",
}
# Parameters whose operands have another name in the node.
_OPERAND_LABELS = {"x": "t", "y": "e"}
_BINARY = frozenset(
    """
    subtract multiply divide maximum minimum equal not_equal greater greater_equal less less_equal
    """.split()
)
