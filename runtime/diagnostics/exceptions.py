"""Exceptions as patterns with holes for tensors that have no value while tracing.

    ValueError("bad", %x)   ->   ValueError('bad', $0), [%x]   ->   ValueError('bad', <rt.Tensor 3>)

Each use of a pattern makes a new exception, without calling the user's class.
"""

from __future__ import annotations

import builtins
import contextlib
from collections.abc import Callable, Collection, Sequence
from types import GetSetDescriptorType, MemberDescriptorType, TracebackType
from typing import Any, TypeAlias

from runtime import nest
from runtime.core.context import Origin, is_internal_frame
from runtime.core.dtypes import is_variant_array, variant
from runtime.core.tensor import Array, EagerTensor, SymbolicTensor, Tensor
from runtime.core.variant import unboxed
from runtime.diagnostics.snapshot import Snapshot
from runtime.diagnostics.traceback_lines import show_lines

_HEAP_TYPE = 1 << 9
_GROUPS: Any = getattr(builtins, "BaseExceptionGroup", ())
# Containers that a `raise` statement usually creates anew.
_FRESH = (list, dict)
# Attributes that are set by other means.
_OWN = frozenset(
    "args __traceback__ __context__ __cause__ __suppress_context__ __dict__ __weakref__".split()
)


class CaughtPlaceholder(Exception):
    """A placeholder, while tracing, for an exception that is caught at run time.

    Attributes:
        caught: the tensor with the exception, a variant.
    """

    caught: Tensor

    def as_text(self) -> object:
        """Return the value that is formatted in its place."""
        return type(self).__name__

    def look(self) -> None:
        """Check, before it is raised again, whether it was changed since it was caught."""


class PatternHole:
    """The hole in a pattern for a tensor or a caught exception."""

    __slots__ = ("at", "weak")

    def __init__(self, at: int, weak: bool) -> None:
        self.at, self.weak = at, weak

    def value(self, arrays: Sequence[Array], made: Made) -> object:
        """Return the object for one run: text, a Python number, or else a tensor."""
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
    """The hole in a pattern for a value computed from several tensors."""

    __slots__ = ("make", "shown")

    def __init__(self, make: MakerOfRun, shown: object) -> None:
        self.make, self.shown = make, shown

    def value(self, arrays: Sequence[Array], made: Made) -> object:
        """Return the object for one run."""
        return self.make(arrays, made)

    def __repr__(self) -> str:
        return repr(self.shown)


# The objects that a run has made so far, by the identity of the traced ones.
Made: TypeAlias = "dict[int, object]"
MakerOfRun: TypeAlias = "Callable[[Sequence[Array], Made], object]"
# Takes a value, the original that it is a copy of, and a list to which it appends tensors. Returns
# a function that makes the value at run time, None if filling holes is enough.
MakeLate: TypeAlias = "Callable[[Any, Any, list[Tensor]], MakerOfRun | None]"
_LATE: list[MakeLate] = []


def make_late(maker: MakeLate) -> MakeLate:
    """Register a maker of values that are only known at run time."""
    _LATE.append(maker)
    return maker


class ExceptionPattern:
    """An exception with holes for values of a run.

    Args:
        error: the exception; only its contents are kept.
        tensors: the tensors of the holes are appended to it.
        known: patterns by the identity of their exceptions, whose references may form cycles.
        before: positions to show before those of its traceback.

    Attributes:
        lines: the user's positions that its traceback shows, outermost first.
        has_gaps: whether it, its cause or its context contains a tensor.

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
        self._snapshot = Snapshot()

        def part(value: object) -> Any:
            return self._part(self._snapshot.take(value), tensors, known)

        self._args = tuple(map(part, error.args))
        held = object.__getattribute__(error, "__dict__")
        self._attributes = {k: part(v) for k, v in held.items()}
        self._fields = [(put, part(value)) for put, value in _fields(error)]
        self._cause = self._linked(error.__cause__, tensors, known)
        self._context = self._linked(error.__context__, tensors, known)
        self._suppresses = error.__suppress_context__
        # The original object is kept only for classes that cannot be instantiated here.
        self._itself = None if _can_be_made(self.kind) else error
        self.has_gaps = bool(tensors)

    def make(self, arrays: Sequence[Array]) -> BaseException:
        """Return the exception of one run, with `arrays` in the holes."""
        return self._made(_OfRun(arrays), {})

    def shown(
        self, tensors: Sequence[Tensor], kept: Collection[int] = ()
    ) -> tuple[BaseException, Snapshot]:
        """Return the exception with `tensors` in the holes, for handlers that are being traced.

        Args:
            tensors: one for each hole.
            kept: the identities of containers that are not copied. The returned snapshot maps the
                other containers to their originals."""
        shown = _OfTrace(tensors, self._snapshot, kept)
        return self._made(shown, {}), shown.snapshot

    def _made(self, values: _OfRun | _OfTrace, done: dict[int, BaseException]) -> BaseException:
        if id(self) in done:
            return done[id(self)]
        args = tuple([_filled(each, values, done) for each in self._args])
        error = self._itself or _new(self.kind, args)
        done[id(self)] = error
        if self._itself is None:
            _put(error, "args", args)
            for field, value in self._fields:
                _put_field(error, field, _filled(value, values, done))
            held = object.__getattribute__(error, "__dict__")
            held.update({k: _filled(v, values, done) for k, v in self._attributes.items()})
        _put(error, "__cause__", _filled(self._cause, values, done))
        _put(error, "__context__", _filled(self._context, values, done))
        _put(error, "__suppress_context__", self._suppresses)
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
        for maker in _LATE:
            original = self._snapshot.original(value)
            if (make := maker(value, original, tensors)) is not None:
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
        hangs_on = (self._cause, self._context, self._itself)
        if any(each is not None for each in hangs_on) or self._attributes or self._fields:
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


class _OfRun:
    """Fills a pattern with the values of a run."""

    def __init__(self, arrays: Sequence[Array]) -> None:
        self._arrays, self._made = arrays, dict[int, object]()

    def gap(self, gap: PatternHole | ComputedHole) -> object:
        return gap.value(self._arrays, self._made)

    def container(self, new: object, like: object) -> object:
        return new


class _OfTrace:
    """Fills a pattern with tensors of the recording graph."""

    def __init__(self, tensors: Sequence[Tensor], taken: Snapshot, kept: Collection[int]) -> None:
        self._tensors, self._taken, self._kept = tensors, taken, kept
        self.snapshot = Snapshot()

    def gap(self, gap: PatternHole | ComputedHole) -> object:
        if isinstance(gap, PatternHole):
            return _shown(self._tensors[gap.at])
        if id(original := self._taken.original(gap.shown)) in self._kept:
            return self._itself(original)
        again = Snapshot()
        shown = again.take(gap.shown)
        for copied in again.copies.values():
            self.snapshot.note(copied.copy, self._taken.original(copied.value))
        return shown

    def container(self, new: object, like: object) -> object:
        original = self._taken.original(like)
        if id(original) in self._kept:
            return self._itself(original)
        return new if original is like else self.snapshot.note(new, original)

    def _itself(self, original: object) -> object:
        self.snapshot.kept.append(original)
        return original


def _shown(tensor: Tensor) -> object:
    """Return a tensor, or the placeholder of the exception that it holds."""
    if tensor.dtype != variant:
        return tensor
    standing = CaughtPlaceholder()
    standing.caught = tensor
    return standing


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
    return Origin(code.co_filename, entry.tb_lineno, code.co_name, column, end)


def _filled(part: Any, values: _OfRun | _OfTrace, done: dict[int, BaseException]) -> Any:
    if isinstance(part, (PatternHole, ComputedHole)):
        return values.gap(part)
    if isinstance(part, ExceptionPattern):
        return part._made(values, done)
    if isinstance(part, _Nested):
        parts = [_filled(each, values, done) for each in part.parts]
        return values.container(nest.rebuild(part.like, parts), part.like)
    return part


def _put(error: BaseException, name: str, value: object) -> None:
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


def _put_field(error: BaseException, field: Any, value: object) -> None:
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
