"""Random expressions to be tested: comparisons, logic and the truth of objects."""

from __future__ import annotations

from tests.parity.differential.expressions import (
    items,
    mapping,
    num,
    obj,
    test,
    text,
)
from tests.parity.differential.writer import Table, Writer, WritingScope, shapes

_COMPARISONS = shapes("""
    <   <=   >   >=   ==   !=
""")


def comparison(w: Writer, p: WritingScope) -> str:
    return f"({num(w, p)} {w.pick(_COMPARISONS)} {num(w, p)})"


def chain(w: Writer, p: WritingScope) -> str:
    operators = ("<", "<=", ">", ">=", "==", "!=", "<", ">")
    links = w.some(lambda: f"{w.pick(operators)} {num(w, p)}", 2, 3)
    return f"({num(w, p)} {' '.join(links)})"


def odd_chain(w: Writer, p: WritingScope) -> str:
    return (
        f"({num(w, p)} {w.pick(('<', '=='))} {num(w, p)} {w.pick(('in', 'not in'))} {items(w, p)})"
    )


def membership(w: Writer, p: WritingScope) -> str:
    holder = w.pick((items, obj, lambda w, p: mapping(w, p, p.depth)))(w, p)
    return f"({num(w, p)} {w.pick(('in', 'not in'))} {holder})"


def identity(w: Writer, p: WritingScope) -> str:
    return f"({num(w, p)} {w.pick(('is', 'is not'))} None)"


def both(w: Writer, p: WritingScope) -> str:
    parts = w.some(lambda: test(w, p), 2, 3)
    return f"({w.pick((' and ', ' or ')).join(parts)})"


def negated(w: Writer, p: WritingScope) -> str:
    return f"(not {test(w, p)})"


def thing_truth(w: Writer, p: WritingScope) -> str:
    return w.pick((obj(w, p), f"({obj(w, p)} < {num(w, p)})", f"({obj(w, p)} > {num(w, p)})",
                   f"({obj(w, p)} == {obj(w, p)})", f"({num(w, p)} < {obj(w, p)} > {num(w, p)})",
                   f"({obj(w, p)} != {num(w, p)})"))  # fmt: skip


def logged_truth(w: Writer, p: WritingScope) -> str:
    return f"log({w.fresh('t')!r}, {test(w, p)})"


def walrus_truth(w: Writer, p: WritingScope) -> str | None:
    # No list: doubled in a loop, it would fill the memory.
    return f"({w.pick(p.targets)} := {comparison(w, p)})" if p.binds and p.targets else None


def any_value(w: Writer, p: WritingScope) -> str:
    return w.pick((num, items, lambda w, p: text(w, p, p.depth)))(w, p)


COMPARISONS: Table = ((3, comparison), (1, identity))
TRUTHS: Table = (
    (4, comparison), (3, chain), (1, odd_chain), (2, membership), (1, identity), (3, both),
    (3, negated), (3, thing_truth), (3, logged_truth), (2, walrus_truth), (1, any_value),
)  # fmt: skip
AS_NUMBERS: Table = ((1, comparison), (1, chain))
