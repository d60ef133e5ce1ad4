"""Python reads a container before it computes an argument or right side that changes it."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from tests.parity.written import module_of

# A tensor decides whether the last item is taken.
TAKEN = "(c.pop() if x > 1 else 2)"
GROWS = "for i in range(x): c.append(i)"
OF_LISTS = [
    [f"c.append({TAKEN})"],
    [f"c.insert(0, {TAKEN})"],
    [f"c.insert(1, {TAKEN})"],
    [f"c.insert(-1, {TAKEN})"],
    [f"c.extend([{TAKEN}, 1])"],
    ["put = c.insert", GROWS, "put(1, 7)"],
    ["take = c.pop", GROWS, "c.append(take(0))"],
    ["turn = c.reverse", GROWS, "turn()"],
    ["find = c.index", GROWS, "c[0] = find(4)"],
    ["read = c.__getitem__", GROWS, "c[0] = read(-1)"],
    [f"c[-1] = {TAKEN}"],
    [f"c[0], c[-1] = {TAKEN}, {TAKEN}"],
    [f"c[-1] += {TAKEN}"],
    [f"c[len(c) - 2] *= {TAKEN} + c[0]"],
    [f"c[0] += sum(c) + {TAKEN} + sum(c)"],
    [f"c += [c[-1], {TAKEN}, c[-1]]"],
    [f"c[:1] += [c[-1], {TAKEN}]"],
    ["def some(): return [7]", "c[1:2] += some()", "[c][0][:1] += some()"],
    [f"y = c + [{TAKEN}]", "c.append(y[-1] + len(y))"],
    [f"y = [*c, {TAKEN}, *c]", "c.append(sum(y))"],
    ["def take(): return c.pop() if x > 1 else 2", "c.insert(1, take())", "c[-1] -= take()"],
    ["o = [c, [c]]", f"o[1][0][-1] += {TAKEN}"],
]
OF_DEQUES = [
    [f"c.append({TAKEN})"],
    [f"c.appendleft({TAKEN})"],
    [f"c.extend([{TAKEN}, 1])"],
    [f"c.extendleft([{TAKEN}, 1])"],
    ["put = c.append", GROWS, "put(9)"],
    ["take = c.popleft", GROWS, "c.append(take())"],
    ["turn = c.rotate", GROWS, "turn(1)"],
    [f"c[-1] += {TAKEN}"],
]
CASES = [
    *[("list", lines) for lines in OF_LISTS],
    *[(kind, lines) for kind in ("deque", "deque of three") for lines in OF_DEQUES],
    ("deque", [f"c.insert(1, {TAKEN})"]),
]


def outcomes(kind: str, lines: list[str], path: Path, is_staged: bool) -> list[Any]:
    body = "".join(f"    {line}\n" for line in lines)
    module = module_of(f"def f(x, c):\n{body}    return x + len(c)\n", path)
    items = [rt.constant(item) for item in (1, 4, 2)]
    c: Any = items if kind == "list" else deque(items, 3 if kind == "deque of three" else None)
    f = (lambda x: module.f(x, c)) if not is_staged else ag.function(lambda x: module.f(x, c))
    found = []
    for x in (1, -2, 3):
        found.append((int(f(rt.constant(x))), [int(item) for item in c]))
    return found


@pytest.mark.parametrize(("kind", "lines"), CASES, ids=[f"{k}: {'; '.join(s)}" for k, s in CASES])
def test_calls_agree_with_python(kind: str, lines: list[str], tmp_path: Path) -> None:
    expected = outcomes(kind, lines, tmp_path / "plain.py", is_staged=False)
    assert expected == outcomes(kind, lines, tmp_path / "staged.py", is_staged=True)


def test_a_dict_joined_in_place_stays_the_users() -> None:
    held = {0: rt.constant(1)}

    @ag.function
    def f(x: Any) -> Any:
        nonlocal held
        if x > 2:
            held[5] = x
        held |= {0: x}
        return held[0]

    assert [3, 1] == [int(f(rt.constant(x))) for x in (3, 1)]
    assert {0: 1, 5: 3} == {key: int(value) for key, value in held.items()}
