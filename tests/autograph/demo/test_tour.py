"""The tour's programs, and the comparison of their results."""

from __future__ import annotations

import math

import numpy as np
import pytest

import autograph.demo.programs as programs
from autograph.cli.terminal import Style
from autograph.demo import tour
from autograph.demo.tour import STOPS, TourProgram, agree, give_tour


def test_the_programs_compute_their_results():
    assert (programs.leaky_relu(3.0), programs.leaky_relu(-3.0)) == (3.0, -0.75)
    assert programs.square_root(2.0) == pytest.approx(math.sqrt(2), abs=1e-4)
    assert programs.longest_collatz(30) == (27, 111)
    assert programs.first_above([1, 2, 3], 1) == 2 and programs.first_above([1], 5) == -1.0
    assert programs.matrix_power(np.array([[1, 1], [1, 0]]), 10)[0, 1] == 55


def test_every_program_is_on_the_tour():
    named = [name for name, value in vars(programs).items() if callable(value)]
    assert [stop.name for stop in STOPS] == named


@pytest.mark.parametrize(
    "expected, result, same",
    [
        (1.0, np.float32(1.00001), True),
        (1.0, np.float32(1.1), False),
        ((1, 2), (np.int32(1), np.int32(2)), True),
        ((1, 2), (np.int32(1), np.int32(3)), False),
        ((1, 2), (np.int32(1),), False),
        ([1], [], False),
        (np.ones(2), np.ones((3, 2)), False),
    ],
)
def test_results_are_compared_up_to_rounding(expected, result, same):
    assert agree(expected, result) is same


def test_a_different_result_is_reported(monkeypatch, capsys):
    monkeypatch.setattr(tour, "STOPS", (TourProgram("leaky_relu", "", (-3.0,)),))
    monkeypatch.setattr(tour, "agree", lambda *about: False)
    assert give_tour(Style(True, 80)) is False
    shown = capsys.readouterr().out
    assert "\x1b[31mDIFFERENT\x1b[0m" in shown and "0 of 1 results agree" in shown
