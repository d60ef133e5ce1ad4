"""Summaries, written at once and by graphs, read back by TensorBoard."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import ArgumentValueError, DTypeError, FailedPreconditionError, ShapeError
from tests.runtime.summary.event_files import plugins_in, values_in

summary = rt.summary


@pytest.fixture
def writer(tmp_path: Path) -> Any:
    return summary.create_file_writer(tmp_path)


def test_summaries_without_a_writer_are_ignored() -> None:
    assert not summary.scalar("x", "no number, and nobody looks")
    assert not summary.should_record_summaries()


def test_each_kind_has_the_data_of_its_plugin(writer: Any, tmp_path: Path) -> None:
    with writer.as_default(step=7):
        summary.scalar("s", 2)
        summary.histogram("h", [1.0, 2.0], buckets=2)
        summary.image("i", np.zeros((5, 2, 3, 1)), max_outputs=2)
        summary.text("t", [["a", "b"]])
        summary.audio("a", np.zeros((4, 10, 2), np.float32), 8000)
        summary.write("w", [1, 2])
    assert [
        ("s", "scalars", b"", 1),
        ("h", "histograms", b"", 2),
        ("i", "images", b"", 3),
        ("t", "text", b"", 2),
        ("a", "audio", b"\x10\x0b", 3),
        ("w", "", b"", 0),
    ] == plugins_in(tmp_path)
    found = {tag: (step, array) for step, tag, array in values_in(tmp_path)}
    assert {7} == {step for step, _ in found.values()}
    assert (np.float32, 2.0) == (found["s"][1].dtype, found["s"][1])
    assert [[1.0, 1.5, 1.0], [1.5, 2.0, 1.0]] == found["h"][1].tolist()
    assert [b"3", b"2"] == found["i"][1].tolist()[:2] and (4,) == found["i"][1].shape
    assert [[b"a", b"b"]] == found["t"][1].tolist()
    assert (3, 2) == found["a"][1].shape
    assert [1, 2] == found["w"][1].tolist()


def test_a_graph_writes_in_each_run_and_in_order(writer: Any, tmp_path: Path) -> None:
    @ag.function
    def train(x: Any, step: Any) -> Any:
        with writer.as_default():
            for i in rt.range(2):
                if x > 0:
                    summary.scalar("loss", x, step=step + rt.cast(i, rt.int64))
                x -= 1.0
        return x

    for step in (10, 20):
        train(rt.constant(1.5), rt.constant(step, rt.int64))
    assert 1 == train.experimental_get_tracing_count()
    train(rt.constant(-1.0), rt.constant(30, rt.int64))
    expected = [(10, "loss", 1.5), (11, "loss", 0.5), (20, "loss", 1.5), (21, "loss", 0.5)]
    assert expected == [(step, tag, float(value)) for step, tag, value in values_in(tmp_path)]


def test_a_graph_uses_the_writer_that_was_the_default_when_it_was_traced(tmp_path: Path) -> None:
    first = summary.create_file_writer(tmp_path / "first")
    second = summary.create_file_writer(tmp_path / "second")

    @ag.function
    def write_scalar(x: Any) -> Any:
        return summary.scalar("x", x, step=0)

    for writer in (first, second):
        with writer.as_default():
            assert write_scalar(rt.constant(1.0))
    first.flush()
    assert [2, 0] == [len(values_in(tmp_path / name)) for name in ("first", "second")]


def test_the_default_step_may_be_a_variable(writer: Any, tmp_path: Path) -> None:
    step = rt.Variable(3, dtype=rt.int64)

    @ag.function
    def write_scalar(x: Any) -> None:
        summary.scalar("x", x)

    with writer.as_default(step=step):
        write_scalar(rt.constant(1.0))
        step.assign_add(2)
        write_scalar(rt.constant(1.0))
    assert summary.experimental.get_step() is None
    assert [3, 5] == [step for step, _, _ in values_in(tmp_path)]


def test_set_step_lasts(writer: Any) -> None:
    summary.experimental.set_step(4)
    try:
        with writer.as_default():
            assert summary.scalar("x", 1.0)
            with writer.as_default(step=5):
                assert 5 == summary.experimental.get_step()
            assert 4 == summary.experimental.get_step()
    finally:
        summary.experimental.set_step(None)


def test_record_if_decides(writer: Any, tmp_path: Path) -> None:
    @ag.function
    def write_scalar(x: Any) -> Any:
        with summary.record_if(x > 1.0):
            return summary.scalar("x", x, step=1)

    with writer.as_default():
        assert [False, True] == [bool(write_scalar(rt.constant(x))) for x in (0.5, 1.5)]
        with summary.record_if(lambda: False):
            assert not summary.scalar("y", 1.0)
            assert not summary.should_record_summaries()
        assert summary.should_record_summaries()
    assert [1.5] == [float(value) for _, _, value in values_in(tmp_path)]


def test_a_tensor_function_is_called_only_when_recording(writer: Any, tmp_path: Path) -> None:
    asked = []

    def tensor() -> Any:
        return rt.py_function(lambda: asked.append(1) or 5, [], rt.int32)

    @ag.function
    def write_scalar(x: Any) -> Any:
        with summary.record_if(x):
            return summary.write("x", tensor, step=1)

    with writer.as_default():
        assert not write_scalar(rt.constant(False))
        assert [] == asked
        assert write_scalar(rt.constant(True))
        assert [1] == asked
    assert [5] == [int(value) for _, _, value in values_in(tmp_path)]


def recorded_if(condition: Any) -> Any:
    with summary.record_if(condition):
        return summary.scalar("x", 1.0, step=0)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: summary.scalar("x", 1.0), ArgumentValueError, "needs a step"),
        (lambda: summary.scalar("x", [1.0], 0), ShapeError, "must have rank 0"),
        (lambda: summary.scalar("x", "a", 0), DTypeError, "cannot have dtype string"),
        (lambda: summary.scalar("x", 1 + 2j, 0), DTypeError, "cannot have dtype complex128"),
        (lambda: summary.scalar(3, 1.0, 0), DTypeError, "name of a summary must be text"),
        (lambda: summary.scalar("x", 1.0, 1.5), DTypeError, "step must be an integer"),
        (lambda: summary.scalar("x", 1.0, [1]), ShapeError, "step must be a scalar"),
        (lambda: summary.image("x", np.zeros((2, 2, 1)), 0), ShapeError, "must have rank 4"),
        (lambda: summary.image("x", np.zeros((1, 2, 2, 5)), 0), ShapeError, "1 to 4 channels"),
        (lambda: summary.text("x", 3, 0), DTypeError, "cannot have dtype int32"),
        (lambda: summary.histogram("x", "a", 0), DTypeError, "cannot have dtype string"),
        (
            lambda: summary.histogram("x", [1.0], 0, buckets=-1),
            ArgumentValueError,
            "buckets must be 0 or more, not -1",
        ),
        (lambda: summary.audio("x", np.zeros((1, 2), np.float32), 8, 0), ShapeError, "rank 3"),
        (
            lambda: summary.audio("x", np.zeros((1, 2, 1), np.float32), 0, 0),
            ArgumentValueError,
            "sample_rate must be at least 1",
        ),
        (
            lambda: summary.audio("x", np.zeros((1, 2, 1)), 8, 0, encoding="mp3"),
            ArgumentValueError,
            "not 'mp3'",
        ),
        (lambda: summary.write("x", 1, 0, metadata=3), DTypeError, "metadata must be a message"),
        (lambda: recorded_if(3), DTypeError, "condition of record_if must be bool, not int32"),
    ],
)
def test_invalid_summaries_are_refused(writer: Any, call: Any, error: Any, words: str) -> None:
    with writer.as_default(), pytest.raises(error, match=words):
        call()


def test_invalid_summaries_are_refused_while_tracing(writer: Any) -> None:
    @ag.function
    def write_scalar(x: Any) -> Any:
        return summary.scalar("x", x, step=0)

    with writer.as_default(), pytest.raises(ShapeError, match="must have rank 0"):
        write_scalar(rt.constant([1.0]))


def test_metadata_is_written_unchanged(writer: Any, tmp_path: Path) -> None:
    given = b"\n\x06\n\x04mine"
    with writer.as_default():
        summary.write("x", 1, step=0, metadata=given)
    assert [("x", "mine", b"", 0)] == plugins_in(tmp_path)


def test_a_closed_writer_is_no_default(writer: Any) -> None:
    writer.close()
    with pytest.raises(RuntimeError, match="is closed"), writer.as_default():
        pass
    with pytest.raises(FailedPreconditionError, match="is closed"):
        writer.set_as_default()
    writer.flush()

    @ag.function
    def write_scalar(x: Any) -> Any:
        with writer.as_default():
            return x

    with pytest.raises(
        FailedPreconditionError, match=r"is closed.*\n  at .*test_summaries\.py:\d+, in"
    ):
        write_scalar(1)


def test_a_writer_closed_in_between_refuses_summaries(writer: Any) -> None:
    with writer.as_default():
        writer.close()
        with pytest.raises(FailedPreconditionError, match="is closed"):
            summary.scalar("x", 1.0, step=0)


def test_a_noop_writer_accepts_all_summaries() -> None:
    with summary.create_noop_writer().as_default():
        assert summary.scalar("x", 1.0, step=0)
    with pytest.raises(ArgumentValueError, match="logdir is None"):
        summary.create_file_writer(None)
    with pytest.raises(DTypeError, match="logdir must be a string"):
        summary.create_file_writer(3)


def test_tensorboard_reads_the_summaries(writer: Any, tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    with writer.as_default():
        summary.scalar("loss", 0.5, step=1)
        summary.image("picture", np.zeros((1, 2, 2, 3)), step=1)
    found = EventAccumulator(str(tmp_path)).Reload()
    assert {"loss", "picture"} == set(found.Tags()["tensors"])
    assert 1 == found.Tensors("loss")[0].step


def test_name_scopes_prefix_tags_except_those_of_write(writer: Any, tmp_path: Path) -> None:
    with writer.as_default(step=0), rt.name_scope("train"):
        summary.scalar("loss", 1)
        with rt.name_scope("inner"):
            summary.histogram("weights", [1.0])
        summary.write("raw", 1)
        with summary.experimental.summary_scope("custom") as (tag, scope):
            assert ("train/custom", "train/custom/") == (tag, scope)
            summary.write(tag, 1)
    assert ["train/loss", "train/inner/weights", "raw", "train/custom"] == [
        tag for _, tag, _ in values_in(tmp_path)
    ]


def test_a_function_has_the_scopes_inside_of_it_alone(writer: Any, tmp_path: Path) -> None:
    @ag.function
    def inner() -> Any:
        return summary.scalar("inner", 1, step=0)

    @ag.function
    def outer() -> None:
        with rt.name_scope("mid"):
            inner()
            summary.scalar("outer", 1, step=0)

    with writer.as_default(), rt.name_scope("around"):
        outer()
    assert ["inner", "mid/outer"] == [tag for _, tag, _ in values_in(tmp_path)]
