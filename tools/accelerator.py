"""Tests and times the executor jax on the accelerator of this machine, in under six minutes.

    pip install -e ".[test]" "jax[cuda13]"    # or the JAX of another accelerator
    python tools/accelerator.py               # the devices, the tests, the times beside JAX by hand
    python tools/accelerator.py --cpu         # a rehearsal on a machine without one

Each step has a limit, so that a program which hangs on the device ends here. The exit code is the
number of steps that failed. The times go to `docs/performance.md`.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_DEVICES = """
import sys, jax
found = jax.devices()
print(f"JAX {jax.__version__} on {found}, {found[0].device_kind}")
raise SystemExit(found[0].platform == "cpu" and sys.argv[1] == "accelerator")
"""


@dataclass(frozen=True)
class Step:
    """A command with a limit.

    Attributes:
        name: the name, for the report.
        command: its words, after those of Python.
        seconds: the limit.
    """

    name: str
    command: tuple[str, ...]
    seconds: int


def steps(is_accelerator: bool) -> list[Step]:
    """Return the steps: the devices first, without which the others say nothing.

    >>> sum(step.seconds for step in steps(True)) < 360
    True
    """
    wanted = "accelerator" if is_accelerator else "any"
    tests = ("tests/runtime/executors/jax", "tests/laws/test_jax_law.py")
    return [
        Step("devices", ("-c", _DEVICES, wanted), 40),
        Step("tests", ("-m", "pytest", "-q", "-n4", *tests), 200),
        Step("times", ("tools/bench", "engines", "--quick"), 110),
    ]


def passed(step: Step, is_accelerator: bool) -> bool:
    """Run a step, print its output, and return whether it passed within its limit."""
    # Several processes use one device: none may take all of its memory.
    own = {"XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
    if not is_accelerator:
        own["JAX_PLATFORMS"] = "cpu"
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *step.command],
        cwd=ROOT,
        env={**os.environ, **own},
        start_new_session=True,
    )
    try:
        code = process.wait(step.seconds)
        outcome = "ok" if code == 0 else f"exit status {code}"
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # and the processes that it has started
        process.wait()
        outcome = f"stopped after {step.seconds} s"
    print(f"{step.name}: {outcome}, {time.perf_counter() - began:.1f} s", flush=True)
    return outcome == "ok"


def main(arguments: list[str] | None = None) -> int:
    """Run the steps; without a device nothing follows."""
    parser = argparse.ArgumentParser(prog="accelerator", description=__doc__.partition("\n")[0])
    parser.add_argument("--cpu", action="store_true", help="run on the processor, as a rehearsal")
    is_accelerator = not parser.parse_args(arguments).cpu
    first, *others = steps(is_accelerator)
    if not passed(first, is_accelerator):
        print("there is no accelerator that JAX knows: --cpu is a rehearsal")
        return 1
    return sum(not passed(each, is_accelerator) for each in others)


if __name__ == "__main__":
    sys.exit(main())
