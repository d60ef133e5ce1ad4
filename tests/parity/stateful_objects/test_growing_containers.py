"""Random functions that grow and shrink outer containers agree with Python, call by call."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import AutographError
from tests.parity.written import module_of
from tests.suite_length import IS_LONG

BATCH = 10
PROGRAMS = 1000 if IS_LONG else 30
CALLS = (1, -2, 3, 0, 5)

BEGINNINGS = {
    "list": ("[]", "[2]", "[1, 2, 3, 4]"),
    "items": ("[T(1)]", "[T(1), T(2)]"),
    "waiting": ("deque([T(1)])", "deque([T(1), T(4), T(2)])"),
    "table": ("{0: T(1)}", "{0: T(1), 1: T(2)}"),
    "deque": ("deque()", "deque([1, 2])", "deque([3], maxlen=3)"),
    "set": ("set()", "{1}", "{1, 2, 3, 4}"),
    "dict": ("{}", "{0: 1}", "{0: 1, 1: 2, 5: 3}"),
}
STEPS = {
    "list": (
        "c.append(len(c))",
        "c.insert(0, len(c) + 1)",
        "c.extend([len(c), 2 * len(c)])",
        "c[:] = c[-3:]",
        "c.append(c[-1] + 1 if c else 0)",
        "c.reverse()",
        "c.sort()",
        "c.append(sum(c))",
        "if len(c) > 3: c.pop()",
        "if len(c) > 2: del c[0]",
        "if len(c) > 4: c.clear()",
        "if x > 0: c.append(len(c))",
        "for each in range(2): c.append(each + len(c))",
    ),
    "items": (
        "c.append(x)",
        "c.insert(0, x + len(c))",
        "c.append(c[-1] * 2)",
        "c[0] = c[0] + x",
        "c[:] = c[-3:]",
        "if len(c) > 2: c.pop(0)",
        "if x > 0: c.append(x)",
        "while len(c) > 2: c.pop()",
        "while len(c) < 4: c.append(x + len(c))",
        "while len(c) > 1 and c[-1] > 2: c.pop()",
        "for i in range(len(c)): c[i] = c[i] + i",
        "if c[0] > c[-1]: c[0], c[-1] = c[-1], c[0]",
        "c.extend([x, x * 2])",
    ),
    "waiting": (
        "c.append(x)",
        "c.appendleft(x + 1)",
        "c.append(c.popleft() + x)",
        "c.extend([x, 2 * x])",
        "c.rotate(1)",
        "c[0] = c[0] + x",
        "if x > 0: c.append(x)",
        "while len(c) > 2: c.popleft()",
        "while len(c) > 1 and c[0] < 3: c.popleft()",
        "for i in range(len(c)): c[i] = c[i] + i",
    ),
    "table": (
        "c[len(c)] = x",
        "c[0] = c[0] + x",
        "c[len(c) - 1] = c[0] * 2",
        "if x > 0: c[0] = x",
        "c.pop(len(c) - 1) if len(c) > 2 else None",
        "for k in c: c[k] = c[k] + k",
        "c.setdefault(len(c), x * 3)",
    ),
    "deque": (
        "c.append(len(c))",
        "c.appendleft(len(c) + 1)",
        "if len(c) > 1: c.popleft()",
        "if len(c) > 2: c.pop()",
        "c.rotate(1)",
        "c.extend([len(c), 3])",
    ),
    "set": (
        "c.add(len(c))",
        "c.add(3 * len(c))",
        "c.discard(len(c) - 1)",
        "c.update([len(c), len(c) + 2])",
        "if 3 not in c: c.add(3)",
    ),
    "dict": (
        "c[len(c)] = len(c)",
        "c[2 * len(c)] = 7",
        "c[0] = len(c)",
        "c.pop(len(c) - 1, None)",
        "c.setdefault(len(c), 4)",
        "c[len(c)] = c.get(0, 5) + 1",
    ),
}
LOOKS = {
    "list": ("len(c)", "sum(c)", "c[0] if c else 9", "(2 in c)", "sum(v * 2 for v in c)"),
    "items": ("len(c)", "sum(c)", "c[0]", "c[-1]", "rt.reduce_max(rt.stack(c))", "max(c)"),
    "waiting": ("len(c)", "sum(c)", "c[0]", "c[-1]", "sum(v * 2 for v in c)"),
    "table": ("len(c)", "sum(c.values())", "c[0]", "sum(k * v for k, v in c.items())"),
    "deque": ("len(c)", "sum(c)", "(2 in c)"),
    "set": ("len(c)", "sum(c)", "(2 in c)", "len(sorted(c))"),
    "dict": ("len(c)", "sum(c.values())", "(2 in c)", "sum(c)", "c.get(1, 8)"),
}
# Python iterates over these itself.
LOOKS_OF_PYTHON = {
    "list": ("len(set(c))", "len(list(combinations(c, 2)))"),
    "items": ("len(tuple(c))",),
    "waiting": ("len(tuple(c))",),
    "table": ("len({**c, 77: 1})",),
    "deque": ("len(list(combinations(c, 2)))",),
    "set": ("len({1, 2, 3} & c)", "len(list(combinations(c, 2)))", "len({1, 2}.difference(c))"),
    "dict": ("len({**c, 77: 1})", "len(list(combinations(c, 2)))"),
}


def text_of(seed: int) -> str:
    """Return a module that has containers `c` and `d`, and a function that changes them."""
    choice = random.Random(seed)
    lines, looks, begins = [], [], []
    for name in "cd"[: choice.randint(1, 2)]:
        kind = choice.choice([*BEGINNINGS])
        begins.append(f"{name} = {choice.choice(BEGINNINGS[kind])}")
        for _ in range(choice.randint(1, 3)):
            lines.append(_named(choice.choice(STEPS[kind]), name))
        looked = LOOKS_OF_PYTHON if choice.random() < 0.2 else LOOKS
        looks.append(_named(choice.choice(looked[kind]), name))
    choice.shuffle(lines)
    body = "\n".join(f"    {line}" for line in lines)
    return (
        "from collections import deque\nfrom itertools import combinations\n"
        f"import runtime as rt\n\nT = lambda v: rt.constant({kind_of(seed).__name__}(v))\n"
        + "\n".join(begins)
        + "\n\n\n"
        f"def f(x):\n{body}\n    return x + {' + '.join(looks)}\n"
    )


def kind_of(seed: int) -> type:
    """Return the kind of the numbers in a program's tensors."""
    return (float, int)[seed % 2]


def _named(text: str, name: str) -> str:
    return re.sub(r"\bc\b", name, text)


def comparable(value: Any) -> Any:
    if isinstance(value, rt.Tensor):
        return round(float(value), 4)
    if isinstance(value, dict):
        return [(key, comparable(item)) for key, item in value.items()]
    if isinstance(value, set):
        return sorted(value)
    if isinstance(value, (int, float)):
        return type(value), value
    return type(value), [comparable(each) for each in value]


def run(seed: int, path: Path, staged: bool) -> list[object]:
    """Return the results and effects of the calls, until one raises."""
    module = module_of(text_of(seed), path)
    call = ag.function(module.f) if staged else module.f
    found: list[object] = []
    for x in CALLS:
        try:
            result = float(call(rt.constant(kind_of(seed)(x))))
        except AutographError as error:
            return [*found, error]
        except Exception as error:
            return [*found, type(error)]
        found.append(
            (result, *(comparable(vars(module)[name]) for name in "cd" if name in vars(module)))
        )
    return found


@pytest.mark.filterwarnings("ignore::autograph.errors.RetracingWarning")
@pytest.mark.parametrize("start", range(0, PROGRAMS, BATCH))
def test_containers_agree_with_python(start: int, tmp_path: Path) -> None:
    refused = 0
    for seed in range(start, start + BATCH):
        expected = run(seed, tmp_path / f"plain_{seed}.py", staged=False)
        actual = run(seed, tmp_path / f"staged_{seed}.py", staged=True)
        if isinstance(actual[-1], AutographError):
            refused += 1
            actual, expected = actual[:-1], expected[: len(actual) - 1]
        assert expected == actual, text_of(seed)
    assert refused <= BATCH // 2


def test_a_seed_determines_the_program() -> None:
    assert text_of(3) == text_of(3) != text_of(4)
