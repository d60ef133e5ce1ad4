"""Names the user's variables in errors, from the source at the position that failed.

    x, weights = rt.ones([2, 3]), rt.ones([4, 5])
    rt.matmul(x, weights)

    ShapeError: matmul: shapes (2, 3) and (4, 5) do not multiply: 3 is not 4; x is (2, 3), weights
    is (4, 5)

An error about shapes or dtypes describes the operands of which the value is known without running
code of the user's: variables, attributes and items. Other errors show the expression, in eager code
and in a run of a graph alike. The source is read only after an error.
"""

from __future__ import annotations

import ast
import copy
import functools
import re
from collections.abc import Iterator
from types import FrameType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from runtime.core.context import Origin, call_by_user
from runtime.core.tensor import Tensor
from runtime.diagnostics.source_expressions import (
    Expression,
    assignments_in,
    expression_at,
    expressions_at,
    expressions_in,
    expressions_in_line,
    operand_nodes,
    position_of,
    text_of,
)
from runtime.errors import DTypeError, OpError, ShapeError

_MOST_NAMES = 4
_CAST = re.compile(r"rt\.cast\(x, rt\.(\w+)\)")
_PLACEHOLDER = re.compile(r"(?<![\w.])x(?![\w'])")
_UNKNOWN: Any = object()
# The names of advice that no argument replaces, and the keywords that NumPy and the ops share.
_GIVEN_NAMES = ("x", "rt", "np", "tape")
_KEPT = ("axis", "keepdims")
# Frames of these are of a graph's run: its errors have the positions of its nodes.
_RUNS = ("runtime.executors", "runtime.data")
# Functions of `runtime.data` that run no graph.
_MAKERS = ("from_tensor_slices", "__getitem__")


class _Evaluation(NamedTuple):
    """The expression that the user's innermost frame is evaluating."""

    expression: Expression
    frame: FrameType

    def values(self) -> list[tuple[ast.expr, Any]]:
        """Return the operands with their values; a value may be unknown."""
        return [(node, _value(node, self.frame)) for node in operand_nodes(self.expression)]


def name_operands(error: OpError, op: str | None = None) -> None:
    """Add the names of the user's operands to the message of an error of an op; in place.

    It is called where an op is computed or recorded, so the user's frame is on the stack. The
    message stays as it is if the expression is not found.
    """
    vars(error).pop("operand_shapes", None)
    try:
        found = _evaluations()
        _set_words(error, [each.expression for each in found], op)
        if len(found) == 1:
            _add_names(error, found[0])
    except Exception:
        # Hostile objects of the user's may raise, and the error itself is more important.
        return


def name_expression(error: OpError, origin: Origin, op: str) -> None:
    """Add the user's expression at the position of a node of `op` to a message; in place.

    An error about shapes that has `operand_shapes` describes the operands of an operator.
    """
    shapes = vars(error).pop("operand_shapes", ())
    code = None if origin.instruction is None else origin.instruction[0]()
    if origin.instruction is None or code is None:
        return
    position = position_of(code, origin.instruction[1])
    found = expressions_at(origin.filename, position, op)
    _set_words(error, found, op)
    if len(found) != 1:
        return
    (expression,) = found
    nodes = operand_nodes(expression)
    described: list[str] = []
    if isinstance(expression, (ast.BinOp, ast.AugAssign)) and len(shapes) == 2:
        pairs = zip(nodes, shapes)
        described = [f"{text_of(each)} is {shape}" for each, shape in pairs if _is_place(each)]
    _set_message(error, _with_clause(error.message, _clause(described, expression)))


def name_of(value: object, other: object = _UNKNOWN, name: str | None = None) -> str | None:
    """Return the text of the user's operand that has this very value, None if it is not known.

    Args:
        value: a value that the user's expression was given.
        other: the other one of two operands; the operand that does not have its value has `value`.
        name: the attribute, function or special method that the expression calls.
    """
    try:
        evaluation = _evaluation(name)
        return None if evaluation is None else _name_in(evaluation, value, other)
    except Exception:
        return None


def condition_text(condition: Tensor) -> str | None:
    """Return the text of a condition that the user's code tests, None if not known.

    That of `0 < x < 9` is `(0 < x) & (x < 9)`, and that of a number compares it with 0.
    """
    evaluation = _evaluation("test")
    tested: ast.AST | None = None if evaluation is None else evaluation.expression
    if isinstance(tested, ast.UnaryOp):
        tested = tested.operand
    elif isinstance(tested, ast.Call):
        tested = tested.args[0] if _calls_bool(tested) else None
    elif isinstance(tested, ast.BoolOp):
        return None  # one of its operands is tested
    tested = getattr(tested, "test", tested)
    if isinstance(tested, ast.Compare):
        tested = _unchained(tested)
    text = None if tested is None else text_of(tested)
    return f"{text} != 0" if text is not None and condition.dtype.kind in "iufc" else text


def _unchained(node: ast.Compare) -> ast.expr:
    """Return `(a < b) & (b < c)` for `a < b < c`."""
    lefts = [node.left, *node.comparators]
    pairs = zip(lefts, node.ops, node.comparators)
    parts: list[ast.expr] = [ast.Compare(left, [op], [right]) for left, op, right in pairs]
    return functools.reduce(lambda left, right: ast.BinOp(left, ast.BitAnd(), right), parts)


def _calls_bool(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == "bool" and len(node.args) == 1


def with_name(value: object, advice: str, name: str | None = None) -> str:
    """Return advice on `x` with the text of the user's operand `value` in the place of `x`.

    >>> with_name(object(), "rt.cast(x, rt.float32)")
    'rt.cast(x, rt.float32)'
    """
    text = name_of(value, name=name)
    return advice if text is None else _PLACEHOLDER.sub(lambda _: text, advice)


def with_arguments(value: object, advice: str, name: str) -> str:
    """Return the advice of `with_name`, with the arguments of the user's call of a method.

    In the advice `rt.clip_by_value(x, low, high)`, they replace `low` and `high`; others follow.
    Without such a call, or with advice that is no expression, it is that of `with_name`.
    """
    try:
        evaluation, text = _evaluation(name), name_of(value, name=name)
        call = None if evaluation is None else _method_call(evaluation)
        if text is not None and call is not None:
            tree, receiver = ast.parse(advice, mode="eval"), ast.parse(text, mode="eval")
            return _filled(tree.body, receiver.body, call)
    except Exception:  # of hostile source or objects
        pass
    return with_name(value, advice, name)


def arguments_of(name: str) -> list[str]:
    """Return the texts of the arguments of the user's call of `name`; none if not known."""
    evaluation = _evaluation(name)
    call = None if evaluation is None else _method_call(evaluation)
    if call is None or call.keywords:
        return []
    texts = [text_of(each) for each in call.args]
    return [] if None in texts else texts  # type: ignore[return-value]


def _method_call(evaluation: _Evaluation) -> ast.Call | None:
    method, code = evaluation.expression, evaluation.frame.f_code
    nodes = expressions_in_line(code.co_filename, method.lineno, evaluation.frame.f_globals)
    calls = (each for each in nodes if isinstance(each, ast.Call))
    return next((each for each in calls if method in (each, each.func)), None)


def _filled(advice: ast.expr, receiver: ast.expr, call: ast.Call) -> str:
    """Return the advice with the receiver and the arguments of a call in their places."""
    call = copy.deepcopy(call)
    args, keywords = call.args, [each for each in call.keywords if each.arg in _KEPT]
    if len(keywords) < len(call.keywords):
        args, keywords = [], []
    found = (each.id for each in ast.walk(advice) if isinstance(each, ast.Name))
    places = [each for each in found if each not in _GIVEN_NAMES]
    if len(args) > max(1, len(places)) and isinstance(advice, ast.Call):
        # Several sizes or axes, each an argument.
        args = [ast.List(args, ast.Load())]
    if isinstance(advice, ast.Call) and len(args) >= len(places):
        advice.args += args[len(places) :]
        advice.keywords += keywords
    return ast.unparse(_Replaced({"x": receiver, **dict(zip(places, args))}).visit(advice))


class _Replaced(ast.NodeTransformer):
    def __init__(self, nodes: dict[str, ast.expr]) -> None:
        self._nodes = nodes

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._nodes.get(node.id, node)


def user_expression(name: str) -> str | None:
    """Return the text of the expression that calls `name` in the user's frame; None without one."""
    evaluation = _evaluation(name)
    return None if evaluation is None else text_of(evaluation.expression)


def called_function(name: str) -> str | None:
    """Return the text of the function that the user's frame calls, and that has this name."""
    evaluation = _evaluation(name)
    if evaluation is None:
        return None
    # While Python looks a method up, it is the expression; Python 3.10 knows the line alone.
    node = evaluation.expression
    return text_of(node.func if isinstance(node, ast.Call) else node)


def assigned_item() -> tuple[str, str, str] | None:
    """Return the texts of an assignment of an item: the object, the key and the new value.

    None if the user's frame does not execute one, or one of the texts is long.
    """
    evaluation = _evaluation("__setitem__")
    target = None if evaluation is None else evaluation.expression
    if evaluation is None or not isinstance(target, ast.Subscript):
        return None
    for each in assignments_in(evaluation.frame):
        if isinstance(each, ast.AugAssign) and each.target is target:
            new: ast.expr = ast.BinOp(target, each.op, each.value)
        elif isinstance(each, ast.Assign) and each.targets == [target]:
            new = each.value
        else:
            continue
        texts = (text_of(target.value), text_of(_as_argument(target.slice)), text_of(new))
        return texts if all(texts) else None  # type: ignore[return-value]
    return None


def number_of_operands(origin: Origin) -> int:
    """Return the number of operands of the expression at a position, 0 if it is not found.

    Where only the line is known, the expression of the most operands counts.
    """
    code = None if origin.instruction is None else origin.instruction[0]()
    if origin.instruction is None or code is None:
        return 0
    position = position_of(code, origin.instruction[1])
    if position.column is None and position.line is not None:
        found = expressions_in_line(origin.filename, position.line)
    else:
        expression = expression_at(origin.filename, position, None)
        found = [] if expression is None else [expression]
    return max((len(operand_nodes(each)) for each in found), default=0)


def _as_argument(key: ast.expr) -> ast.expr:
    """Return a key with calls of `slice` in place of its slices."""
    if isinstance(key, ast.Tuple):
        return ast.Tuple([_as_argument(each) for each in key.elts], ast.Load())
    if not isinstance(key, ast.Slice):
        return key
    none = ast.Constant(None)
    parts = [key.lower or none, key.upper or none, *([key.step] if key.step else [])]
    return ast.Call(ast.Name("slice", ast.Load()), parts, [])


def _evaluation(name: str | None = None) -> _Evaluation | None:
    found = _evaluations(name)
    return found[0] if len(found) == 1 else None


def _evaluations(name: str | None = None) -> list[_Evaluation]:
    """Return the expressions that the user's frame may be evaluating."""
    call = call_by_user()
    if call.caller is None:
        return []
    function = call.function
    if function is not None:
        is_run = function.f_globals.get("__name__", "").startswith(_RUNS)
        if is_run and function.f_code.co_name not in _MAKERS:
            return []
        name = name or function.f_code.co_name
    return [_Evaluation(each, call.caller) for each in expressions_in(call.caller, name)]


def _set_words(error: OpError, expressions: list[Expression], op: str | None) -> None:
    """Let a message begin with the function that is called, if all expressions agree on it."""
    messages = {_in_words_of(each, error.message, op) for each in expressions}
    if len(messages) == 1:
        _set_message(error, *messages)


def _add_names(error: OpError, evaluation: _Evaluation) -> None:
    values = evaluation.values()
    message = _with_cast(error.message, values)
    described = list(_descriptions(error, values))
    _set_message(error, _with_clause(message, _clause(described, evaluation.expression)))


def _descriptions(error: OpError, values: list[tuple[ast.expr, Any]]) -> Iterator[str]:
    for node, value in values:
        text = None if _is_literal(node) else text_of(node)
        words = _description(value, error)
        if text is not None and words is not None:
            yield f"{text} is {words}"


def _clause(described: list[str], expression: Expression) -> str | None:
    """Return descriptions of operands, each once, else the expression, if it has variables."""
    different = list(dict.fromkeys(described))
    if different and len(different) <= _MOST_NAMES:
        return ", ".join(different)
    nodes = operand_nodes(expression)
    if isinstance(expression, ast.Call) and isinstance(expression.func, ast.Attribute):
        del nodes[0]  # which may be a module
    if all(map(_is_literal, nodes)):
        return None
    text = text_of(expression)
    return None if text is None else f"in {text}"


def _description(value: Any, error: OpError) -> str | None:
    """Return the property of an operand that an error is about: its dtype or its shape."""
    if not isinstance(error, (DTypeError, ShapeError)):
        return None
    if isinstance(value, (bool, int, float, complex)):
        return f"the Python {type(value).__name__} {value}"
    if not isinstance(value, (Tensor, np.ndarray)) and not hasattr(type(value), "__rt_tensor__"):
        return None
    dtype = str(getattr(value.dtype, "name", value.dtype))
    if isinstance(error, DTypeError) or dtype == "variant":
        return dtype
    shape = value.shape
    return None if getattr(shape, "rank", 0) is None else str(shape)


def _with_cast(message: str, values: list[tuple[ast.expr, Any]]) -> str:
    """Return a message with the operand to cast in place of `x`, if only one can be meant."""
    found = _CAST.search(message)
    unknown = [node for node, value in values if value is _UNKNOWN and not _is_number(node)]
    if found is None or any(not _is_clear(*each) for each in values if each[0] not in unknown):
        return message
    others = [
        node
        for node, value in values
        if node in unknown
        or (isinstance(value, Tensor) and value.dtype.name != found[1])
        or (isinstance(value, float) and "int" in found[1])
    ]
    text = text_of(others[0]) if len({text_of(each) for each in others}) == 1 else None
    # The placeholder may be the name of another variable of the user's.
    return message.replace(found[0], f"rt.cast({text or '...'}, rt.{found[1]})")


def _is_clear(node: ast.expr, value: Any) -> bool:
    """Return whether an operand is a tensor, or something that no advice asks to cast."""
    return isinstance(value, (Tensor, str, type(None), ModuleType, type)) or _is_literal(node)


def _name_in(evaluation: _Evaluation, value: object, other: object) -> str | None:
    values = evaluation.values()
    texts = {text_of(node) for node, each in values if each is value and not _is_literal(node)}
    unknown = [
        node
        for node, each in values
        if each is _UNKNOWN and not isinstance(node, (ast.Lambda, ast.JoinedStr))  # no tensors
    ]
    if not texts and len(unknown) == 1 and isinstance(value, Tensor):
        known = [_is_clear(node, each) for node, each in values if each is not _UNKNOWN]
        texts = {text_of(unknown[0])} if all(known) else set()
    if not texts and other is not _UNKNOWN and len(values) == 2:
        if not isinstance(evaluation.expression, (ast.BinOp, ast.AugAssign, ast.Compare)):
            return None
        rest = [node for node, each in values if each is not other]
        texts = {text_of(rest[0])} if len(rest) == 1 else set()
    return texts.pop() if len(texts) == 1 else None


def _in_words_of(expression: Expression, message: str, op: str | None) -> str:
    """Return a message that begins with the called function, which may have the op of another name.

    An item has no name, and operators have the names that Python gives their functions.
    """
    rest = "" if op is None else message.removeprefix(op)
    if not rest.startswith((": ", " ")):
        return message
    if isinstance(expression, ast.Subscript):
        return rest.removeprefix(": ")
    if not isinstance(expression, ast.Call):
        return message
    called = text_of(expression.func) or getattr(expression.func, "attr", None)
    return message if called is None or called.rpartition(".")[2] == op else f"{called}{rest}"


def _with_clause(message: str, clause: str | None) -> str:
    is_known = clause is None or message.endswith(clause)
    return message if is_known else f"{message}; {clause}"


def _set_message(error: OpError, message: str) -> None:
    if message != error.message:
        error.message = message
        error.args = (message, *error.args[1:])


def _is_number(node: ast.expr) -> bool:
    """Return whether an operand is computed of Python's literals, as `2**40` is."""
    return not any(isinstance(each, (ast.Name, ast.Call)) for each in ast.walk(node))


def _is_literal(node: ast.expr) -> bool:
    """Return whether an operand has no variables; names of functions do not count."""
    functions = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
    named = {id(part) for each in functions for part in ast.walk(each)}
    return all(id(each) in named or not isinstance(each, ast.Name) for each in ast.walk(node))


def _is_place(node: ast.expr) -> bool:
    return isinstance(node, (ast.Name, ast.Attribute, ast.Subscript))


# -- values of expressions, without running code of the user's -------------------------------------


def _value(node: ast.expr, frame: FrameType) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return frame.f_locals.get(node.id, frame.f_globals.get(node.id, _UNKNOWN))
    if isinstance(node, ast.Attribute):
        return _attribute(_value(node.value, frame), node.attr)
    if isinstance(node, ast.Subscript):
        return _item(_value(node.value, frame), _value(node.slice, frame))
    return _UNKNOWN


def _attribute(owner: Any, name: str) -> Any:
    """Return an attribute in the dict of an object; a property or `__getattr__` is not called."""
    kind = type(owner)
    if isinstance(owner, (Tensor, type)) or any(name in vars(base) for base in kind.__mro__):
        return _UNKNOWN
    try:
        own = object.__getattribute__(owner, "__dict__")
    except AttributeError:
        return _UNKNOWN
    return own.get(name, _UNKNOWN) if type(own) is dict else _UNKNOWN


def _item(owner: Any, key: Any) -> Any:
    if type(owner) not in (dict, list, tuple) or type(key) not in (str, int):
        return _UNKNOWN
    try:
        return owner[key]
    except LookupError:
        return _UNKNOWN
