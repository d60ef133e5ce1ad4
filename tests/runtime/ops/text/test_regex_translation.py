"""Endless pattern matches end with a Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
# A text that these patterns match in so many ways that none ends before the sun does.
PROGRAM = """
import os, signal, sys
sys.path.insert(0, {root!r})
import autograph as ag, runtime as rt
text = rt.constant(b"a" * 80 + b"b")

@ag.function
def traced(x):
    matched = rt.strings.regex_full_match(x, "(a+)+")
    return matched, rt.strings.regex_replace(x, "(a|a)+$", "c")

calls = {{
    "full_match": lambda: rt.strings.regex_full_match(text, "(a+)+"),
    "replace": lambda: rt.strings.regex_replace(text, "(a|a)+$", "c"),
    "traced": lambda: traced(text),
    "dataset": lambda: list(rt.data.Dataset.from_tensors(text).map(traced)),
}}
traced(rt.constant(b"a"))
try:
    print("begins", flush=True)
    calls[{call!r}]()
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no SIGINT to one process")
@pytest.mark.parametrize("call", ["full_match", "replace", "traced", "dataset"])
def test_a_match_without_an_end_is_interrupted(tmp_path: Path, call: str) -> None:
    file = tmp_path / "program.py"
    file.write_text(PROGRAM.format(root=str(ROOT), call=call))
    with subprocess.Popen([sys.executable, file], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert "begins\n" == process.stdout.readline()
        # The match has begun, or begins: Ctrl-C is sent again until it arrives.
        for _ in range(100):
            process.send_signal(signal.SIGINT)
            try:
                process.wait(timeout=1)
                break
            except subprocess.TimeoutExpired:
                continue
        process.kill()
        assert "interrupted\n" == process.stdout.read()
