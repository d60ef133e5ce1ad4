"""Slots that become one have the name of the program's variable."""

from __future__ import annotations

from typing import Any

import autograph as ag
import runtime as rt


def test_a_variable_that_branches_join_keeps_its_name() -> None:
    @ag.function
    def furthest(xs: Any) -> Any:
        best, steps = xs[0], 0
        for x in xs:
            if abs(x) > abs(best):
                best = x
                steps += 1
        return best, steps

    concrete = furthest.get_concrete_function(rt.TensorSpec([3], rt.float32))
    source = concrete.executable.source
    assert "    best = xs[0]" in source and "steps = steps + 1" in source
    best, steps = furthest(rt.constant([1.0, -3.0, 2.0]))
    assert (-3.0, 1) == (float(best), int(steps))
