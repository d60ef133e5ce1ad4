"""Event files whose writer is freed, or that are open when Python ends."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import runtime as rt
from runtime.summary.writer import changed
from tests.runtime.summary.event_files import values_in

summary = rt.summary


def test_queued_events_are_written_by_the_next_writer(tmp_path: Path) -> None:
    writer = summary.create_file_writer(tmp_path / "first", max_queue=100)
    with changed(writer=writer, step=3):
        summary.scalar("x", 2.0)
    del writer
    gc.collect()
    assert [] == values_in(tmp_path / "first")
    summary.create_file_writer(tmp_path / "second")
    assert [(3, "x", 2.0)] == values_in(tmp_path / "first")


def test_queued_events_are_written_at_exit(tmp_path: Path) -> None:
    code = (
        "import sys, runtime as rt\n"
        "for name in ('kept', 'gone'):\n"
        "    writer = rt.summary.create_file_writer(f'{sys.argv[1]}/{name}', max_queue=100)\n"
        "    writer.set_as_default(step=3)\n"
        "    rt.summary.scalar('x', 2.0)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True)
    for name in ("kept", "gone"):
        assert [(3, "x", 2.0)] == values_in(tmp_path / name)
