"""A test whether two containers, separate objects in the trace, may be one object in Python."""

from __future__ import annotations

from autograph.backends.graph.aliases.alias_sets import origin_ids, possible_aliases
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.state.alias_state import alias_state, present_value
from autograph.backends.graph.values.truth import on_identity_comparison
from autograph.errors import StagingError


def may_be_one(left: object, right: object) -> bool:
    """Return whether two containers that the trace keeps apart may be one object in Python."""
    aliases = alias_state()
    left, right = present_value(left), present_value(right)
    if aliases is None or left is right:
        return False
    if any(part.value is right for _, part in possible_aliases(aliases, left)):
        return True
    both = {id(left), id(right)}
    if any({id(each.made.value), id(each.first.value)} == both for each in aliases.body_containers):
        return True
    copies = {id(t.members[0].value) for t in aliases.alias_sets if not t.name}
    if copies and type(left) is type(right):
        in_handles = {id(part.value) for copied in aliases.copied for part in copied.members}
        roots = [origin_ids(aliases, each) for each in (left, right)]
        is_copy = any(not copies.isdisjoint(one) for one in roots)
        if is_copy and not any((copies | in_handles).isdisjoint(one) for one in roots):
            return True
    picked = (
        (t.members[0].value, [p.value for p in t.sources]) for t in aliases.alias_sets if t.sources
    )
    return any(
        (copy is left and any(s is right for s in sources))
        or (copy is right and any(s is left for s in sources))
        for copy, sources in picked
    )


@on_identity_comparison
def refuse_possible_alias(left: object, right: object) -> None:
    """Raise StagingError if two containers may be the same object at run time."""
    if may_be_one(left, right):
        raise StagingError(
            "`is` compares two lists, dicts or objects, and whether they are the same object is "
            "known only when the graph runs: compare their contents, or keep a flag",
            user_location(),
        )
