"""Rendered pages of all programs agree with `golden_outputs/`."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.corpus import PROGRAMS, Program
from tests.golden import render, store
from tests.suite_length import IS_LONG

IDS = [program.id for program in PROGRAMS]
# Python chooses anew in each process how strings hash, so that every run of `test_golden` compares
# what two processes print; by one that all runs have, some programs are enough.
STEP = 1 if IS_LONG else 180


@pytest.fixture(scope="module")
def pages_of_another_process() -> dict[str, str]:
    """Some pages, or all, rendered by an interpreter that hashes strings in its own way."""
    environment = {**os.environ, "PYTHONHASHSEED": "20011"}
    printed = subprocess.run(
        [sys.executable, "-m", "tests.golden.render", str(STEP)],
        cwd=store.FOLDER.parent,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    pages: dict[str, str] = json.loads(printed.stdout)
    return pages


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.id)
def test_golden(program: Program, request: pytest.FixtureRequest) -> None:
    text = render.page(program)
    if request.config.getoption("--update-goldens"):
        list(store.write({program.id: text}))
    assert "" == store.difference(program.id, text)


def test_rendering_does_not_depend_on_the_process(
    pages_of_another_process: dict[str, str],
) -> None:
    assert IDS[::STEP] == list(pages_of_another_process)
    different = [
        name for name, text in pages_of_another_process.items() if store.difference(name, text)
    ]
    assert [] == different


def test_every_golden_file_has_a_program(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-goldens"):
        store.remove_orphans(IDS)
    assert [] == store.orphans(IDS)
