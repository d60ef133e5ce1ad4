"""The messages about typing mistakes, to be read: `golden_outputs/mistakes.md`."""

from __future__ import annotations

import pytest

import autograph.runtime  # noqa: F401 (errors name the module as programs import it)
from tests.golden import store
from tests.golden.mistakes import MISTAKES, rating_of, report_of

NAME = "mistakes"


def page() -> str:
    """The mistakes with their messages, one after the other."""
    parts = ["# Typing mistakes and their messages"]
    for mistake in MISTAKES:
        report = report_of(mistake)
        named = [word for word, is_named in rating_of(mistake, report).items() if is_named]
        parts += [
            f"## {mistake.title[0].upper()}{mistake.title[1:]}",
            f"```python\n{mistake.program}\n```",
            f"```text\n{report.kind}: {report.message}\n```",
            f"It names: {', '.join(named) or 'nothing'}.",
        ]
    return "\n\n".join(parts) + "\n"


def test_the_messages_name_line_variable_and_remedy() -> None:
    ratings = {each.title: rating_of(each, report_of(each)) for each in MISTAKES}
    assert 74 == len(ratings)
    assert {} == {title: rating for title, rating in ratings.items() if not all(rating.values())}


def test_the_golden_messages_agree_with_the_printed_ones(request: pytest.FixtureRequest) -> None:
    text = page()
    if request.config.getoption("--update-goldens"):
        list(store.write({NAME: text}))
    assert "" == store.difference(NAME, text)
