"""Exceptions as patterns with holes for tensors that have no value while tracing.

    ValueError("bad", %x)   ->   ValueError('bad', $0), [%x]   ->   ValueError('bad', <rt.Tensor 3>)

A pattern makes a new exception for each run, without calling the user's class.
"""

from __future__ import annotations

import builtins
import contextlib
from collections.abc import Callable, Collection, Sequence
from types import GetSetDescriptorType, MemberDescriptorType, TracebackType
from typing import Any, TypeAlias
from weakref import ref

from runtime import nest
from runtime.core.context import Origin, is_internal_frame
from runtime.core.dtypes import is_variant_array, variant
from runtime.core.tensor import Array, EagerTensor, SymbolicTensor, Tensor
from runtime.core.variant import unboxed
from runtime.diagnostics.snapshot import ContainerCopies
from runtime.diagnostics.traceback_lines import show_lines

_HEAP_TYPE = 1 << 9
_GROUPS: Any = getattr(builtins, "BaseExceptionGroup", ())
# Containers that a `raise` statement usually creates anew.
_FRESH = (list, dict)
# Attributes that are set separately.
_OWN = frozenset(
    "args __traceback__ __context__ __cause__ __suppress_context__ __dict__ __weakref__".split()
)


class CaughtPlaceholder(Exception):
    """Stands, while tracing, for an exception that is caught at run time.

    Attributes:
        caught: the variant tensor that contains the exception.
    """

    caught: Tensor

    def as_text(self) -> object:
        """Return the value that a formatted text shows for it."""
        return type(self).__name__

    def check_unchanged(self) -> None:
        """Raise an error if the exception was changed after it was caught, and is raised again."""


class PatternHole:
    """The hole in a pattern for a tensor or a caught exception.

    Attributes:
        at: the position of its tensor among those of the pattern.
        weak: whether the tensor represents a Python number.
    """

    __slots__ = ("at", "weak")

    def __init__(self, at: int, weak: bool) -> None:
        self.at, self.weak = at, weak

    def value(self, arrays: Sequence[Array], made: Made) -> object:
        """Return the object of one run: an exception, a text, a Python number, or a tensor."""
        array = arrays[self.at]
        if is_variant_array(array):
            return unboxed(array)
        if array.ndim == 0 and array.dtype.kind == "O":
            text = array.item()
            return text.decode(errors="replace") if isinstance(text, bytes) else text
        return array.item() if self.weak and array.ndim == 0 else EagerTensor.over(array)

    def __repr__(self) -> str:
        return f"${self.at}"


class ComputedHole:
    """The hole in a pattern for a value computed from several tensors.

    Attributes:
        make: computes the value of a run.
        shown: the value while tracing.
    """

    __slots__ = ("make", "shown")

    def __init__(self, make: Maker, shown: object) -> None:
        self.make, self.shown = make, shown

    def value(self, arrays: Sequence[Array], made: Made) -> object:
        """Return the object of one run."""
        return self.make(arrays, made)

    def __repr__(self) -> str:
        return repr(self.shown)


# The objects that a run has made so far, by the identity of the traced ones.
Made: TypeAlias = "dict[int, object]"
Maker: TypeAlias = "Callable[[Sequence[Array], Made], object]"
# Takes a value, the original that it is a copy of, and a list to which it appends tensors. Returns
# a function that makes the value at run time, or None if the holes in it only need to be filled.
FindMaker: TypeAlias = "Callable[[Any, Any, list[Tensor]], Maker | None]"
_MAKER_FINDERS: list[FindMaker] = []


def register_maker_finder(find_maker: FindMaker) -> FindMaker:
    """Register a function that finds makers of values that are only known at run time."""
    _MAKER_FINDERS.append(find_maker)
    return find_maker


class ExceptionPattern:
    """An exception with holes for values of a run.

    Args:
        error: the exception; only its contents are stored.
        tensors: a list, to which the tensors of the holes are appended.
        known: the patterns so far by the identity of their exceptions, since causes and contexts
            may form cycles.
        before: positions to show before those of its traceback.

    Attributes:
        lines: the user's positions that its traceback shows, outermost first.
        has_holes: whether it, its cause or its context contains a tensor.

    >>> tensors = []
    >>> ExceptionPattern(KeyError("k"), tensors)
    KeyError('k')
    """

    def __init__(
        self,
        error: BaseException,
        tensors: list[Tensor],
        known: dict[int, ExceptionPattern] | None = None,
        before: Sequence[Origin] = (),
    ) -> None:
        known = {} if known is None else known
        known[id(error)] = self
        self.kind = type(error)
        self.lines = (*before, *lines_of(error.__traceback__))
        self._snapshot = ContainerCopies()

        def part(value: object) -> Any:
            return self._part(self._snapshot.take(value), tensors, known)

        self._args = tuple(map(part, error.args))
        attributes = object.__getattribute__(error, "__dict__")
        self._attributes = {k: part(v) for k, v in attributes.items()}
        self._fields = [(put, part(value)) for put, value in _fields(error)]
        self._cause = self._linked(error.__cause__, tensors, known)
        self._context = self._linked(error.__context__, tensors, known)
        self._suppresses = error.__suppress_context__
        # Kept only if its class cannot be instantiated here.
        self._original = None if _can_be_made(self.kind) else error
        self.has_holes = bool(tensors)

    def make(self, arrays: Sequence[Array]) -> BaseException:
        """Return the exception of one run, with `arrays` in the holes."""
        return self._made(_RunFiller(arrays), {})

    def shown(
        self, tensors: Sequence[Tensor], kept: Collection[int] = ()
    ) -> tuple[BaseException, ContainerCopies]:
        """Return the exception with `tensors` in the holes, for handlers that are being traced.

        Args:
            tensors: one for each hole.
            kept: the identities of containers that are not copied.

        Returns:
            The exception, and a snapshot that maps the copied containers to their originals.
        """
        shown = _TraceFiller(tensors, self._snapshot, kept)
        return self._made(shown, {}), shown.snapshot

    def _made(
        self, filler: _RunFiller | _TraceFiller, done: dict[int, BaseException]
    ) -> BaseException:
        if id(self) in done:
            return done[id(self)]
        args = tuple([_filled(each, filler, done) for each in self._args])
        error = self._original or _new(self.kind, args)
        done[id(self)] = error
        if self._original is None:
            _set_builtin(error, "args", args)
            for field, value in self._fields:
                _set_field(error, field, _filled(value, filler, done))
            attributes = object.__getattribute__(error, "__dict__")
            attributes.update({k: _filled(v, filler, done) for k, v in self._attributes.items()})
        _set_builtin(error, "__cause__", _filled(self._cause, filler, done))
        _set_builtin(error, "__context__", _filled(self._context, filler, done))
        _set_builtin(error, "__suppress_context__", self._suppresses)
        BaseException.with_traceback(error, None)
        show_lines(error, self.lines)
        return error

    def _part(self, value: Any, tensors: list[Tensor], known: dict[int, ExceptionPattern]) -> Any:
        """Return a value with holes and patterns in it; a value without tensors stays unchanged."""
        if isinstance(value, SymbolicTensor):
            tensors.append(value)
            return PatternHole(len(tensors) - 1, value.weak)
        if isinstance(value, BaseException):
            return self._linked(value, tensors, known)
        for find_maker in _MAKER_FINDERS:
            original = self._snapshot.original(value)
            if (make := find_maker(value, original, tensors)) is not None:
                return ComputedHole(make, value)
        if not nest.is_nested(value):
            return value
        children = nest.children(value) or ()
        parts = [self._part(child, tensors, known) for child in children]
        is_fresh = type(value) in _FRESH or self._snapshot.original(value) is not value
        if not is_fresh and all(a is b for a, b in zip(parts, children)):
            return value
        return _Nested(value, parts)

    @staticmethod
    def _linked(
        error: BaseException | None, tensors: list[Tensor], known: dict[int, ExceptionPattern]
    ) -> ExceptionPattern | PatternHole | None:
        if error is None:
            return None
        if isinstance(error, CaughtPlaceholder):
            tensors.append(error.caught)
            return PatternHole(len(tensors) - 1, weak=False)
        return known.get(id(error)) or ExceptionPattern(error, tensors, known)

    @property
    def plain_args(self) -> tuple[Any, ...] | None:
        """The arguments, with a PatternHole for each tensor, if there are no other contents.

        >>> ExceptionPattern(KeyError("k"), []).plain_args
        ('k',)
        """
        others = (self._cause, self._context, self._original)
        if any(each is not None for each in others) or self._attributes or self._fields:
            return None
        known = (PatternHole, str, bytes, bool, int, float, type(None))
        return self._args if all(type(each) in known for each in self._args) else None

    def __repr__(self) -> str:
        return f"{self.kind.__name__}({', '.join(map(repr, self._args))})"


class _Nested:
    """A structure whose children are parts of a pattern."""

    __slots__ = ("like", "parts")

    def __init__(self, like: object, parts: Sequence[Any]) -> None:
        self.like, self.parts = like, parts

    def __repr__(self) -> str:
        return repr(nest.rebuild(self.like, self.parts))


class _RunFiller:
    """Fills a pattern with the values of a run."""

    def __init__(self, arrays: Sequence[Array]) -> None:
        self._arrays, self._made = arrays, dict[int, object]()

    def fill(self, hole: PatternHole | ComputedHole) -> object:
        return hole.value(self._arrays, self._made)

    def container(self, new: object, like: object) -> object:
        return new


class _TraceFiller:
    """Fills a pattern with tensors of the recording graph."""

    def __init__(
        self, tensors: Sequence[Tensor], taken: ContainerCopies, kept: Collection[int]
    ) -> None:
        self._tensors, self._taken, self._kept = tensors, taken, kept
        self.snapshot = ContainerCopies()

    def fill(self, hole: PatternHole | ComputedHole) -> object:
        if isinstance(hole, PatternHole):
            return _tensor_or_placeholder(self._tensors[hole.at])
        if id(original := self._taken.original(hole.shown)) in self._kept:
            return self._keep(original)
        again = ContainerCopies()
        shown = again.take(hole.shown)
        for copied in again.copies.values():
            self.snapshot.note(copied.copy, self._taken.original(copied.value))
        return shown

    def container(self, new: object, like: object) -> object:
        original = self._taken.original(like)
        if id(original) in self._kept:
            return self._keep(original)
        return new if original is like else self.snapshot.note(new, original)

    def _keep(self, original: object) -> object:
        self.snapshot.kept.append(original)
        return original


def _tensor_or_placeholder(tensor: Tensor) -> object:
    """Return a tensor, or the placeholder of the exception that it holds."""
    if tensor.dtype != variant:
        return tensor
    placeholder = CaughtPlaceholder()
    placeholder.caught = tensor
    return placeholder


def lines_of(traceback: TracebackType | None) -> tuple[Origin, ...]:
    """Return the user's positions that a traceback shows, outermost first."""
    lines = []
    while traceback is not None:
        if not is_internal_frame(traceback.tb_frame):
            lines.append(_position(traceback))
        traceback = traceback.tb_next
    return tuple(lines)


def _position(entry: TracebackType) -> Origin:
    code = entry.tb_frame.f_code
    positions = getattr(code, "co_positions", None)
    places = list(positions()) if positions is not None else []
    at = entry.tb_lasti // 2
    line, end_line, column, end = places[at] if 0 <= at < len(places) else (None,) * 4
    if line != entry.tb_lineno or end_line != line:
        column = end = None
    place = Origin(code.co_filename, entry.tb_lineno, code.co_name, column, end)
    place.instruction = ref(code), entry.tb_lasti
    return place


def _filled(part: Any, filler: _RunFiller | _TraceFiller, done: dict[int, BaseException]) -> Any:
    if isinstance(part, (PatternHole, ComputedHole)):
        return filler.fill(part)
    if isinstance(part, ExceptionPattern):
        return part._made(filler, done)
    if isinstance(part, _Nested):
        parts = [_filled(each, filler, done) for each in part.parts]
        return filler.container(nest.rebuild(part.like, parts), part.like)
    return part


def _set_builtin(error: BaseException, name: str, value: object) -> None:
    """Set a built-in attribute of an exception, bypassing its class's `__setattr__`."""
    vars(BaseException)[name].__set__(error, value)


# -- making exceptions without calling their classes -----------------------------------------------


def _builtin_base(kind: type[BaseException]) -> Any:
    """Return the built-in base class, written in C, of an exception class."""
    return next(base for base in kind.__mro__ if not base.__flags__ & _HEAP_TYPE)


def _new(kind: type[BaseException], args: tuple[object, ...]) -> Any:
    base = _builtin_base(kind)
    try:
        return base.__new__(kind, *args)
    except Exception:
        return base.__new__(kind)


def _can_be_made(kind: type[BaseException]) -> bool:
    """Return whether an instance of the class can be made without its own constructor."""
    try:
        return type(_builtin_base(kind).__new__(kind)) is kind
    except Exception:
        return issubclass(kind, _GROUPS) and kind.__new__ is _GROUPS.__new__


def _set_field(error: BaseException, field: Any, value: object) -> None:
    """Set an attribute, unless it stays None: any value that is set shows in OSError's text."""
    with contextlib.suppress(AttributeError, TypeError):  # some are read-only
        if value is not None or _value_in(field, error) is not None:
            field.__set__(error, value)


def _value_in(field: Any, error: BaseException) -> object:
    try:
        return field.__get__(error)
    except AttributeError:
        return ...


def _fields(error: BaseException) -> list[tuple[Any, Any]]:
    """Return the attributes of an exception that are not in its dict, with their values.

    Examples are `SystemExit.code`, `OSError.errno`, and slots of user classes.
    """
    found = []
    for kind in type(error).__mro__:
        for name, field in vars(kind).items():
            if name in _OWN or not isinstance(field, (MemberDescriptorType, GetSetDescriptorType)):
                continue
            try:
                value = field.__get__(error)
                if value is not None:
                    field.__set__(error, value)  # some are read-only
            except (AttributeError, TypeError):
                continue
            found.append((field, value))
    return found
