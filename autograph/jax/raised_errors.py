"""Exceptions on a traced condition, and the `try` statements that catch them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, NoReturn

import jax
import jax.numpy as jnp
from jax.experimental import checkify
from jax.extend.core import Primitive

from autograph.backends.graph.source.source_location import SourceLocation
from autograph.errors import AutographError, StagingError
from autograph.jax.heap import is_users_file
from autograph.jax.internals import is_concrete, unless_checkified
from autograph.jax.location import STACKS, location
from autograph.jax.text import TracedText
from autograph.jax.tracing_errors import error_of_tracing
from runtime.core.context import is_internal_frame


class Raised(NamedTuple):
    """An exception, and a function that puts the state in which it is raised."""

    error: BaseException
    enter: Callable[[], None]


class OpenTry:
    """A `try` whose body is being traced.

    Args:
        catches: whether one of its handlers catches an exception.
        skips: the number of conditional exceptions, from the first one on, that are not raised.
        reason: why its handlers cannot run; empty if they can.

    Attributes:
        printed: whether its body has printed a text.
    """

    def __init__(
        self, catches: Callable[[BaseException], object], skips: int = 0, reason: str = ""
    ) -> None:
        self.catches, self._skips, self._reason = catches, skips, reason
        self._level, self._where = self._now(), location()
        self.printed = False

    @staticmethod
    def _now() -> tuple[int, int]:
        return len(STACKS.conditions), len(STACKS.loops)

    def meet(self, test: Any, raised: Raised, otherwise: Raised | None = None) -> None:
        """Abandon the body at an exception, unless it is one of those that are not raised.

        Args:
            test: whether it is raised; with `otherwise`, whether it is the one of the two.
            raised: the exception.
            otherwise: the one that is raised where the test fails; None if none is.

        Raises:
            Raises: the body is to be abandoned.
            StagingError: the handlers cannot run.
        """
        if self._reason or self._level != self._now():
            raise self.refusal(raised.error, location())
        for each in (raised, otherwise):
            if each is not None and not self.catches(each.error):
                raise self.refusal(each.error, location())
        if self._skips:
            self._skips -= 1
            return
        raise Raises(self, test, raised, otherwise)

    def refusal(self, error: BaseException, where: SourceLocation | None) -> StagingError:
        """Return the error for an exception whose handler cannot run."""
        line = "" if self._where is None else f" in line {self._where.line}"
        reason = self._reason or (
            f"only a run knows whether this raises {type(error).__name__}, inside of another "
            f"condition or of a loop, and the `try`{line} catches it: set a variable here, and "
            "test it after"
        )
        return StagingError(reason, where)


class Raises(BaseException):
    """The body of a `try` raises an exception, on a condition that only a run knows.

    It passes the user's handlers, so it is no `Exception`.
    """

    def __init__(
        self, within: OpenTry, test: Any, raised: Raised, otherwise: Raised | None
    ) -> None:
        super().__init__()
        self.within, self.test, self.raised, self.otherwise = within, test, raised, otherwise


def catching_try(error: BaseException) -> OpenTry | None:
    """Return the innermost `try` that catches an exception of the program."""
    if passes_handlers(error):
        return None
    return next((each for each in reversed(STACKS.tries) if each.catches(error)), None)


def passes_handlers(error: BaseException) -> bool:
    """Return whether an exception is a refusal of the trace, which no handler may catch."""
    is_of_trace = isinstance(error, (AutographError, jax.errors.UnexpectedTracerError))
    return is_of_trace or error_of_tracing(error) is not None


@contextmanager
def open_try(tried: OpenTry) -> Iterator[None]:
    """Make a `try` the innermost one."""
    STACKS.tries.append(tried)
    try:
        yield
    finally:
        STACKS.tries.pop()


@contextmanager
def uncertain() -> Iterator[None]:
    """Refuse an exception that a `try` would catch, from code that a run may not reach."""
    try:
        yield
    except Exception as error:
        tried = catching_try(error)
        if tried is None:
            raise
        raise tried.refusal(error, _line_of(error)) from None


def _line_of(error: BaseException) -> SourceLocation | None:
    """Return the innermost line of the user's in a traceback."""
    entry, found = error.__traceback__, None
    while entry is not None:
        code = entry.tb_frame.f_code
        if is_users_file(code.co_filename) and not is_internal_frame(entry.tb_frame):
            found = SourceLocation(code.co_filename, entry.tb_lineno, code.co_name)
        entry = entry.tb_next
    return found


def check(holds: Any, kind: str, message: object) -> None:
    """Record a check of `checkify`: an error unless `holds`, on this path.

    Args:
        holds: a scalar bool.
        kind: the name of the class of Python's error.
        message: its message, a text or a `TracedText`; None without one.
    """
    template, arrays = f"{kind}: ", ()
    if isinstance(message, TracedText):
        template, arrays = template + message.template, message.arrays
    elif message is None:
        template = kind
    else:
        template += str(message).replace("{", "{{").replace("}", "}}")
    _CHECK.bind(where=location())
    checkify.check(on_this_path(holds), template, *arrays)


def on_this_path(holds: Any) -> Any:
    """Return a bool that fails only where this path runs, and a bool fails."""
    for condition in STACKS.conditions:
        holds = jnp.logical_or(holds, jnp.logical_not(condition()))
    return holds


def _refuse_unchecked(where: SourceLocation | None) -> NoReturn:
    raise StagingError(
        "this raises on a condition that only a run knows, which a program of JAX cannot: write "
        "`error, result = checkify.checkify(function)(...)` around the function, with "
        "jax.experimental.checkify, and `error.throw()` or `error.get()`",
        where,
    )


# It stands before each check: the error of JAX for one without `checkify` has no line.
_CHECK = Primitive("user_check")
unless_checkified(_CHECK, _refuse_unchecked)


def message_of(error: BaseException) -> tuple[str, object]:
    """Return the name of an exception's class, and its message."""
    given = error.args[0] if len(error.args) == 1 else str(error) or None
    return type(error).__name__, given


def require(holds: Any, error: BaseException) -> None:
    """Record that an exception is raised here unless a scalar bool holds."""
    if is_concrete(holds):
        if not holds:
            raise error
        return None
    tried = catching_try(error)
    if tried is not None:
        return tried.meet(jnp.logical_not(holds), Raised(error, lambda: None))
    return check(holds, *message_of(error))
