"""Fresh names never equal a name of the user."""

from __future__ import annotations

from autograph.syntax import Namer


def test_numbers_follow_the_plain_name() -> None:
    namer = Namer()
    assert [namer.fresh("body") for _ in range(3)] == ["body", "body_1", "body_2"]


def test_reserved_names_are_skipped() -> None:
    namer = Namer({"body", "body_2"})
    assert [namer.fresh("body") for _ in range(2)] == ["body_1", "body_3"]


def test_names_of_a_scope_are_avoided_that_time_only() -> None:
    namer = Namer()
    assert namer.fresh("itr", scope_names=["itr"]) == "itr_1"
    assert namer.fresh("itr") == "itr"
    assert namer.fresh("itr") == "itr_2"


def test_fresh_names_are_unique() -> None:
    namer = Namer()
    names = [namer.fresh(base) for base in ("x", "x", "x_1", "x_1", "x")]
    assert len(set(names)) == len(names)


def test_keywords_are_no_names() -> None:
    assert Namer().fresh("return") == "return_1"


def test_names_can_be_reserved_later() -> None:
    namer = Namer()
    namer.reserve(["a"])
    assert namer.is_taken("a") and not namer.is_taken("b")
    assert namer.fresh("a") == "a_1"
    assert namer.is_taken("a_1")
