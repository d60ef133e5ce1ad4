"""Internal and user frames, and the frames of one call."""

from __future__ import annotations

import os
import sys

import pytest

from autograph.backends.protocol import Backends
from autograph.backends.python import PythonBackend
from autograph.conversion.convert import convert, to_graph
from autograph.conversion.converter import FunctionConverter
from autograph.converters.pipeline import convert_function
from autograph.operators import frames
from autograph.operators.frames import (
    CodeInfo,
    code_info_of,
    frames_of_call,
    is_body,
    is_internal_code,
    is_placeholder,
    user_frames,
)
from runtime.core.internal_files import PACKAGE_PREFIXES, is_internal_file

GLOBAL = "global"


def test_the_files_of_both_packages_are_internal_and_no_others() -> None:
    assert is_internal_file(frames.__file__)
    assert is_internal_file(f"{PACKAGE_PREFIXES[1]}ops{os.sep}op.py")
    assert not is_internal_file(__file__)
    assert not is_internal_file(f"{PACKAGE_PREFIXES[0][:-1]}_of_mine.py")


def test_code_objects_have_parts() -> None:
    part = CodeInfo(frozenset({"x"}), is_body=True)
    code = compile("x", "f.py", "eval")
    marked = code.replace(co_consts=(*code.co_consts, part))
    assert (None, part) == (code_info_of(code), code_info_of(marked))
    assert (False, True) == (is_body(code), is_body(marked))


def ask() -> object:
    if GLOBAL:
        frames = [frame for _, frame in user_frames(sys._getframe(0))]
        whole = [frame.f_code.co_name for frame in frames_of_call(frames[0])]
        return whole, frames[1].f_code.co_name
    return None


@pytest.mark.usefixtures("half")
def test_a_call_on_values_of_python_is_one_frame() -> None:
    assert (["ask"], "test_a_call_on_values_of_python_is_one_frame") == ask()
    assert (["ask"], "test_a_call_on_values_of_python_is_one_frame") == to_graph(ask)()


def test_user_frames_skip_ours_and_group_each_call() -> None:
    staging = FunctionConverter(Backends((PythonBackend(),)), convert_function)
    caller = "test_user_frames_skip_ours_and_group_each_call"
    assert (["ask", "ask"], caller) == staging.to_graph(ask)()


def test_a_deferred_function_is_internal() -> None:
    waiting, made = convert(ask), to_graph(ask)
    assert is_placeholder(waiting.__code__) and is_internal_code(waiting.__code__)
    assert not is_internal_file(waiting.__code__.co_filename)
    assert not is_placeholder(made.__code__) and not is_internal_code(made.__code__)
    waiting()
    assert not is_placeholder(waiting.__code__)
