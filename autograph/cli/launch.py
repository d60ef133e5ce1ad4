"""The command `launch`: runs one program as several processes on this machine, each with a rank.

Each process learns from environment variables how many there are, which one it is, and the address
at which they meet. `ag.initialize` reads them; the names are those of JAX and of PyTorch's
launcher.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from types import FrameType
from typing import IO, Any, NamedTuple

from autograph.errors import CommandError

# The seconds that processes have to end by themselves, and that their last lines have to arrive.
_GRACE = 5.0
_LAST_LINES = 1.0
# The seconds in which the end of a killed process can arrive after the errors that it caused in
# others: its connections close before the system reports its end.
_LATE_END = 1.0
_LONGEST_LINE = 300
# SIGKILL, which is not a signal of every system.
_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
_FORWARDED = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]


def launch(options: Namespace) -> int:
    """Run the program in several processes, and return the exit status of the first failure."""
    if options.n < 1:
        raise CommandError(f"-n, the number of processes, must be at least 1, not {options.n}")
    if not options.module and not Path(options.program).is_file():
        raise CommandError(f"there is no file {options.program!r}")
    program = ["-m", options.program] if options.module else [options.program]
    command = [sys.executable, *program, *options.arguments]
    with _signals_raised():
        return LocalProcesses(command, options.n).wait()


def environment_of(rank: int, size: int, port: int) -> dict[str, str]:
    """Return the environment variables that tell a process its place among the others.

    >>> environment_of(1, 2, 4000)["JAX_COORDINATOR_ADDRESS"]
    '127.0.0.1:4000'
    """
    devices = {"JAX_LOCAL_DEVICE_IDS": str(rank)} if size > 1 else {}
    return {
        **devices,
        "JAX_COORDINATOR_ADDRESS": f"127.0.0.1:{port}",
        "JAX_NUM_PROCESSES": str(size),
        "JAX_PROCESS_ID": str(rank),
        "RANK": str(rank),
        "LOCAL_RANK": str(rank),
        "WORLD_SIZE": str(size),
        "PYTHONUNBUFFERED": "1",
    }


class _OutputLine(NamedTuple):
    """A line that a process has written."""

    rank: int
    is_error: bool
    text: str


class _Exit(NamedTuple):
    """The end of a process; a negative status is a signal."""

    rank: int
    status: int


class _Signal(BaseException):
    """A signal has come that ends the launcher."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class LocalProcesses:
    """The processes of one command on this machine, ranks 0 to n - 1.

    All of them end when one fails, when a signal comes, or when the launcher fails.

    Args:
        command: the program and its arguments.
        count: the number of processes.
    """

    def __init__(self, command: Sequence[str], count: int) -> None:
        self._events: SimpleQueue[_OutputLine | _Exit] = SimpleQueue()
        self._running: dict[int, subprocess.Popen[str]] = {}
        self._readers: list[Thread] = []
        self._last_errors: dict[int, str] = {}
        self._failed: _Exit | None = None
        self._is_ending = False  # signals of the launcher end the processes from here on
        self._width = len(str(count - 1))
        port = _free_port()
        try:
            for rank in range(count):
                self._start(rank, command, environment_of(rank, count, port))
        except BaseException:
            self._send(_KILL)
            raise

    def wait(self) -> int:
        """Print the lines of all processes until they end; return the exit status.

        Returns:
            0, or the status of the process that failed first: 128 and the number of the signal if
            a signal ended it. A process that a signal ended counts as first, since the errors of
            the others follow from its end. A signal to the launcher, which all processes receive,
            is told in the same way.
        """
        try:
            while self._running and self._failed is None:
                self._handle(self._events.get())
            self._handle_until(monotonic() + _LATE_END, self._is_killed)
            self._end(signal.SIGTERM)
        except _Signal as received:
            return self._pass_on(received.number)
        finally:
            self._send(_KILL)
        return 0 if self._failed is None else self._told(self._failed)

    def _start(self, rank: int, command: Sequence[str], variables: Mapping[str, str]) -> None:
        process = subprocess.Popen(
            command,
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,  # a Ctrl-C reaches it from here only
        )
        self._running[rank] = process
        for stream in (process.stdout, process.stderr):
            reader = Thread(target=self._read, args=(rank, process, stream), daemon=True)
            self._readers.append(reader)
            reader.start()
        Thread(target=self._await_end, args=(rank, process), daemon=True).start()

    def _read(self, rank: int, process: subprocess.Popen[str], stream: IO[str]) -> None:
        for line in stream:
            self._events.put(_OutputLine(rank, stream is process.stderr, line.rstrip("\r\n")))

    def _await_end(self, rank: int, process: subprocess.Popen[str]) -> None:
        self._events.put(_Exit(rank, process.wait()))

    def _handle(self, event: _OutputLine | _Exit) -> None:
        if isinstance(event, _OutputLine):
            return self._print(event)
        del self._running[event.rank]
        if event.status and (self._failed is None or event.status < 0 and not self._is_ending):
            self._failed = event

    def _print(self, line: _OutputLine) -> None:
        if line.is_error and line.text.strip():
            self._last_errors[line.rank] = line.text.strip()[:_LONGEST_LINE]
        stream = sys.stderr if line.is_error else sys.stdout
        print(f"[{line.rank:>{self._width}}] {line.text}", file=stream, flush=True)

    def _pass_on(self, number: int) -> int:
        """Send a signal to all processes, and kill them at once when another one comes."""
        try:
            self._end(number)
        except _Signal:
            self._send(_KILL)
        name = signal.Signals(number).name
        print(f"autograph: ended by {name}, as all processes are", file=sys.stderr)
        return 128 + number

    def _is_killed(self) -> bool:
        """Return whether no failure is known, or one whose cause is certain."""
        return self._failed is None or self._failed.status < 0

    def _end(self, number: int) -> None:
        """Send a signal to the processes that run, wait, kill the rest, and print all lines."""
        self._is_ending = True
        self._send(number)
        self._handle_until(monotonic() + _GRACE)
        self._send(_KILL)
        self._handle_until(monotonic() + _GRACE)
        last = monotonic() + _LAST_LINES  # a child of a process may keep its output open for ever
        for reader in self._readers:
            reader.join(max(0.0, last - monotonic()))
        while not self._events.empty():
            self._handle(self._events.get())

    def _handle_until(self, end: float, is_enough: Callable[[], bool] = lambda: False) -> None:
        while self._running and not is_enough() and (left := end - monotonic()) > 0:
            try:
                self._handle(self._events.get(timeout=left))
            except Empty:
                return

    def _send(self, number: int) -> None:
        for process in self._running.values():
            try:
                if hasattr(os, "killpg"):
                    os.killpg(process.pid, number)  # and to the processes that it has started
                else:
                    process.terminate()
            except ProcessLookupError:
                pass  # it has ended just now

    def _told(self, failed: _Exit) -> int:
        """Print the one error of the run, and return its exit status."""
        rank, status = failed
        ending = f"exit status {status}" if status > 0 else f"signal {_signal_name(-status)}"
        last = self._last_errors.get(rank)
        print(
            f"autograph: rank {rank} has failed with {ending}"
            + (f": {last}" if last else "")
            + "\nautograph: all other processes have been ended",
            file=sys.stderr,
        )
        return status if status > 0 else 128 - status


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@contextmanager
def _signals_raised() -> Iterator[None]:
    """Raise the signals that end a program as `_Signal`, except those that are ignored."""
    before = {each: signal.getsignal(each) for each in _FORWARDED}
    changed = {each: old for each, old in before.items() if old is not signal.SIG_IGN}
    try:
        for each in changed:
            signal.signal(each, _raise_signal)
        yield
    finally:
        for each, old in changed.items():
            signal.signal(each, old)


def _raise_signal(number: int, frame: FrameType | None) -> Any:
    raise _Signal(number)
