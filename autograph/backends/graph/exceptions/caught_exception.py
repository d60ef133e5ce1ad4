"""Stand-ins for exceptions that are caught at run time, which their handlers use while tracing.

A caught exception may come from several nodes. Its arguments and attributes are the joins of
theirs: equal ones are constants, different ones are tensors.

    except (Busy, KeyError) as e:
        match e:
            case Busy(wait=s): ...        s is there if the exception is a Busy
        getattr(e, "wait", 0)             else 0
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import Any, NoReturn

import runtime as rt
from autograph.backends.graph.control.conditional import staged_choice
from autograph.backends.graph.exceptions.exception_sources import (
    TEXT,
    RaisingNode,
    record_caught_containers,
    refuse_changed,
    unknown_part_error,
)
from autograph.backends.graph.functions.strings import text_of
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.state.alias_state import as_member
from autograph.backends.graph.state.speculation import refuse_at_run_time
from autograph.backends.graph.tracing.regions import UnreachableEnd
from autograph.backends.graph.tracing.value_tensors import (
    absent_tensors,
    carried_leaves,
    from_outputs,
    from_tensors,
    to_tensors,
)
from autograph.backends.graph.values.join import join, join_all, widen
from autograph.backends.graph.values.leaf_spec import TracedSpec, as_traced
from autograph.backends.graph.values.spec_inference import spec_of
from autograph.backends.graph.values.value_spec import JoinError, ValueSpec
from autograph.errors import StagingError
from runtime.core.context import recording
from runtime.diagnostics.exceptions import CaughtPlaceholder
from runtime.errors import OpError
from runtime.graph.may_raise import may_be
from runtime.ops.effects.checks import check
from runtime.ops.effects.try_ops import ExceptionParts, from_exception

# The attributes of a class that the stand-in of a class has, as texts.
_NAMES = ("__name__", "__qualname__", "__module__")
_FLAG = TracedSpec(rt.TensorSpec((), rt.bool), weak=True)


class CaughtError(CaughtPlaceholder):
    """A placeholder for an exception that is caught at run time.

    Args:
        caught: the tensor that contains the exception.
        sources: the sources of the exception: the nodes that may raise it.
    """

    def __init__(self, caught: rt.Tensor, sources: Sequence[RaisingNode]) -> None:
        super().__init__()
        held = object.__getattribute__(self, "__dict__")
        held["caught"], held["sources"] = caught, tuple(sources)
        held["_kept"] = [as_member(each) for source in sources for each in source.copies.kept]

    @property
    def kind(self) -> type[BaseException]:
        """The nearest common base class of all possible exceptions."""
        kinds = [kind for source in self.sources for kind in source.kinds]
        common = (each for each in kinds[0].__mro__ if all(issubclass(k, each) for k in kinds))
        return next(common)

    @property
    def is_open(self) -> bool:
        """Return whether it may be any exception, since a Python function may raise it."""
        return any(source.is_open for source in self.sources)

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return self.kind

    @property
    def args(self) -> Any:  # type: ignore[override]
        """The joined arguments of all possible exceptions."""
        return self._common("args")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._common(name)

    def __setattr__(self, name: str, value: object) -> None:
        if not name.startswith("__"):
            raise StagingError(
                f"an exception that is caught when the graph runs cannot be given an attribute, "
                f"as {name!r} here: raise another one with it",
                user_location(),
            )
        super().__setattr__(name, value)

    def add_note(self, note: str) -> NoReturn:
        """Raise StagingError: the note would be lost."""
        raise StagingError(
            "an exception that is caught when the graph runs cannot be given a note: raise another "
            "one from it",
            user_location(),
        )

    def text(self) -> object:
        """Return `str(error)`, a string or a tensor of one."""
        texts = {str(each.sample) if each.is_exact else None for each in self.sources}
        if len(texts) == 1 and None not in texts:
            return texts.pop()
        return self._extracted("str", _text_of, TEXT)

    def shown(self) -> object:
        """Return `repr(error)`, a string or a tensor of one."""
        texts = {repr(each.sample) if each.is_exact else None for each in self.sources}
        if len(texts) == 1 and None not in texts:
            return texts.pop()
        return self._extracted("repr", repr, TEXT)

    def as_text(self) -> object:
        """Return the object that an f-string formats in place of the exception."""
        return _ErrorText(self)

    def known_type(self) -> object:
        """Return `type(error)`; a stand-in if it may be one of several classes."""
        kinds = {kind for source in self.sources for kind in source.kinds}
        if len(kinds) == 1 and all(source.sample is not None for source in self.sources):
            return kinds.pop()
        return CaughtKind(self)

    def is_exactly(self, kind: object) -> object:
        """Return `type(error) is kind`, a bool or a tensor of one."""
        if not isinstance(kind, type) or not any(may_be(s.kinds, (kind,)) for s in self.sources):
            return False
        return self._extracted(f"is {kind.__name__}", lambda error: type(error) is kind, _FLAG)

    def name_of_kind(self, name: str) -> object:
        """Return `type(error).__name__`, or another name of the class, as a tensor."""
        return self._extracted(f"type.{name}", lambda error: getattr(type(error), name), TEXT)

    def is_a(self, kinds: tuple[type, ...]) -> object:
        """Return `isinstance(error, kinds)`, a bool or a tensor of one."""
        known = [issubclass(k, kinds) for source in self.sources for k in source.kinds]
        if all(known):
            return True
        wanted = tuple(kind for kind in kinds if issubclass(kind, BaseException))
        if not any(may_be(source.kinds, wanted) for source in self.sources):
            return False
        names = " or ".join(kind.__name__ for kind in kinds)
        flag = TracedSpec(rt.TensorSpec((), rt.bool))
        return self._extracted(f"is {names}", lambda error: isinstance(error, kinds), flag)

    def _common(self, name: str) -> object:
        def get(error: BaseException) -> object:
            return getattr(error, name)

        having, is_one = self.having(name)
        try:
            spec = join_all([source.spec_of(name, get) for source in having])
        except JoinError:
            raise unknown_part_error(name) from None
        if not having:
            if not self.is_open:
                raise unknown_part_error(name)
            refuse_at_run_time(False, StagingError, _open_words(name))
            raise UnreachableEnd
        if is_one is not True:
            without = (each for each in self.sources if each not in having)
            names = dict.fromkeys(kind.__name__ for source in without for kind in source.kinds)
            message = f"{' or '.join(map(repr, names))} object has no attribute {name!r}"
            if self.is_open:
                message = f"the exception caught here has no attribute {name!r}"
            check(rt.convert_to_tensor(is_one), AttributeError, message)
        if self.is_open:
            spec = widen(spec, lambda leaf: as_traced(leaf) or leaf)
            fits = self._extracted(f"fits {name}", partial(_fits, spec, get), _FLAG)
            refuse_at_run_time(fits, StagingError, _open_words(name))
        result = self._extracted(name, get, spec)
        found = [(get(each.sample), each.copies) for each in having if each.sample is not None]
        record_caught_containers(name, result, found, self._kept)
        return result

    def check_unchanged(self) -> None:
        """Refuse to raise the exception again if containers in it have changed since it was caught.

        Raises:
            ContainerMutationError: one has changed; a run would raise it with the former contents.
        """
        refuse_changed("args", self._kept)

    def having(self, name: str) -> tuple[Sequence[RaisingNode], Any]:
        """Return the sources with an attribute, and whether the caught exception has it."""
        having = [each for each in self.sources if each.has(name) and not each.is_open]
        if self.is_open:
            return having, self._extracted(f"has {name}", lambda e: hasattr(e, name), _FLAG)
        if len(having) == len(self.sources):
            return having, True
        return having, self.is_a(tuple(kind for source in having for kind in source.kinds))

    def of(self, sources: Sequence[RaisingNode]) -> CaughtError:
        """Return a stand-in for the same exception that has only some of the sources."""
        part = CaughtError(self.caught, sources)
        object.__getattribute__(part, "__dict__")["_kept"] = self._kept
        return part

    def _extracted(
        self, text: str, get: Callable[[BaseException], object], spec: ValueSpec
    ) -> object:
        leaves = list(carried_leaves(spec))
        if not leaves:
            return from_tensors(spec, iter(()), text)

        one_of_several = _one_of_several(text)

        def taken(error: BaseException) -> list[Any]:
            with recording(None):
                try:
                    found = to_tensors(spec, get(error))
                except StagingError:
                    raise one_of_several from None
                except AttributeError:
                    found = absent_tensors(spec)  # The exception lacks it: the value is unused.
                return [tensor._array for tensor in found]  # type: ignore[attr-defined]

        specs = [leaf.tensor_spec for leaf in leaves]
        tensors = from_exception(self.caught, ExceptionParts(text, taken), specs)
        return from_outputs(spec, tensors, text)


class CaughtKind:
    """A placeholder for the class of an exception that is caught at run time.

    Args:
        error: the exception.
    """

    __slots__ = ("_error",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, error: CaughtError) -> None:
        self._error = error

    def is_subclass(self, kinds: Any) -> object:
        """Return `issubclass(kind, kinds)`, a bool or a tensor of one."""
        return self._error.is_a(kinds if isinstance(kinds, tuple) else (kinds,))

    def is_kind(self, kind: object) -> object:
        """Return `self is kind`, a bool or a tensor of one."""
        return self._error.is_exactly(kind)

    def __eq__(self, other: object) -> Any:
        return self.is_kind(other)

    def __ne__(self, other: object) -> Any:
        same = self.is_kind(other)
        return rt.logical_not(same) if isinstance(same, rt.Tensor) else not same

    def __getattribute__(self, name: str) -> Any:
        if name in _NAMES:
            return object.__getattribute__(self, "_error").name_of_kind(name)
        return object.__getattribute__(self, name)

    def __getattr__(self, name: str) -> NoReturn:
        raise _unknown_kind(name)

    def __call__(self, *args: object, **kwargs: object) -> NoReturn:
        raise _unknown_kind("()")


class _ErrorText:
    """A stand-in for a caught exception while Python formats it."""

    __slots__ = ("error",)

    def __init__(self, error: CaughtError) -> None:
        self.error = error

    def __str__(self) -> str:
        return str(text_of(self.error.text()))

    def __repr__(self) -> str:
        return str(text_of(self.error.shown()))

    def __format__(self, spec: str) -> str:
        return format(text_of(self.error.text()), spec)


def class_of(error: BaseException) -> object:
    """Return the class of an exception that is being handled, or a stand-in for it."""
    return error.known_type() if isinstance(error, CaughtError) else type(error)


def _text_of(error: BaseException) -> str:
    """Return the text of an error; for an op's error, without the line that a graph adds."""
    if isinstance(error, OpError) and type(error).__str__ is OpError.__str__:
        return error.message
    return str(error)


def _fits(spec: ValueSpec, get: Callable[[BaseException], object], error: BaseException) -> bool:
    """Return whether an attribute of an exception has the spec that the graph assumes."""
    try:
        return join(spec, spec_of(get(error))) == spec
    except (AttributeError, JoinError):
        return False


def _unknown_kind(name: str) -> StagingError:
    return StagingError(
        f"the class of the exception caught here is known when the graph runs, so '{name}' of it "
        "is not known while tracing: ask isinstance(error, ...), or catch the classes one by one",
        user_location(),
    )


def _one_of_several(name: str) -> StagingError:
    return StagingError(
        f"an object in '{name}' of the exception caught here is one of several, and holds what "
        "only a run knows: catch them one by one, or raise each with what is needed of it",
        user_location(),
    )


def _open_words(name: str) -> str:
    return (
        f"'{name}' of the exception caught here is not known while tracing, since a Python "
        "function that the graph calls has raised it: catch it in that function, and return what "
        "is needed of it"
    )


# -- classes and attributes of caught exceptions ---------------------------------------------------


def kinds_of(error: CaughtError) -> list[tuple[Any, CaughtError]]:
    """Return a stand-in for each possible class of an exception, after the condition for it.

    Raises:
        StagingError: if its class is unknown.
    """
    if error.is_open:
        raise StagingError(
            "the exception caught here may be any that a Python function raises, so that no "
            "pattern can look into it while tracing: ask isinstance(error, ...)",
            user_location(),
        )
    exact = dict.fromkeys(s.kinds[0] for s in error.sources if s.sample is not None)
    if len(exact) + any(source.sample is None for source in error.sources) < 2:
        return [(True, error)]
    found: list[tuple[Any, CaughtError]] = []
    for kind in exact:
        sources = [s for s in error.sources if s.sample is not None and s.kinds[0] is kind]
        found.append((error.is_exactly(kind), error.of(sources)))
    if rest := [source for source in error.sources if source.sample is None]:
        known = reduce(rt.logical_or, [test for test, _ in found])
        found.append((rt.logical_not(known), error.of(rest)))
    return found


def attribute_of(owner: Any, name: Any, *default: object) -> Any:
    """Return `getattr(owner, name, *default)`."""
    if not isinstance(owner, CaughtError) or not default or type(name) is not str:
        return getattr(owner, name, *default)
    having, is_one = owner.having(name)
    if not having and not owner.is_open:
        return default[0]
    if is_one is True:
        return getattr(owner, name)
    part = owner if owner.is_open else owner.of(having)
    return staged_choice(is_one, lambda: getattr(part, name), lambda: default[0], "getattr()")


def has_attribute(owner: Any, name: Any) -> object:
    """Return `hasattr(owner, name)`."""
    if not isinstance(owner, CaughtError) or type(name) is not str:
        return hasattr(owner, name)
    having, is_one = owner.having(name)
    return is_one if having or owner.is_open else False
