"""Processes that measure, one a library, and the talk with them: lines of JSON over pipes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_CHILD = Path(__file__).with_name("worker.py")
# Environment variables that limit each library to one thread, if set before its import.
_ONE_THREAD = dict.fromkeys(
    (
        *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"),
        *("VECLIB_MAXIMUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS"),
    ),
    "1",
)
_JAX = {"XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"}
# Without compiled files an import compiles everything.
_NOT_OURS = ("PYTHONDONTWRITEBYTECODE",)
# The library that each side needs.
PEERS = {
    "side_tensorflow": "tensorflow",
    "side_jax": "jax",
    "side_torch": "torch",
    "side_numba": "numba",
}
OURS = "side_ours"


class TalkError(RuntimeError):
    """A measuring process ended, or could not begin."""


def environment() -> dict[str, str]:
    """Return the variables that measuring processes run under."""
    own = {name: value for name, value in os.environ.items() if name not in _NOT_OURS}
    return {**own, **_ONE_THREAD, **_JAX, "JAX_PLATFORMS": "cpu"}


def one_core() -> int:
    """Return the core all of them share: the last that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(os.sched_getaffinity(0))
    return 0


class Talk:
    """A process that measures one side.

    Attributes:
        python: the interpreter it runs in.
        rows: the rows it can measure, by mode.
        versions: the versions of the libraries it uses.
    """

    def __init__(self, side: str, python: str = sys.executable) -> None:
        self.side = side
        self.python = python
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8")
        self._process = subprocess.Popen(
            [python, str(_CHILD), side, str(one_core())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            env=environment(),
        )
        hello = self._ask(do="hello")
        self.rows: dict[str, list[str]] = hello["rows"]
        self.versions: dict[str, str] = {**hello["versions"], "Python": hello["python"]}

    def prepare(self, row: str) -> dict[str, str | None]:
        """Prepare a row in all modes that have it; return the error of each, or None."""
        modes = [mode for mode, rows in self.rows.items() if row in rows]
        answer: dict[str, str | None] = self._ask(do="prepare", row=row, modes=modes)
        return answer

    def round(self, mode: str, seconds: float) -> dict[str, float]:
        """Measure one round of a prepared row; seconds of one call, `cpu` and `wall`."""
        answer: dict[str, float] = self._ask(do="round", mode=mode, seconds=seconds)
        return answer

    def close(self) -> None:
        """End the process."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait()
        self._errors.close()

    def _ask(self, **asked: Any) -> Any:
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(json.dumps(asked) + "\n")
            process.stdin.flush()
            answer = process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            self._errors.seek(0)
            last = self._errors.read().strip().splitlines()[-1:] or ["no message"]
            raise TalkError(f"{self.side} in {self.python}: {last[0]}")
        return json.loads(answer)


@dataclass(frozen=True)
class PeerInterpreter:
    """A side and the interpreter that has its library."""

    side: str
    python: str


def peers_found(pythons: Iterable[str], libraries: Collection[str]) -> list[PeerInterpreter]:
    """Return the interpreter for each of some peers: the first one that has it."""
    found: dict[str, PeerInterpreter] = {}
    for python in pythons:
        for side in _sides_of(python):
            if PEERS[side] in libraries:
                found.setdefault(side, PeerInterpreter(side, python))
    return list(found.values())


def _sides_of(python: str) -> list[str]:
    script = (
        "from importlib.util import find_spec; import sys;"
        "print(*[name for name in sys.argv[1:] if find_spec(name)])"
    )
    command = [python, "-c", script, *PEERS.values()]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise TalkError(f"{python} is no Python to measure in: {error}") from None
    libraries = done.stdout.split()
    return [side for side, library in PEERS.items() if library in libraries]
