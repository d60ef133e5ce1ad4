"""Every backend has the methods of the protocol, their parameters, and a meaning for each word."""

from __future__ import annotations

import ast
import inspect
import io
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from types import BuiltinMethodType
from typing import Any

import pytest

from autograph.backends.graph import GraphBackend
from autograph.backends.graph.operations import OPERATIONS
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.protocol import Backend
from autograph.backends.python import MEANINGS, PythonBackend, meaning_of
from autograph.backends.undefined import (
    Placeholder,
    StoredElsewhere,
    Undefined,
    UndefinedReturnValue,
)
from tests import pages
from tests.autograph.recorded import Active

METHODS = [name for name in vars(Backend) if name[0] != "_" and callable(getattr(Backend, name))]
_PAGE = pages.ROOT / "docs" / "contributing" / "backend.md"


def _backend_of_the_page() -> Any:
    """Return the class that the page about backends writes."""
    space: dict[str, Any] = {"__name__": "listing"}
    for block in pages.python_blocks(_PAGE.read_text(encoding="utf-8")):
        with redirect_stdout(io.StringIO()):
            exec(block.source, space)  # The project's own page.
        if "ListingBackend" in space:
            break
    return space["ListingBackend"]


BACKENDS = [PythonBackend, GraphBackend, Active, _backend_of_the_page()]
try:
    from autograph.jax.backend import JaxBackend
    from autograph.jax.operations import OPERATIONS as OF_JAX
except ImportError:  # They need the extra `jax`.
    OF_JAX = {}
else:
    BACKENDS.append(JaxBackend)
# Words whose functions in the graph backend come from builtins; the word is Python's there.
_OF_BUILTINS = {"reduce", "update", "get", "either"}
# Words that only the converter for JAX programs says.
_OF_JAX = {"display"}


def _parameters(function: object) -> list[str]:
    if isinstance(function, BuiltinMethodType):
        function()  # Without a signature of its own: it takes nothing.
        return []
    found = inspect.signature(function).parameters  # type: ignore[arg-type]
    return [name for name in found if name != "self"]


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_backend_has_every_method_of_the_protocol_with_its_parameters(backend: Any) -> None:
    expected = {name: _parameters(getattr(Backend, name)) for name in METHODS}
    found = {name: _parameters(getattr(backend(), name)) for name in METHODS}
    assert expected == found


def test_the_page_of_the_protocol_names_each_method_and_no_other() -> None:
    text = _PAGE.read_text(encoding="utf-8")
    rows = text.partition("|---|---|")[2].partition("\n\n")[0]
    named = [word for row in rows.splitlines() for word in row.split("|")[1:2]]
    assert set(METHODS) == {each.strip(" `") for cell in named for each in cell.split(",")}
    assert f"has {len(METHODS)} methods" in text


def test_the_graph_backend_has_an_operation_for_each_word_of_pythons() -> None:
    assert set(MEANINGS) - _OF_BUILTINS - _OF_JAX == {
        word for word in OPERATIONS if _is_operation(word)
    }


def _is_operation(word: str) -> bool:
    return "." not in word and word != "print"


def test_operations_of_the_graph_backend_take_the_parameters_of_pythons() -> None:
    differences = {}
    for word in sorted(set(MEANINGS) & set(OPERATIONS)):
        python = _positional(MEANINGS[word])
        graph = _positional(OPERATIONS[word])
        if python is not None and graph is not None and len(python) != len(graph):
            differences[word] = (python, graph)
    assert {"contains": (["item", "container"], ["item", "container", "again"])} == differences


@pytest.mark.skipif(not OF_JAX, reason="needs jax")
def test_operations_of_the_jax_backend_are_words_of_pythons_and_take_their_parameters() -> None:
    assert [] == [word for word in OF_JAX if not callable(meaning_of(word))]
    for word in sorted(set(MEANINGS) & set(OF_JAX)):
        python = _positional(MEANINGS[word])
        if python is not None:
            inspect.signature(OF_JAX[word]).bind(*python)


def _positional(function: Any) -> list[str] | None:
    try:
        found = inspect.signature(function).parameters.values()
    except ValueError:
        return None
    if any(each.kind is each.VAR_POSITIONAL for each in found):
        return None  # A function that is imported on its first call.
    return [each.name for each in found if each.default is each.empty and each.name != "self"]


def test_python_has_a_meaning_for_each_word_that_operators_say() -> None:
    words = list(_words())
    assert len(words) > 40
    assert [] == [word for word in words if not callable(meaning_of(word))]


def _words() -> Iterator[str]:
    """Yield each literal first argument of a method `call`."""
    for file in sorted(Path(pages.ROOT, "autograph", "operators").glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            if is_call and node.func.attr == "call" and node.args:  # type: ignore[attr-defined]
                word = node.args[0]  # type: ignore[attr-defined]
                if isinstance(word, ast.Constant):
                    yield word.value


def test_what_a_state_holds_in_the_place_of_a_value_is_a_placeholder() -> None:
    kinds = (Undefined, UndefinedReturnValue, StoredElsewhere, PossiblyUnbound)
    assert [] == [kind for kind in kinds if not issubclass(kind, Placeholder)]
    common = {kind for kind in _subclasses(Placeholder) if ".graph." not in kind.__module__}
    assert set(kinds) == common


def _subclasses(kind: type) -> Iterator[type]:
    for each in kind.__subclasses__():
        yield each
        yield from _subclasses(each)
