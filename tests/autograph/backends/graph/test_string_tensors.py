"""String tensors are formatted equally when eager, converted and in a graph: as bytes."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tensorflow as tf
from runtime.errors import DTypeError

# Of each way to make a text, what TensorFlow 2.21 gives eagerly, with its name for a tensor ours.
WAYS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "f-string": (lambda x: f"{x}", "b'male'"),
    "f-string beside text": (lambda x: f"<{x}|{x}>", "<b'male'|b'male'>"),
    "str.format": (lambda x: "{}".format(x), "b'male'"),  # noqa: UP032
    "format": (lambda x: format(x), "b'male'"),
    "!s": (lambda x: f"{x!s}", "rt.Tensor(b'male', shape=(), dtype=string)"),
    "!r": (lambda x: f"{x!r}", "<rt.Tensor: shape=(), dtype=string, numpy=b'male'>"),
    "str": (lambda x: str(x), "rt.Tensor(b'male', shape=(), dtype=string)"),
    "repr": (lambda x: repr(x), "<rt.Tensor: shape=(), dtype=string, numpy=b'male'>"),
    "%s": (lambda x: "%s" % x, "rt.Tensor(b'male', shape=(), dtype=string)"),  # noqa: UP031
    "in a list": (lambda x: f"{[x]}", "[<rt.Tensor: shape=(), dtype=string, numpy=b'male'>]"),
    "joined": (lambda x: "-".join([f"{x}", "a"]), "b'male'-a"),
    "concatenated": (lambda x: "a" + f"{x}", "ab'male'"),
    "a vector": (lambda x: f"{rt.stack([x, x])}", "[b'male' b'male']"),
    "a matrix": (lambda x: f"{rt.stack([[x], [x]])}", "[[b'male']\n [b'male']]"),
    "tf.strings.format": (lambda x: tf.strings.format("{}", x), '"male"'),
    "laid out": (lambda x: f"{x:>8}|{x:^9}|", " b'male'| b'male' |"),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_string_tensor_is_shown_equally_in_all_forms(way: str) -> None:
    function, expected = WAYS[way]
    x = rt.constant("male")
    for function_of_mode in (function, ag.convert(function), ag.function(function)):
        made = function_of_mode(x)
        assert expected == (made if isinstance(made, str) else made.numpy().decode())


@pytest.mark.parametrize("text", ["é", b"\xff\x00", "it's", 'a "b"', ""])
def test_non_ascii_bytes_are_escaped_as_python_does(text: Any) -> None:
    expected = str(rt.constant(text).numpy())
    for function_of_mode in (lambda x: f"{x}", ag.function(lambda x: f"{x}")):
        made = function_of_mode(rt.constant(text))
        assert expected == (made if isinstance(made, str) else made.numpy().decode())


def test_a_selected_python_string_stays_a_string() -> None:
    def named(n: Any) -> Any:
        name = "male" if n > 0 else "female"
        return f"<{name}>" + "%s" % name + str(name) + ",".join([name, name])  # noqa: UP031

    assert named(1) == ag.function(named)(rt.constant(1)).numpy().decode()
    assert named(-1) == ag.function(named)(rt.constant(-1)).numpy().decode()


def test_print_and_logging_show_the_tensor_and_rt_print_the_string(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    x = rt.constant("male")
    print(x, f"{x}")
    rt.print(x, output_stream=sys.stdout)
    tf.print(x, [x], output_stream=sys.stdout)
    ag.function(lambda x: rt.print(x, [x], output_stream=sys.stdout))(x)
    shown = "rt.Tensor(b'male', shape=(), dtype=string) b'male'\n"
    # TensorFlow quotes all strings but one that is printed alone.
    assert shown + "male\n" + '"male" ["male"]\n' * 2 == capsys.readouterr().out
    with caplog.at_level(logging.INFO):
        logging.info("is %s", x)
    assert caplog.messages == ["is rt.Tensor(b'male', shape=(), dtype=string)"]


def test_str_methods_refuse_string_tensors_with_a_remedy() -> None:
    x = rt.constant("male")
    with pytest.raises(TypeError, match="expected str instance"):
        "-".join([x, x])
    with pytest.raises(DTypeError, match=r"write rt\.strings\.join\(strings, separator\)"):
        ag.function(lambda x: "-".join([x, x]))(x)
    assert rt.strings.join([x, x], "-") == "male-male"
    for function_of_mode in (len, ag.function(lambda x: len(x))):
        with pytest.raises(Exception, match=r"rt\.strings\.length\(x\)"):
            function_of_mode(x)
    for function_of_mode in (list, ag.function(lambda x: list(x))):
        with pytest.raises(Exception, match=r"rt\.strings\.bytes_split\(x\)"):
            function_of_mode(x)
    with pytest.raises(Exception, match=r"make it a string tensor, as in x in rt\.constant"):
        ag.function(lambda x: x in "a male")(x)
    assert ag.function(lambda x: x in rt.constant("a male"))(x)
