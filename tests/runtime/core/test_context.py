"""The current recorder, and where in the user's source an op was called."""

from __future__ import annotations

import contextlib
import threading
from typing import Any

from runtime.core.context import Origin, caller_origin, current_recorder, recording
from runtime.core.creation_hooks import init_scope


def test_recording_is_nested_and_ends_even_with_an_error() -> None:
    outer: Any = object()
    inner: Any = object()
    try:
        with recording(outer):
            assert current_recorder() is outer
            with recording(inner):
                assert current_recorder() is inner
                with init_scope():
                    assert current_recorder() is None
                raise KeyError
    except KeyError:
        pass
    assert current_recorder() is None


def test_each_thread_has_its_own_recorder() -> None:
    seen: list[Any] = []
    with recording(object()):  # type: ignore[arg-type]
        thread = threading.Thread(target=lambda: seen.append(current_recorder()))
        thread.start()
        thread.join()
    assert seen == [None]


def test_the_origin_is_the_innermost_frame_outside_the_packages() -> None:
    origin = caller_origin()
    assert origin is not None
    assert origin.filename == __file__ and origin.function.startswith("test_the_origin")
    code = "def inside(caller_origin):\n    return caller_origin()\n"
    namespace: dict[str, Any] = {"__name__": "runtime.somewhere"}
    exec(compile(code, "ours.py", "exec"), namespace)
    outside = namespace["inside"](caller_origin)
    assert outside.filename == __file__ and outside.line == origin.line + 6


def test_an_origin_prints_like_a_traceback_line() -> None:
    assert str(Origin("model.py", 12, "step")) == "model.py:12, in step"


def test_frames_of_contextlib_are_not_the_origin() -> None:
    namespace: dict[str, Any] = {"__name__": "runtime.somewhere", "ask": caller_origin}
    exec("def entered(self):\n    return ask()\n", namespace)
    kind = type("Manager", (), {"__enter__": namespace["entered"], "__exit__": lambda *_: None})
    with contextlib.ExitStack() as stack:
        assert stack.enter_context(kind()).filename == __file__
