"""Records, read by TensorBoard's reader."""

from __future__ import annotations

import io

import pytest

from runtime.summary.event_file import record


def test_tensorboard_reads_records(tmp_path) -> None:
    pytest.importorskip("tensorboard")
    from tensorboard.compat.tensorflow_stub.pywrap_tensorflow import PyRecordReader_New

    pieces = [b"", b"one", bytes(range(256)) * 40]
    path = tmp_path / "records"
    path.write_bytes(b"".join(map(record, pieces)))
    reader = PyRecordReader_New(str(path))
    found = []
    for _ in pieces:
        reader.GetNext()
        found.append(reader.record())
    assert pieces == found


def test_a_record_holds_16_bytes_more() -> None:
    assert 16 + 3 == len(io.BytesIO(record(b"abc")).getvalue())
