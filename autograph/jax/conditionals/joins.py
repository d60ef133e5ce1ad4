"""The joins of the values that two paths leave: the results of `lax.cond`, and their forms."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn

import jax.numpy as jnp

from autograph.backends.attribute_fallback import fallback_of
from autograph.backends.graph.source.source_location import SourceLocation
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.backends.undefined import Undefined, UndefinedReturnValue
from autograph.errors import BranchMismatch, StagingError, UnknownLengthError
from autograph.jax.conditionals.paths import (
    PathOutput,
    PathValue,
    TracedPath,
    known_end,
    known_leaf,
)
from autograph.jax.forms import Form, blank, fitted, form_of, is_array, joined_form
from autograph.jax.growing_lists import Appender, PreallocatedList, StackedList, grown_list, rows_in
from autograph.jax.heap import Contents, Heap, has_tracers, is_users_object, text_of_new_object
from autograph.jax.optional_values import (
    TracedOptional,
    are_opposite,
    derive,
    is_possibly_bound,
    optional_structure,
    partly_bound,
)
from autograph.jax.pytrees import flattened, is_placeholder, is_same

# The name of the value of an expression, which no variable has.
EXPRESSION = ""


class Joined(NamedTuple):
    """The value after a conditional: a structure with a form, or a known value, for each leaf.

    Attributes:
        is_copy: whether it has copies of containers from before the statement.
        bound: makes a variable that has the value on some paths only, of the bool and the value.
        defined: the bool.
    """

    structure: Any
    leaves: list[Any]
    is_copy: bool = False
    bound: Callable[[Any, Any], PossiblyUnbound] | None = None
    defined: Any = None


class Join:
    """The joins of one conditional.

    Attributes:
        forms: the forms of its results.
        sources: for each result, where each path has it: a `PathOutput`, a value, or None.
    """

    def __init__(
        self,
        what: str,
        where: SourceLocation | None,
        read: tuple[str, ...],
        test: Any,
        heap: Heap,
    ) -> None:
        self._what, self._where, self._read, self._heap = what, where, frozenset(read), heap
        self._test, self._negated = test, None
        self.forms: list[Form] = []
        self.sources: list[tuple[Any, Any]] = []

    def branch(self, path: TracedPath, side: int) -> Callable[[], list[Any]]:
        """Return the branch of a path: it computes the results."""

        def computed() -> list[Any]:
            results = path.results()
            return [
                self._result(sources[side], form, results)
                for sources, form in zip(self.sources, self.forms)
            ]

        return computed

    @staticmethod
    def _result(source: Any, form: Form, results: Sequence[Any]) -> Any:
        if source is None:
            return blank(form)
        return fitted(results[source.at] if isinstance(source, PathOutput) else source, form)

    def variable(self, name: str, one: PathValue, other: PathValue) -> object:
        """Return the value of a variable after the conditional."""
        if one.value is other.value:
            return one.value
        one, other = one.narrowed(), other.narrowed()
        missing = [is_placeholder(end.value) for end in (one, other)]
        if not any(missing):
            if name not in self._read:
                try:
                    return self.value(name, one, other)
                except BranchMismatch as error:
                    return partly_bound(name, f"has no value: {error.message}", self._where)
            return self.value(name, one, other)
        if UndefinedReturnValue in (type(one.value), type(other.value)) and not all(missing):
            side = missing.index(False)
            return self._made(name, (one, other)[side], side)
        return self._partly_bound(name, one, other, name in self._read)

    def _partly_bound(self, name: str, one: PathValue, other: PathValue, is_read: bool) -> object:
        """Return the placeholder of a variable that has no value on some paths."""
        flags, values = zip(*map(_bound_flag_and_value, (one.as_copy(), other.as_copy())))
        given = [each for each in values if each is not None]
        one_flag, other_flag = flags  # A traced bool is compared by identity.
        if one_flag is None or other_flag is None or not given:
            return (one if isinstance(one.value, PossiblyUnbound) else other).value
        holds = "holds" if one_flag is False else "does not hold"
        why = f"has no value where the condition of {self._what} {holds}: give it one before"
        if len(given) == 2:
            why = f"has no value on some paths of {self._what}: give it one before"
        leaves = [leaf for each in given for leaf in each.leaves]
        if not is_read or not all(map(_outlives_path, leaves)):
            return partly_bound(name, why, self._where)
        try:
            made: Any = (
                self.value(name, *given)
                if len(given) == 2
                else self._made(name, given[0], values.index(given[0]))
            )
        except BranchMismatch as error:
            return partly_bound(name, f"has no value: {error.message}", self._where)
        if one_flag is True and other_flag is False:
            defined = self._test
        elif one_flag is False and other_flag is True:
            defined = self._not_test()
        else:
            defined = self._add(form_of(True), flags)
        return made._replace(
            is_copy=True,
            bound=lambda bound, value: partly_bound(name, why, self._where, bound, value),
            defined=defined,
        )

    def derive(self, results: Sequence[Any], paths: Sequence[TracedPath]) -> None:
        """Record which of the results are the `not`, `and` or `or` of other bools."""
        found: list[tuple[Any, list[Any]]] = []
        for result, sources, form in zip(results, self.sources, self.forms):
            if form.shape or form.dtype != jnp.bool_:
                continue
            ends = [path.array(source) for path, source in zip(paths, sources)]
            for side, (end, other) in enumerate((ends, ends[::-1])):
                if type(end) is bool:
                    tested = self._test if end is (side == 0) else self._not_test()
                    derive(result, "or" if end else "and", tested, other)
            for earlier, known in found:
                if all(map(are_opposite, ends, known)):
                    derive(result, "not", earlier)
            found.append((result, ends))

    def _not_test(self) -> Any:
        if self._negated is None:
            self._negated = jnp.logical_not(self._test)
            derive(self._negated, "not", self._test)
        return self._negated

    def _made(self, name: str, end: PathValue, side: int) -> object:
        """Return a result that one path has; on the other one it is blank, and is not read."""
        leaves: list[Any] = []
        for leaf in end.leaves:
            if not is_array(leaf) and not isinstance(leaf, PathOutput):
                if self._is_new(leaf) and has_tracers(leaf):
                    self._refuse_object(name, leaf)
                leaves.append(leaf)
                continue
            form = leaf.form if isinstance(leaf, PathOutput) else form_of(leaf)
            leaves.append(self._add(form, (leaf, None) if side == 0 else (None, leaf)))
        return Joined(end.structure, leaves)

    def contents(self, heap: Heap, at: int, ends: list[dict[Any, PathValue] | None]) -> Contents:
        """Return the contents of a container after the conditional."""
        place = heap.objects[at]
        before = {key: known_end(value) for key, value in place.before.items()}
        one, other = (before if end is None else end for end in ends)
        if isinstance(place.owner, PreallocatedList):
            if rows_in(one["buffer"].value) != rows_in(other["buffer"].value):
                raise UnknownLengthError(self._of_lengths(place.name), self._where, place.owner)
            if place.owner.growth is not None:
                place.owner.growth.is_exact &= one["length"].value is other["length"].value
        if isinstance(place.owner, StackedList):
            if rows_in(one["stacked"].value) != rows_in(other["stacked"].value):
                raise UnknownLengthError(self._of_lengths(place.name), self._where, place.owner)
        if isinstance(place.owner, Appender) and len(one["items"].leaves) != len(
            other["items"].leaves
        ):
            raise UnknownLengthError(self._of_lengths(place.owner.name), self._where, place.owner)
        if one.keys() != other.keys():
            if isinstance(place.owner, list):
                raise UnknownLengthError(self._of_lengths(place.name), self._where, place.owner)
            if isinstance(place.owner, deque):
                raise StagingError(
                    f"'{place.name}' is a deque, and only a run knows its length after "
                    f"{self._what}: use a list, or an array with an index",
                    self._where,
                )
            key = next(iter(one.keys() ^ other.keys()))
            if isinstance(place.owner, (dict, set)) or fallback_of(place.owner, key):
                raise StagingError(
                    f"{place.part(key)} exists on one path of {self._what} only: give it a value "
                    "before",
                    self._where,
                )
        missing = known_end(Undefined(place.name))
        return {
            key: self._part(place.part(key), one.get(key, missing), other.get(key, missing))
            for key in {**one, **other}
        }

    def _part(self, name: str, one: PathValue, other: PathValue) -> object:
        if one.value is other.value:
            return one.value
        one, other = one.narrowed(), other.narrowed()
        if is_placeholder(one.value) or is_placeholder(other.value):
            return self._partly_bound(name, one, other, True)
        return self.value(name, one, other)

    def _of_lengths(self, name: str) -> str:
        return (
            f"'{name}' has another length where the condition of {self._what} holds than where it "
            "does not: assign an item of an array, or append in both cases, or in a loop over "
            "jnp.arange(n) in the place of range(n)"
        )

    def value(self, name: str, one: PathValue, other: PathValue) -> object:
        """Return the join of two values.

        Raises:
            BranchMismatch: they have different structures, shapes or dtypes, or are other objects
                than arrays.
        """
        one, other = one.narrowed(), other.narrowed()
        if _differ_by_none(one, other):
            return self._optional(name, one, other)
        is_copy = not _keep_the_same(one, other)
        if is_copy:
            one, other = one.as_copy(), other.as_copy()
        owner: Any = grown_list(one.value, other.value)
        first: Any = one.value
        second: Any = other.value
        kinds = {type(first), type(second)}
        if kinds == {StackedList} and len(first) != len(second):
            owner = min(first, second, key=len)
        elif PreallocatedList in kinds and kinds & {StackedList, list}:
            owner = second if isinstance(first, PreallocatedList) else first
        elif kinds == {StackedList, list}:
            owner = second if isinstance(first, StackedList) else first
        if owner is not None:
            raise UnknownLengthError(self._of_lengths(name), self._where, owner)
        if isinstance(one.value, PreallocatedList) and isinstance(other.value, PreallocatedList):
            before = min(one.value, other.value, key=lambda each: rows_in(each.buffer) or 0)
            if rows_in(one.value.buffer) != rows_in(other.value.buffer):
                raise UnknownLengthError(self._of_lengths(name), self._where, before)
            if one.value.growth is not None:
                one.value.growth.is_exact = False
        if one.structure != other.structure:
            self._refuse(name, _shown(one), _shown(other), "one structure")
        leaves: list[Any] = []
        for a, b in zip(map(known_leaf, one.leaves), map(known_leaf, other.leaves)):
            if not isinstance(a, PathOutput) and not isinstance(b, PathOutput) and is_same(a, b):
                leaves.append(a)
                continue
            if type(a) is type(b) is bool:
                leaves.append(self._test if a else self._not_test())
                continue
            forms = [form_of_leaf(each) for each in (a, b)]
            if None in forms:
                if type(a) is type(b) and (self._is_new(a) or self._is_new(b)):
                    self._refuse_object(name, a)
                self._refuse(name, _leaf_text(a), _leaf_text(b), "one value, or arrays")
            form = joined_form(*forms)  # type: ignore[arg-type]
            if form is None:
                kind = "one shape" if forms[0].shape != forms[1].shape else "one dtype"  # type: ignore[union-attr]
                self._refuse(name, _leaf_text(a), _leaf_text(b), kind)
            assert form is not None
            leaves.append(self._add(form, (a, b)))
        return Joined(one.structure, leaves, is_copy)

    def _optional(self, name: str, one: PathValue, other: PathValue) -> Joined:
        """Return the join of a value with None, or with one that may be None."""
        flags, values = zip(*map(_flag_and_value, (one.as_copy(), other.as_copy())))
        given = [each for each in values if each is not None]
        if len(given) == 2:
            made: Any = self.value(name, *given)
        else:
            made = self._made(name, given[0], values.index(given[0]))
        is_known = not any(isinstance(flag, PathOutput) for flag in flags) and is_same(*flags)
        flag = flags[0] if is_known else self._add(form_of(True), flags)
        return Joined(optional_structure(made.structure), [flag, *made.leaves], True)

    def _add(self, form: Form, sources: tuple[Any, Any]) -> PathOutput:
        for at, (known, each) in enumerate(zip(self.forms, self.sources)):
            if known == form and all(map(_is_one_source, each, sources)):
                return PathOutput(at, form)
        self.forms.append(form)
        self.sources.append(sources)
        return PathOutput(len(self.forms) - 1, form)

    def _is_new(self, leaf: Any) -> bool:
        return is_users_object(leaf) and not self._heap.keeps(leaf)

    def _refuse_object(self, name: str, value: Any) -> NoReturn:
        raise BranchMismatch(f"{_shown_name(name)} {text_of_new_object(value)}", self._where)

    def _refuse(self, name: str, one: str, other: str, kind: str) -> None:
        raise BranchMismatch(
            f"{_shown_name(name)} is {one} where the condition of {self._what} holds, and "
            f"{other} where it does not: both paths must give it {kind}",
            self._where,
        )


def _shown_name(name: str) -> str:
    if name.startswith("retval_"):
        return "the result of the function"
    return "the value" if name == EXPRESSION else f"'{name}'"


def _keep_the_same(one: PathValue, other: PathValue) -> bool:
    """Return whether both values hold the same containers from before, at the same places."""
    if one.copied is None and other.copied is None:
        return True
    if one.structure != other.structure:
        return False
    return all(
        a is b
        or (
            (isinstance(a, PathOutput) or is_array(a))
            and (isinstance(b, PathOutput) or is_array(b))
        )
        for a, b in zip(one.leaves, other.leaves)
    )


def _differ_by_none(one: PathValue, other: PathValue) -> bool:
    """Return whether one value, or both in a different way, may be None."""
    kinds = [each.value is None or type(each.value) is TracedOptional for each in (one, other)]
    return any(kinds) and one.structure != other.structure


def _flag_and_value(end: PathValue) -> tuple[Any, PathValue | None]:
    """Return whether a value is None, and the value; None without one."""
    if end.value is None:
        return True, None
    if type(end.value) is not TracedOptional:
        return False, end
    flag, *leaves = end.leaves
    value = end.value.value
    return flag, PathValue(value, flattened(value)[1], leaves, end.parts)


def _outlives_path(leaf: object) -> bool:
    """Return whether a leaf of a value is the same after a path, whose tracers are gone then."""
    return isinstance(leaf, PathOutput) or is_array(leaf) or leaf is None or type(leaf) is str


def _bound_flag_and_value(end: PathValue) -> tuple[Any, PathValue | None]:
    """Return whether a variable has a value, and the value; None and None if none tells."""
    if type(end.value) is Undefined:
        return False, None
    if not is_possibly_bound(end.value):
        return (None, None) if is_placeholder(end.value) else (True, end)
    output, *leaves = end.leaves
    flag = known_leaf(output)
    if flag is False:
        return False, None
    value = end.value.value  # type: ignore[attr-defined]
    return flag, PathValue(value, flattened(value)[1], leaves, end.parts)


def _is_one_source(one: Any, other: Any) -> bool:
    """Return whether a path has two results at one place."""
    return one is other or (isinstance(one, PathOutput) and one == other)


def form_of_leaf(leaf: Any) -> Form | None:
    """Return the form of an array or of a path's output; None for any other leaf."""
    if isinstance(leaf, PathOutput):
        return leaf.form
    return form_of(leaf) if is_array(leaf) else None


def _leaf_text(leaf: Any) -> str:
    form = form_of_leaf(leaf)
    return repr(leaf) if form is None else str(form)


def _shown(end: PathValue) -> str:
    if len(end.leaves) == 1 and end.structure == flattened(0)[1]:
        return _leaf_text(end.leaves[0])
    if type(end.value) is TracedOptional:
        return f"None or {_shown(known_end(end.value.value))}"
    return f"a {type(end.value).__name__} ({end.structure})"
