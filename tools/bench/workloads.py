"""The functions the benchmark converts, traces and calls."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any


def twelve_lines(n: Any) -> Any:
    """A loop with a conditional, a `continue` and a `break`: twelve lines with this head."""
    total = 0
    i = 0
    while i < n:
        i = i + 1
        if i % 3 == 0:
            continue
        total = total + i * i
        if total > 100000:
            break
    return total


def one_operation(x: Any) -> Any:
    """The smallest function to stage: its time is the cost of a call."""
    return x + 1


# The text of a function of its own for every cold conversion, so that no cache can know it.
COLD_SOURCE = """
def cold_{number}(n):
    total = {number}
    i = 0
    while i < n:
        i = i + 1
        if i % 3 == 0:
            continue
        total = total + i * i
        if total > 100000:
            break
    return total
"""


def cold_source(count: int) -> str:
    """A module of `count` functions of twelve lines."""
    return "".join(COLD_SOURCE.format(number=number) for number in range(count))


def long_function(lines: int) -> str:
    """Return a function of about `lines` lines: assignments, calls, conditionals and loops in turn.

    >>> len(long_function(100).splitlines())
    100
    """
    block = [
        "    if total > {n}:",
        "        total = total - {n}",
        "    else:",
        "        total += abs(x)",
        "    for i in range(2):",
        "        total = total + i",
        "        if total > 100:",
        "            break",
        "    y = total * x if total < 9 else x",
        "    total = max(y, {n})",
    ]
    body = [block[n % len(block)].format(n=n) for n in range(lines - 3)]
    # A block may be cut where a statement has to follow.
    whole = body[: len(body) // len(block) * len(block)]
    rest = ["    total = total + 1"] * (len(body) - len(whole))
    return "\n".join(["def long(x):", "    total = 0", *whole, *rest, "    return total"]) + "\n"


def loaded(path: Path) -> Any:
    """Return the module in a file."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"no loader for {path.name}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module
