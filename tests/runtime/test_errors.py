"""Errors: TensorFlow's names, their Python base classes, and their second line."""

from __future__ import annotations

import pickle

import pytest

from runtime import errors
from runtime.core.context import Origin


@pytest.mark.parametrize(
    "error, family",
    [
        (errors.ArgumentValueError, ValueError),
        (errors.ArgumentValueError, errors.InvalidArgumentError),
        (errors.DivisionByZeroError, ZeroDivisionError),
        (errors.OutOfBoundsError, IndexError),
        (errors.DTypeError, TypeError),
        (errors.DTypeError, errors.InvalidArgumentError),
        (errors.ShapeError, errors.InvalidArgumentError),
        (errors.SymbolicTensorError, TypeError),
        (errors.OutOfScopeError, TypeError),
        (errors.OutOfRangeError, errors.OpError),
    ],
)
def test_errors_belong_to_the_families_programs_catch(error: type, family: type) -> None:
    with pytest.raises(family, match="what happened"):
        raise error("what happened")


@pytest.mark.parametrize(
    "error", [errors.DivisionByZeroError, errors.OutOfBoundsError, errors.DTypeError]
)
def test_invalid_argument_errors_are_no_value_errors(error: type) -> None:
    assert issubclass(error, errors.InvalidArgumentError) and not issubclass(error, ValueError)


def test_an_origin_is_shown_as_a_second_line() -> None:
    error = errors.ShapeError("no", Origin("model.py", 3, "f"))
    assert str(error) == "no\n  at model.py:3, in f" and error.message == "no"
    assert str(errors.ShapeError("no")) == "no"


def test_errors_survive_pickling_with_their_origin() -> None:
    error = pickle.loads(pickle.dumps(errors.DTypeError("no", Origin("model.py", 3, "f"))))
    assert type(error) is errors.DTypeError and error.origin == Origin("model.py", 3, "f")


def test_errors_take_tensorflows_arguments() -> None:
    error = errors.InvalidArgumentError(None, None, "negative size")
    assert ("negative size", None, None, 3) == (
        error.message,
        error.op,
        error.node_def,
        error.error_code,
    )
    assert "negative size" == str(error) == error.args[0]
    named = errors.NotFoundError(node_def=None, op=None, message="no file")
    assert ("no file", 5) == (str(named), named.error_code)


def test_each_name_of_tensorflows_has_its_number() -> None:
    # Recorded from TensorFlow 2.21: tf.errors.CANCELLED, ...
    names = (
        "OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS "
        "PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE "
        "UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED"
    )
    assert list(range(17)) == [getattr(errors, name) for name in names.split()]


@pytest.mark.parametrize(
    "noun, text",
    [("int", "an int"), ("bool", "a bool"), ("ellipsis", "an ellipsis"), ("uint8", "a uint8")],
)
def test_articles(noun: str, text: str) -> None:
    assert errors.with_article(noun) == text
