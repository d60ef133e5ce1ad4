"""Listings: every line occurs once and has its source line."""

from __future__ import annotations

import pytest

from autograph.cli.html_pages import code_page
from autograph.cli.listing import Listing, listing_of
from tests.corpus import PROGRAMS
from tests.suite_length import sample


@pytest.mark.parametrize("program", sample(PROGRAMS, 3), ids=lambda program: program.id)
def test_rows_hold_both_texts_in_order(program):
    listing = listing_of(program.function)
    left, right = zip(*listing.rows())
    assert [line for line in left if line] == [line for line in listing.source if line]
    assert [line for line in right if line] == [line for line in listing.converted if line]
    last = listing.first_line + len(listing.source) - 1
    origins = set(listing.origins)
    assert origins <= set(range(listing.first_line, last + 1))
    assert len(origins) > 1 or len(listing.source) == 1


def test_a_generated_line_maps_to_its_source_statement():
    def f(x):
        y = 1
        if x > 0:
            y = 2
        return y

    listing = listing_of(f)
    first = listing.first_line
    assert listing.source[0] == "def f(x):"
    made_of = {line.strip(): n - first for n, line in zip(listing.origins, listing.converted)}
    assert made_of["y = 1"] == 1
    assert made_of["def if_body():"] == 2
    assert made_of["y = 2"] == 3
    assert made_of["retval_ = ag__.ld(y)"] == 4


def test_the_page_escapes_and_numbers_lines():
    page = code_page(Listing(("a < b",), 7, ("tf & c", ""), (7, 7)), "f & g")
    assert "<title>f &amp; g</title>" in page
    assert '<li data-line="7"><i>   7 </i>a &lt; b</li>' in page
    assert '<li data-line="7">tf &amp; c</li>' in page
