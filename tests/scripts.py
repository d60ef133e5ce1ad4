"""Scripts that run as programs of their own, without another import of the packages for each.

A server process imports the packages once, and is forked for each script, where forks exist.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import sys
from functools import cache
from pathlib import Path
from typing import Any

LIMIT = 300  # seconds


@cache
def _context() -> Any:
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["autograph.runtime", "tests.scripts"])
    return context


def run_script(script: Path, folder: Path) -> str:
    """Run a script in a folder, and return the output.

    Raises:
        AssertionError: the script has failed; the message is what it wrote to standard error.
    """
    out, err = script.with_suffix(".out"), script.with_suffix(".err")
    process = _context().Process(target=_main, args=(script, folder, out, err))
    process.start()
    process.join(LIMIT)
    process.kill()
    assert 0 == process.exitcode, err.read_text(encoding="utf-8")
    return out.read_text(encoding="utf-8")


def _main(script: Path, folder: Path, out: Path, err: Path) -> None:
    for path, number in ((out, 1), (err, 2)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), number)
    os.chdir(folder)
    sys.argv[:] = [str(script)]
    sys.path[0] = str(script.parent)
    runpy.run_path(str(script), run_name="__main__")
