"""Converted modules of the standard library pass CPython's own tests."""

from __future__ import annotations

import pytest

from tests.real_code.comparison import Comparison, compared
from tests.real_code.modules import MODULES, Module
from tests.suite_length import IS_LONG

THERE = [module for module in MODULES if module.is_there]
QUICK = [module for module in THERE if not module.is_slow]
FEW = [module for module in QUICK if module.name == "contextlib"]
# Outside a trace a converted function runs the user's own statements: fewer will do for that.
MODES = [("forced", THERE if IS_LONG else QUICK[1::8]), ("idle", QUICK if IS_LONG else FEW)]
CASES = [(module, mode) for mode, modules in MODES for module in modules]
LEAST_SHARE = 0.99


@pytest.mark.parametrize(
    "module, mode", CASES, ids=[f"{module.name}-{mode}" for module, mode in CASES]
)
def test_converted_modules_pass_their_tests(
    module: Module, mode: str, rows: list[Comparison]
) -> None:
    comparison = compared(module, mode)
    rows.append(comparison)
    assert ["passed"] in comparison.before.ends.values()
    differs = {name.rpartition(".")[2]: ends for name, ends in comparison.differences.items()}
    expected = module.differs if mode == "forced" else {}
    assert differs.keys() == expected.keys(), differs
    assert comparison.after.recorded == [], "Python values are computed by the graph"
    assert all(comparison.after.refused.values()), "a function is refused without a reason"
    assert comparison.functions
    assert comparison.share >= LEAST_SHARE, comparison.after.refused
