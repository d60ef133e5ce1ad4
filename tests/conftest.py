"""Options and profiles every test shares."""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import settings

from tests.blas_threads import THREADS
from tests.corpus import Program, undisturbed
from tests.suite_length import IS_LONG

# Quick and repeatable unless the full sweep is asked for.
settings.register_profile("quick", max_examples=25, deadline=None, derandomize=True)
settings.register_profile("full", max_examples=300, deadline=None)
settings.load_profile("full" if IS_LONG else "quick")

# The units that everything stands on: these are marked `quick`.
_TESTS = Path(__file__).parent
QUICK = tuple(
    str(_TESTS / name)
    for name in (
        *("autograph/analysis", "autograph/conversion", "autograph/converters"),
        *("autograph/lowering", "autograph/operators", "autograph/syntax"),
        *("runtime/graph", "runtime/test_", "laws/test_house.py", "parity/test_eager_tensors.py"),
    )
)

# No test takes a tenth of this; one that never ends must fail under its own name.
SECONDS = 7200 if IS_LONG else 600

_SECONDS_UNTIL_FROZEN = 4.0  # of computing
_frozen_at = float("-inf")


def pytest_configure() -> None:
    """Let Ctrl-C arrive, which a shell makes its background processes ignore.

    The output of commands is compared, so no environment asks for colours.

    Graphs are many small objects that all live: to look for garbage after each 700 of them takes a
    fifth of the time of a run.
    """
    os.environ.pop("FORCE_COLOR", None)
    gc.set_threshold(20_000, 10, 20)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import the files that `-m quick` leaves out."""
    leaves_out = config.option.markexpr == "quick" and collection_path.suffix == ".py"
    return True if leaves_out and not str(collection_path).startswith(QUICK) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Have the tests of one program follow one another, where one of many processes runs them.

    It is then converted once, and what it is traced as is there for all of them.
    """
    if not hasattr(config, "workerinput"):
        return
    first: dict[str, int] = {}
    places = []
    for at, item in enumerate(items):
        callspec = getattr(item, "callspec", None)
        program = callspec and callspec.params.get("program")
        is_of_corpus = isinstance(program, Program)
        places.append((first.setdefault(program.id, at) if is_of_corpus else at, at, item))
    items[:] = [item for _, _, item in sorted(places, key=lambda place: place[:2])]


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the quick tests."""
    if str(item.path).startswith(QUICK):
        item.add_marker("quick")


def pytest_report_header() -> str:
    """Say how many threads products of matrices have."""
    return "threads: " + ", ".join(f"{name}={count}" for name, count in THREADS.items())


def pytest_runtest_setup() -> None:
    """Leave objects of pytest and of earlier tests out of sight of the garbage collector.

    Tracing looks through all that it sees, which is little in a program, and millions of objects
    after many tests: a run of all tests takes four times as long.
    """
    global _frozen_at
    if time.process_time() - _frozen_at > _SECONDS_UNTIL_FROZEN:
        gc.collect()
        gc.freeze()
        _frozen_at = time.process_time()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """Forget the global seed that a test has set, and find no trace still going on.

    Graphs of later tests would hold the seed, and what they print would count as said.
    """
    yield  # fixtures end their graphs
    seeds = sys.modules.get("runtime.ops.random.eager_seeds")
    if seeds is not None:
        seeds.set_seed(None)
    modules = {name: sys.modules.get(name) for name in _LEFT}
    left = [name for name, module in modules.items() if module and _LEFT[name](module)]
    if left:
        pytest.fail(f"{item.nodeid} leaves a trace that has not ended: {left}")


# Modules that know of a trace that goes on, and how to tell.
_LEFT: dict[str, Callable[[Any], Any]] = {
    "autograph.functions.side_effects.console_output": lambda module: (
        module.current_console_output()
    ),
    "runtime.core.context": lambda module: module.current_recorder(),
    "autograph.backends.graph.arrays.staged_array": lambda module: module.KNOWN.get() is not None,
}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Fail a test that runs on and on, where the system has an alarm.

    Ctrl-C means the same again afterwards: a debugger that went on has its own handler.
    """

    def too_long(number: int, frame: FrameType | None) -> None:
        pytest.fail(f"{item.nodeid} still ran after {SECONDS} s")

    if not hasattr(signal, "SIGALRM"):
        return (yield)
    interrupts, before = signal.getsignal(signal.SIGINT), signal.signal(signal.SIGALRM, too_long)
    # Again and again, since what runs may catch it as an outcome of the program under test.
    signal.setitimer(signal.ITIMER_REAL, SECONDS, 10)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        signal.signal(signal.SIGINT, interrupts)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Iterator[None]:
    """Restore the state that a program of the corpus keeps in its module, for later tests."""
    callspec = getattr(pyfuncitem, "callspec", None)
    program = callspec and callspec.params.get("program")
    if not isinstance(program, Program):
        return (yield)
    with undisturbed(program):
        return (yield)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`pytest --update-goldens` rewrites `golden_outputs/` instead of comparing with it."""
    parser.addoption(
        "--update-goldens",
        action="store_true",
        help="rewrite golden_outputs/ from the programs, and remove files without a program",
    )
