"""A test of many small items as one test, which is quicker than a parametrized test for each."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest


def for_each(
    name: str,
    items: Iterable[Any] | Callable[[], Iterable[Any]],
    ids: Callable[[Any], str] = str,
) -> Any:
    """Run a test for each item, and fail if it fails for some.

    Args:
        name: the parameters of the test that take the item, separated by commas.
        items: the items; tuples for several parameters. A function that returns them is called by
            the test: other tests are then collected without that work.
        ids: returns the text for an item in the message of the failure.

    >>> @for_each("a, b", [(1, 2), (2, 1), (3, 3)])
    ... def test_order(a, b):
    ...     assert a < b
    >>> test_order()
    Traceback (most recent call last):
        ...
    AssertionError: fails for 2 of 3: (2, 1); (3, 3)
    """
    names = [each.strip() for each in name.split(",")]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def run(**fixtures: Any) -> None:
            rows = list(items() if callable(items) else items)
            assert rows, "there is no item to test"
            failed: list[tuple[str, Exception]] = []
            for row in rows:
                values = row if len(names) > 1 else (row,)
                try:
                    test(**dict(zip(names, values, strict=True)), **fixtures)
                except (Exception, pytest.fail.Exception) as error:
                    failed.append((ids(row), error))
            if failed:
                texts = "; ".join(text for text, _ in failed[:20])
                raise AssertionError(
                    f"fails for {len(failed)} of {len(rows)}: {texts}"
                ) from failed[0][1]

        signature = inspect.signature(test)
        left = [each for key, each in signature.parameters.items() if key not in names]
        run.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return run

    return decorate
