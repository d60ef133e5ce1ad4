"""Law: an order of converters is refused with a reason, or it converts programs correctly."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import pytest

from autograph.converters.pipeline import PIPELINE, Pipeline, check_order
from autograph.errors import PipelineError
from tests.autograph.converters.reference import Outcome, compiled, converted_module, run
from tests.suite_length import sample

Call = tuple[str, str, tuple[tuple[object, ...], ...]]

# One program for every converter, most of them with several constructs that could get in each
# other's way, with the arguments to call it with.
PROGRAMS: dict[str, Call] = {
    "methods": (
        """
class Base:
    def area(self, x):
        return x + 1

class Shape(Base):
    def __init__(self):
        self.__k = 3

    def area(self, x):
        assert x < 9, t(super().area(x))
        if x > 2 and super().area(x):
            for i in range(self.__k):
                self.__k = (super().area(i) if x > 3 else i)
                if self.__k == 2:
                    return super().area(x) + self.__k
        return [not super(Shape, self).area(v) for v in (x,)], self.__k, not super().area(x)
""",
        "Shape.area",
        ((1,), (3,), (5,), (12,)),
    ),
    "declarations": (
        """
def f(x):
    if x:
        global shared
        y: int = x
        shared = y
        z: int
    def g():
        if x:
            nonlocal y
            y: float
            y = shared + 1
    g() if x else None
    return shared, x and y
""".replace("            y: float\n", ""),
        "f",
        ((0,), (4,)),
    ),
    "directives": (
        """
def f(x):
    for i in range(x):
        set_loop_options(maximum_iterations=3)
        if i == 2: break
    while x > 0:
        x -= 1
        set_loop_options(shape_invariants=[(x, None)])
    return i, x
""",
        "f",
        ((1,), (4,)),
    ),
    "finally": (
        """
def f(x):
    for i in range(6):
        try:
            if i == x: return t(i)
            if i == 1: continue
            if i == 2 and x: break
            if i == 3: raise Boom
        except KeyError: t('key')
        else: t('else')
        finally:
            t(i)
            if x == 0 and i == 0: continue
            if x == 3 and i > 2: break
            if x == 7 and i == 3: return 'finally'
    else:
        return 'else'
    return 'end'
""",
        "f",
        ((0,), (1,), (2,), (3,), (7,)),
    ),
    "items": (
        """
def f(x):
    l = [1, 2, 3]
    l.append(x)
    l[0] = l.pop() if x else l.pop(0)
    l[1:2] = [x and 5, not x]
    d = {}
    for i in range(x):
        d[i] = lambda: i
        d['k'] = len(l)
        l.append(d)
        if i < 5 < x: break
        del d['k']
    return len(l), [v() for v in d.values() if callable(v)], 0 < t(x) < 3
""",
        "f",
        ((0,), (2,), (9,)),
    ),
    "variables": (
        """
def f(x, **kw):
    def g(a, *r, k=0):
        if a: return a, r, k
    y = g(x, *[t(1)], k=t(2))
    del y
    if x:
        y = 3
        y += 1
        del y
        if x > 1: y = 4
    try:
        return y, g(0)
    except UnboundLocalError:
        while True:
            x += 1
            if x > 5 and (x % 2 or x > 8): break
            if x == 3: continue
            if not x: return None
        else:
            return 'never'
    return eval('x') if locals() else 0
""",
        "f",
        ((0,), (1,), (2,)),
    ),
}


def _moves() -> Iterator[Pipeline]:
    """Yield every pipeline with one converter put elsewhere, and every one with two swapped."""
    for old, new in itertools.permutations(range(len(PIPELINE)), 2):
        moved = [converter for converter in PIPELINE if converter is not PIPELINE[old]]
        moved.insert(new, PIPELINE[old])
        yield tuple(moved)
    for a, b in itertools.combinations(range(len(PIPELINE)), 2):
        swapped = list(PIPELINE)
        swapped[a], swapped[b] = swapped[b], swapped[a]
        yield tuple(swapped)


def _refusal(pipeline: Pipeline) -> str | None:
    try:
        check_order(pipeline)
    except PipelineError as error:
        return str(error)
    return None


ORDERS = sorted(set(_moves()), key=lambda order: [c.__name__ for c in order])
ACCEPTED = [order for order in ORDERS if _refusal(order) is None]
REFUSED = [order for order in ORDERS if _refusal(order) is not None]


def _outcomes(pipeline: Pipeline | None) -> dict[str, list[Outcome]]:
    """Run all programs, converted by `pipeline` or as they are."""
    outcomes = {}
    for name, (text, path, calls) in PROGRAMS.items():
        program = text if pipeline is None else compiled(converted_module(text, path, pipeline))
        text_with_directive = "def set_loop_options(**options): pass\n"
        outcomes[name] = [run(program, args, path, prelude=text_with_directive) for args in calls]
    return outcomes


EXPECTED = _outcomes(None)


def test_the_pipeline_itself_is_accepted_and_right() -> None:
    assert _refusal(PIPELINE) is None
    assert EXPECTED == _outcomes(PIPELINE)


def test_both_verdicts_occur_often() -> None:
    assert len(REFUSED) > 100
    assert len(ACCEPTED) > 20


@pytest.mark.parametrize(
    "order", sample(ACCEPTED, 8), ids=lambda order: "-".join(c.__name__ for c in order)
)
def test_an_accepted_order_converts_rightly(order: Pipeline) -> None:
    assert EXPECTED == _outcomes(order)


def test_a_refusal_names_two_converters_and_the_reason() -> None:
    names = "|".join(converter.__name__ for converter in PIPELINE)
    sentence = re.compile(rf"({names}) must come after ({names}), for [a-z`].{{20,}}")
    for order in REFUSED:
        refusal = _refusal(order) or ""
        found = sentence.fullmatch(refusal)
        assert found, refusal
        later, earlier = (next(c for c in order if c.__name__ == n) for n in found.groups())
        assert order.index(later) < order.index(earlier)


def test_a_converter_cannot_be_left_out_or_doubled() -> None:
    for converter in PIPELINE:
        assert "twice" in (_refusal((*PIPELINE, converter)) or "")
    needed = {earlier for converter in PIPELINE for earlier in converter.after}
    for converter in needed:
        rest = tuple(other for other in PIPELINE if other is not converter)
        assert converter.__name__ in (_refusal(rest) or "")
