"""A call that TensorFlow accepts has the same meaning here, or a reason in the table."""

from __future__ import annotations

import inspect

import pytest

from autograph.compat import tensorflow as tf
from autograph.compat.namespace import MISSING
from tools import compare_signatures as compare

PAGE = compare.PAGE.read_text(encoding="utf-8")
ROWS, ALONE, VERSION = compare.stored(PAGE)
NAMES = {name for row in ROWS for name in row.names}


def test_every_difference_has_a_reason_and_every_reason_a_difference() -> None:
    assert [] == list(compare.unexplained(ROWS))


def test_the_page_agrees_with_the_code() -> None:
    assert compare.page(ROWS, ALONE, VERSION) == PAGE


def test_the_page_has_every_callable_of_ours() -> None:
    without_signature = {"errors.OperatorNotAllowedInGraphError"}
    missing = set(compare.public_paths(tf)) - NAMES - set(ALONE) - without_signature
    assert set() == missing


def test_a_row_names_existing_equal_functions() -> None:
    for row in ROWS:
        found = [compare.find(tf, name) for name in row.names]
        assert MISSING not in found, row
        assert 1 == len({compare.signature_text(each) for each in found}), row


def test_the_page_is_of_tensorflow_as_it_is_installed() -> None:
    pytest.importorskip("tensorflow")
    assert compare.made() == PAGE


def test_while_loop_has_tensorflows_argument_order() -> None:
    order = "cond body loop_vars shape_invariants parallel_iterations back_prop swap_memory"
    names = [*inspect.signature(tf.while_loop).parameters]
    assert [*order.split(), "maximum_iterations", "name"] == names
