"""The import layers: reads every import of both packages and reports forbidden ones.

    python tools/layers.py            # prints violations, exits 1 if there are any

Three rules: a layer imports only the layers its table entry names; modules form no cycle, neither
by code nor by types; an import inside a function is only for an optional third party. Imports under
`if TYPE_CHECKING:` may point upward. Lazy imports count as imports, except for methods that the
body of a class names: a higher layer implements them.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.module_imports import import_nodes, imported_names, lazy_imports, type_import_nodes

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("autograph", "runtime")

# The parts of `backends/graph/`, lowest first: a part uses itself and those before it.
GRAPH_PARTS = (
    "source",
    "arrays",
    "objects",
    "values",
    "state",
    "aliases",
    "tracing",
    "control",
    "containers",
    "iterators",
    "functions",
    "exceptions",
)
GRAPH = "autograph.backends.graph"
_GRAPH_USES = (
    "autograph.errors",
    "autograph.backends.protocol",
    "autograph.operators.frames",
    "autograph.operators.state",
    "runtime",
)


# The parts of `functions/`, lowest first.
FUNCTION_PARTS = (
    "effect_analysis",
    "state.places",
    "arguments",
    "results",
    "state",
    "concrete_functions",
    "trace_cache",
    "side_effects",
    "tracing",
)
FUNCTIONS = "autograph.functions"

# The parts of `executors/`, lowest first.
EXECUTOR_PARTS = (
    "compile_options",
    "error_locations",
    "plan",
    "analysis",
    "optimizations",
    "interpreter",
    "numpy",
    "engine",
    "jax",
)
EXECUTORS = "runtime.executors"


def _rooms_of_parts(
    room: str, parts: tuple[str, ...], uses: tuple[str, ...]
) -> dict[str, tuple[str, ...]]:
    names = [f"{room}.{part}" for part in parts]
    rooms = {name: (*names[:floor], *uses) for floor, name in enumerate(names)}
    return {**rooms, room: (*names, *uses)}


_GRAPH_ROOMS = _rooms_of_parts(GRAPH, GRAPH_PARTS, _GRAPH_USES)
GRAPH_ROOMS = tuple(_GRAPH_ROOMS)
_FUNCTION_USES = (
    "autograph.errors",
    "autograph.options",
    "autograph.features",
    "autograph.syntax",
    "autograph.backends.protocol",
    *GRAPH_ROOMS,
    "autograph.operators",
    "autograph.operators.frames",
    "autograph.conversion",
    "autograph.conversion.convert",
    "runtime",
)
_FUNCTION_ROOMS = _rooms_of_parts(FUNCTIONS, FUNCTION_PARTS, _FUNCTION_USES)
FUNCTION_ROOMS = tuple(_FUNCTION_ROOMS)
_ON_GRAPHS = ("runtime.core", "runtime.ops", "runtime.state", "runtime.graph")
_EXECUTOR_ROOMS = _rooms_of_parts(EXECUTORS, EXECUTOR_PARTS, (*_ON_GRAPHS, "runtime.passes"))
EXECUTOR_ROOMS = tuple(_EXECUTOR_ROOMS)
PARTS = frozenset({*GRAPH_ROOMS, *FUNCTION_ROOMS, *EXECUTOR_ROOMS} - {GRAPH, FUNCTIONS, EXECUTORS})

# A module that knows neither package, and that every layer may use.
EVERYWHERE = "runtime.core.lazy_imports"

# A layer is a module prefix; a module belongs to the longest prefix that matches. Its modules
# may import that layer and the layers named here, and nothing else of the two packages.
ROOMS: dict[str, tuple[str, ...]] = {
    "autograph.errors": (),
    "autograph.options": ("autograph.errors",),
    "autograph.features": ("autograph.errors",),
    "autograph.directives": ("autograph.errors", "autograph.options"),
    "autograph.syntax": ("autograph.errors", "autograph.options"),
    "autograph.analysis": ("autograph.errors", "autograph.options", "autograph.syntax"),
    "autograph.converters": (
        "autograph.errors",
        "autograph.options",
        "autograph.syntax",
        "autograph.analysis",
    ),
    "autograph.backends.protocol": ("autograph.errors",),
    "autograph.operators.frames": (),
    "autograph.operators.state": ("autograph.errors", "autograph.backends.protocol"),
    "autograph.backends": (
        "autograph.errors",
        "autograph.backends.protocol",
        "autograph.operators.state",
    ),
    **_GRAPH_ROOMS,
    "autograph.operators": (
        "autograph.errors",
        "autograph.options",
        "autograph.backends.protocol",
        "autograph.operators.frames",
        "autograph.operators.state",
    ),
    "autograph.lowering": ("autograph.errors", "autograph.options", "autograph.syntax"),
    "autograph.conversion": (
        "autograph.errors",
        "autograph.options",
        "autograph.features",
        "autograph.syntax",
        "autograph.analysis",
        "autograph.converters",
        "autograph.lowering",
        "autograph.backends.protocol",
        "autograph.operators",
        "autograph.operators.frames",
    ),
    "autograph.conversion.convert": (
        "autograph.errors",
        "autograph.backends.protocol",
        *GRAPH_ROOMS,
        "autograph.converters",
        "autograph.conversion",
    ),
    **_FUNCTION_ROOMS,
    "autograph.insight": (
        "autograph.errors",
        "autograph.options",
        "autograph.syntax",
        "autograph.backends.protocol",
        *GRAPH_ROOMS,
        "autograph.converters",
        "autograph.operators",
        "autograph.operators.frames",
        "autograph.conversion",
        "autograph.conversion.convert",
        *FUNCTION_ROOMS,
        "runtime",
    ),
    "autograph.checking": (
        "autograph.errors",
        "autograph.syntax",
        "autograph.backends.protocol",
        *GRAPH_ROOMS,
        "autograph.operators",
        "autograph.operators.frames",
        "autograph.conversion",
        "autograph.conversion.convert",
        *FUNCTION_ROOMS,
        "autograph.insight",
        "runtime",
    ),
    "autograph.display": (
        "autograph.conversion",
        *FUNCTION_ROOMS,
        "autograph.insight",
        "autograph.checking",
        "runtime",
    ),
    "autograph.jax": (
        "autograph.errors",
        "autograph.features",
        "autograph.options",
        "autograph.backends.protocol",
        "autograph.backends",
        f"{GRAPH}.source",
        "autograph.operators",
        "autograph.operators.frames",
        "autograph.operators.state",
        "autograph.converters",
        "autograph.conversion",
        "runtime",
    ),
    "autograph.saved_model": (
        "autograph.errors",
        "autograph.syntax",
        *FUNCTION_ROOMS,
        "runtime",
    ),
    "autograph.exporting": (
        "autograph.errors",
        *FUNCTION_ROOMS,
        "autograph.saved_model",
        "runtime",
    ),
    "autograph.compat": (
        "autograph",
        "autograph.errors",
        "autograph.options",
        "autograph.conversion",
        "autograph.conversion.convert",
        *FUNCTION_ROOMS,
        "runtime",
    ),
    "autograph.shadowing": ("autograph.errors",),
    "autograph.runtime": ("runtime",),
    "autograph": ("*",),
    EVERYWHERE: (),
    "runtime.core": (),
    "runtime.ops": ("runtime.core",),
    "runtime.namespaces": ("runtime.core", "runtime.ops", "runtime.state"),
    "runtime.state": ("runtime.core", "runtime.ops"),
    "runtime.graph": ("runtime.core", "runtime.ops", "runtime.state"),
    "runtime.passes": _ON_GRAPHS,
    **_EXECUTOR_ROOMS,
    "runtime.autodiff": (*_ON_GRAPHS, "runtime.passes", *EXECUTOR_ROOMS),
    **dict.fromkeys(("runtime.array_api", "runtime.io", "runtime.train"), ("runtime.*",)),
    "runtime.display": ("runtime.*",),
    "runtime.serialization": ("runtime.core", "runtime.ops", "runtime.graph"),
    "runtime.export": (
        *_ON_GRAPHS,
        *("runtime.passes", "runtime.serialization", "runtime.export.stablehlo"),
    ),
    "runtime.export.stablehlo": (
        *_ON_GRAPHS,
        *("runtime.passes", *EXECUTOR_ROOMS, "runtime.export"),
    ),
    **dict.fromkeys(("runtime.nn", "runtime.data", "runtime.session"), ("runtime.*",)),
    **dict.fromkeys(
        ("runtime.config", "runtime.interop", "runtime.distribute", "runtime.summary"),
        ("runtime.*",),
    ),
    "runtime": ("runtime.*",),
}


def _beside(file: str, names: str) -> dict[str, str]:
    return {f"{file.rpartition('.')[0]}.{name}": file for name in names.split()}


# Files with another layer than their folder, or with a layer shared with others.
ALIASES: dict[str, str] = {
    **_beside("autograph.backends.protocol", "attribute_fallback backend_registry lazy_iterator"),
    **_beside("autograph.backends.protocol", "possibly_unbound try_block undefined with_block"),
    **_beside(
        "autograph.operators.frames",
        "call_listeners compared_containers math_names tracebacks user_classes",
    ),
    **_beside(
        EVERYWHERE,
        "fork_safety garbage_collection internal_files name_suggestions source_names "
        "stored_attributes weak_tables",
    ),
    **_beside(
        "runtime.namespaces", "bitwise debugging linalg lookup math random sets signal strings"
    ),
    **dict.fromkeys(("runtime.errors", "runtime.nest", "runtime.diagnostics"), "runtime.core"),
    **dict.fromkeys(
        [
            f"runtime.diagnostics.{name}"
            for name in (
                "exceptions operand_names snapshot source_expressions traceback_lines "
                "number_paths untracked_numbers"
            ).split()
        ],
        "runtime.core",
    ),
}

# Lazy imports of a module by one that it imports: the rule of an op that needs a tape.
CALLED_BACK = frozenset([("runtime.autodiff.backward", "runtime.autodiff.python_functions")])

# Modules whose classes refer to each other in types: the regions of a node are graphs, and a graph
# has nodes; a recorder takes tensors, and operators of tensors look up the recorder.
TYPE_CIRCLES = (
    frozenset(
        f"runtime.graph.{name}"
        for name in "callee capture constant_values effects fetches graph node".split()
    ),
    frozenset(("runtime.core.context", "runtime.core.tensor")),
)

# May be imported inside a function, on first use.
OPTIONAL_THIRD_PARTIES = frozenset(
    """
    ai_edge_litert google jax litert_converter llvmlite ml_dtypes onnx onnxruntime PIL pygments rich
    tensorboard tensorflow threadpoolctl
    """.split()
)


@dataclass(frozen=True, order=True)
class Import:
    """One imported module, as one module names it."""

    importer: str
    imported: str
    line: int
    inside_function: bool


@dataclass(frozen=True, order=True)
class Violation:
    """A broken rule, with the place to mend it."""

    module: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.module}:{self.line}: {self.message}"


def module_name(path: Path, root: Path) -> str:
    """The dotted name of a file: `a/b/__init__.py` is `a.b`."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def sources_under(root: Path) -> dict[str, str]:
    """Every module of both packages with its text."""
    files = sorted(file for package in PACKAGES for file in (root / package).rglob("*.py"))
    return {module_name(file, root): file.read_text(encoding="utf-8") for file in files}


@cache
def _tree_of(source: str) -> ast.Module:
    return ast.parse(source)


def imports_of(module: str, source: str, modules: Iterable[str], package: bool) -> list[Import]:
    """Return the imports of a module that run; `modules` tells a submodule from an attribute."""
    known = frozenset(modules)
    found: list[Import] = []
    tree = _tree_of(source)
    for node, inside in import_nodes(tree, inside_function=False):
        for name in imported_names(node, module, known, package):
            found.append(Import(module, name, node.lineno, inside))
    # To look at each node of a tree takes longer than to read it.
    lazily = lazy_imports(tree, module, known) if "lazy_" in source else ()
    for name, line in lazily:
        if (module, name) not in CALLED_BACK:
            found.append(Import(module, name, line, False))
    return found


def room_of(module: str) -> str:
    """The layer a module belongs to: the longest entry of the table that begins its name."""
    if module in ALIASES:
        return ALIASES[module]
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        prefix = ".".join(parts[:length])
        if prefix in ROOMS:
            return prefix
    raise KeyError(module)


def may_import(importer: str, imported: str) -> bool:
    """Return whether one layer may import another."""
    allowed = ROOMS[importer]
    if imported in (importer, EVERYWHERE) or "*" in allowed or imported in allowed:
        return True
    top = imported.split(".")[0]
    return f"{top}.*" in allowed or top == "runtime" and "runtime" in allowed


def violations_of(sources: Mapping[str, str], packages: Iterable[str] = ()) -> list[Violation]:
    """Every broken rule in `sources` (module name -> text); `packages` are the `__init__` files."""
    packages, known = frozenset(packages), frozenset(sources)
    imports = [
        item
        for module, source in sources.items()
        for item in imports_of(module, source, known, module in packages)
    ]
    cycles = list(_cycles(imports)) or list(_cycles([*imports, *_type_imports(sources, packages)]))
    return sorted([*_wrong_rooms(imports), *_hidden(imports), *cycles])


def _type_imports(sources: Mapping[str, str], packages: frozenset[str]) -> Iterator[Import]:
    known = frozenset(sources)
    for module, source in sources.items():
        for node in type_import_nodes(_tree_of(source)):
            for name in imported_names(node, module, known, module in packages):
                if not any(module in circle and name in circle for circle in TYPE_CIRCLES):
                    yield Import(module, name, node.lineno, False)


def _wrong_rooms(imports: Iterable[Import]) -> Iterator[Violation]:
    for item in imports:
        if item.imported.split(".")[0] not in PACKAGES:
            continue
        importer, imported = room_of(item.importer), room_of(item.imported)
        if not may_import(importer, imported):
            yield Violation(item.importer, item.line, f"{importer} must not import {item.imported}")


def _hidden(imports: Iterable[Import]) -> Iterator[Violation]:
    for item in imports:
        top = item.imported.split(".")[0]
        if item.inside_function and top not in OPTIONAL_THIRD_PARTIES:
            message = f"import of {item.imported} inside a function; put it at the top"
            yield Violation(item.importer, item.line, message)


def _cycles(imports: Iterable[Import]) -> Iterator[Violation]:
    edges: dict[str, dict[str, int]] = {}
    for item in imports:
        if not item.inside_function and item.imported != item.importer:
            edges.setdefault(item.importer, {}).setdefault(item.imported, item.line)
    finished: set[str] = set()
    for module in sorted(edges):
        path = _way_back(module, edges, finished)
        if path:
            yield Violation(module, edges[module][path[1]], "import cycle " + " -> ".join(path))
        finished.add(module)


def _way_back(
    start: str, edges: Mapping[str, Mapping[str, int]], finished: set[str]
) -> list[str] | None:
    """Return a path from `start` to itself that avoids modules of reported cycles."""
    trail = [[start]]
    seen: set[str] = set()
    while trail:
        path = trail.pop()
        for imported in edges.get(path[-1], {}):
            if imported == start:
                return [*path, start]
            if imported not in seen and imported not in finished:
                seen.add(imported)
                trail.append([*path, imported])
    return None


def check(root: Path = ROOT) -> list[Violation]:
    """Every violation in the checkout at `root`."""
    files = sorted(file for package in PACKAGES for file in (root / package).rglob("__init__.py"))
    return violations_of(sources_under(root), {module_name(file, root) for file in files})


def main() -> int:
    """Print the violations; the exit code is 1 if there are any."""
    violations = check()
    for violation in violations:
        print(violation)
    print(f"import layers: {len(sources_under(ROOT))} modules, {len(violations)} violations")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
