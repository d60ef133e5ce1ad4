"""Law: every import keeps the rule of its layer; the checker finds those that do not."""

from __future__ import annotations

import pytest

from tools import layers


def test_the_house_has_no_forbidden_import() -> None:
    assert [] == [str(violation) for violation in layers.check()]


def test_the_checker_covers_both_packages() -> None:
    modules = layers.sources_under(layers.ROOT)
    assert {"autograph.errors", "runtime.errors"} <= set(modules)


def test_the_page_of_layers_names_every_room() -> None:
    page = layers.ROOT / "docs" / "architecture" / "imports-and-layers.md"
    text = page.read_text(encoding="utf-8")
    rooms = {*layers.ROOMS} - {*layers.PARTS, "autograph", "runtime", "runtime.namespaces"}
    paths = {room.replace(".", "/") for room in rooms}
    assert set() == {
        each for each in paths if f"`{each}/`" not in text and f"`{each}.py`" not in text
    }


PLANTED = [
    ("autograph.syntax.tree", "import runtime", "autograph.syntax must not import runtime"),
    ("runtime.core.dtypes", "import autograph.errors", "must not import autograph.errors"),
    ("runtime.ops.add", "from runtime.graph.node import Node", "must not import runtime.graph"),
    ("runtime.graph.node", "from .. import executors", "must not import runtime.executors"),
    ("autograph.operators.logical", "from runtime import ops", "must not import runtime.ops"),
    ("autograph.analysis.cfg", "from ..converters import base", "autograph.converters.base"),
    ("runtime.core.shapes", "def f():\n    import math\n", "import of math inside a function"),
    ("runtime.nn.layers", "from autograph import functions", "must not import autograph.functions"),
]

KNOWN = {
    "autograph.converters.base": "",
    "autograph.errors": "",
    "autograph.functions": "",
    "runtime": "",
    "runtime.executors": "",
    "runtime.graph.node": "",
    "runtime.ops": "",
}


@pytest.mark.parametrize(("module", "source", "complaint"), PLANTED)
def test_a_planted_violation_is_found(module: str, source: str, complaint: str) -> None:
    found = layers.violations_of({**KNOWN, module: source})
    assert 1 == len(found), found
    assert complaint in str(found[0])


ALLOWED = [
    ("autograph.backends.graph", "import runtime"),
    ("autograph.functions.tracing.trace", "from runtime.graph.node import Node"),
    ("runtime.executors.plan.plan", "from runtime.graph.node import Node"),
    ("runtime.export.onnx", "def f():\n    import onnx\n"),
    (
        "runtime.core.shapes",
        "import typing\nif typing.TYPE_CHECKING:\n    import runtime.graph.node\n",
    ),
]


@pytest.mark.parametrize(("module", "source"), ALLOWED)
def test_an_allowed_import_is_accepted(module: str, source: str) -> None:
    assert [] == layers.violations_of({**KNOWN, module: source})


def test_a_cycle_is_found_once_and_printed_whole() -> None:
    sources = {
        "runtime.ops.a": "from runtime.ops import b",
        "runtime.ops.b": "from runtime.ops.c import x",
        "runtime.ops.c": "import runtime.ops.a",
    }
    found = [violation.message for violation in layers.violations_of(sources)]
    cycle = "runtime.ops.a -> runtime.ops.b -> runtime.ops.c -> runtime.ops.a"
    assert [f"import cycle {cycle}"] == found


def test_two_cycles_are_two_violations() -> None:
    sources = {
        "runtime.ops.a": "from runtime.ops import b, d",
        "runtime.ops.b": "from runtime.ops import a",
        "runtime.ops.c": "from runtime.ops import d",
        "runtime.ops.d": "from runtime.ops import c",
    }
    found = [violation.module for violation in layers.violations_of(sources)]
    assert ["runtime.ops.a", "runtime.ops.c"] == found


def test_a_circle_of_types_is_a_cycle() -> None:
    typed = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from runtime.ops.b import B\n"
    found = layers.violations_of(
        {"runtime.ops.a": typed, "runtime.ops.b": "from runtime.ops.a import A"}
    )
    assert ["import cycle runtime.ops.a -> runtime.ops.b -> runtime.ops.a"] == [
        violation.message for violation in found
    ]
