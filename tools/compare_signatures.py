"""Compare the signatures of TensorFlow's names with ours; write `golden_outputs/signatures.md`.

    python tools/compare_signatures.py            # writes the page
    python tools/compare_signatures.py --check    # writes nothing, exits 1 on any difference

Without TensorFlow its signatures come from the page.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import inspect
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from autograph.compat import tensorflow as ours
from autograph.compat.namespace import MISSING, Namespace, resolve
from tools.signature_reasons import REASONS
from tools.signatures import differences, signature_text

PAGE = Path(__file__).resolve().parent.parent / "golden_outputs" / "signatures.md"
# Names of TensorFlow 1 have signatures of their own; `metrics` and the like are also in `keras`.
_LEFT_OUT = ("compat", "initializers", "losses", "metrics", "optimizers")

_HEAD = """# Signatures of TensorFlow's names

Each function, constructor and method that `autograph.compat.tensorflow` shares with TensorFlow
{version}. A call that TensorFlow takes is taken here with the same meaning, unless the last column
says otherwise: it names the difference and the reason. Names with one signature, and methods that a
class inherits, stand once; those that it inherits from Python's own classes are left out. Made by
`python tools/compare_signatures.py`.
"""


@dataclass(frozen=True)
class Row:
    """A callable under all its names, and its signature in TensorFlow."""

    names: tuple[str, ...]
    theirs: str

    @property
    def name(self) -> str:
        """The first name, which represents all."""
        return self.names[0]

    def here(self) -> str:
        """Return our signature."""
        found = find(ours, self.name)
        return "" if found is MISSING else signature_text(found) or ""

    def differences(self) -> str:
        """Return the differences as text, empty if there are none."""
        here = self.here()
        return "; ".join(differences(self.theirs, here)) if here else "not here"


def find(root: Any, path: str) -> Any:
    """Return the value of a dotted path, or MISSING."""
    return resolve(root, path)


def public_paths(root: Any, prefix: str = "") -> Iterator[str]:
    """Give the path of each callable that our tree of names has, namespaces walked through."""
    for name in getattr(root, "__all__", None) or dir(root):
        value = None if name.startswith("_") else getattr(root, name, None)
        path = f"{prefix}{name}"
        if path in _LEFT_OUT or value is None:
            continue
        if isinstance(value, Namespace) or _is_room(value, root):
            yield from public_paths(value, f"{path}.")
        elif callable(value):
            yield path


def _is_room(value: Any, within: Any) -> bool:
    """Say whether a module is part of the public names: a namespace's, or inside of one."""
    if not isinstance(value, ModuleType) or not value.__name__.startswith("runtime.nn."):
        return False
    name = value.__name__.rpartition(".")[2]
    return isinstance(within, Namespace) or name in ("schedules",)


def rows_now(theirs: Any) -> tuple[list[Row], list[str]]:
    """Return the rows of the names that both have, and the names that only ours has."""
    names: dict[tuple[int, str], list[str]] = {}
    alive, alone = [], []
    for path in public_paths(ours):
        value = find(theirs, path)
        if value is MISSING:
            alone.append(path)
        for name, here, there in _with_methods(path, find(ours, path), value):
            text = signature_text(there)
            if text is not None and signature_text(here) is not None:
                alive.append(here)
                names.setdefault((id(_plain(here)), text), []).append(name)
    found = [Row(tuple(_shortest_first(some)), text) for (_, text), some in names.items()]
    return sorted(found, key=lambda row: row.name), sorted(alone)


def _with_methods(path: str, here: Any, there: Any) -> Iterator[tuple[str, Any, Any]]:
    if there is MISSING or not callable(there):
        return
    yield path, here, there
    if inspect.isclass(here) and inspect.isclass(there):
        for name in dir(there):
            method, own = getattr(there, name, None), getattr(here, name, None)
            if name.startswith("_") or not callable(method) or _is_of_python(here, name):
                continue
            if callable(own) and not inspect.isclass(own):
                yield f"{path}.{name}", own, method


def _is_of_python(kind: type, name: str) -> bool:
    """Say whether a class inherits a method from Python, where each version has its own."""
    owner = next((each for each in kind.__mro__ if name in vars(each)), type)
    return owner.__module__.partition(".")[0] in sys.stdlib_module_names


def _plain(value: Any) -> Any:
    """Return a method's function: each access to a class method makes a new object."""
    return getattr(value, "__func__", value)


def _shortest_first(names: Iterable[str]) -> list[str]:
    return sorted(names, key=lambda name: (name.count("."), len(name), name))


def page(rows: Iterable[Row], alone: Iterable[str], version: str) -> str:
    """Return the text of the page."""
    lines = [_HEAD.format(version=version)]
    section = ""
    for row in sorted(rows, key=lambda row: (_section(row.name), row.name)):
        if _section(row.name) != section:
            section = _section(row.name)
            lines += [
                f"\n## {section}\n",
                "| name | TensorFlow's signature | here |",
                "|---|---|---|",
            ]
        lines.append(_line(row))
    lines += ["\n## Names that TensorFlow has not\n", ", ".join(f"`{name}`" for name in alone)]
    return "\n".join(lines) + "\n"


def _section(name: str) -> str:
    parts = name.split(".")
    depth = 2 if parts[0] in ("keras", "data", "random") and len(parts) > 2 else 1
    return ".".join(["tf", *parts[: min(depth, len(parts) - 1)]]) if len(parts) > 1 else "tf"


def _line(row: Row) -> str:
    found = row.differences()
    said = f"{found}: {REASONS.get(row.name, '?')}" if found else ""
    names = ", ".join(f"`{name}`" for name in row.names)
    return f"| {names} | `{row.theirs}` | {said} |"


def stored(text: str) -> tuple[list[Row], list[str], str]:
    """Return the sources of a page: rows, the names that only ours has, and the version."""
    version = re.search(r"TensorFlow\s(\d+\.\d+\.\d+)", text)
    rows = [
        Row(tuple(re.findall(r"`([^`]+)`", names)), theirs)
        for names, theirs in re.findall(r"^\| (`.+`) \| `(\(.*\))` \| .*\|$", text, re.M)
    ]
    alone = re.findall(r"`([^`]+)`", text.partition("## Names that TensorFlow has not")[2])
    return rows, alone, version.group(1) if version else ""


def made() -> str:
    """Return the current page."""
    if importlib.util.find_spec("tensorflow") is None:
        return page(*stored(PAGE.read_text(encoding="utf-8")))
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    theirs = importlib.import_module("tensorflow")
    rows, alone = rows_now(theirs)
    return page(rows, alone, theirs.__version__)


def unexplained(rows: Iterable[Row], reasons: Mapping[str, str] = REASONS) -> Iterator[str]:
    """Name the differences without a reason, and the reasons without a difference."""
    different = {row.name: row.differences() for row in rows if row.differences()}
    for name in sorted(different.keys() - reasons.keys()):
        yield f"{name}: {different[name]}"
    for name in sorted(reasons.keys() - different.keys()):
        yield f"{name}: a reason for no difference"


def main(arguments: list[str] | None = None) -> int:
    """Write the page or check it; the exit code is 1 on any difference."""
    parser = argparse.ArgumentParser(prog="compare_signatures", description="Compare, and tell.")
    parser.add_argument("--check", action="store_true", help="write nothing, report a difference")
    options = parser.parse_args(arguments)
    text = made()
    wrong = list(unexplained(stored(text)[0]))
    if not options.check:
        PAGE.write_text(text, encoding="utf-8")
    elif text != PAGE.read_text(encoding="utf-8"):
        wrong.append("the page is another: python tools/compare_signatures.py")
    print("\n".join([*wrong, f"{len(stored(text)[0])} signatures, {len(wrong)} that are wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
