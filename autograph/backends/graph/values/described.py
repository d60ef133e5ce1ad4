"""Plans in the words of error messages."""

from __future__ import annotations

from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.leaf_spec import Static, describe_leaf
from autograph.backends.graph.values.object_values import ArrayRecord, Record
from autograph.backends.graph.values.value_spec import (
    Branch,
    Items,
    OneOf,
    Optional,
    Same,
    Unbound,
    ValueSpec,
)
from autograph.operators.user_classes import is_made_in_python
from runtime.errors import with_article


def describe(plan: ValueSpec) -> str:
    """Return a plan in the words of an error message."""
    if isinstance(plan, Optional):
        return f"{describe(plan.value)} or {'None' if plan.absent == 'none' else 'unbound'}"
    if isinstance(plan, Same):
        return describe(plan.contents) if plan.contents else f"a {type(plan.value).__name__}"
    if isinstance(plan, Branch):
        if isinstance(plan.like, ArrayRecord):
            return describe(plan.children[0])
        kind = plan.like.kind if isinstance(plan.like, Record) else type(plan.like)
        return f"a {kind.__name__} of {len(plan.children)}"
    if isinstance(plan, OneOf):
        return f"one of {len(plan.options)} objects"
    if isinstance(plan, Static) and type(plan.value) is DynamicItems:
        return "items known when the graph runs"
    if isinstance(plan, Items):
        return "a list"
    if isinstance(plan, Unbound):
        return "unbound"
    return describe_leaf(plan)


def kind_of_both(a: Branch, b: Branch) -> str:
    """Return the kind of container that both are, nothing if they are of two."""
    kinds = (each for each in (tuple, list, dict) if isinstance(a.like, each))
    return next((each.__name__ for each in kinds if isinstance(b.like, each)), "")


def unlike_classes(a: Branch, b: Branch) -> tuple[str, str] | None:
    """Return what two containers are called if they differ in class, one of them the user's."""
    kinds = [
        each.like.kind if isinstance(each.like, Record) else type(each.like) for each in (a, b)
    ]
    if kinds[0] is kinds[1] or not any(map(is_made_in_python, kinds)):
        return None
    return with_article(kinds[0].__name__), with_article(kinds[1].__name__)
