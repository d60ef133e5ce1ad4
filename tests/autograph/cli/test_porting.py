"""The command `port`: its output and the files it writes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from autograph.__main__ import main

PROGRAM = b"""# A program. \xc3\xa9
import tensorflow as tf
from tensorflow.keras.layers import (Dense,  # one
                                     StringLookup)
x = tf.image.resize(1); tf.assign(x, 1)
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_bytes(PROGRAM)
    return path


def test_changed_lines_are_printed_and_nothing_is_written(program, capsys) -> None:
    assert 0 == main(["port", str(program)])
    out = capsys.readouterr().out.splitlines()
    assert "-import tensorflow as tf" in out
    assert "+from autograph.compat import tensorflow as tf" in out
    assert "+from autograph.compat.tensorflow.keras.layers import (Dense,  # one" in out
    assert PROGRAM == program.read_bytes()


def test_unsupported_names_are_reported_with_a_remedy(program, capsys) -> None:
    main(["port", str(program)])
    out = capsys.readouterr().out
    assert "line 3: tf.keras.layers has no StringLookup; instead: a Python dict" in out
    assert "line 5: tf.image has no resize; instead: NumPy or Pillow" in out
    assert "line 5: tf has no assign yet: write variable.assign(value)" in out


def test_a_file_is_written_on_demand_and_keeps_its_mode_and_link(program, capsys) -> None:
    os.chmod(program, 0o640)
    link = program.with_name("link.py")
    link.symlink_to(program)
    assert 0 == main(["port", str(link), "--write"])
    assert f"wrote {link}" in capsys.readouterr().out
    expected = PROGRAM.replace(
        b"import tensorflow as", b"from autograph.compat import tensorflow as"
    )
    expected = expected.replace(b"from tensorflow.", b"from autograph.compat.tensorflow.")
    assert expected == program.read_bytes()
    assert link.is_symlink()
    assert 0o640 == program.stat().st_mode & 0o777
    assert ["link.py", "program.py"] == sorted(each.name for each in program.parent.iterdir())


@pytest.mark.parametrize(
    "before, after",
    [
        (
            b"import tensorflow\r\nx = 1\r\n",
            b"from autograph.compat import tensorflow\r\nx = 1\r\n",
        ),
        (b"\xef\xbb\xbfimport tensorflow", b"\xef\xbb\xbffrom autograph.compat import tensorflow"),
        (
            b"# -*- coding: latin-1 -*-\nx = '\xe9'; import tensorflow",
            b"# -*- coding: latin-1 -*-\nx = '\xe9'; from autograph.compat import tensorflow",
        ),
    ],
)
def test_line_ends_and_encodings_are_preserved(before, after, program) -> None:
    program.write_bytes(before)
    main(["port", str(program), "--write"])
    assert after == program.read_bytes()


def test_a_program_without_tensorflow_is_unchanged(program, capsys) -> None:
    program.write_text("x = 1\n", encoding="utf-8")
    assert 0 == main(["port", str(program), "--write"])
    assert f"{program}: there is nothing to change\n" == capsys.readouterr().out


@pytest.mark.parametrize("content", [b"def f(:\n", b"\xff\xfe\x00"])
def test_a_file_that_is_no_program_is_refused(content, program, capsys) -> None:
    program.write_bytes(content)
    assert 2 == main(["port", str(program), "--write"])
    assert "autograph: " in capsys.readouterr().err
    assert content == program.read_bytes()


def test_a_missing_file_is_refused(tmp_path, capsys) -> None:
    assert 2 == main(["port", str(tmp_path / "nothing.py")])
    assert "cannot read" in capsys.readouterr().err
