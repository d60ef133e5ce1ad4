"""Data classes written later are those that the standard decorator makes."""

from __future__ import annotations

import copy
import dataclasses
import importlib
import inspect
import pickle
import pkgutil
import sys
import threading
from dataclasses import FrozenInstanceError, field
from typing import Any, ClassVar

import pytest

import autograph
import runtime
from runtime.records import Later, dataclass


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 2
    SIDES: ClassVar[int] = 4


@dataclass(frozen=True)
class Place(Point):
    name: str = ""


@dataclass(frozen=True, slots=True)
class Box:
    width: int
    items: list[int] = field(default_factory=list)
    note: str = field(default="none", compare=False, repr=False)


@dataclass
class Counter:
    n: int = 0

    def __post_init__(self) -> None:
        self.twice = 2 * self.n


@dataclass(eq=False)
class Same:
    n: int


class Named(Point):
    def __init__(self, name: str) -> None:
        super().__init__(7)
        object.__setattr__(self, "name", name)


def test_values_are_made_compared_hashed_and_shown() -> None:
    assert Point(1) == Point(1, 2) != Point(1, 3)
    assert hash(Point(1)) == hash(Point(1, 2))
    assert "Place(x=1, y=2, name='a')" == repr(Place(1, name="a"))
    assert Point(1) != Place(1)
    assert Box(1, note="other") == Box(1)
    assert Box(1).items is not Box(1).items
    assert "Box(width=1, items=[])" == repr(Box(1, note="other"))
    assert 6 == Counter(3).twice
    assert Same(1) != Same(1)
    assert (7, 2, "n") == (Named("n").x, Named("n").y, Named("n").name)  # type: ignore[attr-defined]


def test_what_does_not_change_refuses_to() -> None:
    for value, name in ((Point(1), "x"), (Box(1), "width"), (Place(1), "name")):
        with pytest.raises(FrozenInstanceError, match=f"cannot assign to field '{name}'"):
            setattr(value, name, 3)
        with pytest.raises(FrozenInstanceError, match=f"cannot delete field '{name}'"):
            delattr(value, name)
    with pytest.raises(TypeError, match="unhashable"):
        hash(Counter())
    assert not hasattr(Box(1), "__dict__")


def test_what_is_missing_is_named() -> None:
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        Point()  # type: ignore[call-arg]


def test_copies_and_pickles() -> None:
    for value in (Point(1), Box(1, [2]), Counter(3)):
        assert value == copy.deepcopy(value) == pickle.loads(pickle.dumps(value))


def test_the_standard_library_sees_the_fields() -> None:
    assert Place(5, 2, "n") == dataclasses.replace(Place(1, name="n"), x=5)
    assert ["x", "y", "name"] == [each.name for each in dataclasses.fields(Place)]
    assert {"width": 1, "items": [], "note": "none"} == dataclasses.asdict(Box(1))

    @dataclasses.dataclass(frozen=True)
    class Further(Point):
        z: int = 3

    assert "(x: 'int', y: 'int' = 2, z: 'int' = 3) -> None" == str(inspect.signature(Further))
    match Place(1, 4, "b"):
        case Place(x, y, name):
            assert (1, 4, "b") == (x, y, name)


def test_threads_that_make_the_first_instance_at_once() -> None:
    switching = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(30):
            _race()
    finally:
        sys.setswitchinterval(switching)


def _race() -> None:
    @dataclass(frozen=True)
    class New:
        a: int
        b: int = 2

    made: list[bool] = []
    barrier = threading.Barrier(4)

    def make() -> None:
        barrier.wait()
        made.append(New(1) == New(1, 2) and hash(New(1)) == hash(New(1)))

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [True] * 4 == made


def _of_the_house() -> list[type]:
    found = {}
    for package in (autograph, runtime):
        for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if each.name.endswith("__main__"):
                continue
            for value in vars(importlib.import_module(each.name)).values():
                if isinstance(value, type) and "__written_later__" in vars(value):
                    found[f"{value.__module__}.{value.__qualname__}"] = value
    return [found[name] for name in sorted(found)]


def test_those_of_the_house_are_what_the_standard_decorator_would_make() -> None:
    kinds = _of_the_house()
    assert len(kinds) > 200
    for kind in kinds:
        fields = dataclasses.fields(kind)
        names = [each.name for each in fields]
        parameters: Any = list(inspect.signature(kind).parameters.values())
        own_init = not hasattr(kind.__init__, "__wrapped__")
        assert own_init
        assert names == [each.name for each in parameters], kind
        assert tuple(names) == kind.__match_args__  # type: ignore[attr-defined]
        for each, parameter in zip(fields, parameters):
            optional = parameter.default is not inspect.Parameter.empty
            makes = each.default_factory is not dataclasses.MISSING
            assert optional == (makes or each.default is not dataclasses.MISSING), (kind, each.name)
            assert each.init and not each.kw_only, (kind, each.name)


def test_a_method_is_written_once() -> None:
    @dataclass
    class Once:
        n: int

    assert isinstance(vars(Once)["__init__"], Later)
    Once(1)
    assert not isinstance(vars(Once)["__init__"], Later)
    assert isinstance(vars(Once)["__eq__"], Later)
