"""Inverts generators: a `yield` becomes a call of the body of the `with`, or of the loop.

    @contextlib.contextmanager            def changing(d, body_):
    def changing(d):                          old = d['a']
        old = d['a']                          try:
        try:                       ->             body_(d)
            yield d                           except KeyError:
        except KeyError:                          d['a'] = old
            d['a'] = old

The forms do the same: Python raises an exception of the `with` body at the `yield`. But a generator
can continue only once, and a trace has to follow the end of a `with` for each of its exits.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Iterator, Sequence
from types import CellType, CodeType, FunctionType
from typing import Any, Literal

from autograph.conversion.renaming import code_tree
from autograph.operators.frames import code_info_of, original_of
from autograph.syntax.tree import nodes

_OWN_SCOPE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_LOOPS = (ast.For, ast.While, ast.AsyncFor, ast.ListComp, ast.SetComp, ast.DictComp)
_HARMLESS = frozenset(
    "abs bool divmod enumerate float int len list max min range reversed round sorted sum tuple "
    "zip".split()
)
# Exceptions that end a generator, which a handler may catch.
_ENDS = frozenset({"BaseException", "GeneratorExit"})
_DIVIDING = (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.LShift, ast.RShift, ast.MatMult)
_GUARDS = (ast.Try, getattr(ast, "TryStar", ast.Try), ast.With)


def users_function(made: FunctionType) -> FunctionType:
    """Return the user's function of a converted one, with its cells as far as these remain."""
    code = _users_code(made.__code__)
    if code is made.__code__:
        return made
    cells = dict(zip(made.__code__.co_freevars, made.__closure__ or ()))
    closure = tuple([cells.get(name) or CellType() for name in code.co_freevars])
    function = FunctionType(code, made.__globals__, made.__name__, made.__defaults__, closure)
    function.__kwdefaults__, function.__module__ = made.__kwdefaults__, made.__module__
    function.__qualname__ = made.__qualname__
    return function


def _users_code(made: CodeType) -> CodeType:
    """Return the code of the user's function from which a function, even a nested one, was made."""
    part = code_info_of(made)
    whole = None if part is None or part.within is None else part.within()
    if whole is None:
        return original_of(made)
    inside = (code for code in code_tree(whole) if code.co_name == made.co_name)
    return next((c for c in inside if c.co_firstlineno == made.co_firstlineno), made)


def is_guarded(definition: Any) -> bool:
    """Return whether a generator handles exceptions at its `yield`.

    >>> plain, guarded = "def f(): yield", "def f():\\n try: yield\\n finally: g()"
    >>> [is_guarded(ast.parse(text).body[0]) for text in (plain, guarded)]
    [False, True]
    """
    return any(_is_yield(node) and _GUARDS in around for node, around in _walk(definition))


def with_yield_as_call(definition: Any, name: str) -> Any:
    """Return a copy of a generator's definition that calls `name` in place of its `yield`.

    None if it has several `yield`s, or one in a loop.

    >>> tree = ast.parse("def f(x): y = yield x")
    >>> print(ast.unparse(with_yield_as_call(tree.body[0], "body_")))
    def f(x, *, body_):
        y = body_(x)
    """
    found = [(node, around) for node, around in _walk(definition) if _is_yield(node)]
    is_plain = isinstance(definition, ast.FunctionDef) and len(found) == 1
    if not is_plain or type(found[0][0]) is not ast.Yield or _LOOPS in found[0][1]:
        return None
    yielding: Any = found[0][0]
    made = _YieldReplacer((yielding.lineno, yielding.col_offset), name).visit(
        copy.deepcopy(definition)
    )
    made.args.kwonlyargs.append(ast.copy_location(ast.arg(name), definition))
    made.args.kw_defaults.append(None)
    return made


class _YieldReplacer(ast.NodeTransformer):
    """Replaces the `yield` at a position by a call."""

    def __init__(self, at: tuple[int, int], name: str) -> None:
        self._at, self._name = at, name

    def visit_Yield(self, node: ast.Yield) -> ast.expr:
        if (node.lineno, node.col_offset) != self._at:
            return node
        called = ast.copy_location(ast.Name(self._name, ast.Load()), node)
        given = _none(node) if node.value is None else node.value
        return ast.copy_location(ast.Call(called, [given], []), node)


def _none(node: ast.AST) -> ast.expr:
    return ast.copy_location(ast.Constant(None), node)


def _is_yield(node: ast.AST) -> bool:
    return isinstance(node, (ast.Yield, ast.YieldFrom))


def _walk(tree: Any, around: tuple[Any, ...] = ()) -> Iterator[tuple[ast.AST, tuple[Any, ...]]]:
    """Yield the nodes of a function's own scope, with the kinds of statements around each."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, _OWN_SCOPE):
            continue
        kinds = [kind for kind in (_LOOPS, _GUARDS) if isinstance(child, kind)]
        yield child, around
        yield from _walk(child, (*around, *kinds))


def fresh_name(definition: Any, base: str) -> str:
    """Return a name like `base` that the definition of a function does not use.

    >>> fresh_name(ast.parse("def f(body_): pass").body[0], "body_")
    'body__'
    """
    taken = {getattr(node, field, None) for node in nodes(definition) for field in ("id", "arg")}
    while base in taken:
        base += "_"
    return base


def with_yields_as_calls(definition: Any, names: Sequence[str], returns: bool) -> Any:
    """Return a copy of a generator's definition that passes its items to a consumer.

    None if there is no such copy: a statement may skip one of its `yield`s, or a handler would see
    exceptions of the loop. None, too, if all `yield`s are statements of the body itself: Python can
    iterate over such a generator. A `yield` has the value None, since nothing is sent.

    Args:
        definition: the definition of the generator's function.
        names: the names of three functions: the consumer of an item, which returns whether the loop
            goes on; one that returns the iterable of a `yield from` and a function for its value;
            one that checks and returns the manager of a `with` around a `yield`.
        returns: whether the copy returns the generator's value.

    >>> text, names = "def f(n):\\n for i in n: x = yield i", ("take_", "delegated_", "entered_")
    >>> print(ast.unparse(with_yields_as_calls(ast.parse(text).body[0], names, False)))
    def f(n, *, take_, delegated_, entered_):
        for i in n:
            if not take_(i):
                return
            x = None
    """
    if not isinstance(definition, ast.FunctionDef) or not _can_be_consumed(definition):
        return None
    made = copy.deepcopy(definition)
    fresh = [fresh_name(definition, base) for base in ("item_", "items_", "value_", "operand_")]
    made.body = _YieldToCallback(names, fresh, returns).statements(made.body)
    for each in names:
        made.args.kwonlyargs.append(ast.copy_location(ast.arg(each), definition))
        made.args.kw_defaults.append(None)
    return made


def _can_be_consumed(definition: Any) -> bool:
    inside = [node for node, _ in _walk(definition)]
    yields = {id(node) for node in inside if _is_yield(node)}
    declared = [n for n in nodes(definition) if isinstance(n, (ast.Nonlocal, ast.Global))]
    shared = {name for node in declared for name in node.names}
    values = [_value_of(statement, shared) for statement in inside]
    first = {id(node) for value in values for node in _yields_first(value)}
    in_a_row = {
        id(each.value)
        for each in definition.body
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Yield)
    }
    if not yields <= first or yields <= in_a_row:
        return False
    guards = [node for node in inside if isinstance(node, (*_GUARDS, ast.AsyncWith))]
    guarded = [statement for node in guards for statement in _guarded(node)]
    return not any(id(inside) in yields for node in guarded for inside in ast.walk(node))


def _value_of(node: Any, shared: Collection[str]) -> ast.expr | None:
    """Return the expression that a statement evaluates once, before anything else.

    `x += ...` reads `x` first, which matters if `x` is one of the `shared` variables: the consumer
    may change it.
    """
    if isinstance(node, (ast.If, ast.For)):
        return node.test if isinstance(node, ast.If) else node.iter
    target = node.target if isinstance(node, ast.AugAssign) else None
    is_first = target is None or (isinstance(target, ast.Name) and target.id not in shared)
    kinds = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr)
    return node.value if is_first and isinstance(node, kinds) else None


def _yields_first(value: ast.expr | None) -> Iterator[ast.expr]:
    """Yield the `yield` expressions that an expression always evaluates."""
    if value is not None:
        if _is_yield(value):
            yield value
        for each in _operands(value):
            yield from _yields_first(each)


def _operands(node: Any) -> list[ast.expr]:
    """Return the operands that an expression always evaluates, in order."""
    if isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        return []
    if isinstance(node, ast.NamedExpr):
        return [node.value]
    if isinstance(node, (ast.BoolOp, ast.IfExp)):
        return [node.values[0] if isinstance(node, ast.BoolOp) else node.test]
    if isinstance(node, ast.Compare):
        return [node.left, node.comparators[0]]
    if isinstance(node, ast.Dict):
        return [part for pair in zip(node.keys, node.values) for part in pair if part is not None]
    parts = [p.value if isinstance(p, ast.keyword) else p for p in ast.iter_child_nodes(node)]
    return [part for part in parts if isinstance(part, ast.expr)]


def _guarded(node: Any) -> list[ast.stmt]:
    """Return the statements of a guard in which a call of the consumer would be guarded.

    A `yield` at the end of a `try` is left out: its consumer is called after the `try`.
    """
    if isinstance(node, ast.With):
        return []  # The manager is checked when it is entered.
    if not isinstance(node, ast.Try):
        return [node]
    if not node.handlers:
        return node.finalbody
    body = node.body[:-1] if _yields_last(node) else node.body
    return [*body, *node.finalbody]


def _yields_last(node: ast.Try) -> bool:
    """Return whether the last statement of a `try` is a `yield`, and no handler catches its end."""
    is_yield = isinstance(node.body[-1], ast.Expr) and isinstance(node.body[-1].value, ast.Yield)
    kinds = [each.type for each in node.handlers]
    names = [e.id for kind in kinds if kind for e in ast.walk(kind) if isinstance(e, ast.Name)]
    return is_yield and None not in kinds and _ENDS.isdisjoint(names)


def has_cleanup(definition: Any) -> bool:
    """Return whether closing a generator at a `yield` has effects.

    >>> text = "def f():\\n try: yield 1\\n finally: print()"
    >>> has_cleanup(ast.parse(text).body[0])
    True
    """
    inside = (node for node, _ in _walk(definition))
    guards = [n for n in inside if isinstance(n, ast.With) or getattr(n, "finalbody", None)]
    return any(_is_yield(inside) for node in guards for inside in ast.walk(node))


Exit = Literal["alike", "at the end", "seen"]


def exit_of(definition: Any) -> Exit:
    """Return the way in which the end of a `with` depends on a jump or an exception.

    It does the same as at the end of the body ("alike"), it acts only at the end of the body ("at
    the end"), or it inspects the exception ("seen").

    Args:
        definition: the definition of `__exit__`, or of the generator of a context manager.

    >>> texts = "def __exit__(self, *e): end()", "def f():\\n yield\\n end()", "def f(): x = yield"
    >>> [exit_of(ast.parse(text).body[0]) for text in texts]
    ['alike', 'at the end', 'alike']
    """
    found = [(node, around) for node, around in _walk(definition) if _is_yield(node)]
    if not found:
        return "seen" if _uses_error(definition) else "alike"
    if len(found) > 1 or _LOOPS in found[0][1]:
        return "seen"
    guards = [node for node, _ in _walk(definition) if isinstance(node, _GUARDS)]
    around = [node for node in guards if found[0][0] in ast.walk(node)]
    if not all(isinstance(node, ast.Try) and not node.handlers for node in around):
        return "seen"
    return "alike" if _ends_with(definition.body, found[0][0]) else "at the end"


def _uses_error(definition: Any) -> bool:
    """Return whether `__exit__` reads its arguments, or returns a value."""
    given = [each.arg for each in ast.walk(definition.args) if isinstance(each, ast.arg)][1:]
    nodes_of = [node for each in definition.body for node in ast.walk(each)]
    returned = [n.value for n in nodes_of if isinstance(n, ast.Return) and n.value is not None]
    is_read = any(isinstance(n, ast.Name) and n.id in given for n in nodes_of)
    return is_read or not all(isinstance(v, ast.Constant) and not v.value for v in returned)


def _ends_with(body: list[ast.stmt], wanted: ast.AST) -> bool:
    """Return whether an expression is evaluated last in a body, without its `finally`."""
    last: Any = body[-1]
    if isinstance(last, ast.Try):
        return not last.orelse and _ends_with(last.body, wanted)
    value = last.value if isinstance(last, (ast.Expr, ast.Assign)) else None
    return value is wanted


def may_raise(definition: Any) -> bool:
    """Return whether the computation of an item may raise, as far as the generator's code shows.

    >>> text = "def f(n):\\n for i in n:\\n  yield {}"
    >>> trees = [ast.parse(text.format(each)) for each in ("i % 2", "2 % i", "n[i]")]
    >>> [may_raise(tree.body[0]) for tree in trees]
    [False, True, True]
    """
    return any(_may_raise(node) for node, _ in _walk(ast.Module(definition.body, [])))


def _may_raise(node: Any) -> bool:
    if isinstance(node, (ast.BinOp, ast.AugAssign)):
        by = node.right if isinstance(node, ast.BinOp) else node.value
        is_known = isinstance(by, ast.Constant) and bool(by.value)
        return isinstance(node.op, _DIVIDING) and not is_known
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in ("divmod", "max", "min")
    return isinstance(node, (ast.Subscript, ast.Assert, ast.Raise))


def is_endless(definition: Any) -> bool:
    """Return whether a generator yields in a loop that only a jump ends.

    >>> texts = ["def f():\\n while True: yield 1", "def f(n):\\n while n: yield n"]
    >>> [is_endless(ast.parse(text).body[0]) for text in texts]
    [True, False]
    """
    return any(_is_endless(node) and _yields_in(node) for node, _ in _walk(definition))


def _is_endless(node: ast.AST) -> bool:
    return isinstance(node, ast.While) and isinstance(node.test, ast.Constant)


def is_side_effect_free(definition: Any) -> bool:
    """Return whether the items of a generator may be computed ahead of time.

    It ends, and its items have no effects and depend only on its arguments, as far as its own code
    shows.

    >>> text = "def f(n):\\n for i in n:\\n  yield i\\n  {}"
    >>> trees = [ast.parse(text.format(each)) for each in ("i += 1", "n.a = 1", "print()")]
    >>> [is_side_effect_free(tree.body[0]) for tree in trees]
    [True, False, False]
    """
    body = ast.Module(definition.body, [])
    inside = [node for node, _ in _walk(body)]
    own = {each.arg for each in ast.walk(definition.args) if isinstance(each, ast.arg)}
    own |= {e.id for e in inside if isinstance(e, ast.Name) and isinstance(e.ctx, ast.Store)}
    return not any(_acts(node, own | _HARMLESS) for node in inside)


def _acts(node: Any, known: Collection[str]) -> bool:
    """Return whether a node may have effects, or reads other names than the known ones."""
    if isinstance(node, ast.Name):
        return node.id not in known
    if isinstance(node, (ast.Attribute, ast.Subscript)):
        return isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, (ast.Yield, ast.YieldFrom, ast.Constant))
    if isinstance(node, ast.Call):
        return not (isinstance(node.func, ast.Name) and node.func.id in _HARMLESS)
    return _is_endless(node) or isinstance(node, (ast.Nonlocal, ast.Global, ast.With))


class _YieldToCallback(ast.NodeTransformer):
    """Replaces `yield`s by calls of the consumer, which return whether to go on."""

    def __init__(self, names: Sequence[str], fresh: Sequence[str], returns: bool) -> None:
        self._name, self._delegated, self._entered = names
        self._item, self._items, self._value, self._operand = fresh
        self._returns, self._stored = returns, 0

    def statements(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Return statements without `yield`s."""
        found = [self.visit(each) for each in body]
        return [each for part in found for each in (part if isinstance(part, list) else [part])]

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Yield) and not _yields_in(node.value.value):
            return self._taken(node.value.value or _none(node), node)
        if isinstance(node.value, ast.YieldFrom) and not _yields_in(node.value.value):
            return self._all_of(node.value.value, node)
        return self._after_yields(node, "value")

    def visit_Assign(self, node: Any) -> Any:
        return self._after_yields(node, "value")

    visit_AnnAssign = visit_AugAssign = visit_Assign

    def visit_If(self, node: ast.If) -> Any:
        made = self._after_yields(node, "test")
        self.generic_visit(node)
        return made

    def visit_For(self, node: ast.For) -> Any:
        made = self._after_yields(node, "iter")
        self.generic_visit(node)
        return made

    def visit_With(self, node: ast.With) -> Any:
        if any(map(_yields_in, node.body)):
            for each in node.items:
                manager = each.context_expr
                each.context_expr = self._call(self._entered, [manager], manager)
        return self.generic_visit(node)

    def _after_yields(self, node: Any, field: str) -> list[ast.stmt]:
        """Return the calls of the consumer for an expression's `yield`s, and then the statement."""
        made = list[ast.stmt]()
        if (value := getattr(node, field)) is not None:
            setattr(node, field, self._without_yields(value, made))
        return [*made, node]

    def _without_yields(self, value: Any, made: list[ast.stmt]) -> Any:
        """Return an expression without its `yield`s; their statements are appended to `made`."""
        if not _yields_in(value):
            return value
        operands = _operands(value)
        last = max((at for at, each in enumerate(operands) if _yields_in(each)), default=-1)
        changed: dict[int, ast.expr] = {}
        for at, each in enumerate(operands[: last + 1]):
            now = self._without_yields(each, made)
            changed[id(each)] = now if at == last else self._operand_of(now, made)
        value = _Replacing(changed).generic_visit(value)
        if isinstance(value, ast.YieldFrom):
            made += self._delegating(value.value, value)
            return self._call(self._value, [], value)
        if isinstance(value, ast.Yield):
            made.append(self._taken(value.value or _none(value), value))
            return _none(value)
        return value

    def _operand_of(self, value: ast.expr, made: list[ast.stmt]) -> ast.expr:
        """Return a read of a variable that holds the value of an operand from before a `yield`."""
        if isinstance(value, ast.Constant):
            return value
        if isinstance(value, ast.Starred):
            value.value = self._operand_of(value.value, made)
            return value
        name, self._stored = f"{self._operand}{self._stored}", self._stored + 1
        stored = self._at(name, ast.Store(), value)
        made.append(ast.copy_location(ast.Assign([stored], value, lineno=value.lineno), value))
        return self._at(name, ast.Load(), value)

    def visit_Try(self, node: ast.Try) -> ast.stmt:
        if node.handlers and _yields_last(node):
            # The value is computed inside the `try` but yielded after it, where no handler sees the
            # consumer.
            last: Any = node.body[-1]
            read, stored = self._item_at(last)
            made = ast.Assign([stored], last.value.value or _none(last), lineno=last.lineno)
            node.body[-1] = ast.copy_location(made, last)
            node.orelse.insert(0, ast.copy_location(ast.Expr(ast.Yield(read)), last))
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_Return(self, node: ast.Return) -> Any:
        *made, node = self._after_yields(node, "value")  # type: ignore[assignment]
        if node.value is None or self._returns:
            return [*made, node]
        # The value is not used, but computing it may have effects.
        ends = ast.copy_location(ast.Return(None), node)
        return [*made, ast.copy_location(ast.Expr(node.value), node), ends]

    def _delegating(self, delegate: ast.expr, origin: ast.AST) -> list[ast.stmt]:
        """Return the statements for a `yield from`: a loop over the delegate calls the consumer."""
        given = [self._at(each, ast.Store(), origin) for each in (self._items, self._value)]
        called = self._call(self._delegated, [delegate], origin)
        target = ast.copy_location(ast.Tuple(given, ast.Store()), origin)
        begun = ast.copy_location(ast.Assign([target], called), origin)
        return [begun, self._all_of(self._at(self._items, ast.Load(), origin), origin)]

    def _all_of(self, delegate: ast.expr, origin: ast.AST) -> ast.stmt:
        read, stored = self._item_at(origin)
        return ast.copy_location(ast.For(stored, delegate, [self._taken(read, origin)], []), origin)

    def _item_at(self, origin: ast.AST) -> tuple[ast.expr, ast.expr]:
        """Return the variable for an item, as a read and as a target."""
        return tuple([self._at(self._item, each(), origin) for each in (ast.Load, ast.Store)])  # type: ignore[return-value]

    def _at(self, name: str, context: ast.expr_context, origin: ast.AST) -> ast.expr:
        return ast.copy_location(ast.Name(name, context), origin)

    def _call(self, name: str, given: list[ast.expr], origin: ast.AST) -> ast.expr:
        called = self._at(name, ast.Load(), origin)
        return ast.copy_location(ast.Call(called, given, []), origin)

    def _taken(self, value: ast.expr, origin: ast.AST) -> ast.stmt:
        goes_on = self._call(self._name, [value], origin)
        is_over = ast.copy_location(ast.UnaryOp(ast.Not(), goes_on), origin)
        ends = ast.copy_location(ast.Return(None), origin)
        return ast.copy_location(ast.If(is_over, [ends], []), origin)

    def _own_scope(self, node: Any) -> Any:
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = _own_scope


class _Replacing(ast.NodeTransformer):
    """Replaces operands, by identity."""

    def __init__(self, changed: dict[int, ast.expr]) -> None:
        self._changed = changed

    def visit(self, node: ast.AST) -> Any:
        found = self._changed.get(id(node))
        return super().generic_visit(node) if found is None else found


def _yields_in(node: ast.AST | None) -> bool:
    """Return whether a node has a `yield` of its own scope."""
    if node is None or isinstance(node, _OWN_SCOPE):
        return False
    return _is_yield(node) or any(_is_yield(inside) for inside, _ in _walk(node))
