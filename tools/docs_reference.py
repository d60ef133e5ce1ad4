"""The pages of the site's reference: every public name, from its docstring and its signature.

A name is described on the page of the first module that has it; other modules have a link.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, get_origin

from tools.docs_pages import write
from tools.public_names import MODULES, names_of

ROOT = Path(__file__).resolve().parents[1]
CODE = re.compile(r"(`+)(.+?)\1")
# The name of an argument, an attribute or an error in a section of a docstring.
ENTRY = re.compile(r"(\s+[*\w]+(?:, [*\w]+)*: )(.*)")
NO_PYTHON = re.compile(r"(?<== )<[^<>]*>|(?<==)<[^<>]*>")
UNDERLINE = re.compile(r" *-{3,}")


class Entry(NamedTuple):
    """A public name: the module that shows it, its value, and the place of its description."""

    module: str
    name: str
    value: Any
    home: str

    @property
    def is_here(self) -> bool:
        """Whether the page of the module describes the value."""
        return self.home == f"{shown(self.module)}.{self.name}"


def shown(module: str) -> str:
    """The name under which pages show a module.

    >>> shown("runtime.nn"), shown("autograph.jax")
    ('autograph.runtime.nn', 'autograph.jax')
    """
    return f"autograph.{module}" if module.partition(".")[0] == "runtime" else module


def entries() -> dict[str, list[Entry]]:
    """The public names of each module."""
    homes: dict[int, str] = {}
    found: dict[str, list[Entry]] = {}
    for module in MODULES:
        space = importlib.import_module(module)
        found[module] = []
        for name in sorted(set(names_of(space))):
            value = getattr(space, name)
            own = f"{shown(module)}.{name}"
            if _is_ours(value):
                found[module].append(Entry(module, name, value, homes.setdefault(id(value), own)))
            elif not _is_described(value) and not isinstance(value, ModuleType):
                found[module].append(Entry(module, name, value, own))
    return found


def _is_ours(value: Any) -> bool:
    home = str(getattr(value, "__module__", ""))
    return callable(value) and home.partition(".")[0] in ("autograph", "runtime")


def _is_described(value: Any) -> bool:
    """Return whether a value has a description of its own: not a number, nor a union of types."""
    return callable(value) and get_origin(value) is None


def write_pages(folder: Path) -> None:
    """Write the reference into a folder, a page for each module and a page that lists them."""
    found = entries()
    for module, names in found.items():
        write(folder / f"{shown(module)}.rst", "\n".join(_lines(module, names)))
    write(folder / "index.rst", "\n".join(_index(found)))


def _index(found: dict[str, list[Entry]]) -> Iterator[str]:
    yield from ("Reference", "=========", "")
    yield "After this page you can find each public name, its arguments, errors and an example."
    yield from ("", "The examples are tests of the project.", "", ".. list-table::", "")
    for module, names in found.items():
        text = _first_sentence(importlib.import_module(module))
        yield f"   * - :doc:`{shown(module)} <{shown(module)}>`"
        yield f"     - {text} {len(names)} names."
    yield from ("", ".. toctree::", "   :hidden:", "")
    yield from (f"   {module.replace('runtime', 'rt', 1)} <{shown(module)}>" for module in found)
    yield ""


def _lines(module: str, names: list[Entry]) -> Iterator[str]:
    title = shown(module)
    yield from (title, "=" * len(title), "", _first_sentence(importlib.import_module(module)), "")
    yield from (f".. py:module:: {title}", "", ".. list-table::", "   :class: summary", "")
    for entry in names:
        yield f"   * - {_link(entry)}"
        yield f"     - {_first_sentence(entry.value)}"
    yield ""
    for entry in names:
        if entry.is_here and _is_described(entry.value):
            yield from (f".. {_directive(entry.value)}:: {title}::{entry.name}", "")


def _link(entry: Entry) -> str:
    if _is_described(entry.value):
        return f":py:obj:`{entry.name} <{entry.home}>`"
    return f"``{entry.name}``"


def _directive(value: Any) -> str:
    if not isinstance(value, type):
        return "autofunction"
    return "autoexception" if issubclass(value, BaseException) else "autoclass"


def _first_sentence(value: Any) -> str:
    if not (_is_described(value) or isinstance(value, ModuleType)):
        return f"``{value!r}``"
    lines = (inspect.getdoc(value) or "").splitlines()
    if any(UNDERLINE.fullmatch(line) for line in lines):
        lines = _summary_of_numpy(lines)
    paragraph = " ".join(lines).partition("  ")[0]
    return as_markup(re.split(r"(?<=[.:]) (?=[A-Z])", paragraph)[0])


# -- docstrings ------------------------------------------------------------------------------------


def as_markup(text: str) -> str:
    """A line of a docstring as reStructuredText: its code as code, and other marks as they are.

    >>> as_markup("the `axis` of *args")
    'the ``axis`` of \\\\*args'
    """
    parts = CODE.split(text)
    plain, code = parts[::3], parts[2::3]
    marked = [re.sub(r"([*|\\]|(?<=\w)_(?!\w)|`)", r"\\\1", each) for each in plain]
    spans = [f"``{each.strip()}``" for each in code]
    result = marked[0]
    for span, after in zip(spans, marked[1:]):
        before = "\\ " if re.search(r"[\w-]$", result) else ""
        result += f"{before}{span}" + ("\\ " if re.match(r"\w", after) else "") + after
    return result


def prepare_docstring(
    app: Any, what: str, name: str, value: Any, options: Any, lines: list[str]
) -> None:
    """Make markup of the lines of a docstring, in place, except for its examples."""
    if any(UNDERLINE.fullmatch(line) for line in lines):
        lines[:] = _summary_of_numpy(lines)
    lines[:] = list(_prepared(lines))


def readable_signature(
    app: Any, what: str, name: str, value: Any, options: Any, signature: str | None, returned: Any
) -> tuple[str | None, Any]:
    """Return a signature as Sphinx can read it: without defaults that are no Python, `<factory>`.

    >>> readable_signature(None, "", "", None, None, "(a: dict[str, int] = <factory>)", None)[0]
    '(a: dict[str, int] = ...)'
    """
    return signature and NO_PYTHON.sub("...", signature), returned


def _summary_of_numpy(lines: list[str]) -> list[str]:
    """The first sentence of a docstring that is NumPy's, after the signature."""
    paragraphs = "\n".join(lines).split("\n\n")
    sentence = next(each for each in paragraphs if "(" not in each.partition(" ")[0])
    return [*sentence.splitlines(), "", "The arguments are those of NumPy's function."]


def _prepared(lines: list[str]) -> Iterator[str]:
    in_example = False
    for line in lines:
        in_example = bool(line.strip()) and (in_example or line.lstrip().startswith(">>> "))
        entry = ENTRY.fullmatch(line)
        if in_example:
            yield line
        elif entry:
            yield entry[1] + as_markup(entry[2])
        else:
            yield as_markup(line)


# -- sources ---------------------------------------------------------------------------------------


def source_link(domain: str, info: dict[str, str]) -> str | None:
    """The address of a name's source, from a page of the reference; None without one."""
    if not info["module"]:
        return None
    value: Any = importlib.import_module(info["module"])
    for part in info["fullname"].split("."):
        value = getattr(value, part, None)
    try:
        inner: Any = inspect.unwrap(getattr(value, "fget", value))
        file, (_, line) = inspect.getsourcefile(inner), inspect.getsourcelines(inner)
    except (TypeError, OSError):
        return None
    path = Path(file or "")
    if ROOT not in path.parents:
        return None
    return f"../source/{path.relative_to(ROOT).as_posix()}.html#L{line}"
