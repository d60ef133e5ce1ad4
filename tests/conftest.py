"""Options and profiles every test shares."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

# Quick and repeatable unless the full sweep is asked for.
settings.register_profile("quick", max_examples=25, deadline=None, derandomize=True)
settings.register_profile("full", max_examples=300, deadline=None)
settings.load_profile("full" if os.environ.get("AUTOGRAPH_FULL_LAWS") == "1" else "quick")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`pytest --update-goldens` rewrites `golden_outputs/` instead of comparing with it."""
    parser.addoption(
        "--update-goldens",
        action="store_true",
        help="rewrite golden_outputs/ from the programs, and remove files without a program",
    )
