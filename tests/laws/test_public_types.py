"""Law: every public function, method and attribute has types, and `Any` is used for a reason."""

from __future__ import annotations

import ast
import inspect
from functools import cache
from importlib import import_module
from importlib.util import find_spec

import autograph as ag
from runtime.ops.overloads import operators
from tests.each import for_each
from tools import layers, public_types
from tools.public_types import Member, Sources

TEXTS = layers.sources_under(layers.ROOT)
SOURCES = Sources(TEXTS)
STRUCTURE = "a structure of tensors, which the user's function or data has chosen"
VALUE = "NumPy data: an array, a scalar, bytes, or an object that a variant holds"
SUBCLASS = "a subclass chooses the type, which a checker allows for Any alone"
ABOVE = "an object of a higher layer, whose types this one must not import"
FOREIGN = "an object of another library, or a value that is passed on to one"
CONFIG = "entries of configs and states, which each class chooses"

# For each part of the packages: the number of places with Any, and the reasons. It only shrinks.
ANY: dict[str, tuple[int, str]] = {
    "autograph": (13, STRUCTURE),
    "autograph.jax": (19, FOREIGN),
    "autograph.saved_model": (9, FOREIGN),
    "runtime": (51, STRUCTURE),
    "runtime.EagerTensor": (2, VALUE),
    "runtime.SymbolicTensor": (5, ABOVE),
    "runtime.Variable": (8, ABOVE),
    "runtime.Graph": (9, ABOVE),
    "runtime.graph": (1, ABOVE),
    "runtime.DType": (6, VALUE),
    "runtime.TensorShape": (12, FOREIGN),
    "runtime.GradientTape": (12, STRUCTURE),
    "runtime.array_api": (5, FOREIGN),
    "runtime.nest": (31, STRUCTURE),
    "runtime.data": (39, STRUCTURE),
    "runtime.session": (23, STRUCTURE),
    "runtime.train": (13, CONFIG),
    "runtime.test": (9, STRUCTURE),
    "runtime.random": (35, FOREIGN),
    "runtime.export": (7, FOREIGN),
    "runtime.nn": (60, STRUCTURE),
    "runtime.nn.layers": (311, SUBCLASS),
    "runtime.nn.Model": (78, SUBCLASS),
    "runtime.nn.Sequential": (9, SUBCLASS),
    "runtime.nn.callbacks": (73, SUBCLASS),
    "runtime.nn.optimizers": (62, SUBCLASS),
    "runtime.nn.losses": (15, CONFIG),
    "runtime.nn.metrics": (18, CONFIG),
    "runtime.nn.models": (16, CONFIG),
    "runtime.nn.constraints": (15, CONFIG),
    "runtime.nn.initializers": (6, CONFIG),
    "runtime.nn.regularizers": (4, CONFIG),
}


def _part(name: str) -> str:
    return max((each for each in ANY if f"{name}.".startswith(f"{each}.")), key=len, default="")


def test_every_public_member_has_types() -> None:
    assert {} == {each.name: each.missing for each in SOURCES.members.values() if each.missing}


def test_the_number_of_any_annotations_matches_the_table() -> None:
    found = dict.fromkeys(ANY, 0)
    for member in SOURCES.members.values():
        if member.of_any:
            assert _part(member.name), f"{member.name} has Any: give it a type, or a reason"
            found[_part(member.name)] += len(member.of_any)
    assert {part: count for part, (count, _) in ANY.items()} == found


def test_the_walk_sees_missing_types_and_any() -> None:
    text = """
from typing import TYPE_CHECKING, Any, overload
from runtime.core.lazy_imports import lazy_import
def bare(x, y: int): ...
def loose(x: Any, *rest: list[Any]) -> int: ...
@overload
def narrow(x: int) -> int: ...
@overload
def narrow(x: str) -> str: ...
def narrow(x: Any) -> Any: ...
def _private(x): ...
class Box:
    size: Any
    def __init__(self, x) -> None:
        self.held: Any = x
    def _own(self, x): ...
    lazy = lazy_import("module:name")
    if TYPE_CHECKING:
        def declared(self, x: int) -> int: ...
    else:
        declared = lazy_import("module:name")
"""
    seen = Sources({"autograph": text, "runtime": ""}).members
    expected = [
        Member("autograph.bare", ("x", "return"), ()),
        Member("autograph.loose", (), ("x", "*rest")),
        Member("autograph.narrow", (), ()),
        Member("autograph.Box.size", (), ("type",)),
        Member("autograph.Box.__init__", ("x",), ()),
        Member("autograph.Box.lazy", ("type",), ()),
        Member("autograph.Box.declared", (), ()),
        Member("autograph.Box.held", (), ("held",)),
    ]
    assert expected == list(seen.values())


def _has_own_dir(module: str) -> bool:
    is_optional = module == "autograph.jax" and find_spec("jax") is None
    return not is_optional and (module.count(".") < 2 or "__dir__" in vars(import_module(module)))


@for_each("module", SOURCES.modules)
def test_dir_has_public_names_only(module: str) -> None:
    if _has_own_dir(module):
        package = import_module(module)
        shown = {name for name in dir(package) if not name.startswith("__")}
        # The functions of the array API are NumPy's: a checker sees them by `__getattr__`.
        known = package.__all__ if "array_api" in module else SOURCES.public(module)
        assert set() == shown - set(known)


def test_each_namespace_has_a_stub_under_its_other_name() -> None:
    stubs = {path.stem for path in (layers.ROOT / "autograph/runtime").glob("*.pyi")}
    namespaces = {name for name in dir(import_module("runtime")) if _is_namespace(name)}
    assert namespaces == stubs


def _is_namespace(name: str) -> bool:
    return f"runtime.{name}" in TEXTS


def test_the_options_of_function_are_its_parameters() -> None:
    tree = ast.parse((layers.ROOT / "autograph/functions/decorator.py").read_text(encoding="utf-8"))
    options = next(
        each for each in ast.walk(tree) if getattr(each, "name", "") == "DecoratorOptions"
    )
    declared = {
        ast.unparse(each.target): ast.unparse(each.annotation)
        for each in ast.walk(options)
        if isinstance(each, ast.AnnAssign)
    }
    _, _, *parameters = inspect.signature(ag.function).parameters.values()
    assert {each.name: each.annotation for each in parameters} == declared


def test_the_operators_of_tensors_are_declared() -> None:
    declared = SOURCES.find("runtime.core.tensor", "TensorOperators")
    assert isinstance(declared, public_types.Definition)
    walked = ast.walk(declared.nodes[-1])
    names = {each.name for each in walked if isinstance(each, ast.FunctionDef)}
    assert set() == operators().keys() - names


@cache
def lazy_methods() -> list[tuple[str, str, ast.FunctionDef, str]]:
    """Return the methods that are declared for checkers and imported on first use."""
    found = []
    for module, text in TEXTS.items():
        if "lazy_import(" not in text or "    if TYPE_CHECKING:" not in text:
            continue
        for kind in (each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.ClassDef)):
            for branch in (each for each in kind.body if isinstance(each, ast.If)):
                declared = {
                    each.name: each for each in branch.body if isinstance(each, ast.FunctionDef)
                }
                for each in branch.orelse:
                    name = ast.unparse(each.targets[0]) if isinstance(each, ast.Assign) else ""
                    reference = [
                        part.value
                        for part in ast.walk(each)
                        if isinstance(part, ast.Constant) and ":" in str(part.value)
                    ]
                    if name in declared and reference:
                        found.append((module, kind.name, declared[name], str(reference[0])))
    return found


@for_each("module, kind, declared, reference", lazy_methods, ids=lambda each: each[2].name)
def test_a_method_is_declared_as_it_is(
    module: str, kind: str, declared: ast.FunctionDef, reference: str
) -> None:
    home, _, name = reference.partition(":")
    _, *actual = inspect.signature(getattr(import_module(home), name)).parameters
    given = declared.args
    _, *names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    is_property = any("property" == ast.unparse(each) for each in declared.decorator_list)
    assert is_property or given.vararg or names == actual[: len(names)]
    assert getattr(import_module(module), kind).__dict__[declared.name] is not None


def test_lazy_methods_are_found() -> None:
    assert {"set_shape", "T", "get_operations"} <= {each.name for _, _, each, _ in lazy_methods()}
