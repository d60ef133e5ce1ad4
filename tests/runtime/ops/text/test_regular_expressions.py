"""Search and split of strings agree with TensorFlow 2.21 (recorded)."""

from __future__ import annotations

from typing import Any

import pytest

import autograph as ag
import runtime as rt
from runtime.errors import InvalidArgumentError, ShapeError, UnimplementedError

strings = rt.strings

REPLACED = [
    ("baac", "a*", "x", b"xbxcx"),
    ("hello world", r"(\w+) (\w+)", r"\2 \1 \0", b"world hello hello world"),
    ("a1-é", "[[:alpha:]]", "_", "_1-é".encode()),
    ("é1", r"\w", "_", "é_".encode()),
    ("a", "a", r"\3", b"a"),
    ("a.b", r"\.", "\\\\", b"a\\b"),
    ("a]b", "[]b]", "x", b"axx"),
    ("[a", "[[a]", "x", b"xx"),
    (b"\xffa", "a", "b", b"\xffb"),
]


@pytest.mark.parametrize(("text", "pattern", "rewrite", "expected"), REPLACED)
def test_matches_are_rewritten(text: Any, pattern: str, rewrite: str, expected: bytes) -> None:
    assert expected == strings.regex_replace(text, pattern, rewrite).numpy()


def test_only_the_first_match_is_rewritten_if_that_is_wanted() -> None:
    assert b"baa" == strings.regex_replace("aaa", "a", "b", replace_global=False).numpy()


def test_a_full_match_includes_the_end_of_the_text() -> None:
    found = strings.regex_full_match(["abc", "ab\n", "ab"], "ab$").numpy().tolist()
    assert [False, False, True] == found
    assert strings.regex_full_match("éa", "..").numpy()


@pytest.mark.parametrize("pattern", ["(", "a(?=b)", r"(a)\1", "(?<!a)b", "[[:nothing:]]", "[a"])
def test_patterns_that_tensorflow_refuses_are_refused(pattern: str) -> None:
    with pytest.raises(InvalidArgumentError, match="Invalid pattern"):
        strings.regex_replace("a", pattern, "b")
    with pytest.raises(InvalidArgumentError, match="Invalid pattern"):
        strings.regex_full_match("a", pattern)


def test_unsupported_character_classes_are_refused() -> None:
    with pytest.raises(UnimplementedError, match="is not supported in patterns"):
        strings.regex_replace("a", r"\pL", "b")


SPLIT = [
    (("a b  c",), {}, [b"a", b"b", b"c"]),
    (("a,b,,c", ","), {}, [b"a", b"b", b"", b"c"]),
    (("a,b,c", ","), {"maxsplit": 1}, [b"a", b"b,c"]),
    ((" a b c ",), {"maxsplit": 1}, [b"a", b"b c "]),
    (("",), {}, []),
    (("", ","), {}, [b""]),
]


@pytest.mark.parametrize(("arguments", "options", "expected"), SPLIT)
def test_one_string_is_cut(arguments: Any, options: Any, expected: Any) -> None:
    assert expected == strings.split(*arguments, **options).numpy().tolist()


def test_bytes_are_cut() -> None:
    assert [b"h", b"\xc3", b"\xa9", b"a"] == strings.bytes_split("héa").numpy().tolist()
    assert (0,) == strings.bytes_split("").shape


def test_splitting_several_strings_names_a_remedy() -> None:
    for cut in (strings.split, strings.bytes_split, lambda x: strings.unicode_split(x, "UTF-8")):
        with pytest.raises(ShapeError, match=r"one string, not shape \(2,\).*one by one"):
            cut(["a b", "c"])


def test_a_graph_cuts_at_each_call() -> None:
    @ag.function
    def longest(text: Any) -> Any:
        best = 0
        for word in strings.split(text):
            best = rt.maximum(best, strings.length(word))
        return best

    assert [6, 3] == [longest(rt.constant(t)).numpy() for t in ("a longer b", "abc d")]


NGRAMS = [
    ((["a", "b", "c", "d"], 2), {}, [b"a b", b"b c", b"c d"]),
    (([["a", "b"], ["d", "e"]], [1, 2], "-"), {}, [[b"a", b"b", b"a-b"], [b"d", b"e", b"d-e"]]),
    (
        (["a", "b"], 3),
        {"pad_values": ("<", ">")},
        [b"< < a", b"< a b", b"a b >", b"b > >"],
    ),
    ((["a", "b"], 3), {}, []),
    ((["a", "b"], 3), {"preserve_short_sequences": True}, [b"a b"]),
    ((["a", "b"], [3, 1]), {"preserve_short_sequences": True}, [b"a", b"b"]),
    (
        (["a", "b"], [2, 3]),
        {"pad_values": "|", "padding_width": 1},
        [b"| a", b"a b", b"b |", b"| a b", b"a b |"],
    ),
]


@pytest.mark.parametrize(("arguments", "options", "expected"), NGRAMS)
def test_neighbours_are_joined(arguments: Any, options: Any, expected: Any) -> None:
    assert expected == strings.ngrams(*arguments, **options).numpy().tolist()


def test_bad_ngrams() -> None:
    with pytest.raises(ShapeError, match="rank>0"):
        strings.ngrams("a", 1)
    with pytest.raises(InvalidArgumentError, match="greater than 0. Got 0"):
        strings.ngrams(["a"], 0)


FORMATTED = [
    (("a {} b {}", (list(range(1, 9)), "x")), {}, b'a [1 2 3 ... 6 7 8] b "x"'),
    (("{}", [["a", "b"]]), {}, b'["a" "b"]'),
    (("{}", 1.5), {}, b"1.5"),
    (("%t%", rt.range(10)), {"placeholder": "%t%", "summarize": 1}, b"[0 ... 9]"),
    (("no", ()), {}, b"no"),
    (("{}", rt.constant([True])), {}, b"[1]"),
]


@pytest.mark.parametrize(("arguments", "options", "expected"), FORMATTED)
def test_format_inserts_tensors(arguments: Any, options: Any, expected: bytes) -> None:
    assert expected == strings.format(*arguments, **options).numpy()


def test_format_checks_the_number_of_inputs() -> None:
    with pytest.raises(InvalidArgumentError, match="expects 2 tensors, but there are 1 inputs"):
        strings.format("{} {}", 1)
