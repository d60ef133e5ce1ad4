"""Dicts whose items or order differ between paths agree with eager Python."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import StagingError


def _made(n: Any) -> dict[str, Any]:
    made = {"z": 1}
    if n > 0:
        made["a"] = n
    if n > 2:
        made["b"] = n + 1
    return made


def _merged(n: Any) -> Any:
    target = {"a": 5}
    target.update(_made(n))
    return target, {"a": 5, "w": n} | _made(n), _made(n) | {"a": 6}


def _compared(n: Any) -> Any:
    return _made(n) == {"z": 1}, _made(n) == _made(n), _made(n) != {"z": 1, "a": 2}


def _key_popped(n: Any) -> Any:
    made = _made(n)
    taken = made.pop("a", 9)
    return made, taken, len(made)


def _gone_over(n: Any) -> Any:
    total = 0
    for index, (key, value) in enumerate(_made(n).items()):
        if key == "b":
            continue
        total = total * 3 + index * value
    for key in _made(n):
        if key == "a":
            break
        total += len(key)
    return total


def _as_lists(n: Any) -> Any:
    made = _made(n)
    longer = {k: v + 1 for k, v in made.items()}
    return list(made.values()), sum(made.values()), max(made.values()), longer, 2 in made.values()


def _by_name(n: Any) -> Any:
    made = _made(n)
    return [made[key] for key in sorted(made)], ",".join(made)


def _missing(n: Any) -> Any:
    counts: Counter[str] = Counter()
    sums: defaultdict[str, int] = defaultdict(int)
    if n > 0:
        counts["a"] += 1
        sums["a"] += 1
    return counts["a"], len(counts), sums["a"], len(sums)


def _plain(value: Any) -> Any:
    if isinstance(value, rt.Tensor):
        array = value.numpy()
        return _plain(array.tolist() if hasattr(array, "tolist") else array)
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value.decode() if isinstance(value, bytes) else value


@pytest.mark.parametrize(
    "function",
    [_made, _merged, _compared, _key_popped, _gone_over, _as_lists, _by_name, _missing],
)
def test_a_dict_agrees_with_python_on_every_path(function: Callable[..., Any]) -> None:
    staged = ag.function(function)
    for n in (0, 2, 5):
        assert _plain(function(n)) == _plain(staged(rt.constant(n)))


def test_deleting_an_absent_key_raises_key_error() -> None:
    def delete(n: Any) -> Any:
        made = _made(n)
        del made["a"]
        return made

    staged = ag.function(delete)
    assert {"z": 1} == _plain(staged(rt.constant(1)))
    with pytest.raises(KeyError):
        staged(rt.constant(0))


def _in_two_orders(n: Any) -> Any:
    made = {}
    if n > 0:
        made["x"], made["y"] = 1, 2
    else:
        made["y"], made["x"] = 2, 1
    return list(made.values())


def _replaced(n: Any) -> Any:
    return {"a": 5, **_made(n)}


def _as_text(n: Any) -> Any:
    return str(_made(n))


def _counted_together(n: Any) -> Any:
    counts: Counter[str] = Counter()
    if n > 0:
        counts["a"] += 1
    counts.update("ab")
    return counts["a"]


@pytest.mark.parametrize("function", [_in_two_orders, _replaced, _as_text, _counted_together])
def test_unsupported_dict_operations_are_refused(function: Callable[..., Any]) -> None:
    with pytest.raises(StagingError):
        ag.function(function)(rt.constant(1))
