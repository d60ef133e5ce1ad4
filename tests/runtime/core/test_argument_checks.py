"""Settings of functions are converted, or refused with their name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core import argument_checks as settings
from runtime.errors import ArgumentValueError, DTypeError, OutOfMemoryError, SymbolicTensorError


@pytest.mark.parametrize(
    "value, expected",
    [(True, True), (0, False), (None, False), (np.bool_(True), True), (rt.constant(1), True)],
)
def test_a_flag_is_a_boolean(value: Any, expected: bool) -> None:
    assert expected is settings.flag(value, "keepdims")


@pytest.mark.parametrize(
    "value", ["yes", [], [0, 0], 1.5, 2, -1, np.array([True, False]), object()]
)
def test_other_values_are_no_flags(value: Any) -> None:
    with pytest.raises(DTypeError, match="keepdims must be True or False, not "):
        settings.flag(value, "keepdims")


def test_a_flag_must_be_known_while_tracing() -> None:
    graph = rt.Graph("test")
    x = graph.add_input(rt.TensorSpec((), "bool"), "x")
    with pytest.raises(SymbolicTensorError, match="keepdims must be known"):
        settings.flag(x, "keepdims")


def test_a_choice_is_one_of_the_names() -> None:
    assert "SAME" == settings.choice("SAME", "padding", ("SAME", "VALID"))
    for wrong in ("same", None, ["SAME"], np.array(["SAME", "VALID"])):
        with pytest.raises(
            ArgumentValueError, match="padding must be one of 'SAME', 'VALID', not "
        ):
            settings.choice(wrong, "padding", ("SAME", "VALID"))


def test_a_number_is_one_real_number() -> None:
    assert 0.5 == settings.number(np.float32(0.5), "alpha")
    assert 2 == settings.number(2, "alpha")
    tensor = rt.constant(2.0)
    assert tensor is settings.number(tensor, "alpha")
    for wrong in (
        "2",
        [2.0],
        1j,
        None,
        np.array([1.0, 2.0]),
        rt.constant([2.0]),
        rt.constant(True),
    ):
        with pytest.raises(DTypeError, match="alpha must be a number, not "):
            settings.number(wrong, "alpha")


def test_texts_functions_lists_and_paths() -> None:
    assert "" == settings.plain_text(None, "message", "")
    assert [1, 2] == settings.listed((1, 2), "sizes")
    assert [0, 1] == [int(each) for each in settings.listed(rt.range(2), "sizes")]
    assert {"a": 1} == settings.dict_argument({"a": 1}, "logs") and {} == settings.dict_argument(
        None, "logs"
    )
    assert "a/b" == settings.file_path(Path("a/b"), "folder")
    for check, wrong in (
        (settings.plain_text, b"bytes"),
        (settings.plain_text, None),
        (settings.function, 3),
        (settings.listed, 3),
        (settings.listed, "text"),
        (settings.listed, np.array(3)),
        (settings.listed, rt.constant(3)),
        (settings.file_path, b"bytes"),
        (settings.file_path, 3),
        (settings.dict_argument, [("a", 1)]),
    ):
        with pytest.raises(DTypeError, match="this one must be .*, not "):
            check(wrong, "this one")
    with pytest.raises(ArgumentValueError, match=r"this one 'a\\x00b' must not hold a zero byte"):
        settings.file_path("a\0b", "this one")


def test_a_long_value_is_cut_in_a_message() -> None:
    assert 60 == len(settings.shown(list(range(1000))))
    assert "\n" not in settings.shown(np.zeros((9, 9)))


def test_a_list_larger_than_memory_is_refused() -> None:
    with pytest.raises(OutOfMemoryError, match="sizes has more items than memory can hold"):
        settings.listed(range(2**60), "sizes")


def test_a_lone_surrogate_is_no_text_of_a_tensor(tmp_path: Path) -> None:
    half = "a\ud800b"

    @ag.function
    def in_a_graph(x: Any) -> Any:
        text = half
        if x > 0:
            text = "b"
        return text

    @ag.function
    def formatted(x: Any) -> Any:
        return f"{half}{x}"

    one = rt.constant(1)
    calls: list[Any] = [
        lambda: settings.utf8(half),
        lambda: rt.constant(half),
        lambda: rt.constant(["a", half]),
        lambda: rt.strings.join(["a", half]),
        lambda: rt.strings.split("a b", half),
        lambda: rt.strings.regex_replace("a", "a", half),
        lambda: rt.strings.format(half + "{}", one),
        lambda: rt.constant("a") == half,
        lambda: ag.function(lambda text: text)(half),
        lambda: list(rt.data.Dataset.from_tensor_slices([half])),
        lambda: in_a_graph(one),
        lambda: formatted(one),
    ]
    for call in calls:
        with pytest.raises(
            ArgumentValueError, match=r"holds half of a character \('\\ud800' at 1\)"
        ):
            call()
    with pytest.raises(ArgumentValueError, match="is not a valid path: surrogates not allowed"):
        rt.train.Checkpoint(v=rt.Variable(1.0)).write(str(tmp_path / half))


def test_a_lone_surrogate_may_be_a_name_or_a_key() -> None:
    half = "a\ud800b"
    assert f"{half}:0" == rt.Variable(1.0, name=half).name
    assert 3 == int(ag.function(lambda given: given[half] + 1)({half: rt.constant(2)}))
    # Bytes that are no UTF-8 stay what they are.
    assert b"\xff!" == rt.strings.regex_replace(b"\xff?", r"\?", "!").numpy()


def test_deeply_nested_arguments_are_refused() -> None:
    deep: dict[str, Any] = {}
    for _ in range(50_000):
        deep = {"inside": deep}
    calls: list[Callable[[], object]] = [
        lambda: rt.numpy_function(lambda x: x, deep, rt.float32),
        lambda: rt.numpy_function(lambda x: x, [1.0], deep),
        lambda: rt.numpy_function(lambda x: x, [deep], rt.float32),
        lambda: rt.numpy_function(lambda x: deep, [1.0], rt.float32),
        lambda: ag.function(lambda x: rt.numpy_function(lambda y: y, deep, rt.float32))(1.0),
        lambda: rt.cast(1.0, deep),
    ]
    for call in calls:
        with pytest.raises(rt.errors.DTypeError, match="nests thousands of levels deep"):
            call()
