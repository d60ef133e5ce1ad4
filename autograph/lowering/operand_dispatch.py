"""Operand dispatch: converts the special methods of objects before Python calls them.

    a + b.size    ->    ag__.operand(a) + ag__.operand(ag__.operand(b).size)

Python itself calls `__add__` and the function of a property: no call in generated code converts
them. `operand` converts these methods in the class of a user's object, and returns the object; then
Python does the operation.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, cast

from autograph.lowering.conditions import Temporaries
from autograph.lowering.operator_calls import (
    VOCABULARY,
    index_value,
    invoke,
    operator_of,
    put,
    read,
)
from autograph.lowering.tree_visitors import Transformer
from autograph.lowering.versioning import split_docstring
from autograph.syntax.tree import statements_in

# The nodes whose value may not have been dispatched yet.
_SOURCES = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
# The operators whose result may be a part of an operand, or a list.
_GIVING = frozenset("and_ and_rest get_item if_exp list_comp or_ or_rest".split())
# The attributes that stand-ins of backends, for one of several objects or None, have besides those
# of the objects they stand for.
STAND_INS_OWN = frozenset(
    "are_all attribute choose index is_object objects_behind options pick present python_test "
    "refuse require_value value with_value".split()
)
# The operators that return their first operand.
_READING = frozenset("ld operand load_operand".split())
_IDENTITY = (ast.Is, ast.IsNot)
# The operators for comparisons. Python would convert the result to a bool, or would not call a
# method at all; the operator may return a tensor.
_WORDS: dict[type, str] = {
    ast.Is: "same",
    ast.IsNot: "differ",
    ast.In: "contains",
    ast.NotIn: "lacks",
    ast.Lt: "less",
    ast.LtE: "less_equal",
    ast.Gt: "greater",
    ast.GtE: "greater_equal",
    ast.Eq: "equal",
    ast.NotEq: "unequal",
}


def with_operand_dispatch(
    function: Any,
    numbers: frozenset[str],
    namespace: Mapping[str, object],
    used: Callable[[], frozenset[str]] = frozenset,
) -> Any:
    """Return the converted function with operand dispatch, changed in place.

    Args:
        function: the converted function.
        numbers: the variables that only contain numbers.
        namespace: the values of its globals and free variables; modules need no dispatch.
        used: returns the names in use.
    """
    # Conversion has put a read of `x` before `x += v`, at the same position.
    added_to = frozenset(
        (node.target.id, *position_of(node))
        for node in statements_in(function)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
    )
    return _OperandDispatch(numbers, added_to, namespace, used).visit(function)


class _OperandDispatch(Transformer):
    def __init__(
        self,
        numbers: frozenset[str],
        added_to: frozenset[tuple[object, ...]],
        namespace: Mapping[str, object],
        used: Callable[[], frozenset[str]],
    ) -> None:
        self._numbers = numbers
        self._added_to = added_to
        self._namespace = namespace
        self._used = used
        self._names: Temporaries | None = None

    def visit_Call(self, node: ast.Call) -> Any:
        # The look-up of the callee converts the function of a call.
        operator = operator_of(node)
        if operator is None:
            function: Any = self.visit(node.func)
            node.func = function.args[0] if operator_of(function) == "ld" else function
        node.args = [self.visit(argument) for argument in node.args]
        node.keywords = [self.visit(keyword) for keyword in node.keywords]
        for keyword in node.keywords:
            if keyword.arg is None:
                keyword.value = invoke("star_items", [keyword.value], keyword.value)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        self.generic_visit(node)
        if not (isinstance(node.left, ast.Constant) and type(node.left.value) in (str, bytes)):
            node.left, node.right = self._operand(node.left), self._operand(node.right)
            if isinstance(node.op, ast.Mult) and _may_be_list(node.left):
                is_read = operator_of(node.left) in ("operand", "load_operand")
                read = cast(ast.Call, node.left).args if is_read else [node.left]
                node.left = invoke("repeat_operand", read, node.left)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Not):
            node.operand = self._operand(node.operand)
        return node

    def visit_Compare(self, node: ast.Compare) -> Any:
        self.generic_visit(node)
        if not all(isinstance(operator, _IDENTITY) for operator in node.ops):
            node.left = self._operand(node.left)
            node.comparators = [self._operand(each) for each in node.comparators]
        if len(node.ops) == 1 and self._needs_operator(node):
            return invoke(_WORDS[type(node.ops[0])], [node.left, *node.comparators], node)
        return node

    def _needs_operator(self, node: ast.Compare) -> bool:
        kind = type(node.ops[0])
        operands = (node.left, *node.comparators)
        return kind in (*_IDENTITY, ast.In, ast.NotIn) or not any(
            _is_number(each, self._numbers) for each in operands
        )

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        self.generic_visit(node)
        is_place = operator_of(node.value) == "place"
        is_of_module = isinstance(node.value, ast.Name) and self._is_module(node.value.id)
        node.value = self._dispatched(node.value)
        if is_place or is_of_module:
            return node
        if _is_special(node.attr) and isinstance(node.ctx, ast.Load):
            name = put(ast.Constant(node.attr), node)
            return invoke("ld", [invoke("special_attribute", [node.value, name], node)], node)
        if node.attr in STAND_INS_OWN:
            node.value = invoke("delegate", [node.value], node.value)
        if node.attr == "shape":
            node.value = invoke("shape_owner", [node.value], node.value)
        if not isinstance(node.ctx, ast.Load):
            return node
        return invoke("ld", [node], node)  # Like a variable, it may be missing on some paths.

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        self.generic_visit(node)
        node.value = self._dispatched(node.value)
        if isinstance(node.ctx, ast.Load) and not _is_fixed(node.slice):
            return invoke("get_item", [node.value, index_value(node.slice)], node)
        return node

    def visit_Delete(self, node: ast.Delete) -> Any:
        self.generic_visit(node)
        for each in node.targets:
            if isinstance(each, ast.Attribute):
                attribute = put(ast.Constant(each.attr), each)
                each.value = invoke("attribute_owner", [each.value, attribute], each.value)
        target: Any = node.targets[0]
        if len(node.targets) > 1 or not isinstance(target, ast.Subscript):
            return node
        if _is_fixed(target.slice):
            return node
        deleted = invoke("delete_item", [target.value, index_value(target.slice)], target)
        return put(ast.Expr(deleted), node)

    def visit_Starred(self, node: ast.Starred) -> Any:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load):
            text = put(ast.Constant(_as_written(node.value)), node.value)
            node.value = invoke("star_arguments", [node.value, text], node.value)
        return node

    def visit_List(self, node: ast.List) -> Any:
        # A list display may unpack a staged list.
        node.elts = [self._list_item(each) for each in node.elts]
        return node

    def _list_item(self, node: Any) -> Any:
        if not isinstance(node, ast.Starred) or not isinstance(node.ctx, ast.Load):
            return self.visit(node)
        node.value = invoke("star_items", [self.visit(node.value)], node.value)
        return node

    def visit_YieldFrom(self, node: ast.YieldFrom) -> Any:
        none = put(ast.Constant(None), node.value)
        node.value = invoke("star_arguments", [self.visit(node.value), none], node.value)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        self.generic_visit(node)
        node.value = self._operand(node.value)
        if isinstance(node.target, ast.Attribute):
            attribute, owner = put(ast.Constant(node.target.attr), node.target), node.target.value
            node.target.value = invoke("attribute_owner", [owner, attribute], owner)
        operator = operator_of(node.value)
        if isinstance(node.op, ast.Add) and operator in ("operand", "load_operand", "gen_exp"):
            added: Any = node.value
            # `list += x` must not call the `__radd__` of `x`.
            arguments = [added] if operator == "gen_exp" else added.args
            node.value = invoke("add_operand", arguments, node.value)
        node.value = self._beside(node.target, node.value)
        return node

    def _beside(self, target: Any, value: Any) -> Any:
        """Return the right operand of `x += v`, which may change an array of the graph."""
        if isinstance(target, ast.Name):
            is_number = self._is_known(target.id)
            return (
                value
                if is_number
                else invoke("right_operand", [value, read(target.id, value)], value)
            )
        if not isinstance(target, ast.Attribute):
            return value
        owner: Any = target.value
        while operator_of(owner) in ("attribute_owner", "operand", "load_operand", "ld"):
            owner = owner.args[0]
        name = owner.id if isinstance(owner, ast.Name) else self._store_owner(target)
        attribute = put(ast.Constant(target.attr), value)
        return invoke("right_operand", [value, read(name, value), attribute], value)

    def _store_owner(self, target: ast.Attribute) -> str:
        """Store the owner of an attribute, which is read twice; return its name."""
        if self._names is None:
            self._names = Temporaries(self._used())  # Most functions have no such target.
        name, owner = self._names.fresh("owner_"), target.value
        target.value = put(ast.NamedExpr(put(ast.Name(name, ast.Store()), owner), owner), owner)
        return name

    def visit_Assign(self, node: ast.Assign) -> Any:
        self.generic_visit(node)
        is_unpacked = any(isinstance(target, (ast.Tuple, ast.List)) for target in node.targets)
        if is_unpacked and not isinstance(node.value, ast.Name):
            node.value = self._operand(node.value)
        target, value = node.targets[0], node.value
        if len(node.targets) > 1 or not isinstance(target, ast.Name):
            return node
        if (target.id, *position_of(node)) in self._added_to:
            return self._read_before_adding(node, target.id, value)
        return node

    def _read_before_adding(self, node: ast.Assign, name: str, value: ast.expr) -> Any:
        """Return the statement for the read of a variable before `x += v`."""
        if not isinstance(value, ast.Name):
            node.value = self._operand(value)
            return node
        operand = self._operand(read(name, value))
        return None if isinstance(operand, ast.Name) else put(ast.Expr(operand), node)

    def visit_arg(self, node: ast.arg) -> Any:
        return node  # annotations may be strings

    def visit_FunctionDef(self, node: Any) -> Any:
        node.args = self.visit(node.args)
        docstring, rest = split_docstring(node.body)
        rest = [each for old in rest for each in _listed(self.visit(old))]
        node.body = [*docstring, *rest]
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        node.args, node.body = self.visit(node.args), self.visit(node.body)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        inside = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        node.body = [self.visit(each) if isinstance(each, inside) else each for each in node.body]
        return node

    def visit_Dict(self, node: ast.Dict) -> Any:
        self.generic_visit(node)
        # A dict that is unpacked first overwrites no items.
        pairs = list(enumerate(zip(node.keys, node.values)))
        node.values = [self._operand(v) if k is None and at else v for at, (k, v) in pairs]
        return node

    def visit_withitem(self, node: ast.withitem) -> Any:
        self.generic_visit(node)
        node.context_expr = self._operand(node.context_expr)
        return node

    def visit_For(self, node: ast.For) -> Any:
        self.generic_visit(node)
        node.iter = self._dispatched(node.iter)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> Any:
        self.generic_visit(node)
        node.iter = self._dispatched(node.iter)
        return node

    def visit_Match(self, node: Any) -> Any:
        self.generic_visit(node)
        node.subject = self._dispatched(node.subject)
        return node

    def visit_match_case(self, node: Any) -> Any:
        # A pattern has its own form of names for classes and values.
        if node.guard is not None:
            node.guard = self.visit(node.guard)
        node.body = [each for old in node.body for each in _listed(self.visit(old))]
        return node

    def _dispatched(self, node: Any) -> Any:
        """Return the dispatched operand of an index, an iteration or an attribute."""
        return invoke("operand", [node], node) if _may_be_made(node) else self._operand(node)

    def _operand(self, node: Any) -> Any:
        if not isinstance(node, _SOURCES) or operator_of(node) not in (None, "ld"):
            return node
        if isinstance(node, ast.Name) and self._is_known(node.id):
            return node
        if isinstance(node, ast.Call) and operator_of(node) == "ld":
            operator = "operand" if isinstance(node.args[0], ast.Attribute) else "load_operand"
            return invoke(operator, node.args, node)
        return invoke("operand", [node], node)

    def _is_known(self, name: str) -> bool:
        return name in self._numbers or name == VOCABULARY or self._is_module(name)

    def _is_module(self, name: str) -> bool:
        return type(self._namespace.get(name)) is ModuleType


def position_of(node: ast.stmt) -> tuple[int, int]:
    """Return the line and column at which a statement begins."""
    return node.lineno, node.col_offset


def _is_fixed(index: Any) -> bool:
    """Return whether an index is no tensor, by its syntax."""
    if isinstance(index, ast.Slice):
        bounds = (index.lower, index.upper, index.step)
        return all(bound is None or _is_fixed(bound) for bound in bounds)
    if isinstance(index, ast.UnaryOp):
        return _is_fixed(index.operand)
    if isinstance(index, ast.Tuple):
        return all(map(_is_fixed, index.elts))
    return isinstance(index, (ast.Constant, ast.JoinedStr, ast.Starred))


def _is_special(name: str) -> bool:
    """Return whether every object, stand-ins included, may have an attribute of a name."""
    return name.startswith("__") and name.endswith("__")


def _is_number(operand: Any, numbers: frozenset[str]) -> bool:
    """Return whether an operand is no container, by its syntax."""
    if isinstance(operand, ast.UnaryOp):
        return _is_number(operand.operand, numbers)
    if isinstance(operand, ast.Name):
        return operand.id in numbers
    return isinstance(operand, (ast.Constant, ast.JoinedStr))


def _may_be_made(node: ast.expr) -> bool:
    """Return whether the value of an expression may be a new list, or an item of another one."""
    if isinstance(node, ast.List):
        return any(isinstance(each, ast.Starred) for each in node.elts)
    made = (ast.BinOp, ast.BoolOp, ast.IfExp, ast.ListComp, ast.NamedExpr)
    return isinstance(node, made) or operator_of(node) in _GIVING


def _may_be_list(operand: ast.expr) -> bool:
    if isinstance(operand, ast.BinOp):
        return _may_be_list(operand.left) and not operator_of(operand.left)
    made = (ast.List, ast.Tuple, ast.ListComp)
    return isinstance(operand, made) or operator_of(operand) in (
        "operand",
        "load_operand",
        "list_comp",
    )


def _as_written(node: ast.expr) -> str:
    """Return an expression as the user writes it; `...` for all but names and items."""
    while operator_of(node) in _READING:
        node = cast(ast.Call, node).args[0]
    simple = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.expr_context)
    is_simple = all(isinstance(each, simple) for each in ast.walk(node))
    return ast.unparse(node) if is_simple else "..."


def _listed(result: Any) -> list[Any]:
    if result is None:
        return []
    return result if isinstance(result, list) else [result]
