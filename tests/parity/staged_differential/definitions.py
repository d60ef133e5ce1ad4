"""Random definitions: nested functions, closures that change variables, and recursion."""

from __future__ import annotations

from tests.parity.differential.writer import Table, Writer, indented
from tests.parity.staged_differential.blocks import block
from tests.parity.staged_differential.features import needs
from tests.parity.staged_differential.scope import Lines, Scope, integer, truth


def _body_scope(p: Scope, *parameters: str) -> Scope:
    """Return the scope of a function defined here; it reads the variables around it."""
    return p.inner(
        numbers=[*p.numbers, *parameters, *parameters],
        targets=list(parameters),
        floats=[],
        truths=[],
        mixed=[],
        optionals=[],
        lists=[],
        dicts=[],
        objects=[],
        vectors=[],
        functions=[],
        loop=False,
        nested=True,
        jumps=True,
        results="i",
    )


@needs("functions")
def function(w: Writer, p: Scope) -> Lines:
    name, inside = w.fresh("g"), _body_scope(p, "u")
    default = w.pick(("u", "u", "u, k=2", "u, *more"))
    lines = [f"def {name}({default}):"]
    lines += indented(["fuel = 4", *block(w, inside), f"return {integer(w, inside, 1)}"])
    p.functions.append(name)
    return [*lines, f"log('call', {name}({integer(w, p, 1)}))"]


@needs("functions")
def small_function(w: Writer, p: Scope) -> Lines:
    name, inside = w.fresh("h"), p.quiet("u", "u")
    value = integer(w, inside, 2)
    p.functions.append(name)
    return [f"{name} = lambda u: {value}"]


@needs("functions")
def late_reader(w: Writer, p: Scope) -> Lines | None:
    """Make a closure before the variable that it reads is changed."""
    if not p.targets:
        return None
    name, one = w.fresh("h"), w.pick(p.targets)
    p.functions.append(name)
    lines = [f"{name} = lambda u=0: {one} + u"]
    lines += [f"for i in range({w.pick(p.numbers)} % 4): {one} = ({one} + i) % 37"]
    return [*lines, f"log('late', {name}())"]


@needs("nonlocals", "functions")
def changing_function(w: Writer, p: Scope) -> Lines | None:
    """A function that changes a variable of the one around it, called in a branch or loop."""
    if not p.targets or p.nested:
        return None
    name, one = w.fresh("g"), w.pick(p.targets)
    condition = f"if {truth(w, p.quiet('u'), 1)}: " if w.chance(0.5) else ""
    lines = [f"def {name}(u=1):", *indented([f"nonlocal {one}"])]
    lines += indented([f"{condition}{one} = ({one} + u) % 43", f"return {one}"])
    use = w.pick(
        (
            f"for i in range({w.pick(p.numbers)} % 4): {name}(i)",
            f"if {truth(w, p, 1)}: {name}(2)",
            f"log('changed', {name}())",
        )
    )
    p.functions.append(name)
    return [*lines, use, f"log('now', {one})"]


@needs("recursion", "functions")
def recursive(w: Writer, p: Scope) -> Lines:
    name = w.fresh("r")
    inside = p.quiet("u", "u")
    step = w.pick(("{0}(u - 1) + {1}", "{0}(u - 1) + {0}(u - 2)", "max({0}(u // 2), {1})"))
    base = f"if u <= 0: return {integer(w, p.quiet(), 0)}"
    value = step.format(name, integer(w, inside, 1))
    lines = [f"def {name}(u):", *indented([base, f"return ({value}) % 61"])]
    return [*lines, f"log('deep', {name}({w.pick(p.numbers)} % 5))"]


DEFINITIONS: Table = (
    (4, function), (4, small_function), (2, late_reader), (3, changing_function), (3, recursive),
)  # fmt: skip
