"""From source to tree and back: finds the source of a function; makes, names and prints trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograph.syntax import qualname
from autograph.syntax.namer import Namer
from autograph.syntax.names import (
    all_names,
    bound_names,
    declared_names,
    parameter_nodes,
    walk_scope,
)
from autograph.syntax.origin import SourceSpan, caret, copy_origin, origin_of
from autograph.syntax.qualname import QN
from autograph.syntax.source import FunctionSource, source_of
from autograph.syntax.template import Template
from autograph.syntax.translate import to_ast_node, to_gast
from autograph.syntax.tree import (
    children,
    constant_node,
    copy_tree,
    fill_positions,
    name_node,
    parse,
    parse_expression,
    same_tree,
    split_docstring,
    to_ast,
    walk,
)
from runtime.core.lazy_imports import lazy_import

if TYPE_CHECKING:
    from autograph.syntax.printer import print_tree
else:
    # A conversion prints no tree, and the import of astunparse takes time.
    print_tree = lazy_import("autograph.syntax.printer:print_tree")

__all__ = [
    "QN",
    "FunctionSource",
    "Namer",
    "SourceSpan",
    "Template",
    "all_names",
    "bound_names",
    "caret",
    "children",
    "constant_node",
    "copy_origin",
    "copy_tree",
    "declared_names",
    "fill_positions",
    "name_node",
    "origin_of",
    "parameter_nodes",
    "parse",
    "parse_expression",
    "print_tree",
    "qualname",
    "same_tree",
    "source_of",
    "split_docstring",
    "to_ast",
    "to_ast_node",
    "to_gast",
    "walk",
    "walk_scope",
]
