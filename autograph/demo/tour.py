"""Shows the source, converted code, graph and result of each program of the tour."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from autograph.cli.highlighting import graph_in_colours, python_in_colours
from autograph.cli.listing import listing_of
from autograph.cli.target import load_target
from autograph.cli.terminal import Style, wrap
from autograph.functions.function import Function
from runtime import nest
from runtime.ops.constant import constant

PROGRAMS = Path(__file__).with_name("programs.py")
_MOST_LINES = 26
_TOLERANCE = 1e-4  # graphs compute in float32, plain Python in float64


@dataclass(frozen=True)
class TourProgram:
    """One program of the tour.

    Attributes:
        name: the function in `programs.py`.
        about: the subject of the program, a line of text.
        arguments: its arguments, as plain Python and NumPy values.
    """

    name: str
    about: str
    arguments: tuple[Any, ...]


STOPS = (
    TourProgram(
        "leaky_relu", "An `if` on a tensor becomes a `cond` node with two regions.", (-3.0,)
    ),
    TourProgram("square_root", "A `while` becomes a loop inside the graph.", (2.0,)),
    TourProgram(
        "longest_collatz", "Loops and branches nest; `range` of a tensor is a loop too.", (30,)
    ),
    TourProgram(
        "first_above",
        "A `return` inside a loop leaves the loop, and the function.",
        (np.array([0.5, 1.5, 2.5, 3.5], np.float32), 2.0),
    ),
    TourProgram(
        "matrix_power",
        "The same loop over matrices: Fibonacci numbers by squaring.",
        (np.array([[1, 1], [1, 0]], np.int32), 30),
    ),
)


def give_tour(style: Style) -> bool:
    """Print all programs, with comparisons of their results to those of plain Python.

    Returns:
        Whether all results are the same.
    """
    started = time.perf_counter()
    print("Five programs, each run as plain Python and as a graph.\n")
    agreed = [_visit(stop, number, style) for number, stop in enumerate(STOPS, 1)]
    seconds = time.perf_counter() - started
    print(f"{sum(agreed)} of {len(STOPS)} results agree with plain Python ({seconds:.1f} s).")
    print("Next: python -m autograph run --trace FILE.py:FUNCTION ARGS...")
    return all(agreed)


def _visit(stop: TourProgram, number: int, style: Style) -> bool:
    python_function = load_target(f"{PROGRAMS}:{stop.name}").python_function
    function = Function(python_function)
    tensors = tuple(map(constant, stop.arguments))
    listing = listing_of(python_function)
    print(f"{style.heading(f'{number}. {stop.name}')}\n{stop.about}\n")
    _section("source", python_in_colours(listing.source_text, style), style)
    converted = _shortened(listing.code, style)
    _section("converted code", python_in_colours(converted, style), style)
    graph = _fitting(function.get_concrete_function(*tensors).graph.as_text().rstrip(), style)
    _section("graph", graph_in_colours(graph, style), style)
    return _compare(stop, function, python_function, tensors, style)


def _compare(
    stop: TourProgram,
    function: Function,
    python_function: Callable[..., Any],
    tensors: tuple[Any, ...],
    style: Style,
) -> bool:
    expected = python_function(*stop.arguments)
    result = nest.map_structure(lambda tensor: tensor.numpy(), function(*tensors))
    agrees, exact = agree(expected, result), agree(expected, result, 0.0)
    same = "the same" if exact else "the same but for the rounding of float32"
    verdict = style.paint(same, "good") if agrees else style.paint("DIFFERENT", "bad")
    shown = ", ".join(map(_plain, stop.arguments))
    print(f"{stop.name}({shown})")
    print(f"  graph         {_plain(result)}")
    print(f"  plain Python  {_plain(expected)}   {verdict}\n")
    return agrees


def agree(expected: Any, result: Any, tolerance: float = _TOLERANCE) -> bool:
    """Return whether two results have the same structure and numbers, up to rounding."""
    try:
        nest.assert_same_structure(expected, result)
    except (TypeError, ValueError):
        return False
    pairs = zip(nest.flatten(expected), nest.flatten(result))
    return all(
        np.shape(a) == np.shape(b) and np.allclose(np.float64(a), np.float64(b), tolerance, 0)
        for a, b in pairs
    )


def _section(title: str, text: str, style: Style) -> None:
    print(style.paint(title, "name"))
    print("\n".join(f"  {line}".rstrip() for line in text.split("\n")), end="\n\n")


def _shortened(code: str, style: Style) -> str:
    lines = _fitting(code, style).split("\n")
    if len(lines) <= _MOST_LINES + 2:
        return "\n".join(lines)
    hidden = f"... {len(lines) - _MOST_LINES} more lines ..."
    return "\n".join([*lines[:_MOST_LINES], style.paint(hidden, "note")])


def _fitting(text: str, style: Style) -> str:
    return "\n".join(piece for line in text.split("\n") for piece in wrap(line, style.columns - 2))


def _plain(value: Any) -> str:
    """Return the text of a value as in Python, without NumPy's type."""
    if isinstance(value, tuple):
        return f"({', '.join(map(_plain, value))})"
    return str(value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value)
