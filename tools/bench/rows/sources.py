"""Functions that are written anew for each measurement, so that no cache has them."""

from __future__ import annotations

import importlib.util
import itertools
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

STATEMENTS = 500
DEPTH = 10
_numbers = itertools.count()
_FOLDER = tempfile.TemporaryDirectory(prefix="bench_sources_")

# Every one is one operation on a float32 vector, and keeps it small.
_BLOCK = (
    "    y = xp.multiply(y, 0.5)",
    "    y = xp.add(y, x)",
    "    y = xp.tanh(y)",
    "    y = xp.subtract(y, 0.25)",
    "    y = xp.negative(y)",
)


def straight_source(statements: int = STATEMENTS) -> str:
    """A function of so many operations, one a statement.

    >>> straight_source(2).splitlines()[1:]
    ['    y = x', '    y = xp.multiply(y, 0.5)', '    y = xp.add(y, x)', '    return y']
    """
    body = [_BLOCK[at % len(_BLOCK)] for at in range(statements)]
    return "\n".join(["def straight(x):", "    y = x", *body, "    return y"]) + "\n"


def nested_source(depth: int = DEPTH) -> str:
    """A function of loops and conditionals inside each other, `depth` deep.

    >>> print(nested_source(2), end="")
    def nested(n):
        total = n
        i0 = n - n
        while i0 < n:
            i0 = i0 + 1
            if total > i0:
                total = total + 1
            else:
                total = total + 2
        return total
    """
    lines = ["def nested(n):", "    total = n"]
    lines += [f"    i{at} = n - n" for at in range(0, depth, 2)]
    return "\n".join([*lines, *_level(0, depth), "    return total"]) + "\n"


def _level(at: int, depth: int) -> list[str]:
    space = "    " * (at + 1)
    if at == depth:
        return [f"{space}total = total + 1"]
    if at % 2:
        other = f"{space}    total = total + {at + 1}"
        head = f"{space}if total > i{at - 1}:"
        return [head, *_level(at + 1, depth), f"{space}else:", other]
    again = [f"{space}i{at} = n - n"] if at else []
    count = f"{space}    i{at} = i{at} + 1"
    return [*again, f"{space}while i{at} < n:", count, *_level(at + 1, depth)]


def fresh(source: str, name: str, xp: Any) -> Callable[..., Any]:
    """Return the function of `source` from a file of its own; `xp` is its array library.

    A number in its docstring makes its code unique: caches find code objects by their contents.
    """
    number = next(_numbers)
    path = Path(_FOLDER.name) / f"bench_{name}_{number}.py"
    head, _, body = source.partition("\n")
    path.write_text(f'{head}\n    """Number {number}."""\n{body}', encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"no loader for {path.name}")
    module: Any = importlib.util.module_from_spec(spec)
    module.xp = xp
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return getattr(module, name)
