"""Staged conditionals: variables of both branches are joined."""

from __future__ import annotations

import pytest

import runtime as rt
from autograph.backends.graph.containers.staged_list import StagedList
from autograph.backends.graph.values.dtype_join import dtype_join
from autograph.backends.undefined import Undefined, UndefinedReturnValue
from autograph.errors import (
    BranchMismatch,
    ConditionError,
    StagingError,
)
from autograph.operators.frames import CodeInfo
from autograph.operators.variables import ld
from tests.autograph.backends.graph.generated_code import (
    BACKEND,
    BOOL,
    FLOAT,
    INT,
    VECTOR,
    Staged,
    Variables,
)


def choose(pred, then, orelse, v, *names, nouts=None):
    """Run `if pred: then() else: orelse()` over the variables `names` of `v`."""
    BACKEND.cond(pred, then, orelse, v.state(*names, nouts=nouts))


def generated(fn):
    """Mark a function as a converted one, whose variables are watched in a branch."""
    part = CodeInfo(frozenset(fn.__code__.co_varnames), is_body=False)
    fn.__code__ = fn.__code__.replace(co_consts=(*fn.__code__.co_consts, part))
    return fn


def assigning(v, name, value):
    return lambda: setattr(v, name, value() if callable(value) else value)


def nothing():
    return None


@pytest.mark.parametrize("x, expected", [(3, 6), (-3, 3), (0, 0)])
def test_each_path_returns_its_value(x, expected):
    def f(x):
        v = Variables(y=0)
        choose(x > 0, assigning(v, "y", lambda: x + x), assigning(v, "y", lambda: -x), v, "y")
        return v.y

    assert expected == Staged(f, INT)(x)


@pytest.mark.parametrize(
    "main, other, dtype",
    [(1, 2, rt.int32), (1, 1.5, rt.float32), (True, 2, rt.int32), (False, 2.5, rt.float32)],
)
def test_literals_of_different_kinds_join_as_the_wider_kind(main, other, dtype):
    def f(p):
        v = Variables(y=None)
        choose(p, assigning(v, "y", main), assigning(v, "y", other), v, "y")
        return v.y

    staged = Staged(f, BOOL)
    assert dtype == staged.result.dtype and staged.result.weak
    assert (main, other) == (staged(True), staged(False))


def test_a_literal_adopts_the_dtype_of_a_joined_tensor():
    def f(x):
        v = Variables(y=None)
        choose(x > 0, assigning(v, "y", x), assigning(v, "y", 0), v, "y")
        return v.y

    staged = Staged(f, FLOAT)
    assert rt.float32 == staged.result.dtype and not staged.result.weak
    assert (2.5, 0.0) == (staged(2.5), staged(-1.0))


def test_the_same_literal_in_both_branches_stays_python():
    def f(p):
        v = Variables(flag=False, y=0)
        run = assigning(v, "flag", True)
        choose(p, run, run, v, "flag", "y")
        assert v.flag is True and v.y == 0
        return rt.constant(1)

    assert 0 == Staged(f, BOOL).count("cond")


def test_a_flag_is_constant_after_the_statements_it_guards():
    def f(x):
        v = Variables(done=False, y=UndefinedReturnValue())

        def first():
            v.done, v.y = True, x

        def rest():
            v.done, v.y = True, x * 10

        choose(x > 5, first, nothing, v, "done", "y")
        choose(rt.logical_not(v.done), rest, nothing, v, "done", "y")
        assert v.done is True
        return v.y

    staged = Staged(f, INT)
    assert (6, 30) == (staged(6), staged(3))


def test_branches_see_the_state_before_the_statement():
    def f(x):
        v = Variables(a=x, b=[x, x])

        def main():
            v.a = v.a + 1
            v.b[0] = v.a

        def other():
            v.b[1] = v.a * 100

        kept = v.b
        choose(x > 0, main, other, v, "a", "b")
        assert kept is v.b
        return v.a, v.b

    staged = Staged(f, INT)
    assert (3, [3, 2]) == staged(2)
    assert (-2, [-2, -200]) == staged(-2)


@pytest.mark.parametrize("use", [True, False])
def test_a_name_bound_on_one_path_is_an_error_only_where_it_is_read_unbound(use):
    def f(p):
        v = Variables(y=Undefined("y"))
        choose(p, assigning(v, "y", 5), nothing, v, "y")
        return ld(v.y) + 1 if use else rt.constant(0)

    staged = Staged(f, BOOL)
    assert (6 if use else 0) == staged(True)
    if use:
        with pytest.raises(UnboundLocalError, match="'y'"):
            staged(False)
    else:
        assert 0 == staged(False)


def test_reading_an_unbound_name_in_one_branch_is_an_error_of_that_branch_only():
    def f(p):
        v = Variables(y=Undefined("y"), z=0)

        def main():
            v.z = ld(v.y)

        choose(p, main, assigning(v, "z", 7), v, "z")
        return v.z

    staged = Staged(f, BOOL)
    assert 7 == staged(False)
    with pytest.raises(UnboundLocalError, match="'y'"):
        staged(True)


def test_only_outputs_of_a_conditional_are_joined():
    def f(x):
        v = Variables(y=x, temporary=x)

        def main():
            v.temporary = x + 1.5
            v.y = rt.cast(v.temporary, rt.int32)

        choose(x > 0, main, nothing, v, "y", "temporary", nouts=1)
        assert v.temporary is x
        return v.y

    spec = rt.TensorSpec((), rt.float32)
    with pytest.raises(BranchMismatch, match="'y' has dtype int32"), dtype_join("strict"):
        Staged(f, spec)
    staged = Staged(f, spec)
    assert [3, -2.5] == [staged(2.0), staged(-2.5)]


@pytest.mark.parametrize(
    "main, other, error, words",
    [
        (
            lambda: rt.constant(1),
            lambda: rt.constant(1.0),
            BranchMismatch,
            "dtype int32 in the main",
        ),
        (lambda: 1.5, lambda: rt.constant(1), BranchMismatch, "'y' has dtype float32"),
        (lambda: "a", lambda: rt.constant(1), BranchMismatch, "'y' has dtype string"),
        (lambda: (1, 2), lambda: (1,), BranchMismatch, "same nested structure"),
        (lambda: {"a": 1}, lambda: {"b": 1}, BranchMismatch, "same nested structure"),
        (lambda: (1, 2), lambda: [1, 2], BranchMismatch, "same nested structure"),
        (lambda: len, lambda: rt.constant(1), BranchMismatch, "must stay the same object"),
    ],
)
def test_unjoinable_values_are_refused_by_name_and_rolled_back(main, other, error, words):
    def f(p):
        v = Variables(y=0)
        with pytest.raises(error, match=words) as caught, dtype_join("strict"):
            choose(p, assigning(v, "y", main), assigning(v, "y", other), v, "y")
        assert 0 == v.y
        assert "test_conditional.py" in str(caught.value)
        return rt.constant(0)

    assert 0 == Staged(f, BOOL).count("cond")


class Trouble(Exception):
    def __init__(self, why, code):
        super().__init__(why)
        self.code = code


def test_an_exception_is_raised_only_on_its_path():
    def f(p):
        v = Variables(y=1)

        def main():
            v.y = 2
            raise Trouble("user", code=7)

        choose(p, main, assigning(v, "y", 3), v, "y")
        return v.y

    staged = Staged(f, BOOL)
    assert 3 == staged(False)
    for _ in range(2):
        with pytest.raises(Trouble, match="user") as caught:
            staged(True)
        assert 7 == caught.value.code
        (note,) = caught.value.__notes__
        assert f"at {__file__}:" in note and note.endswith(", in main")


def test_a_tracing_error_is_raised_at_once_and_rolled_back():
    @generated
    def function(p):
        v = Variables(y=1)
        items = [1]

        def main():
            v.y = 2
            items.append(v.y)
            bool(p)

        with pytest.raises(rt.errors.SymbolicTensorError):
            choose(p, main, nothing, v, "y")
        assert [1] == items
        return rt.constant(v.y)

    assert 1 == Staged(function, BOOL)(True)


def test_recursion_that_depends_on_a_tensor_is_refused():
    def count(n):
        v = Variables(y=0)
        choose(n > 0, assigning(v, "y", lambda: count(n - 1) + 1), nothing, v, "y")
        return v.y

    with pytest.raises(StagingError, match="recursion"):
        Staged(count, INT)


def test_shapes_widen():
    def f(x):
        v = Variables(y=None)
        choose(
            rt.reduce_sum(x) > 0,
            assigning(v, "y", lambda: rt.concat([x, x], 0)),
            assigning(v, "y", lambda: rt.zeros([1])),
            v,
            "y",
        )
        return v.y

    staged = Staged(f, rt.TensorSpec((2,), rt.float32))
    assert (None,) == tuple(staged.result.shape)
    assert [1.0, 2.0, 1.0, 2.0] == staged([1, 2])
    assert [0.0] == staged([-1, -2])


@pytest.mark.parametrize("x, truth", [(0, False), (3, True), (-1, True)])
def test_a_number_is_true_unless_zero(x, truth):
    def f(x):
        v = Variables(y=0)
        choose(x, assigning(v, "y", 1), assigning(v, "y", 2), v, "y")
        return v.y

    assert (1 if truth else 2) == Staged(f, INT)(x)


@pytest.mark.parametrize(
    "spec, words",
    [
        (VECTOR, None),
        (rt.TensorSpec((2,), rt.bool), "reduce_all"),
        (rt.TensorSpec((), rt.string), "string"),
    ],
)
def test_a_condition_is_a_scalar(spec, words):
    def f(x):
        choose(x, nothing, nothing, Variables())
        return rt.constant(0)

    if words is None:
        Staged(f, spec)  # One element or not: known only at run time.
    else:
        with pytest.raises(ConditionError, match=words):
            Staged(f, spec)


def test_a_list_that_grows_in_a_branch_keeps_its_identity():
    @generated
    def function(p):
        items = [1]
        other_name = items
        v = Variables()

        def main():
            items.append(2)

        choose(p, main, nothing, v)
        assert other_name is items
        return StagedList(items).length()

    staged = Staged(function, BOOL)
    assert [2, 1] == [staged(True), staged(False)]


def test_an_item_or_attribute_assigned_in_a_branch_is_joined():
    @generated
    def function(x):
        items, settings, point = [x, x], {"k": x, "deep": ([x],)}, Variables(a=x)

        def main():
            items[0] = x + 1
            settings["k"] = x + 2
            settings["deep"][0][0] = x + 4
            point.a = x + 3

        choose(x > 0, main, nothing, Variables())
        return items, settings, point.a

    staged = Staged(function, INT)
    assert ([2, 1], {"k": 3, "deep": ([5],)}, 4) == staged(1)
    assert ([-1, -1], {"k": -1, "deep": ([-1],)}, -1) == staged(-1)


def test_a_tensor_that_is_the_condition_stays_a_tensor_in_its_branches():
    def function(flag):
        v = Variables(flag=flag, rank=-1)

        def main():
            v.rank = v.flag.shape.rank

        def orelse():
            v.rank, v.flag = v.flag.shape.rank, rt.logical_not(v.flag)

        choose(flag, main, orelse, v, "flag", "rank")
        return v.flag, v.rank

    staged = Staged(function, BOOL)
    assert [(True, 0)] * 2 == [staged(True), staged(False)]
