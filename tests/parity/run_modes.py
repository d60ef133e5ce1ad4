"""Ways to run a function that debuggers, profilers and tracebacks must not distinguish."""

from __future__ import annotations

import inspect
import linecache
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import autograph as ag
from autograph.operators.frames import is_body
from runtime.graph.graph import Graph
from tests.parity import traced_program

Call = Callable[..., Any]


@dataclass(frozen=True)
class Module:
    """The text of a module in a file that only `linecache` knows.

    Attributes:
        name: what the file is called.
        text: Python source.
    """

    name: str
    text: str

    def fresh(self, **names: object) -> dict[str, Any]:
        """Run the text and return its variables."""
        lines = self.text.splitlines(keepends=True)
        linecache.cache[self.name] = (len(self.text), None, lines, self.name)
        variables: dict[str, Any] = {"__name__": "observed", "__file__": self.name, **names}
        exec(compile(self.text, self.name, "exec", dont_inherit=True), variables)
        return variables

    def traceback_of(self, call: Call, *args: object) -> str:
        """Return Python's text of the exception that `call` raises, from our file on."""
        try:
            call(*args)
        except BaseException as error:
            for each in _chain(error):
                BaseException.with_traceback(each, self._own(each.__traceback__))
            return "".join(traceback.format_exception(error))
        return "nothing was raised"

    def _own(self, entry: Any) -> Any:
        while entry is not None and entry.tb_frame.f_code.co_filename != self.name:
            entry = entry.tb_next
        if sys.version_info < (3, 11) and entry and _goes_on_in(entry, entry.tb_next):
            # Before Python 3.11 the frame that catches stands first, where nobody can take it away.
            entry = entry.tb_next
        return entry


def _goes_on_in(entry: Any, following: Any) -> bool:
    if following is None:
        return False
    outer, inner = entry.tb_frame.f_code, following.tb_frame.f_code
    return is_body(inner) and inner.co_name == outer.co_name


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


PROGRAM = Module(traced_program.__file__, inspect.getsource(traced_program))


def plain(fn: Call) -> Call:
    """Run a function as it is."""
    return fn


def idle(fn: Call) -> Call:
    """Run the converted form where nothing is being recorded."""
    return ag.to_graph(fn)


def recorded(fn: Call) -> Call:
    """Run the converted form while a graph is being recorded."""
    return recording(ag.to_graph(fn))


def decorated(fn: Call) -> Call:
    """Run the function that `convert` gives, after its first call, while a graph is recorded."""
    converted = ag.convert(fn)
    converted.__code__.co_consts[-1].start.target()
    return recording(converted)


def traced(fn: Call) -> Call:
    """Let a Function trace it."""
    return ag.function(fn)


def recording(fn: Call) -> Call:
    """Return `fn` with a graph that is recorded around each call."""

    def call(*args: object) -> object:
        with Graph("probe").recording():
            return fn(*args)

    return call


CONVERTED: dict[str, Callable[[Call], Call]] = {
    "idle": idle,
    "recorded": recorded,
    "decorated": decorated,
    "traced": traced,
}


@contextmanager
def undisturbed() -> Iterator[None]:
    """Keep the tracer that runs the tests."""
    before = sys.gettrace(), sys.getprofile()
    try:
        yield
    finally:
        sys.settrace(before[0])
        sys.setprofile(before[1])
