"""Functions that inspect their caller see the user's frame and names."""

from __future__ import annotations

import importlib.util
import io
import logging
import pdb
import sys
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from autograph.backends.protocol import Backends
from autograph.conversion.convert import to_graph
from autograph.operators import introspection
from autograph.operators.introspection import Introspection

# What is true of the user's statements must be true of the converted ones.
pytestmark = pytest.mark.usefixtures("half")

LOCALS, DIR, VARS, EVAL, EXEC = locals, dir, vars, eval, exec
GLOBAL = "global"


def here() -> str:
    return sys._getframe(1).f_code.co_name


def looks(x: int) -> list[object]:
    found: list[object] = []
    y = x + 1
    if x > 0:
        z = 3  # noqa: F841 (it is read by `eval`)
        found.append(sorted(LOCALS()))
        found.append(sorted(DIR()) == sorted(VARS()))
        found.append(EVAL("x + y + z"))
        found.append(EVAL("x", {"x": 100}))
        found.append(EVAL("x + y", {"x": 100}, {"y": 5}))
    EXEC("y = 'not written to the variable'")
    found.append(y)
    found.append(here())
    return found


def test_generated_names_are_hidden() -> None:
    assert looks(1) == to_graph(looks)(1)
    assert ["found", "x", "y", "z"] == to_graph(looks)(1)[0]


def test_unbound_variables_are_not_in_locals() -> None:
    def look(x: int) -> object:
        if x > 0:
            y = 1
        return sorted(LOCALS()), x > 0 and y

    assert look(0) == to_graph(look)(0)
    assert look(1) == to_graph(look)(1)


def test_globals_are_those_of_the_users_module() -> None:
    assert globals() is to_graph(lambda: globals())()
    assert "global" == to_graph(lambda: EVAL("GLOBAL"))()


def test_vars_and_dir_with_arguments_are_pythons() -> None:
    thing = type("Thing", (), {"a": 1})()
    thing.b = 2
    run = to_graph(lambda o: (VARS(o), DIR(o)))
    assert (vars(thing), dir(thing)) == run(thing)


def test_eval_keeps_its_errors() -> None:
    with pytest.raises(NameError, match="missing"):
        to_graph(lambda: EVAL("missing"))()
    with pytest.raises(TypeError):
        to_graph(lambda: EVAL())()


def outer() -> list[str]:
    return inner()


def inner() -> list[str]:
    if GLOBAL:
        return [sys._getframe(depth).f_code.co_name for depth in (0, 1, 2)]
    return []


def test_frame_depths_count_user_frames() -> None:
    def top() -> list[str]:
        names = outer()
        return names

    def without_comprehension() -> list[str]:
        return [sys._getframe(0).f_code.co_name][:1]

    comprehension = [] if sys.version_info >= (3, 12) else ["<listcomp>"]
    assert (comprehension + ["inner", "outer", "top"])[:3] == to_graph(top)()
    assert without_comprehension() == to_graph(without_comprehension)()


def test_a_frame_too_deep_is_pythons_own_error() -> None:
    with pytest.raises(ValueError, match="call stack is not deep enough"):
        to_graph(lambda: sys._getframe(10_000))()


def warn_here(level: int) -> None:
    if level:
        warnings.warn("careful", UserWarning, stacklevel=level)


def warn_for_caller(level: int) -> None:
    warn_here(level)


def warned_lines(fn: Callable[[int], None], level: int) -> list[tuple[str, int]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fn(level)
    return [(warning.filename, warning.lineno) for warning in caught]


@pytest.mark.parametrize("level", [1, 2])
def test_a_warning_names_the_line_it_names_in_python(level: int) -> None:
    expected = warned_lines(warn_for_caller, level)
    assert expected == warned_lines(to_graph(warn_for_caller), level)
    assert __file__ == expected[0][0]


def warn_far(level: int) -> None:
    def called(calls: int) -> Callable[[int], None]:
        if calls == 0:
            return lambda level: warn_here(level)
        inner = called(calls - 1)
        return lambda level: inner(level)

    warn = called(8)
    list(map(warn, [level]))


def warn_further(level: int) -> None:
    warn_far(level)


def test_a_warning_names_a_line_many_calls_away() -> None:
    converted = to_graph(warn_further)
    warned_lines(converted, 1)  # the first call of each function converts it, in a frame of its own
    for level in (3, 9, 10, 11):
        expected = warned_lines(warn_further, level)
        assert expected == warned_lines(converted, level), level
    assert __file__ == expected[0][0]


def test_a_warning_with_a_too_large_stacklevel_is_given() -> None:
    assert 1 == len(warned_lines(to_graph(warn_here), 500))


LOG = logging.getLogger(__name__)


def log_here(x: int) -> None:
    if x:
        LOG.warning("one")
    LOG.error("two %s", x, stacklevel=2)
    logging.warning("three")
    try:
        raise ValueError
    except ValueError:
        LOG.exception("four")
        logging.exception("five")


def log_for_caller(x: int) -> None:
    log_here(x)


def logged_lines(fn: Callable[[int], None]) -> list[str]:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(filename)s:%(lineno)d %(funcName)s %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        fn(1)
    finally:
        root.removeHandler(handler)
    return [line for line in stream.getvalue().splitlines() if line.startswith("test_")]


def test_a_log_record_names_the_line_it_names_in_python() -> None:
    expected = logged_lines(log_for_caller)
    assert 5 == len(expected)
    assert expected == logged_lines(to_graph(log_for_caller))


@pytest.mark.parametrize("level", [logging.DEBUG, logging.WARNING])
def test_a_disabled_log_level_inspects_no_frames(
    level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, looked = Introspection(Backends(())).by_name, []
    monkeypatch.setattr(introspection, "is_direct", lambda frame: looked.append(frame) or True)
    monkeypatch.setattr(logging.root, "level", level)
    for name in ("debug", "info", "warning", "error", "critical"):
        log = getattr(logging, name)
        assert table["logging", name](log) is log
        assert bool(looked) == (getattr(logging, name.upper()) >= level)
        looked.clear()


def test_breakpoint_calls_the_hook_the_user_set(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    monkeypatch.setattr(sys, "breakpointhook", lambda *args, **kwargs: seen.append(args))
    stop = breakpoint
    to_graph(lambda: stop(1))()
    assert [(1,)] == seen


def test_breakpoint_calls_another_set_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    monkeypatch.setattr(sys, "breakpointhook", sys.__breakpointhook__)
    monkeypatch.delenv("PYTHONBREAKPOINT", raising=False)
    monkeypatch.setattr(pdb, "set_trace", lambda: seen.append("stopped"))
    stop = breakpoint
    to_graph(lambda: stop())()
    assert ["stopped"] == seen


def pythons_set_trace() -> Any:
    spec: Any = importlib.util.find_spec("pdb")
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.set_trace


def test_a_class_made_by_type_is_of_the_callers_module() -> None:
    make = type

    def made(x: int) -> Any:
        if x > 0:
            return make("Point", (), {"x": x})
        return make("Nothing", (), {"__module__": "elsewhere"})

    assert __name__ == to_graph(made)(1).__module__
    assert "elsewhere" == to_graph(made)(0).__module__
    assert to_graph(lambda x: make(x))(1) is int


def test_the_debugger_stops_in_the_users_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "breakpointhook", sys.__breakpointhook__)
    monkeypatch.delenv("PYTHONBREAKPOINT", raising=False)
    # Under pytest `set_trace` is its own, which takes the input away from the program.
    monkeypatch.setattr(pdb, "set_trace", pythons_set_trace())
    monkeypatch.setattr(sys, "stdin", io.StringIO("p secret\nlist\ncontinue\n"))
    output = io.StringIO()
    monkeypatch.setattr(sys, "stdout", output)
    stop = breakpoint

    def stopping(secret: int) -> int:
        if secret:
            stop()
            secret += 1
        return secret

    before = sys.gettrace()
    try:
        assert 42 == to_graph(stopping)(41)
    finally:
        sys.settrace(before)
    assert "41" in output.getvalue()
    assert "secret += 1" in output.getvalue()
