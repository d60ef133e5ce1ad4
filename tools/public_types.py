"""The types of public functions, methods and attributes, as a type checker reads them.

    python tools/public_types.py            # counts, and the names without a type
    python tools/public_types.py --any      # the names that have `Any` in their types

The sources are read and nothing is imported: a checker sees the imports under `TYPE_CHECKING`, not
the lazy ones, and of an overloaded function the overloads only.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools import layers

FRONT_DOORS = ("autograph", "runtime")
# Special methods that a program calls by an operator or a built-in function.
_SPECIAL = frozenset(
    """
    __abs__ __add__ __and__ __bool__ __call__ __contains__ __divmod__ __enter__ __eq__ __float__
    __floordiv__ __ge__ __get__ __getitem__ __gt__ __index__ __init__ __int__ __invert__ __iter__
    __le__ __len__ __lt__ __matmul__ __mod__ __mul__ __ne__ __neg__ __next__ __or__ __pos__ __pow__
    __radd__ __rand__ __rdivmod__ __rfloordiv__ __rmatmul__ __rmod__ __rmul__ __ror__ __round__
    __rpow__ __rsub__ __rtruediv__ __rxor__ __setitem__ __sub__ __truediv__ __xor__
    """.split()
)
_Function = (ast.FunctionDef, ast.AsyncFunctionDef)


class Definition(NamedTuple):
    """A definition: the module that it is in, and its nodes; several of an overloaded function."""

    module: str
    nodes: tuple[ast.AST, ...]


class Member(NamedTuple):
    """A public function, method or attribute, with the types that it lacks and has."""

    name: str
    missing: tuple[str, ...]
    of_any: tuple[str, ...]


class Sources:
    """The modules of both packages, and the objects of their names."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._sources = sources
        self._names: dict[str, dict[str, list[ast.AST]]] = {}
        self._seen: set[ast.ClassDef] = set()

    def names_of(self, module: str) -> dict[str, list[ast.AST]]:
        """Return the definitions of each name of a module."""
        if module not in self._names:
            tree = ast.parse(self._sources[module])
            self._names[module] = _definitions(tree.body)
        return self._names[module]

    def find(self, module: str, name: str) -> Definition | str | None:
        """Return the definition of a name, the name of the module that it is, or None."""
        if module not in self._sources:
            return None
        nodes = self.names_of(module).get(name)
        if nodes is None:
            return f"{module}.{name}" if f"{module}.{name}" in self._sources else None
        last = nodes[-1]
        if isinstance(last, ast.ImportFrom):
            old = next(a.name for a in last.names if name == (a.asname or a.name))
            if last.module == module:
                return f"{module}.{old}"
            return self.find(last.module or "", old)
        if isinstance(last, ast.Assign) and isinstance(last.value, ast.Name):
            return self.find(module, last.value.id)
        if isinstance(last, ast.Assign) and isinstance(last.value, ast.Attribute):
            return self._method(module, last.value) or Definition(module, tuple(nodes))
        return Definition(module, tuple(nodes))

    def _method(self, module: str, named: ast.Attribute) -> Definition | None:
        """Return the method that `name = an_object.method` stands for."""
        owner = self.find(module, ast.unparse(named.value))
        made = getattr(owner.nodes[-1], "value", None) if isinstance(owner, Definition) else None
        if not isinstance(made, ast.Call) or not isinstance(made.func, ast.Name):
            return None
        kind = self.find(module, made.func.id)
        if not isinstance(kind, Definition) or not isinstance(kind.nodes[-1], ast.ClassDef):
            return None
        nodes = _definitions(kind.nodes[-1].body).get(named.attr)
        return Definition(kind.module, tuple(nodes)) if nodes else None

    @cached_property
    def members(self) -> dict[str, Member]:
        """Return all public members, each once, by the shortest path to it."""
        found: dict[str, Member] = {}
        seen: set[object] = set()
        for module, path in self.modules.items():
            for name in self.public(module):
                target = self.find(module, name)
                if isinstance(target, Definition) and target.nodes not in seen:
                    seen.add(target.nodes)
                    for each in self._members(f"{path}.{name}", target):
                        found.setdefault(each.name, each)
        return found

    @cached_property
    def modules(self) -> dict[str, str]:
        """Return the public modules, and for each the shortest path to it."""
        found = {door: door for door in FRONT_DOORS}
        waiting = list(FRONT_DOORS)
        while waiting:
            module = waiting.pop(0)
            for name in self.public(module):
                target = self.find(module, name)
                if isinstance(target, str) and target not in found:
                    found[target] = f"{found[module]}.{name}"
                    waiting.append(target)
        return found

    def public(self, module: str) -> Iterator[str]:
        """Yield the public names of a module: those that it defines, or imports as themselves."""
        for name, nodes in self.names_of(module).items():
            reexported = not isinstance(nodes[-1], (ast.Import, ast.ImportFrom)) or any(
                alias.asname == name for alias in nodes[-1].names
            )
            if not name.startswith("_") and reexported:
                yield name

    def _members(self, path: str, place: Definition) -> Iterator[Member]:
        last = place.nodes[-1]
        if isinstance(last, ast.ClassDef):
            yield from self._of_class(path, place.module, last)
        else:
            first = next(iter(getattr(getattr(last, "args", None), "args", ())), None)
            yield _member(path, place.nodes, first is not None and first.arg == "self")

    def _of_class(self, path: str, module: str, node: ast.ClassDef) -> Iterator[Member]:
        """Yield the members that a class adds to those of its bases, and those of private bases."""
        if node in self._seen:
            return
        self._seen.add(node)
        definitions = _definitions(node.body)
        for name, nodes in definitions.items():
            if name.startswith("_") and name not in _SPECIAL:
                continue
            last = nodes[-1]
            if not (isinstance(last, ast.Assign) and isinstance(last.value, ast.Name)):
                yield _member(f"{path}.{name}", nodes, is_method=True)
        for name, annotation in _attributes(definitions.get("__init__", [])):
            if name not in definitions:
                yield Member(f"{path}.{name}", (), _any_in(name, annotation))
        for base in node.bases:
            named = base.value if isinstance(base, ast.Subscript) else base
            target = self.find(module, named.id) if isinstance(named, ast.Name) else None
            if isinstance(target, Definition) and isinstance(target.nodes[-1], ast.ClassDef):
                yield from self._of_class(path, target.module, target.nodes[-1])


def _definitions(body: list[ast.stmt]) -> dict[str, list[ast.AST]]:
    """Return the statements that define each name of a body, as a type checker reads it."""
    found: dict[str, list[ast.AST]] = {}
    for node in body:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            read = node.orelse if ast.unparse(node.test) == "not TYPE_CHECKING" else node.body
            found.update(_definitions(read))
            continue
        if isinstance(node, (*_Function, ast.ClassDef)):
            found.setdefault(node.name, []).append(node)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                found[alias.asname or alias.name] = [node]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] = [node]
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                for each in ast.walk(target):
                    if isinstance(each, ast.Name):
                        found[each.id] = [node]
    return found


def _attributes(inits: list[ast.AST]) -> Iterator[tuple[str, ast.expr]]:
    """Yield the attributes that an `__init__` declares, with their types."""
    for init in inits:
        for node in ast.walk(init):
            if (
                isinstance(node, ast.AnnAssign)
                and isinstance(node.target, ast.Attribute)
                and not node.target.attr.startswith("_")
            ):
                yield node.target.attr, node.annotation


def _member(
    path: str, nodes: tuple[ast.AST, ...] | list[ast.AST], is_method: bool = False
) -> Member:
    overloads = [each for each in nodes if _is_decorated(each, "overload")]
    missing: list[str] = []
    of_any: list[str] = []
    for node in overloads or nodes[-1:]:
        if isinstance(node, _Function):
            skipped = is_method and not _is_decorated(node, "staticmethod")
            for part, annotation in _parts(node, skipped):
                if annotation is None:
                    missing.append(part)
                else:
                    of_any += _any_in(part, annotation)
        elif isinstance(node, ast.AnnAssign):
            of_any += _any_in("type", node.annotation)
        elif isinstance(node, ast.Assign) and "lazy_import(" in ast.unparse(node.value):
            missing.append("type")
    return Member(path, tuple(missing), tuple(of_any))


def _is_decorated(node: ast.AST, name: str) -> bool:
    decorators = getattr(node, "decorator_list", ())
    return any(name == ast.unparse(each).rpartition(".")[2] for each in decorators)


def _parts(
    node: ast.FunctionDef | ast.AsyncFunctionDef, is_method: bool
) -> Iterator[tuple[str, ast.expr | None]]:
    arguments = node.args
    named = [*arguments.posonlyargs, *arguments.args]
    for each in [*named[is_method:], *arguments.kwonlyargs]:
        yield each.arg, each.annotation
    for star, rest in (("*", arguments.vararg), ("**", arguments.kwarg)):
        if rest is not None:
            yield f"{star}{rest.arg}", rest.annotation
    if node.name != "__init__":
        yield "return", node.returns


def _any_in(part: str, annotation: ast.expr) -> tuple[str, ...]:
    names = [each.id for each in ast.walk(annotation) if isinstance(each, ast.Name)]
    return (part,) if "Any" in names else ()


def public_members() -> dict[str, Member]:
    """Return the public members of both packages by their names."""
    return Sources(layers.sources_under(layers.ROOT)).members


def main() -> int:
    """Print the counts, and the members without a type or with `Any`."""
    parser = argparse.ArgumentParser(prog="public_types", description=__doc__.split("\n")[0])
    parser.add_argument("--any", action="store_true", help="print the names with Any")
    options = parser.parse_args()
    members = public_members().values()
    for member in members:
        if member.missing:
            print(f"{member.name}: no type of {', '.join(member.missing)}")
        if options.any and member.of_any:
            print(f"{member.name}: Any in {', '.join(member.of_any)}")
    untyped = sum(len(each.missing) for each in members)
    loose = sum(len(each.of_any) for each in members)
    print(f"{len(members)} public members, {untyped} places without a type, {loose} with Any")
    return 1 if untyped else 0


if __name__ == "__main__":
    sys.exit(main())
