"""The sources of a caught exception: facts known while tracing about the nodes that may raise it.

except ValueError as e:      a container from before the `try` keeps its identity in e.args;
    rows.append(1)           one that the body of the `try` made is there as a copy
    len(e.args[0])
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import runtime as rt
from autograph.backends.graph.aliases.alias_sets import alias_error, container_pairs, record_results
from autograph.backends.graph.aliases.user_references import has_user_references
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.state.alias_state import AliasMember, is_unchanged
from autograph.backends.graph.tracing.trace_exceptions import calls_before
from autograph.backends.graph.values.container_snapshot import ContainerSnapshot, with_contents
from autograph.backends.graph.values.join_errors import CAUGHT
from autograph.backends.graph.values.leaf_spec import TracedSpec
from autograph.backends.graph.values.object_values import record_of
from autograph.backends.graph.values.spec_inference import spec_of
from autograph.backends.graph.values.value_spec import ContainerSpec, ValueSpec
from autograph.errors import StagingError
from runtime.diagnostics.exceptions import ExceptionPattern
from runtime.diagnostics.snapshot import ContainerCopies
from runtime.diagnostics.traceback_lines import show_lines
from runtime.graph.may_raise import ANYTHING, Kinds, may_be
from runtime.ops.op import Op

# Deeper than any program nests the arguments of an exception.
_DEEPEST = 20


def with_preserved(value: object, copies: ContainerCopies) -> object:
    """Return an attribute's value in which containers from before the `try` keep their identity."""
    kept = {id(each) for each in copies.kept}
    return _with_preserved(value, kept) if kept else value


def _with_preserved(value: object, kept: set[int], depth: int = 0) -> object:
    if id(value) in kept:
        return with_contents(value, kept)
    children = rt.nest.children(value) if depth < _DEEPEST else None
    if not children:
        return value
    parts = [_with_preserved(child, kept, depth + 1) for child in children]
    if all(a is b for a, b in zip(parts, children)):
        return value
    return rt.nest.rebuild(value, parts)


def record_caught_containers(
    name: str,
    result: object,
    found: Sequence[tuple[object, ContainerCopies]],
    kept: Iterable[AliasMember],
) -> None:
    """Record the program's containers that a handler finds in an exception.

    Args:
        name: the attribute that holds them.
        result: the joined value that the handler gets.
        found: the value in each possible exception, with the originals of its copies.
        kept: the containers from before the `try`, with their contents where the handler begins.

    Raises:
        ContainerMutationError: a container that the result may hold has changed since.
    """
    sources = [_with_originals(value, copies) for value, copies in found]
    of = {id(source) for each in sources for _, source in container_pairs(result, each)}
    refuse_changed(name, [part for part in kept if id(part.value) in of])
    record_results([(f"{CAUGHT}{name}", result, sources)])


def refuse_changed(name: str, parts: Iterable[AliasMember]) -> None:
    """Raise ContainerMutationError if the contents of a container have changed."""
    for part in parts:
        if not is_unchanged(part):
            raise alias_error(f"{CAUGHT}{name}", user_location(), part.value)


def has_other_names(copies: ContainerCopies) -> bool:
    """Return whether the program can reach the original of a container that an exception copies."""
    return any(
        has_user_references(AliasMember(each.value, None)) for each in copies.copies.values()
    )


def _with_originals(value: object, copies: ContainerCopies, depth: int = 0) -> object:
    """Return a value in which copies are replaced by their originals."""
    if depth > _DEEPEST:
        return value
    original = copies.original(value)
    record = record_of(value)
    children = record.values if record is not None else rt.nest.children(value)
    if children is None:
        return value
    parts = [_with_originals(child, copies, depth + 1) for child in children]
    like = rt.nest.rebuild(value, parts) if record is None else record.with_values(parts)
    is_held = original is not value or any(value is each for each in copies.kept)
    return ContainerSnapshot(original, like) if is_held else like


# -- exception sources -----------------------------------------------------------------------------


TEXT = TracedSpec(rt.TensorSpec((), rt.string), weak=True)

Show = Callable[[Collection[int]], tuple[BaseException, ContainerCopies]]


@dataclass(repr=False)
class RaisingNode:
    """A node that may raise.

    Attributes:
        kinds: the classes of its exceptions.
        sample: the exception with tensors in place of run-time values; None for the exception of an
            op, of which only the text is known to exist.
        is_exact: whether the sample has no run-time values.
        copies: the originals of the containers in the sample, which are copies.
        show: makes sample and copies again, given the identities of containers not to be copied.
    """

    kinds: Kinds
    sample: BaseException | None
    is_exact: bool = False
    copies: ContainerCopies = field(default_factory=ContainerCopies)
    show: Show | None = None

    @property
    def is_open(self) -> bool:
        """Return whether it may raise any exception, as a Python function that the graph calls."""
        return self.sample is None and self.kinds == ANYTHING

    def has(self, name: str) -> bool:
        """Return whether its exceptions have an attribute."""
        if self.sample is None:
            return hasattr(self.kinds[0], name) if len(self.kinds) == 1 else name == "args"
        return hasattr(self.sample, name)

    def spec_of(self, name: str, get: Callable[[BaseException], object]) -> ValueSpec:
        """Return the spec of an attribute of its exception.

        Raises:
            StagingError: nothing is known about it while tracing.
        """
        if self.sample is not None:
            return spec_of(with_preserved(get(self.sample), self.copies))
        if name == "args" and not may_be(self.kinds, (KeyboardInterrupt,)):
            return ContainerSpec(("",), (TEXT,))
        raise unknown_part_error(name)


def sources_of(
    op: Op,
    inputs: Sequence[rt.Tensor],
    attrs: Mapping[str, Any],
    kinds: Kinds,
    old: Collection[int] = (),
) -> Sequence[RaisingNode]:
    """Return the sources of the exceptions of a node, given its operands and attributes.

    `old` are the identities of containers from before the `try`, which are not copied.
    """
    if op.name == "raise_again" and attrs["what"].sources:
        # A bare `raise` has the sources of the caught exception.
        return [_seen_from(each, old) for each in attrs["what"].sources]
    return [_source_of(op, inputs, attrs, kinds, old)]


def _seen_from(source: RaisingNode, old: Collection[int]) -> RaisingNode:
    if source.show is None:
        return replace(source, is_exact=False)
    sample, copies = source.show(old)
    return replace(source, sample=sample, copies=copies, is_exact=False)


def source_of_pattern(
    pattern: ExceptionPattern, tensors: Sequence[rt.Tensor], kinds: Kinds, old: Collection[int] = ()
) -> RaisingNode:
    """Return the source of an exception that is made at run time."""
    show = partial(pattern.shown, tuple(tensors))
    sample, copies = show(old)
    return RaisingNode(kinds, sample, not pattern.has_holes, copies, show)


def _source_of(
    op: Op,
    inputs: Sequence[rt.Tensor],
    attrs: Mapping[str, Any],
    kinds: Kinds,
    old: Collection[int],
) -> RaisingNode:
    if op.name == "raise":
        return source_of_pattern(attrs["exception"].pattern, inputs, kinds, old)
    if op.name == "check":
        return _exactly(attrs["error"](attrs["message"]), kinds)
    if op.name == "assert" and len(inputs) == 1:
        return _exactly(AssertionError(*attrs["template"]), kinds)
    return RaisingNode(kinds, None)


def _exactly(error: BaseException, kinds: Kinds) -> RaisingNode:
    """Return the source of an exception without run-time values, raised at this line."""
    show_lines(error, calls_before(None))
    return RaisingNode(kinds, error, is_exact=True)


def unknown_part_error(name: str) -> StagingError:
    """Return the error for an attribute that the possible exceptions do not have in common."""
    return StagingError(
        f"'{name}' of the exception caught here is not known while tracing, since not everything "
        "that may raise it has one of the same kind: catch them one by one, or raise exceptions "
        "of your own with the same arguments",
        user_location(),
    )
