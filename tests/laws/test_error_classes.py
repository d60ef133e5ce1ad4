"""Every error and warning that a program may meet is a class of one of the two public modules."""

from __future__ import annotations

import ast
import builtins
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PUBLIC = (ROOT / "autograph" / "errors.py", ROOT / "runtime" / "errors.py")
# Exceptions by which functions of a package tell each other something; the package catches them.
SIGNALS = {
    "AssumptionFailed",
    "CaughtError",
    "RetraceLoop",
    "CaughtPlaceholder",
    "IdentityMatters",
    "JoinError",
    "MissingStateInput",
    "NeedsFlag",
    "NoResult",
    "Raises",
    "RecursionDepthExceeded",
    "Refused",
    "RegionError",
    "UnprintableCall",
    "UnquotableString",
    "UnreachableEnd",
    "Unsupported",
}


def exception_classes(sources: dict[Path, str]) -> dict[str, Path]:
    """Return the classes of some files that are exceptions, by their names and base classes."""
    bases: dict[tuple[str, Path], set[str]] = {}
    for path, text in sources.items():
        if "\nclass " not in f"\n{text}" and "    class " not in text:
            continue  # parsing takes long
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef):
                bases[node.name, path] = {
                    base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
                    for base in node.bases
                }
    kinds = (each for each in vars(builtins).values() if isinstance(each, type))
    known = {each.__name__ for each in kinds if issubclass(each, BaseException)}
    found: dict[str, Path] = {}
    while True:
        more = {
            name: path
            for (name, path), names in bases.items()
            if names & (known | found.keys()) and name not in found
        }
        if not more:
            return found
        found.update(more)


def test_each_class_of_error_is_in_a_public_module() -> None:
    files = [path for room in ("autograph", "runtime") for path in (ROOT / room).rglob("*.py")]
    found = exception_classes({path: path.read_text(encoding="utf-8") for path in files})
    assert len(found) > 70
    elsewhere = {name for name, path in found.items() if path not in PUBLIC}
    assert {name for name in elsewhere if not name.startswith("_")} == SIGNALS


def test_exceptions_are_found_by_their_bases() -> None:
    text = "class A(Exception): pass\nclass B(m.A, C): pass\nclass D(E): pass"
    assert ["A", "B"] == sorted(exception_classes({Path("m.py"): text}))
