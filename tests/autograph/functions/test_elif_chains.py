"""Long `elif` chains are staged; other deep nesting is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import runtime as rt
from autograph import convert, explain, function, to_graph
from autograph.errors import AutographError
from tests.suite_length import IS_LONG, sample

STYLES: dict[str, tuple[str, str, str]] = {
    # What stands before the chain, in an arm, and after the chain.
    "bound before": ("y = -1", "y = {v}", "return y"),
    "bound by the arms": ("z = x * 2", "y = {v} + z", "return y"),
    "arms that return": ("z = 3", "return {v} * z", "return z"),
    "some return": ("y = x", "if x > 90: return {v}\n        y = x + {v}", "return y * 2"),
    "in a loop": ("y, n = 0, x\n    for _ in range(2):", "y += {v} * n", "return y"),
    "leaving a loop": ("y = 0\n    while y < 3:\n        y += 1", "y += {v}; break", "return y"),
    "lists": ("seen = []", "seen.append({v})", "return seen[0] + len(seen)"),
}


def chain(folder: Path, count: int, style: str, last: str = "else") -> Callable[..., Any]:
    """Return a function with a chain of so many arms."""
    before, arm, after = STYLES[style]
    indent = " " * (8 if "loop" in style else 4)
    lines = ["def chain(x):", f"    {before}"]
    for number in range(count):
        told = arm.format(v=number * 7 % 11)
        told = told.replace("\n    ", f"\n{indent}")
        lines += [f"{indent}{'elif' if number else 'if'} x == {number}:", f"{indent}    {told}"]
    if last == "else":
        lines += [
            f"{indent}else:",
            f"{indent}    {arm.format(v=-5)}".replace("\n    ", f"\n{indent}"),
        ]
    return written(folder, "\n".join([*lines, f"    {after}", ""]))


def written(folder: Path, text: str) -> Callable[..., Any]:
    """Return the function `chain` of a module with this text."""
    path = folder / "chains.py"
    path.write_text(text)
    space: dict[str, Any] = {"__name__": path.stem}
    exec(compile(text, str(path), "exec"), space)
    made: Callable[..., Any] = space["chain"]
    return made


@pytest.mark.parametrize("style", sample([*STYLES], 3))
def test_a_long_chain_is_staged(tmp_path: Path, style: str) -> None:
    count = 70
    plain = chain(tmp_path, count, style)
    staged = function(plain)
    converted = to_graph(plain)
    for x in (0, 15, 16, 17, count // 2, count - 1, count, 97):
        assert plain(x) == int(staged(rt.constant(x)))
        assert plain(x) == converted(x)
    assert 1 == staged.experimental_get_tracing_count()


def test_a_chain_of_hundreds_without_else(tmp_path: Path) -> None:
    count = 400 if IS_LONG else 80
    plain = chain(tmp_path, count, "bound before", last="elif")
    staged = function(plain)
    for x in (0, 31, count // 2, count - 1, count):
        assert plain(x) == int(staged(rt.constant(x)))


def test_chains_inside_the_arms_of_a_chain(tmp_path: Path) -> None:
    lines = ["def chain(x):", "    y = 0"]
    for outer in range(30):
        lines += [f"    {'elif' if outer else 'if'} x // 30 == {outer}:"]
        for inner in range(30 if outer % 29 == 0 else 2):
            word = "elif" if inner else "if"
            lines += [f"        {word} x % 30 == {inner}:", f"            y = {outer * inner}"]
    plain = written(tmp_path, "\n".join([*lines, "    return y", ""]))
    staged = function(plain)
    for x in (0, 29, 31, 29 * 30 + 29, 15 * 30 + 1, 9999):
        assert plain(x) == int(staged(rt.constant(x)))


def test_no_part_of_a_chain_stays_python(tmp_path: Path) -> None:
    plain = chain(tmp_path, 70, "bound before")
    assert [] == list(explain(plain).kept)
    assert 7 == to_graph(plain, strict=True)(1)


def test_an_unjoinable_arm_is_refused_at_a_line_of_the_chain(tmp_path: Path) -> None:
    text = "\n".join(
        ["def chain(x):", "    y = 1"]
        + [
            f"    {'elif' if n else 'if'} x == {n}: y = {n if n != 90 else '[1]'}"
            for n in range(99)
        ]
        + ["    return y", ""]
    )
    with pytest.raises(AutographError, match="'y'") as caught:
        function(written(tmp_path, text))(rt.constant(1))
    assert "chains.py:" in str(caught.value)


def test_other_deep_nesting_is_refused_at_its_line(tmp_path: Path) -> None:
    lines = [f"{' ' * (4 + n)}if x > {n}:" for n in range(70)]
    text = "\n".join(["def chain(x):", "    y = 0", *lines, " " * 80 + "y = 1", "    return y", ""])
    plain = written(tmp_path, text)
    with pytest.raises(rt.errors.SymbolicTensorError) as caught:
        function(plain)(rt.constant(3))
    message, place, *_ = str(caught.value).splitlines()
    assert message.endswith(
        "`if` of line 3 stays Python: "
        "it holds more than 64 levels of `if`, `for`, `while` and `match`"
    )
    assert "chains.py:3, in chain" in place
    # On Python's values it is Python's.
    assert 1 == convert(plain)(100)


LONG = {
    "or": "return " + " or ".join(f"x == {n}" for n in range(120)),
    "or of numbers": "return " + " or ".join(f"(x - {n}) // 2" for n in range(70)),
    "or in a loop": "while "
    + " or ".join(f"x == {n}" for n in range(70))
    + ": x += 1\n    return x",
    "and": "return " + " and ".join(f"x != {n}" for n in range(120)),
    "and of numbers": "return " + " and ".join(f"(x - {n}) * 3" for n in range(70)),
    "match": "match x:\n" + "".join(f"        case {n}: return {n}\n" for n in range(120)),
    "match with guards": "y = 0\n    match x:\n"
    + "".join(f"        case z if x + {n} == {2 * n}: y = z * {n}\n" for n in range(70))
    + "    return y",
    "match of parts": "y = x\n    match (x % 2, x):\n"
    + "".join(f"        case [{n % 2}, {n}]: y += {n}\n" for n in range(70))
    + "        case [_, z]: y = -z\n    return y",
    "match in a loop": "y = 0\n    for k in range(x):\n        match k:\n"
    + "".join(f"            case {n}: y += {n}\n" for n in range(70))
    + "            case _: break\n    return y + k",
}


REFUSED = {
    "choice": " else ".join(f"{n} if x == {n}" for n in range(120)) + " else -1",
    "comparison": " < ".join(f"x + {n}" for n in range(120)),
}


@pytest.mark.parametrize("kind", sample([*LONG], 3))
def test_other_long_chains_are_staged(tmp_path: Path, kind: str) -> None:
    plain = written(tmp_path, f"def chain(x):\n    {LONG[kind]}\n")
    staged = function(plain)
    converted = to_graph(plain)
    for x in (1, 15, 16, 17, 35, 69, 70, 119, 120):
        answer = staged(rt.constant(x))
        assert plain(x) == (answer if answer is None else int(answer))
        assert plain(x) == converted(x)
    assert 1 == staged.experimental_get_tracing_count()


@pytest.mark.parametrize("kind", REFUSED)
def test_deep_nesting_in_an_expression_is_refused_at_its_line(tmp_path: Path, kind: str) -> None:
    plain = written(tmp_path, f"def chain(x):\n    return {REFUSED[kind]}\n")
    with pytest.raises(AutographError, match="nested 80 deep .* write it as `if` .* `elif`") as e:
        function(plain)(rt.constant(3))
    assert "chains.py:2, in chain" in str(e.value)
    assert plain(119) == to_graph(plain)(119)
