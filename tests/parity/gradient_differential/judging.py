"""Gradients of a program: of plain Python, of the staged program, and by finite differences."""

from __future__ import annotations

import linecache
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import autograph as ag
import runtime as rt
from autograph.errors import AutographError
from tests.parity.differential.shrinking import shrunk
from tests.parity.gradient_differential.programs import CASES, Program
from tests.parity.staged_differential.running import stopped_after
from tests.parity.staged_differential.world import OutOfFuel

SECONDS = 20
STEP = 1e-6
CONSTANTS = {"HALF": 0.5, "MORE": 1.25, "LESS": -0.75, "C3": [0.3, 1.0, 1.7]}
SPECS = [rt.TensorSpec(shape, rt.float64) for shape in ((), (), (3,))]
SPECS.append(rt.TensorSpec((), rt.int32))
Case = tuple[Any, ...]
Gradients = list[Any]


@dataclass(frozen=True)
class Verdict:
    """A way in which gradients differ.

    Attributes:
        mode: how they were computed, and `part` what differs.
    """

    program: Program
    mode: str
    case: Case
    part: str
    expected: Any
    actual: Any

    @property
    def is_refusal(self) -> bool:
        """Whether the program was not staged, or has a part without a gradient."""
        refused = AutographError | rt.errors.UnimplementedError
        return isinstance(self.actual, refused) and self.mode != "eager"

    def text(self) -> str:
        return (
            f"{self.program.text}\n{self.part} differs ({self.mode}) for {self.case}\n"
            f"expected: {self.expected}\nactual:   {self.actual!r}"
        )

    def shrunk(self, most: int = 400) -> Verdict:
        """Return the same on a program that is as small as can be found."""

        def fails(text: str) -> bool:
            found = verdict(Program("shrunk.py", text), (self.case,))
            return found is not None and _alike(found, self)

        small = shrunk(self.program.text, fails, most)
        found = verdict(Program("shrunk.py", small), (self.case,))
        return self if found is None else found


def _alike(one: Verdict, other: Verdict) -> bool:
    same = (one.mode, one.part, type(one.actual)) == (other.mode, other.part, type(other.actual))
    return same and (not other.is_refusal or str(one.actual)[:25] == str(other.actual)[:25])


@dataclass(frozen=True)
class World:
    """A program that was just run: its `main`, the variables it reads, the tensors it holds."""

    main: Callable[..., Any]
    variables: list[rt.Variable]
    constants: list[rt.Tensor]

    @property
    def sources(self) -> list[Any]:
        """The tensors besides the arguments that gradients are asked for."""
        return [*self.variables, *self.constants]

    def reset(self) -> None:
        scalar, vector = self.variables
        scalar.assign(0.57)
        vector.assign([0.41, -0.29, 0.93])


def world_of(program: Program, function: Callable[..., Any]) -> World:
    """Run the text of a program, in which `function` stages the functions inside of it."""
    lines = program.text.splitlines(keepends=True)
    linecache.cache[program.name] = (len(program.text), None, lines, program.name)
    scalar = rt.Variable(0.0, dtype=rt.float64, name="U")
    vector = rt.Variable(np.zeros(3), dtype=rt.float64, name="W")
    given = {"rt": rt, "np": np, "U": scalar, "W": vector, "function": function}
    given |= {"cube": cube, "product": product, "reversing": reversing, "Box": Box}
    constants = {name: rt.constant(value, rt.float64) for name, value in CONSTANTS.items()}
    given |= constants
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(program.text, program.name, "exec", dont_inherit=True), given)
    return World(given["main"], [scalar, vector], list(constants.values()))


class Box:
    """An object that a program changes, by itself and by a method."""

    def __init__(self, f: Any, v: Any) -> None:
        self.f = f
        self.v = v

    def add(self, more: Any) -> None:
        if more > self.f:
            self.f = self.f + more
        else:
            self.v = self.v * more


@rt.custom_gradient
def cube(x: Any) -> Any:
    return x * x * x, lambda dy: 3.0 * dy * x * x


@rt.custom_gradient
def product(x: Any, y: Any) -> Any:
    return (x * y, x + y), lambda one, two: (one * y + two, one * x + two)


@rt.custom_gradient
def reversing(x: Any) -> Any:
    return rt.identity(x), lambda dy: -dy


def weighted(found: Any) -> Any:
    """Return one number of all that a program returns, or of the gradients."""
    total = rt.constant(0.0, rt.float64)
    for at, each in enumerate(found):
        if each is not None:
            scales = rt.cos(rt.constant(0.7 + at, rt.float64) + each)
            total = total + rt.reduce_sum(each * (1.0 + 0.3 * at)) + 0.2 * rt.reduce_sum(scales)
    return total


def gradients(main: Any, sources: list[Any], n: Any, order: int, residuals: str = "store") -> Any:
    """Return the value, and the gradients of as many orders."""
    x, y, v, *_ = sources
    if order == 0:
        return [weighted(main(x, y, v, n))], []
    with rt.GradientTape(residuals=residuals) as tape:
        tape.watch(sources)
        values, lower = gradients(main, sources, n, order - 1, residuals)
        target = weighted(lower) if lower else values[0]
    found = tape.gradient(target, sources, None, "zero")
    return [*values, *found], found


def computed(world: World, case: Case, main: Any, staged: Any = None, **options: Any) -> Any:
    """Return values and gradients as arrays, or the error."""
    world.reset()
    x, y, v = (rt.constant(each, rt.float64) for each in case[:3])
    n = rt.constant(case[3], rt.int32)
    try:
        with stopped_after(SECONDS), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if staged is not None:
                found = staged(x, y, v, n)
            else:
                found = gradients(main, [x, y, v, *world.sources], n, **options)[0]
            state = [each.numpy() for each in world.variables]
            return [*(each.numpy() for each in found), *state]
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return error


def differences(world: World, case: Case) -> list[np.ndarray[Any, Any]]:
    """Return the slopes of the value by finite differences."""
    points = [np.array(each, np.float64) for each in case[:3]]
    found = []
    for at, point in enumerate(points):
        gradient = np.zeros_like(point)
        for place in np.ndindex(*point.shape):
            ends = []
            for sign in (1, -1):
                moved = [each.copy() for each in points]
                moved[at][place] += sign * STEP
                world.reset()
                x, y, v = map(rt.constant, moved)
                ends.append(float(weighted(world.main(x, y, v, rt.constant(case[3])))))
            gradient[place] = (ends[0] - ends[1]) / (2 * STEP)
        found.append(gradient)
    return found


def verdict(
    program: Program, cases: tuple[Case, ...] = CASES, orders: tuple[int, ...] = (1, 2)
) -> Verdict | None:
    """Return the first way in which gradients of a program differ, or None where they agree."""
    plain, ours = world_of(program, lambda f: f), world_of(program, ag.function)
    for order in orders:
        modes = _modes(ours, order)
        for case in cases:
            wanted = computed(plain, case, plain.main, order=order)
            if isinstance(wanted, OutOfFuel):
                return None
            if isinstance(wanted, Exception):
                return Verdict(program, "eager", case, "error", None, wanted)
            if not all(np.isfinite(each).all() for each in wanted):
                continue
            if order == 1 and program.is_honest:
                expected = differences(plain, case)
                if not _agree(expected, wanted[1:4], 1e-4):
                    return Verdict(program, "differences", case, "slopes", expected, wanted[1:4])
            for mode, compute in modes.items():
                given = compute(case)
                if isinstance(given, OutOfFuel):
                    continue
                if isinstance(given, BaseException):
                    return Verdict(program, mode, case, "error", wanted, given)
                if not _agree(wanted, given, 1e-8):
                    return Verdict(program, mode, case, f"order {order}", wanted, given)
    return None


def _modes(world: World, order: int) -> dict[str, Callable[[Case], Any]]:
    staged = ag.function(world.main)
    sources = world.sources

    def inside(residuals: str) -> Any:
        def f(x: Any, y: Any, v: Any, n: Any) -> Any:
            return gradients(world.main, [x, y, v, *sources], n, order, residuals)[0]

        return ag.function(f, input_signature=SPECS)

    one, other = inside("store"), inside("checkpoint")
    return {
        f"around {order}": lambda case: computed(world, case, staged, order=order),
        f"inside {order}": lambda case: computed(world, case, None, one),
        f"checkpoint {order}": lambda case: computed(world, case, None, other),
    }


def _agree(wanted: Any, given: Any, tolerance: float) -> bool:
    pairs = zip(wanted, given, strict=True)
    return all(
        np.allclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True)
        and np.shape(a) == np.shape(b)
        for a, b in pairs
    )
