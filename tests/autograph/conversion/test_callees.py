"""Callees of a function that are known before it runs."""

from __future__ import annotations

import json
import math
from typing import Any

from autograph.conversion.explain import calls_in
from autograph.syntax.tree import parse


class WithProperty:
    """An object whose property must not be asked."""

    @property
    def never(self) -> Any:
        raise AssertionError("a property was asked")

    @staticmethod
    def static() -> None: ...

    def method(self) -> None: ...


def called(body: str, names: dict[str, object], **arguments: object) -> list[tuple[str, int]]:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    definition = parse(f"def f(self, p=g()):\n{lines}").body[0]
    return [(c.written, c.line) for c in calls_in(definition, names, arguments)]


def test_global_and_builtin_callees_are_listed_once_in_order() -> None:
    names = {"math": math, "json": json, "g": print}
    assert [("json.dumps", 2), ("len", 2), ("math.sqrt", 3)] == called(
        "json.dumps(len(p))\nmath.sqrt(len(p))", names
    )


def test_locally_bound_names_are_not_callees() -> None:
    names: dict[str, object] = dict.fromkeys("ghijkp", print)
    body = (
        "p(); g()\ndef h(): pass\nh()\n(i := 1)(); i()\nlambda j: j()\n"
        "for k in p: k()\nmissing(); p.g()(); g().h()"
    )
    assert [("g", 2)] == called(body, names)


def test_methods_of_a_known_self_are_callees() -> None:
    assert [("self.method", 2), ("self.static", 2)] == called(
        "self.method(); self.static(); self.never(); self.other()", {}, self=WithProperty()
    )
    assert [] == called("self = p; self.method()", {}, self=WithProperty())


def test_values_that_are_not_callable_are_no_callees() -> None:
    assert [] == called("g()", {"g": 3})


def test_callees_hold_the_called_objects() -> None:
    definition = parse("f = lambda: json.dumps(1)").body[0].value
    (only,) = calls_in(definition, {"json": json})
    assert only.value is json.dumps
    (only,) = calls_in(parse("def f(): a.static()").body[0], {"a": WithProperty()})
    assert only.value is WithProperty.static
