"""TensorFlow's profiler API: programs that call it run, but nothing is recorded.

`python -m autograph profile` shows the time of each line and node of a call.
"""

from __future__ import annotations

import warnings
from typing import Any

from runtime.core.argument_checks import file_path
from runtime.errors import AlreadyExistsError, UnavailableError

_NOTHING = "TensorFlow's profiler records nothing here: `python -m autograph profile` tells times"
_RUNNING: list[str] = []


class ProfilerOptions:
    """The options of TensorFlow's profiler, which have no effect here.

    >>> ProfilerOptions(host_tracer_level=3).host_tracer_level
    3
    """

    def __init__(
        self,
        host_tracer_level: int = 2,
        python_tracer_level: int = 0,
        device_tracer_level: int = 1,
        delay_ms: int | None = None,
    ) -> None:
        self.host_tracer_level = host_tracer_level
        self.python_tracer_level = python_tracer_level
        self.device_tracer_level = device_tracer_level
        self.delay_ms = delay_ms


def start(logdir: Any, options: Any = None) -> None:
    """Start a profile, which stays empty; a warning says so.

    Raises:
        AlreadyExistsError: a profile is running already.

    >>> with warnings.catch_warnings(record=True):
    ...     start("logs")
    >>> stop()
    """
    folder = file_path(logdir, "logdir")
    if _RUNNING:
        raise AlreadyExistsError("a profile is running already: call stop() first")
    warnings.warn(_NOTHING, stacklevel=2)
    _RUNNING.append(folder)


def stop(save: bool = True) -> None:
    """End a profile; UnavailableError if none is running.

    >>> stop()
    Traceback (most recent call last):
    runtime.errors.UnavailableError: no profile is running: call start() first
    """
    if not _RUNNING:
        raise UnavailableError("no profile is running: call start() first")
    _RUNNING.clear()


def start_server(port: int) -> None:
    """Warn that there is no profile to serve, and do nothing.

    >>> with warnings.catch_warnings(record=True):
    ...     start_server(6009)
    """
    warnings.warn(_NOTHING, stacklevel=2)


class Profile:
    """A context manager that begins and ends a profile, which stays empty.

    >>> with warnings.catch_warnings(record=True), Profile("logs"):
    ...     total = sum(range(10))
    """

    def __init__(self, logdir: Any, options: Any = None) -> None:
        self._logdir, self._options = logdir, options

    def __enter__(self) -> None:
        start(self._logdir, self._options)

    def __exit__(self, *error: object) -> None:
        stop()


class Trace:
    """A context manager for a named part of a program, as in TensorFlow; it records nothing.

    >>> with Trace("train", step_num=1, _r=1) as trace:
    ...     trace.set_metadata(loss=1.0)
    """

    def __init__(self, name: str, **kwargs: Any) -> None:
        self.name, self.metadata = name, kwargs

    def __enter__(self) -> Trace:
        return self

    def __exit__(self, *error: object) -> None:
        """Do nothing."""

    def set_metadata(self, **kwargs: Any) -> None:
        """Add to `metadata`, which nothing reads."""
        self.metadata.update(kwargs)
