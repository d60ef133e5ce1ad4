"""The outcome of a wrong call: a result, a refusal of ours, or a fault."""

from __future__ import annotations

import contextlib
import re
import signal
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import numpy as np

from runtime.errors import OpError

LONGEST_MESSAGE = 450
LARGE = 10**7
SECONDS = 10
# Warnings that are NumPy's, and none of ours to programs.
_OF_NUMPY = (RuntimeWarning, DeprecationWarning, np.exceptions.ComplexWarning)
_OF_A_SIGNATURE = re.compile(
    r"unexpected keyword argument|required positional argument|takes .* positional argument"
    r"|required keyword-only|multiple values for|takes no (keyword )?arguments"
    r"|positional-only arguments"
)


_OF_PYTHON = re.compile(
    r"/runtime/(core/tensor|state/variable_operators|state/variable|ops/overloads)\.py"
)


class TooSlow(BaseException):
    """A case that takes as long as no case may."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of a call.

    Attributes:
        value: the result.
        error: the error of a refusal.
        fault: words for an outcome that must not be, or "".
    """

    value: Any = None
    error: BaseException | None = None
    fault: str = ""

    @property
    def refused(self) -> bool:
        return self.error is not None


def outcome_of(call: Callable[[], Any]) -> Outcome:
    """Make a call and judge its outcome."""
    try:
        with warnings.catch_warnings(), _limited():
            warnings.simplefilter("ignore")
            for kind in _OF_NUMPY:
                warnings.simplefilter("error", kind)
            # What we say ourselves, where threadpoolctl is not installed.
            warnings.filterwarnings("ignore", "products of matrices keep", RuntimeWarning)
            return Outcome(call())
    except TooSlow as error:
        return Outcome(error=error, fault=f"takes more than {SECONDS} seconds")
    except Exception as error:
        return Outcome(error=error, fault=fault_of(error))


def fault_of(error: Exception) -> str:
    """Return the fault in an error that a program is shown, or ""."""
    if isinstance(error, OpError):
        return _fault_of_words(error)
    places = _places(error.__traceback__)
    inside = [place for place in places if "/runtime/" in place and "/tests/" not in place]
    if not inside or any(_is_users(place) for place in places[-2:]):
        return ""  # Python's own refusal of the call, or an error of the example's own function.
    if isinstance(error, TypeError) and all(map(_OF_PYTHON.search, inside)):
        return ""  # What Python itself asks an object, `len(x)` or `x[i]`, is refused as it does.
    if isinstance(error, TypeError) and _OF_A_SIGNATURE.search(str(error)):
        return ""
    return f"{type(error).__name__}: {str(error)[:150]} (at {inside[-1]})"


def _fault_of_words(error: OpError) -> str:
    words = str(error.message)
    if not words:
        return f"{type(error).__name__} without words"
    if "<dtype: " in words:
        return f"a dtype by more than its name: {words[:150]}"
    cause = error.__cause__
    if cause is not None and str(cause) and str(cause) in words and not _raised_by_us(cause):
        return f"the words of {type(cause).__name__}: {words[:150]}"
    if len(words) > LONGEST_MESSAGE:
        return f"a message of {len(words)} characters: {words[:80]}..."
    return ""


def _is_users(place: str) -> bool:
    return place.startswith("<example") or "mistakes.py" in place


def _raised_by_us(error: BaseException) -> bool:
    """Tell whether the words of an error are our own, though its class is Python's."""
    last = traceback.extract_tb(error.__traceback__)[-1:]
    return isinstance(error, OpError) or any(
        "/runtime/" in frame.filename and (frame.line or "").startswith("raise ") for frame in last
    )


def _places(tb: TracebackType | None) -> list[str]:
    return [f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(tb)]


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    """Stop code that takes too long, where the system can."""
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: Any) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def same_arrays(a: Any, b: Any) -> bool:
    """Tell whether two arrays are alike to the last bit, NaN like NaN."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.size > LARGE:
        return True  # A view of few elements, as `broadcast_to` makes one.
    if a.dtype.kind in "fc":
        return bool(np.array_equal(a, b, equal_nan=True))
    return bool(np.array_equal(a, b))
