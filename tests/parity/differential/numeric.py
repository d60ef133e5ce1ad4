"""Random expressions for numbers."""

from __future__ import annotations

from dataclasses import replace

from tests.parity.differential.expressions import (
    items,
    listing,
    mapping,
    num,
    obj,
    test,
)
from tests.parity.differential.writer import Table, Writer, WritingScope, shapes

_LITERALS = shapes("""
    0   1   2   3   7   -1   True   1.5
""")


def literal(w: Writer, p: WritingScope) -> str:
    return w.pick(_LITERALS)


def variable(w: Writer, p: WritingScope) -> str:
    return w.pick(p.numbers)


def logged(w: Writer, p: WritingScope) -> str:
    return f"log({w.fresh('t')!r}, {num(w, p)})"


_ARITHMETICS = shapes("""
    +   +   -   %   //   /   &   |   ^
""")


def arithmetic(w: Writer, p: WritingScope) -> str:
    operator = w.pick(_ARITHMETICS)
    return f"({num(w, p)} {operator} {num(w, p)})"


def unary(w: Writer, p: WritingScope) -> str:
    return f"({w.pick('-+~')}{num(w, p)})"


def ternary(w: Writer, p: WritingScope) -> str:
    return f"({num(w, p)} if {test(w, p)} else {num(w, p)})"


def walrus(w: Writer, p: WritingScope) -> str | None:
    return f"({w.pick(p.targets)} := {num(w, p)})" if p.binds and p.targets else None


def chosen_value(w: Writer, p: WritingScope) -> str:
    return f"({num(w, p)} {w.pick(('and', 'or'))} {num(w, p)})"


def called(w: Writer, p: WritingScope) -> str | None:
    return f"{w.pick(p.functions)}({num(w, p)})" if p.functions else None


def failing_call(w: Writer, p: WritingScope) -> str | None:
    kind = w.pick(("", ", ValueError", ", KeyError", ", Worse"))
    return f"fail({num(w, p)}{kind})" if w.chance(0.3) else None


def strict_call(w: Writer, p: WritingScope) -> str:
    arguments = w.pick(("{0}", "{0}, {1}", "{0}, {1}, {2}", "{0}, r={1}", "{0}, t={1}", "*{3}[:3]",
                        "{0}, *{3}[:1], t={1}", "{0}, **{{'t': {1}}}", "", "p={0}", "{0}, z={1}",
                        "*[{0}], *({1},)", "{0}, t={1}, **{{'t': {2}}}", "*{0}"))  # fmt: skip
    return f"strict({arguments.format(num(w, p), num(w, p), num(w, p), items(w, p))})"


def spread_call(w: Writer, p: WritingScope) -> str:
    parts = [w.pick(("{0}", "*{1}[:2]", "*{1}"))] * w.pick((0, 1, 2))
    parts += w.pick(((), ("k={0}",), ("**{2}",), ("k={0}", "**{2}"), ("j={0}", "*{1}[:1]")))
    values = (num(w, p), items(w, p), mapping(w, p, p.depth))
    return f"spread({', '.join(parts).format(*values)})"


_BUILTINS = shapes("""
    len({1}[:3])   abs({0})   max({0}, {2})   min({0}, {2})   sum({1}, {0})   int({0})
    round({0})   divmod({0}, {2})[0]   pow({0}, 2) % 9   bool({0})   hash({0}) % 5
    ord('a')   max({1}, default={0})   max({1})   next(iter({1}))   next(iter({1}), {0})
    len(range({0}))   float({0})   sorted({1})[0]   sum(1 for _ in zip({1}, {1}))
    len(list(enumerate({1}, {0})))   int()   len(dict(enumerate({1})))
    isinstance({0}, int)   callable(log)   getattr(Box({0}), 'v', {2})
    hasattr({0}, 'real')   all({1})   any({1})   tuple({1})[-1]   list(reversed({1}))[0]
    len(set({1}))
""")


def builtin(w: Writer, p: WritingScope) -> str:
    shape = w.pick(_BUILTINS)
    return shape.format(num(w, p), items(w, p), num(w, p))


_ITEMS = shapes("""
    {1}[{0}]   {2}['k']   {2}.get('m', {0})   {1}[-1]   {1}.index({0})   ({0}, {3})[{3} % 2]
    {1}.count({0})   {2}[{0}]
""")


def item(w: Writer, p: WritingScope) -> str:
    shape = w.pick(_ITEMS)
    return shape.format(num(w, p), items(w, p), mapping(w, p, p.depth), num(w, p))


_MEMBERS = shapes("""
    {1}.v   {1}.v   {1}.twice   {1}.once   {1}.step({0})   {1}[{0}]   {1}({0})   int({1})
    len({1})   Box.plus({0}, {2})   {1}.of({0}).v   sum({1})   {1}(*{3}, k={0})
    {1}.missing   Box.step({1}, {0})   (lambda f: f({0}))({1}.step)   Box.kind and {0}
""")


def member(w: Writer, p: WritingScope) -> str:
    shape = w.pick(_MEMBERS)
    return shape.format(num(w, p), obj(w, p), num(w, p), items(w, p))


_LAMBDA_CALLS = shapes("""
    (lambda u, v=2: {0})({1})   (lambda v, *u: {2})({1}, {3})
    (lambda u, v: {0})(v={1}, u={3})   (lambda u, v={3}: {0})(*[{1}])
    (lambda u: lambda v: {0})({1})({3})   (lambda *u, v=1: {2})(v={1})
""")


def lambda_call(w: Writer, p: WritingScope) -> str:
    inside = p.quiet("u", "v")
    shape = w.pick(_LAMBDA_CALLS)
    no_u = p.quiet("v")
    return shape.format(num(w, inside), num(w, p), num(w, no_u), num(w, p))


def comprehension(w: Writer, p: WritingScope) -> str:
    inside = p.quiet("i")
    inside = replace(inside, binds=p.binds and w.chance(0.5))
    shape = w.pick(("sum([{0} for i in {2}])", "sum({0} for i in {2})", "len({{{0} for i in {2}}})",
                    "sum({{i: {0} for i in {2}}}.values())", "any({1} for i in {2})",
                    "all([{1} for i in {2}])", "sum([{0} for i in {2} if {1}])",
                    "next((i for i in {2} if {1}), -1)", "sum([i for j in {2} for i in [j, {0}]])"
                    if not inside.binds else "sum(i for i in {2} if {1} if {0})",
                    "max((i for i in {2} if {1}), key=lambda i: -i, default=0)",
                    "len([[{0} for j in range(2)] for i in {2}])"))  # fmt: skip
    source = listing(w, replace(p, binds=False, suspends=False), p.depth)
    return shape.format(num(w, inside), test(w, inside), source)


_HIGHER_ORDERS = shapes("""
    functools.reduce(lambda u, v: {1}, {2}, {3})   sum(map(lambda u: {0}, {2}))
    len(list(filter(lambda u: {0}, {2})))   sorted({2}, key=lambda u: {0})[0]
    max({2}, key=lambda u: {0})   min({3}, {4}, key=lambda u: {0})
    functools.partial(lambda u, v: {1}, {3})({4})
    functools.partial(strict, {3}, r={4})(t=1)   sum(map(lambda u, v: {1}, {2}, {2}))
    functools.partial(spread, {3}, k={4})(*{2}, j=2)
""")


def higher_order(w: Writer, p: WritingScope) -> str:
    inside = p.quiet("u")
    both = p.quiet("u", "v")
    shape = w.pick(_HIGHER_ORDERS)
    return shape.format(num(w, inside), num(w, both), items(w, p), num(w, p), num(w, p))


def evaluated(w: Writer, p: WritingScope) -> str | None:
    if not p.binds:  # a scope of its own sees other variables, and which differs between versions
        return None
    name = w.pick(p.numbers)
    return w.pick((f"eval('{name}')", f"locals().get('{name}', 5)", f"eval('{name} + 1')",
                   f"vars()['{name}']", f"('{name}' in dir())", f"globals().get('{name}', 6)",
                   f"eval('q + 1', {{'q': {w.pick(p.numbers)}}})"))  # fmt: skip


def suspended(w: Writer, p: WritingScope) -> str | None:
    if not p.suspends or p.kind not in ("generator", "coroutine"):
        return None
    if p.kind == "coroutine":
        return f"(await Pause({num(w, p)}))"
    return f"((yield {num(w, p)}) or {w.pick(p.numbers)})"


_THING_ARITHMETICS = shapes("""
    ({0} + {1}).v   ({1} + {0}).v   ({0} - {1}).v   (-{0}).v   ({0} + 's')
""")


def thing_arithmetic(w: Writer, p: WritingScope) -> str:
    shape = w.pick(_THING_ARITHMETICS)
    return shape.format(obj(w, p), num(w, p))


ATOMS: Table = ((1, literal), (4, variable))
NUMBERS: Table = (
    (4, logged), (4, arithmetic), (1, unary), (3, ternary), (3, walrus), (2, chosen_value),
    (4, called), (1, failing_call), (2, strict_call), (2, spread_call), (3, builtin), (2, item),
    (4, member), (2, lambda_call), (3, comprehension), (2, higher_order), (2, evaluated),
    (4, suspended), (1, thing_arithmetic),
)  # fmt: skip
