"""Random differentiable statements: assignments, containers, functions and tapes."""

from __future__ import annotations

from collections.abc import Callable

from tests.parity.differential.writer import Table, Writer, indented
from tests.parity.gradient_differential.expressions import tamed
from tests.parity.gradient_differential.scope import Lines, Scope, integer, real, truth, vector


def block(w: Writer, p: Scope) -> Lines:
    """Return one to three statements."""
    return [line for _ in range(w.pick((1, 1, 2, 3))) for line in statement(w, p)]


def statement(w: Writer, p: Scope) -> Lines:
    """Return any statement, as simple as the place and the length of the program ask for."""
    w.budget -= 1
    compound, simple = w.tables["statement"]
    ends = p.depth <= 0 or w.budget < 0 or w.chance(0.4)
    lines: Lines = w.choose(simple if ends else compound, p)
    return lines


def results(w: Writer, p: Scope) -> str:
    """Return the values of every `return`: a float and a vector."""
    return f"{tamed(w, p, 1)}, {vector(w, p, 0)}"


def _inside(w: Writer, p: Scope, **changes: object) -> Lines:
    return indented(block(w, p.inner(**{"staged": True, **changes})))


# -- simple ones -----------------------------------------------------------------------------------


def assigned(w: Writer, p: Scope) -> Lines:
    return [f"{w.pick(p.targets)} = {tamed(w, p)}"]


def new_name(w: Writer, p: Scope) -> Lines:
    line = f"{(name := w.fresh('s'))} = 1.0 * {real(w, p)}"
    if not p.staged:
        p.floats.append(name)
        p.targets.append(name)
    return [line]


def updated(w: Writer, p: Scope) -> Lines:
    name = w.pick(p.targets)
    shape = w.pick(("{0} += {1}", "{0} -= {1}", "{0} *= {1}", "{0} /= 1.5 + abs({1})"))
    if name in "mk":
        # An argument may be a variable, which has no such statements.
        shape = w.pick(("{0} = {0} + {1}", "{0} = {0} * {1}"))
    return [shape.format(name, tamed(w, p, 1))]


def exchanged(w: Writer, p: Scope) -> Lines:
    one, two = w.pick(p.targets), w.pick(p.targets)
    return [f"{one}, {two} = {two}, {tamed(w, p, 1)}"] if one != two else assigned(w, p)


def vector_assigned(w: Writer, p: Scope) -> Lines | None:
    if not p.assignable:
        return None
    shape = w.pick(("{0} = rt.tanh({1})", "{0} = rt.sin({1})", "{0} += {2} * rt.cos({1})"))
    return [shape.format(w.pick(p.assignable), vector(w, p), tamed(w, p, 0))]


def new_vector(w: Writer, p: Scope) -> Lines:
    name = w.fresh("q")
    lines = [f"{name} = rt.sin({vector(w, p, 1)})"]
    if not p.staged:
        p.vectors.append(name)
        p.assignable.append(name)
    return lines


def _made(w: Writer, p: Scope, names: list[str], letter: str, value: Callable[[], str]) -> Lines:
    """Return the lines that make an object, which a body of the graph leaves to outer code."""
    if p.staged:
        return assigned(w, p)
    name = w.fresh(letter)
    line = f"{name} = {value()}"
    names.append(name)
    return [line]


def new_list(w: Writer, p: Scope) -> Lines:
    return _made(w, p, p.lists, "l", lambda: f"[{', '.join(w.some(lambda: tamed(w, p, 1), 1, 3))}]")


def list_changed(w: Writer, p: Scope) -> Lines | None:
    if not p.lists:
        return None
    shape = w.pick(("{0}.append({1})", "{0}.append({1})", "{0}[0] = {1}", "{0}[-1] *= {1}",
                    "{0}[{2} % len({0})] = {1}", "{0}.insert(0, {1})", "{0} += [{1}, x]",
                    "{3} = {0}.pop(); {0}.append({1})", "{0}.reverse()", "{0} = {0} + [{1}]",
                    "{0}.extend([{1}, y])"))  # fmt: skip
    line = shape.format(w.pick(p.lists), tamed(w, p, 1), integer(w, p, 0), w.pick(p.targets))
    return line.split("; ")


def new_dict(w: Writer, p: Scope) -> Lines:
    return _made(w, p, p.dicts, "d", lambda: f"{{'k': {tamed(w, p, 1)}, 'm': {tamed(w, p, 1)}}}")


def dict_changed(w: Writer, p: Scope) -> Lines | None:
    if not p.dicts:
        return None
    shape = w.pick(("{0}['k'] = {1}", "{0}['m'] += {1}", "{0}.update(k={1})"))
    return [shape.format(w.pick(p.dicts), tamed(w, p, 1))]


def new_object(w: Writer, p: Scope) -> Lines:
    return _made(w, p, p.objects, "o", lambda: f"Box({tamed(w, p, 1)}, {vector(w, p, 1)})")


def object_changed(w: Writer, p: Scope) -> Lines | None:
    if not p.objects:
        return None
    shape = w.pick(("{0}.f = {1}", "{0}.f *= {1}", "{0}.v = rt.sin({2})", "{0}.f, {3} = {3}, {1}",
                    "{0}.add({1})", "{0}.v += {1}"))  # fmt: skip
    found = shape.format(w.pick(p.objects), tamed(w, p, 1), vector(w, p, 1), w.pick(p.targets))
    return [found]


def new_array(w: Writer, p: Scope) -> Lines:
    made = "rt.TensorArray(rt.float64, 3, clear_after_read=False)"
    return _made(w, p, p.arrays, "t", lambda: f"{made}.unstack({vector(w, p, 1)})")


def array_written(w: Writer, p: Scope) -> Lines | None:
    if not p.arrays:
        return None
    return ["{0} = {0}.write({1} % 3, {2})".format(w.pick(p.arrays), integer(w, p, 1), tamed(w, p))]


def variable_assigned(w: Writer, p: Scope) -> Lines:
    shape = w.pick(("U.assign({0})", "U.assign_add({0})", "U.assign_sub({0})", "W.assign({1})",
                    "W[1].assign({0})", "W.assign_add(0.1 * {1})"))  # fmt: skip
    return [shape.format(tamed(w, p, 1), f"rt.sin({vector(w, p, 1)})")]


def leaving(w: Writer, p: Scope) -> Lines | None:
    jumps = ["break", "continue"] if p.loop else []
    if p.jumps:
        jumps.append(f"return {results(w, p)}")
    return [f"if {truth(w, p, 1)}: {w.pick(jumps)}"] if jumps else None


# -- with bodies -----------------------------------------------------------------------------------


def conditional(w: Writer, p: Scope) -> Lines:
    lines = [f"if {truth(w, p, 1)}:", *_inside(w, p)]
    if w.chance(0.3):
        lines += [f"elif {truth(w, p, 1)}:", *_inside(w, p)]
    if w.chance(0.5):
        lines += ["else:", *_inside(w, p)]
    return lines


def tried(w: Writer, p: Scope) -> Lines:
    """Raise an error before anything is changed: the values of half a body have no gradient."""
    lines = ["try:", *indented([f"if {truth(w, p, 1)}: raise KeyError('left')"]), *_inside(w, p)]
    lines += ["except KeyError:", *_inside(w, p)]
    if w.chance(0.2):
        lines += ["else:", *_inside(w, p)]
    return [
        *lines,
        *(["finally:", *_inside(w, p, jumps=False, loop=False)] if w.chance(0.2) else []),
    ]


def matched(w: Writer, p: Scope) -> Lines:
    lines = [f"match {integer(w, p, 1)} % 3:"]
    lines += indented(["case 0:", *_inside(w, p), f"case 1 if {truth(w, p, 0)}:", *_inside(w, p)])
    return [*lines, *(indented(["case _:", *_inside(w, p)]) if w.chance(0.5) else [])]


def while_loop(w: Writer, p: Scope) -> Lines:
    head = w.pick(("fuel > 0 and {0}", "fuel > 0", "{0} and fuel > 0"))
    lines = [f"while {head.format(truth(w, p, 1))}:", "    fuel -= 1"]
    return lines + _inside(w, p, loop=True) + _orelse(w, p)


def for_loop(w: Writer, p: Scope) -> Lines:
    name = w.fresh("i")
    source = w.pick(("rt.range({0} % 4)", "range({0} % 4)", "range(3)", "range({0} % 3, 0, -1)",
                     "rt.data.Dataset.range(3)"))  # fmt: skip
    inside = {"numbers": [*p.numbers, name, name], "loop": True}
    if "Dataset" in source:
        inside = {"loop": True}
    lines = [f"for {name} in {source.format(integer(w, p, 0))}:"]
    return [*lines, *_inside(w, p, **inside), *_orelse(w, p)]


def for_elements(w: Writer, p: Scope) -> Lines:
    name, at = w.fresh("e"), w.fresh("i")
    sources = ["{0}", "{0}", "reversed({0})"]
    sources += ["[{1}, {2}]", "({1}, {2}, x)"] + p.lists
    source = w.pick(sources).format(w.pick(p.vectors), real(w, p, 1), real(w, p, 0))
    inside = p.inner(loop=True, staged=True, floats=[*p.floats, name, name])
    inside.lists[:] = [each for each in p.lists if each != source]
    head = f"for {name} in {source}:"
    if w.chance(0.3):
        inside.numbers.append(at)
        head = f"for {at}, {name} in enumerate({source}):"
    return [head, *indented(block(w, inside)), *_orelse(w, p)]


def for_pairs(w: Writer, p: Scope) -> Lines:
    one, two = w.fresh("e"), w.fresh("e")
    inside = p.inner(loop=True, staged=True, floats=[*p.floats, one, two])
    head = f"for {one}, {two} in zip({w.pick(p.vectors)}, {w.pick(p.vectors)}):"
    return [head, *indented(block(w, inside)), *_orelse(w, p)]


def _orelse(w: Writer, p: Scope) -> Lines:
    return ["else:", *_inside(w, p)] if w.chance(0.15) else []


def function(w: Writer, p: Scope) -> Lines:
    """Define a function of two floats, which may see the variables around it, and call others."""
    name = w.fresh("f")
    inside = p.inner(
        floats=[*(p.floats if w.chance(0.5) else []), "m", "k", "m", "k"],
        targets=["m", "k"], lists=[], dicts=[], arrays=[], objects=[], loop=False, jumps=False,
        staged=w.chance(0.5), assignable=[],
    )  # fmt: skip
    decorated = ["@function"] if w.chance(0.5) and not p.staged and inside.floats[0] == "m" else []
    if decorated:
        inside.vectors[:], inside.numbers[:] = ["W"], ["2"]
        inside.functions[:] = [each for each in p.functions if each in p.traced]
    lines = [*decorated, f"def {name}(m, k):", "    fuel = 5"]
    lines += indented(block(w, inside))
    if w.chance(0.4):
        lines += [f"    if {truth(w, inside, 1)}: return {tamed(w, inside, 1)}"]
    lines += [f"    return {tamed(w, inside, 1)}"]
    if not p.staged:
        p.functions.append(name)
        p.traced.extend([name] if decorated else [])
    use = f"{w.pick(p.targets)} = {name}({real(w, p, 1)}, {real(w, p, 1)})"
    return [*lines, use]


def recursion(w: Writer, p: Scope) -> Lines:
    """Define a function that calls itself."""
    name = w.fresh("r")
    inside = Scope(numbers=["h"], targets=["m"], floats=["m", "m", "k"], vectors=["W"], depth=1,
                   jumps=False, binds=False)  # fmt: skip
    step = w.pick(("{0}(h - 1, {1}, k)", "{0}(h - 1, {1}, k) * {2}",
                   "{0}(h - 1, {1}, k) + 0.5 * {0}(h - 2, {2}, m)"))  # fmt: skip
    last = step.format(name, tamed(w, inside, 1), tamed(w, inside, 1))
    lines = [f"def {name}(h, m, k):", f"    if h <= 0: return {tamed(w, inside, 1)}"]
    lines += [f"    m = {tamed(w, inside, 1)}", f"    return {last}"]
    call = f"{name}({integer(w, p, 0)} % 4, {real(w, p, 1)}, {real(w, p, 1)})"
    return [*lines, f"{w.pick(p.targets)} = {call}"]


def taped(w: Writer, p: Scope) -> Lines:
    """Take a gradient in the middle, and go on with it."""
    tape, target, source = w.fresh("tape"), w.pick(p.targets), w.fresh("z")
    options = w.pick(("", "persistent=True", "residuals='checkpoint'"))
    inside = p.inner(staged=True, loop=False, jumps=False, floats=[*p.floats, source, source])
    lines = [f"{source} = 1.0 * {w.pick(p.floats)}", f"with rt.GradientTape({options}) as {tape}:"]
    body = [f"{tape}.watch({source})"]
    if w.chance(0.2):
        paused = [f"{target} = {tamed(w, inside, 0)}"]
        body += [f"with {tape}.stop_recording():", *indented(paused)]
    lines += indented([*body, *block(w, inside), f"{target} = {tamed(w, inside)} * {source}"])
    gradient = f"{tape}.gradient({target}, {w.pick((source, source, 'U'))}, None, 'zero')"
    lines += [f"g = {gradient}", f"{target} = rt.sin({target} + g)"]
    if options == "persistent=True":
        more = f"{tape}.gradient({target}, {{'a': [{source}]}}, None, 'zero')['a'][0]"
        lines += [f"{target} += rt.tanh({more})"]
    return lines


SIMPLE: Table = (
    (8, assigned), (2, new_name), (3, updated), (2, exchanged), (3, vector_assigned),
    (1, new_vector), (2, new_list), (4, list_changed), (1, new_dict), (2, dict_changed),
    (1, new_array), (3, array_written), (1, variable_assigned), (3, leaving), (1, new_object),
    (2, object_changed),
)  # fmt: skip
COMPOUND: Table = (
    (6, conditional), (2, tried), (2, matched), (5, while_loop), (5, for_loop), (4, for_elements),
    (1, for_pairs), (3, function), (2, recursion), (3, taped),
)  # fmt: skip
