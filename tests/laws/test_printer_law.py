"""Law: printed source, parsed again, is the same tree: for the standard library.

Every module of the running Python is a case: parsed, printed from ast and from gast (both must
be the same text), and parsed again. By default a spread sample is taken, with the modules that
hold the oddest syntax always in it; set the environment variable AUTOGRAPH_LONG_TESTS=1 to take
every module (a few minutes).
"""

from __future__ import annotations

import ast
import sysconfig
import tokenize
import warnings
from pathlib import Path

import gast
import pytest

from autograph.syntax import print_tree, same_tree, to_ast_node, to_gast
from tests.suite_length import IS_LONG

LIBRARY = Path(sysconfig.get_paths()["stdlib"])
EVERY = 64
HARD = {
    "_pydecimal.py",
    "dataclasses.py",
    "test_exceptions.py",
    "test_except_star.py",
    "test_fstring.py",
    "test_genericalias.py",
    "test_grammar.py",
    "test_named_expressions.py",
    "test_patma.py",
    "test_positional_only_arg.py",
    "test_string_literals.py",
    "test_type_aliases.py",
    "test_type_params.py",
    "test_unpack_ex.py",
    "test_unparse.py",
    "typing.py",
}


def library_files() -> list[Path]:
    """Return the standard library's modules in a fixed order, third-party packages left out."""
    files = sorted(LIBRARY.rglob("*.py"))
    return [f for f in files if "site-packages" not in f.relative_to(LIBRARY).parts]


def chosen_files() -> list[Path]:
    files = library_files()
    if IS_LONG:
        return files
    hard = [file for file in files if file.name in HARD]
    return sorted({*files[::EVERY], *hard})


def parsed(file: Path) -> ast.Module | None:
    """Return a module's tree, or None for the samples of bad syntax and bad encodings."""
    try:
        with tokenize.open(file) as stream:
            return ast.parse(stream.read())
    except (SyntaxError, UnicodeDecodeError, ValueError):
        return None


def fault_of(tree: ast.Module) -> str | None:
    """Return the fault in the printing of a tree, or None."""
    try:
        text = print_tree(tree)
        again = ast.parse(text)
    except Exception as error:  # any failure of the printer is the finding
        return repr(error)
    if not same_tree(tree, again):
        return "another tree: " + first_difference(tree, again)
    gast_tree = to_gast(tree)
    if print_tree(gast_tree) != text:
        return "gast prints another text"
    if not same_tree(gast_tree, gast.ast_to_gast(tree)):
        return "gast itself makes another tree"
    return None if same_tree(tree, to_ast_node(gast_tree)) else "gast and back is another tree"


def first_difference(tree: ast.Module, again: ast.Module) -> str:
    for before, after in zip(tree.body, again.body):
        if not same_tree(before, after):
            return f"line {before.lineno}: {ast.dump(before)[:300]}"
    return "number of statements"


@pytest.mark.filterwarnings("ignore")
def test_every_module_prints_to_its_own_tree() -> None:
    faults, checked = {}, 0
    for file in chosen_files():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = parsed(file)
            fault = fault_of(tree) if tree is not None else None
        checked += tree is not None
        if fault is not None:
            faults[str(file.relative_to(LIBRARY))] = fault
    assert faults == {}
    assert checked > (100 if IS_LONG else 20)
