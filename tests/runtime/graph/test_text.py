"""The text of a graph: stable, complete, and free of this machine."""

from __future__ import annotations

import numpy as np
import pytest

from runtime.core.dtypes import bool_, int32
from runtime.core.spec import TensorSpec
from runtime.graph import Graph, graph_text, record_cond
from runtime.graph.text import attrs_text, spec_text
from runtime.ops.constant import constant
from runtime.ops.effects.printing import print_
from runtime.ops.elementwise.arithmetic import add
from runtime.state.variable import Variable
from tests.runtime.graph.programs import cond_in_while_in_cond

NESTED = """\
graph nested(%p: bool, %n: int32, %x: float32, %total: variable float32 = variable total) {
  %cond = cond(%p, %x, %n, %total) : float32
    then(%x: float32 = %x, %n: int32 = %n, %total: variable float32 = %total):
      %constant = constant() {value=0: int32} : int32
      %constant_1 = constant() {value=2.0: float32} : float32
      %multiply = multiply(%x, %constant_1) : float32
      %while_loop, %while_loop:1 = while_loop(%constant, %multiply, %n, %x, %total) \
{variables=2} : int32, float32
        test(%i: int32, %s: float32, %n: int32 = %n, %x: float32 = %x, \
%total: variable float32 = %total):
          %less = less(%i, %n) : bool
          return %less
        body(%i: int32, %s: float32, %n: int32 = %n, %x: float32 = %x, \
%total: variable float32 = %total):
          %constant = constant() {value=3: int32} : int32
          %less = less(%i, %constant) : bool
          %cond = cond(%less, %s, %x, %i, %total) : float32
            then(%s: float32 = %s, %x: float32 = %x, %i: int32 = %i, \
%total: variable float32 = %total):
              %add = add(%s, %x) : float32
              return %add
            else(%s: float32 = %s, %x: float32 = %x, %i: int32 = %i, \
%total: variable float32 = %total):
              %print = print(%i) {template=('large ', None, '\\n')}
              %assign_add_variable = assign_add_variable(%total, %s) after %print
              return %s
          %constant_1 = constant() {value=1: int32} : int32
          %add = add(%i, %constant_1) : int32
          return %add, %cond
      return %while_loop:1
    else(%x: float32 = %x, %n: int32 = %n, %total: variable float32 = %total):
      return %x
  return %cond
}
"""


def test_nested_control_flow() -> None:
    assert graph_text(cond_in_while_in_cond()) == NESTED


def test_the_text_is_the_same_every_time() -> None:
    assert cond_in_while_in_cond().as_text(origins=True) == cond_in_while_in_cond().as_text(
        origins=True
    )


def test_captures_of_the_outermost_graph_are_labelled() -> None:
    graph = Graph("f")
    x = graph.add_input(TensorSpec((2,), int32), "x", weak=True)
    eager, variable = constant([1, 2]), Variable([3, 4], name="v")
    with graph.recording():
        graph.set_outputs([add(add(x, eager), variable)])
    head = graph.as_text().splitlines()[0]
    assert head == (
        "graph f(%x: weak int32[2], %capture: int32[2] = eager [1, 2], "
        "%v: variable int32[2] = variable v) {"
    )


def test_user_lines_are_optional_and_without_folders() -> None:
    graph = Graph("f")
    x = graph.add_input(TensorSpec((), int32), "x")
    with graph.recording():
        add(x, x)
    assert "#" not in graph.as_text()
    (line,) = [line for line in graph.as_text(origins=True).splitlines() if "add" in line]
    assert line.startswith("  %add = add(%x, %x) : int32  # test_text.py:")


def test_a_region_without_outputs_has_a_bare_return() -> None:
    graph = Graph("f")
    p = graph.add_input(TensorSpec((), bool_), "p")
    with graph.recording():
        then, orelse = Graph("then", graph), Graph("else", graph)
        with then.recording():
            print_("yes")
        record_cond(p, then, orelse)
    assert graph.as_text().splitlines()[1:-1] == [
        "  %cond = cond(%p)",
        "    then():",
        "      %print = print() {template=('yes\\n',)}",
        "      return",
        "    else():",
        "      return",
        "  return",
    ]


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        (TensorSpec((), "float32"), "float32"),
        (TensorSpec((2, None), "int32"), "int32[2, ?]"),
        (TensorSpec(None, "string"), "string[*]"),
    ],
)
def test_specs_in_short(spec: TensorSpec, text: str) -> None:
    assert spec_text(spec) == text


def test_attributes_are_sorted_shortened_and_left_out_when_not_set() -> None:
    attrs = {"b": None, "z": (1,), "a": "x", "k": len, "f": False, "t": True, "e": ()}
    assert attrs_text(attrs) == "a='x', k=len, t=True, z=(1,)"
    assert attrs_text({"n": np.arange(3)}) == "n=[0, 1, 2]"
    assert len(attrs_text({"v": "y" * 500})) < 80
