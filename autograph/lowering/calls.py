"""Lowering of calls, variable reads and function scopes.

    ag__.converted_call(ag__.ld(f), (ag__.ld(x),), dict(k=1), fscope)
        ->   <callee>(f)(x, k=1)

The call is then Python's own: no frame of this package is between two user frames, and
Python itself raises the errors for wrong arguments. `l.append(x)` and `l.pop()` become such calls,
too. A variable is checked only if it may be unbound; the function scope is a constant.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from autograph.lowering.constants import Constants
from autograph.lowering.operator_calls import invoke, operator_of, put, put_at_start
from autograph.lowering.tree_visitors import Transformer
from autograph.syntax.tree import nodes

# Makes the scope of the function with a certain name.
MakeScope = Callable[[str], object]


def with_plain_calls(
    function: Any, numbers: frozenset[str], make_scope: MakeScope, constants: Constants
) -> Any:
    """Return the converted function with calls, reads and scopes in compiled form.

    Args:
        function: the converted function, changed in place.
        numbers: the variables that only contain numbers.
        make_scope: makes the scope of the function with a certain name.
        constants: collects the objects that the code references.
    """
    possibly_unbound = _possibly_unbound_names(function) - numbers
    return _CallLowering(possibly_unbound, make_scope, constants).visit(function)


def _possibly_unbound_names(function: Any) -> frozenset[str]:
    """Return the variables that may contain a mark for "unbound": the outputs of statements."""
    found: set[str] = set()
    for node in nodes(function):
        kind = type(node)
        if kind is ast.Call:
            if operator_of(node) in _MARKS:
                found.add(_name_of_mark(node))
        elif kind is ast.Nonlocal or kind is ast.Global:
            found.update(node.names)
    return frozenset(found)


_METHODS = {"list_append": "append", "list_extend": "extend", "list_pop": "pop"}
_MARKS = {"Undefined": 0, "ldu": 1}


def _name_of_mark(node: Any) -> str:
    name = node.args[_MARKS[node.func.attr]]
    return str(name.value) if isinstance(name, ast.Constant) else ""


class _CallLowering(Transformer):
    def __init__(
        self, possibly_unbound: frozenset[str], make_scope: MakeScope, constants: Constants
    ) -> None:
        self._possibly_unbound = possibly_unbound
        self._make_scope = make_scope
        self._constants = constants
        self._scopes: dict[str, object] = {}

    def visit_With(self, node: ast.With) -> Any:
        scope = node.items[0].context_expr
        variable = node.items[0].optional_vars
        if operator_of(scope) != "FunctionScope" or not isinstance(variable, ast.Name):
            return self.generic_visit(node)
        assert isinstance(scope, ast.Call) and isinstance(scope.args[0], ast.Constant)
        self._scopes[variable.id] = self._make_scope(str(scope.args[0].value))
        return [each for statement in node.body for each in _listed(self.visit(statement))]

    def visit_Assign(self, node: ast.Assign) -> Any:
        # `(x, y) = vars_` in a `set_state` unpacks no user value.
        is_state = isinstance(node.value, ast.Name) and node.value.id.startswith("vars_")
        pattern = None if is_state else _pattern_of(node)
        self.generic_visit(node)
        if pattern is not None:
            node.value = invoke(
                "unpack_items", [node.value, _constant(pattern, node.value)], node.value
            )
        return node

    def visit_comprehension(self, node: ast.comprehension) -> Any:
        self.generic_visit(node)
        # An iterable that is a bare name is the items that an operator gives.
        if isinstance(node.iter, ast.Name):
            node.iter = each_unpacked(node.target, node.iter)
        return node

    def visit_ListComp(self, node: Any) -> Any:
        # Its later targets are unbound until their clauses bind them.
        before = self._possibly_unbound
        self._possibly_unbound |= _bound_late(node)
        self.generic_visit(node)
        self._possibly_unbound = before
        return node

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp

    def visit_Name(self, node: ast.Name) -> Any:
        scope = self._scopes.get(node.id)
        return node if scope is None else self._constants.node(scope, node)

    def visit_Call(self, node: ast.Call) -> Any:
        operator = operator_of(node)
        if operator == "ld":
            return self._read(node)
        if operator == "converted_call":
            return self._call(node)
        if operator in _METHODS:
            return self._method(node, _METHODS[operator])
        if operator == "with_function_scope":
            return self._lambda(node)
        if operator is None and self._is_ret(node) and _is_true(node.args[1]):
            return self.visit(node.args[0])
        return self.generic_visit(node)

    def _read(self, node: ast.Call) -> Any:
        name = node.args[0]
        if isinstance(name, ast.Name) and name.id not in self._possibly_unbound:
            return self.visit(name)
        return self.generic_visit(node)

    def _call(self, node: ast.Call) -> Any:
        function, positional, keywords, scope = node.args
        return self._called(self._scope(scope), function, positional, keywords, node)

    def _called(
        self, scope: Any, function: Any, positional: ast.expr, keywords: ast.expr, origin: Any
    ) -> Any:
        found = put_at_start(self._constants.node(scope.callee, function))
        callee = put(ast.Call(found, [self.visit(function)], []), function)
        assert isinstance(positional, ast.Tuple)
        arguments = [self.visit(argument) for argument in positional.elts]
        return put(ast.Call(callee, arguments, self._keywords(keywords)), origin)

    def _method(self, node: ast.Call, name: str) -> Any:
        """Return the call of the method `append` or `pop`, in place of its operator."""
        target, *arguments = node.args
        method = put(ast.Attribute(target, name, ast.Load()), node.func)
        given = put(ast.Tuple(arguments, ast.Load()), node)
        return self._called(
            self._make_scope("method"), method, given, put(ast.Constant(None), node), node
        )

    def _scope(self, node: ast.expr) -> object:
        if isinstance(node, ast.Name) and node.id in self._scopes:
            return self._scopes[node.id]
        return self._make_scope("<lambda>")

    def _keywords(self, node: ast.expr) -> list[ast.keyword]:
        if isinstance(node, ast.Call):  # dict(k=v)
            return [self.visit(keyword) for keyword in node.keywords]
        if isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values)
            return [put(ast.keyword(_text(key), self.visit(value)), value) for key, value in pairs]
        return []

    def _lambda(self, node: ast.Call) -> Any:
        body = node.args[0]
        assert isinstance(body, ast.Lambda)
        self._scopes[body.args.args[0].arg] = self._make_scope("<lambda>")
        return self.visit(body.body)

    def _is_ret(self, node: ast.Call) -> bool:
        function = node.func
        if not isinstance(function, ast.Attribute) or function.attr != "ret":
            return False
        return isinstance(function.value, ast.Name) and function.value.id in self._scopes


def _bound_late(comprehension: Any) -> frozenset[str]:
    targets = (part for each in comprehension.generators[1:] for part in nodes(each.target))
    return frozenset(part.id for part in targets if isinstance(part, ast.Name))


def _listed(result: Any) -> list[Any]:
    return result if isinstance(result, list) else [result]


def each_unpacked(target: ast.expr, items: ast.expr) -> ast.expr:
    """Return the iterable of a loop, with its items prepared for unpacking into `target`."""
    if not isinstance(target, (ast.Tuple, ast.List)):
        return items
    return invoke("unpack_each", [items, _constant(_pattern(target), items)], items)


def _pattern_of(node: ast.Assign) -> tuple[Any, ...] | None:
    """Return the unpacking pattern of an assignment; None if Python's own unpacking will do."""
    target = node.targets[0]
    if len(node.targets) > 1 or not isinstance(target, (ast.Tuple, ast.List)):
        return None
    pattern = _pattern(target)
    is_display = isinstance(node.value, (ast.Tuple, ast.List))
    return None if is_display and not any(type(part) is tuple for part in pattern) else pattern


def _pattern(target: ast.Tuple | ast.List) -> tuple[Any, ...]:
    return tuple([_part(each) for each in target.elts])


def _part(target: ast.expr) -> Any:
    if isinstance(target, ast.Starred):
        return "*"
    return _pattern(target) if isinstance(target, (ast.Tuple, ast.List)) else None


def _constant(pattern: Any, origin: Any) -> Any:
    if not isinstance(pattern, tuple):
        return put(ast.Constant(pattern), origin)
    return put(ast.Tuple([_constant(part, origin) for part in pattern], ast.Load()), origin)


def _is_true(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def _text(key: ast.expr | None) -> str | None:
    return None if key is None else str(key.value)  # type: ignore[attr-defined]
