"""Values that are equal in Python and must have different traces, or be refused."""

from __future__ import annotations

import collections
import dataclasses
import functools

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.errors import ArgumentMutationError, SignatureError

pytestmark = pytest.mark.filterwarnings("ignore::autograph.errors.RetracingWarning")
T = rt.constant


def test_keys_of_dicts_by_type_and_value():
    first = ag.function(lambda d: str(list(d)[0]))
    for key in (1, True, 1.0, 0.0, -0.0, (1,), (True,), np.int32(1), np.int64(1)):
        assert first({key: 2}).numpy().decode() == str(key)
    assert first.experimental_get_tracing_count() == 9


def test_extra_attributes_of_a_dataclass_are_keyed():
    @dataclasses.dataclass
    class Point:
        x: int

        def __post_init__(self):
            self.extra = 7

    first, second = Point(1), Point(1)
    second.extra = T(100)
    total = ag.function(lambda p: p.x + p.extra)
    assert [int(total(p)) for p in (first, second, first)] == [8, 101, 8]


def test_the_factory_of_a_defaultdict():
    missing = ag.function(lambda d: d.copy()["missing"])
    five, six = (lambda: 5), (lambda: 6)
    for factory in (int, five, six, int):
        assert int(missing(collections.defaultdict(factory))) == factory()
    assert missing.experimental_get_tracing_count() == 3


class Word(str):
    pass


class Row(list):
    pass


class Table(dict):
    pass


class Number(int):
    pass


@pytest.mark.parametrize("value", [Word("a"), Row([1]), Table(a=1), Number(3)])
def test_attributes_of_lists_numbers_and_texts_are_refused(value):
    kind = ag.function(lambda x: type(x).__name__)
    assert kind(value).numpy().decode() == type(value).__name__
    value.note = 1
    with pytest.raises(SignatureError, match=r"has attributes of its own \(note\)"):
        kind(value)


class Slotted:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return isinstance(other, Slotted)

    def __hash__(self):
        return 1


def test_equal_objects_that_cannot_be_referred_to_weakly():
    value = ag.function(lambda o: o.value)
    assert [int(value(Slotted(n))) for n in (1, 2)] == [1, 2]
    stop = ag.function(lambda r: r.stop)
    assert [int(stop(r)) for r in (range(0, 3, 2), range(0, 4, 2))] == [3, 4]


def test_a_set_must_not_be_modified():
    @ag.function
    def add(seen, x):
        seen.add(5)
        return x

    given = {1, 2}
    with pytest.raises(
        ArgumentMutationError, match="changes its argument 'seen'.*seen = set"
    ) as caught:
        add(given, T(0))
    assert given == {1, 2} and "seen.add(5)" in str(caught.value)
    same = ag.function(lambda a, b: a is b)
    assert [bool(same(given, other)) for other in (given, {1, 2})] == [True, False]


class Keyed:
    def __init__(self, name):
        self.name = name

    def __trace_key__(self):
        return 1


def test_objects_of_one_trace_key_are_still_two():
    same = ag.function(lambda p, q: p is q)
    one = Keyed("one")
    assert [bool(same(one, other)) for other in (one, Keyed("two"), one)] == [True, False, True]
    with pytest.raises(SignatureError, match="is returned"):
        ag.function(lambda o: [o])(one)


@pytest.mark.parametrize(
    ("value", "dtype", "shape"),
    [
        (np.int64(2**40 + 7), rt.int32, ()),
        (np.array([2**40, 1]), rt.int32, (None,)),
        (np.uint32(2**32 - 1), rt.int32, ()),
        (np.float64(1e300), rt.float32, ()),
        (1e300, rt.float32, ()),
    ],
)
def test_a_signature_changes_no_value(value, dtype, shape):
    f = ag.function(lambda x: x, input_signature=[rt.TensorSpec(shape, dtype)])
    with pytest.raises(SignatureError, match=f"does not fit into {dtype.name}"):
        f(value)


def test_a_concrete_function_checks_aliases_of_arguments():
    @ag.function
    def assign(a, b):
        a.assign(5)
        return b + 0

    v, w = rt.Variable(1), rt.Variable(2)
    shared = assign.get_concrete_function(v, v)
    assert int(shared(w, w)) == 5
    with pytest.raises(SignatureError, match="are the same list, dict or Variable"):
        shared(v, w)
    apart = assign.get_concrete_function(v, w)
    assert int(apart(w, v)) == 1 and int(w) == 5
    with pytest.raises(SignatureError, match="are the same list, dict or Variable"):
        apart(v, v)


def test_a_concrete_function_takes_named_arguments_flat():
    @ag.function
    def f(x, **more):
        return x + more["u"]

    concrete = f.get_concrete_function(T(1), u=T(2))
    assert int(concrete(T(3), u=T(4))) == 7
    with pytest.raises(rt.errors.InvalidArgumentError, match="not a dict with the keys 'u'"):
        concrete(T(3), v=T(4))


def test_a_parameter_may_be_called_self():
    f = ag.function(lambda self, x: self + x)
    assert int(f(self=T(1), x=T(2))) == 3
    assert int(f.get_concrete_function(self=T(1), x=T(2))(self=T(3), x=T(4))) == 7


def test_arrays_that_compute_otherwise_are_refused():
    f = ag.function(lambda x: x + 1)
    for value in (np.ma.array([1, 2], mask=[0, 1]), np.matrix([[1]])):
        with pytest.raises(
            SignatureError, match="cannot become a tensor, since it computes differently"
        ):
            f(value)


def test_a_concrete_function_created_in_a_trace():
    inner = ag.function(lambda x: x + 1)
    outer = ag.function(lambda x: inner.get_concrete_function(x)(x))
    assert int(outer(T(1))) == 2


# What guards see: each changes one thing, and gives what the Function gives then.


def changed_attribute(holder):
    holder.new = 10


def changed_class(holder):
    type(holder).method = lambda self: 300


def changed_property(holder):
    type(holder).half = property(lambda self: 500)


def changed_kind(holder):
    holder.__class__ = type("Other", (type(holder),), {"method": lambda self: 900})


def changed_subclass(holder):
    type(holder).level = 7


class Base:
    level = 1


@pytest.mark.parametrize(
    "change",
    [changed_attribute, changed_class, changed_property, changed_kind, changed_subclass],
)
def test_guards_cover_attributes_of_objects_and_classes(change):
    class Holder(Base):
        half = property(lambda self: 5)

        def method(self):
            return 3

    holder = Holder()

    def look(x):
        new = holder.new if hasattr(holder, "new") else 0
        return x + new + holder.method() + holder.half + holder.level

    guarded = ag.function(look, guards="retrace")
    assert int(guarded(T(0))) == 9 == int(guarded(T(0)))
    change(holder)
    assert int(guarded(T(0))) == int(look(T(0))) != 9
    assert guarded.experimental_get_tracing_count() == 2


rate = 1


def test_guards_of_an_inlined_function():
    global rate
    inner = ag.function(lambda x: x * rate, guards="retrace")
    middle = ag.function(lambda x: inner(x) + 1)
    outer = ag.function(lambda x: middle(x) * 10)
    rate = 1
    assert [int(f(T(1))) for f in (inner, middle, outer)] == [1, 2, 20]
    rate = 5
    assert [int(f(T(1))) for f in (inner, middle, outer)] == [5, 6, 60]


def test_a_list_that_only_gathers_is_no_reason_to_trace_again():
    kept = []
    f = ag.function(lambda x: (kept.append(x), x)[1], guards="retrace")
    for n in range(4):
        f(T(n))
    assert f.experimental_get_tracing_count() == 1 and [int(x) for x in kept] == [0, 1, 2, 3]


def test_a_function_of_a_callable_without_a_name():
    import copy
    import pickle

    made = ag.function(functools.partial(max, 3))
    assert pickle.loads(pickle.dumps(made)).python_function.args == (3,)
    concrete = ag.function(lambda x: x).get_concrete_function(T(1))
    assert copy.deepcopy([concrete])[0] is concrete


def test_arguments_without_an_end_are_refused():
    @dataclasses.dataclass
    class Link:
        other: object = None

    link, items = Link(), [1]
    link.other = link
    items.append(items)
    for value in (link, items):
        with pytest.raises(SignatureError, match="the argument 'x' holds itself"):
            ag.function(lambda x: 1)(value)


def test_guards_on_objects_that_are_unhashable_or_equal_to_others():
    @dataclasses.dataclass
    class Settings:
        rate: int = 2

    first, second = Settings(), Settings()
    guarded = ag.function(lambda x: x * first.rate + second.rate, guards="retrace")
    assert int(guarded(T(3))) == 8
    first.rate = 5
    assert int(guarded(T(3))) == 17
    second.rate = 1
    assert int(guarded(T(3))) == 16 and guarded.experimental_get_tracing_count() == 3
