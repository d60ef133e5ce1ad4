"""Running single converters, and showing trees that are only halfway converted."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

import gast

from autograph.analysis.function_facts import FunctionFacts
from autograph.analysis.grammar import ForUntil, TryAlways, WhileUntil
from autograph.converters.base import Conversion, Converter, main_function
from autograph.options import STANDARD
from autograph.syntax.namer import Namer
from autograph.syntax.printer import print_tree
from autograph.syntax.tree import children, parse
from tests.autograph.converters.reference import TextSource


def after(
    text: str,
    *converters: type[Converter],
    class_name: str | None = None,
    namespace: Mapping[str, object] | None = None,
) -> str:
    """Return the text of a function after some converters, without their checks of order."""
    text = textwrap.dedent(text).strip("\n")
    node = parse(text).body[0]
    if isinstance(node, gast.Assign):
        node = node.value
    tree: Any = node
    facts = FunctionFacts(node)
    source = TextSource(text, node, getattr(node, "name", "<lambda>"), class_name)
    conversion = Conversion(source, STANDARD, Namer(facts.inventory.identifiers), namespace)
    for kind in converters:
        converter = kind()
        facts = FunctionFacts(main_function(tree))
        if converter.applies(facts, conversion):
            tree = converter.convert(tree, facts, conversion)
    return shown(tree)


def shown(tree: Any) -> str:
    """Print a tree; a loop's parts besides Python's grammar are the first line of its body.

    The options a scope is made with are printed as `OPTIONS`.
    """
    _plain(tree)
    printed = print_tree(tree).replace(f"ag__.{STANDARD!r}", "OPTIONS")
    return "\n".join(line.rstrip() for line in printed.strip("\n").splitlines())


def _plain(node: Any) -> None:
    for child in children(node):
        _plain(child)
    if isinstance(node, (ForUntil, WhileUntil)):
        notes = [f"until {print_tree(flag).strip()}" for flag in node.until]
        notes += [f"{option.arg}={print_tree(option.value).strip()}" for option in node.options]
        node.body[:0] = [gast.Expr(gast.Constant(note, None)) for note in notes]
        node.__class__ = gast.For if isinstance(node, ForUntil) else gast.While
    elif isinstance(node, TryAlways):
        node.orelse.insert(0, gast.Expr(gast.Constant("always", None)))
        node.__class__ = gast.Try


def text(block: str) -> str:
    """Return a block of expected text without its indentation."""
    return textwrap.dedent(block).strip("\n")
