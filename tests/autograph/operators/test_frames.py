"""Frames are the user's or ours, and those of one call belong together."""

from __future__ import annotations

import os
import sys

from autograph.conversion.convert import to_graph
from autograph.operators import frames
from autograph.operators.frames import (
    PACKAGE_PREFIXES,
    Part,
    frames_of_call,
    is_body,
    is_internal_file,
    part_of,
    user_frames,
)

GLOBAL = "global"


def test_the_files_of_both_packages_are_internal_and_no_others() -> None:
    assert is_internal_file(frames.__file__)
    assert is_internal_file(f"{PACKAGE_PREFIXES[1]}ops{os.sep}op.py")
    assert not is_internal_file(__file__)
    assert not is_internal_file(f"{PACKAGE_PREFIXES[0][:-1]}_of_mine.py")


def test_code_carries_its_part() -> None:
    part = Part(frozenset({"x"}), is_body=True)
    code = compile("x", "f.py", "eval")
    marked = code.replace(co_consts=(*code.co_consts, part))
    assert (None, part) == (part_of(code), part_of(marked))
    assert (False, True) == (is_body(code), is_body(marked))


def test_user_frames_skip_ours_and_group_what_is_one_call() -> None:
    def ask() -> object:
        if GLOBAL:
            frames = [frame for _, frame in user_frames(sys._getframe(0))]
            whole = [frame.f_code.co_name for frame in frames_of_call(frames[0])]
            return whole[0], len(whole), frames[1].f_code.co_name
        return None

    converted = to_graph(ask)()
    assert ("ask", 1, "test_user_frames_skip_ours_and_group_what_is_one_call") == ask()
    assert ("ask", 2, "test_user_frames_skip_ours_and_group_what_is_one_call") == converted
