"""Chains of `elif` that are longer than Python's stack is deep."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import runtime as rt
from autograph import convert, function


@pytest.mark.parametrize("count", [100, 1000])
def test_a_chain_longer_than_the_stack_is_refused_at_its_line(tmp_path: Path, count: int) -> None:
    lines = ["def chain(x):", "    y = -1", "    if x == 0:", "        y = 0"]
    for number in range(1, count):
        lines += [f"    elif x == {number}:", f"        y = {number * 2}"]
    path = tmp_path / f"chain_of_{count}.py"
    path.write_text("\n".join([*lines, "    return y", ""]))
    space: dict[str, Any] = {"__name__": path.stem}
    exec(compile(path.read_text(), str(path), "exec"), space)
    with pytest.raises(rt.errors.SymbolicTensorError) as caught:
        function(space["chain"])(rt.constant(3))
    message, place, *_ = str(caught.value).splitlines()
    assert message.endswith(
        "`if` of line 3 stays Python: it holds more than 64 levels of `if`, `for` and `while`"
    )
    assert f"{path.name}:3, in chain" in place
    # On Python's values it is Python's.
    assert 2 * (count - 1) == convert(space["chain"])(count - 1)
