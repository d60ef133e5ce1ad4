"""Random statements with statements inside: conditionals, loops, `try`, `with` and `match`."""

from __future__ import annotations

from tests.parity.differential.writer import Table, Writer, indented, shapes
from tests.parity.staged_differential.features import needs
from tests.parity.staged_differential.scope import Lines, Scope, condition, integer, truth
from tests.parity.staged_differential.statements import results


def block(w: Writer, p: Scope) -> Lines:
    """Return one to three statements."""
    lines: Lines = []
    for _ in range(w.pick((1, 1, 2, 2, 3))):
        lines += statement(w, p)
    return lines


def statement(w: Writer, p: Scope) -> Lines:
    """Return any statement, as simple as the place and the length of the program ask for."""
    w.budget -= 1
    compound, simple = w.tables["statement"]
    ends = p.depth <= 0 or w.budget < 0 or w.chance(0.4)
    lines: Lines = w.choose(simple if ends else compound, p)
    return lines


def _inside(w: Writer, p: Scope, **changes: object) -> Lines:
    return indented(block(w, p.inner(**{"staged": True, **changes})))


def conditional(w: Writer, p: Scope) -> Lines:
    lines = [f"if {condition(w, p)}:", *_inside(w, p)]
    while w.chance(0.3):
        lines += [f"elif {condition(w, p)}:", *_inside(w, p)]
    if w.chance(0.5):
        lines += ["else:", *_inside(w, p)]
    return lines


def leaving(w: Writer, p: Scope) -> Lines | None:
    """A conditional whose branch ends in a jump."""
    jumps = ["break", "continue"] if p.loop else []
    if p.jumps:
        jumps.append(f"return {results(w, p)}")
    if not jumps:
        return None
    return [f"if {condition(w, p)}:", *_inside(w, p), *indented([w.pick(jumps)])]


@needs("maybe_bound")
def partly_bound(w: Writer, p: Scope) -> Lines:
    """Bind a name on one path, and use it on another, which may be the wrong one."""
    name, inside = w.fresh("y"), p.inner(staged=True)
    lines = [f"if {truth(w, p, 1)}:", *indented([f"{name} = {integer(w, p, 1)} % 23"])]
    if w.chance(0.3):
        lines += ["else:", *indented(block(w, inside))]
    uses = (f"log('y', {name})", f"{w.pick(p.targets or ['r'])} = {name}")
    use = w.pick(uses)
    if w.chance(0.6):
        use = f"if {truth(w, p, 1)}: {use}"
    return [*lines, *(block(w, inside) if w.chance(0.3) else []), use]


_TESTS = shapes("""
    fuel > 0 and ({0})   fuel > 0 and ({0})   ({0}) and fuel > 0   fuel > 0   not (fuel <= 0 or {0})
""")


def while_loop(w: Writer, p: Scope) -> Lines:
    make = condition if "dtype_joins" in w.features else truth
    head = w.pick(_TESTS).format(make(w, p, 1))
    lines = [f"while {head}:", *indented(["fuel -= 1"]), *_inside(w, p, loop=True)]
    if head == "fuel > 0":
        lines += indented([f"if {truth(w, p, 1)}: break"])
    return lines + _orelse(w, p)


def counted_loop(w: Writer, p: Scope) -> Lines:
    """A loop that counts up to a tensor."""
    counter = w.fresh("c")
    inside = p.inner(loop=True, staged=True, numbers=[*p.numbers, counter, counter])
    bound = w.pick((f"{w.pick(p.numbers)} % 5", "K", f"{integer(w, p, 1)} % 4"))
    lines = [f"{counter} = 0", f"while {counter} < {bound} and fuel > 0:"]
    lines += indented([f"{counter} += 1", "fuel -= 1", *block(w, inside)])
    p.numbers.append(counter)
    return lines + _orelse(w, p)


@needs("walrus")
def walrus_loop(w: Writer, p: Scope) -> Lines:
    name = w.fresh("w")
    head = w.pick(
        ("while (fuel := fuel - 1) > 0 and ({0} := {1} % 7) > 2:",
         "while fuel > 0 and ({0} := {1} % 6) != 3:", "while (fuel := fuel - 2) > 0 and {2}:")
    )  # fmt: skip
    inside = p.inner(loop=True, staged=True)
    if "{0}" in head:
        inside.numbers.append(name)
    lines = [head.format(name, integer(w, p, 2), truth(w, p, 1))]
    return [*lines, *indented(["fuel -= 1", *block(w, inside)]), *_orelse(w, p)]


@needs("while_true")
def endless_loop(w: Writer, p: Scope) -> Lines:
    ways = ["break", f"return {results(w, p)}"] if p.jumps else ["break"]
    leave = f"if {truth(w, p, 1)}: {w.pick(ways)}"
    test = w.pick(("True", "1", "not False"))
    lines = [f"while {test}:", *indented(["if (fuel := fuel - 1) <= 0: break"])]
    return [*lines, *_inside(w, p, loop=True), *indented([leave])]


_RANGES = shapes("""
    range({0} % 5)   range({0} % 4)   range({1}, {0} % 5)   range({0} % 5, 0, -1)
    range(0, {0} % 7, 2)   range({0} % 3, {1} % 6)   range(len({2}))   rt.range({0} % 4)
""")


def for_loop(w: Writer, p: Scope) -> Lines:
    source = w.pick((*_RANGES, "{2}", "{2}", "{2}", "{2}"))
    values = (integer(w, p, 0), w.pick(("0", "1", "-1")), w.pick(p.vectors or ["range(2)"]))
    return _over(w, p, [w.fresh("i")], source.format(*values))


def _over(w: Writer, p: Scope, names: list[str], source: str) -> Lines:
    over = [name for name in p.vectors if name in source]
    inside = p.inner(loop=True, staged=True, numbers=[*p.numbers, *names, *names])
    inside.iterated.extend(over)
    if w.chance(0.15) and p.targets:
        names = [w.pick(p.targets), *names[1:]]
    orelse = _orelse(w, p)
    leave = [f"if {truth(w, inside, 1)}: break"] if orelse else []
    body = indented([*block(w, inside), *leave])
    after = []
    if "maybe_bound" in w.features and w.chance(0.15):
        after = [f"log('after', {names[0]})"]
    return [f"for {', '.join(names)} in {source}:", *body, *orelse, *after]


@needs("python_loops")
def python_loop(w: Writer, p: Scope) -> Lines:
    """A loop that Python ends, or a tensor before it does."""
    one = integer(w, p, 1)
    source = w.pick(("range(3)", "range(K)", f"({one}, 2)", f"[1, {one} % 9, 3]", "(1, 5)"))
    return _over(w, p, [w.fresh("i")], source)


_TOGETHER = shapes("""
    enumerate({0})   zip({0}, {1})   zip(range(4), {0})   enumerate({0}, 1)   zip({0}, (1, 2, 3))
    enumerate(reversed({0}))   zip({1}, {0}[::-1])
""")
_ALONE = shapes("""
    reversed({0})   map(lambda u: {2}, {0})   filter(lambda u: {3}, {0})   sorted({0})
    reversed(range({4} % 4))
""")


@needs("iterations", "functions")
def iterated(w: Writer, p: Scope) -> Lines | None:
    if not p.vectors:
        return None
    inside = p.quiet("u", "u")
    values = (w.pick(p.vectors), w.pick(p.vectors), integer(w, inside, 1), truth(w, inside, 1),
              integer(w, p, 0))  # fmt: skip
    names = [w.fresh("i"), w.fresh("j")] if w.chance(0.6) else [w.fresh("i")]
    source = w.pick(_TOGETHER if len(names) == 2 else _ALONE)
    return _over(w, p, names, source.format(*values))


@needs("list_loops", "lists")
def list_loop(w: Writer, p: Scope) -> Lines | None:
    """Fill a list in a loop, then read it."""
    name = w.fresh("l")
    inside = p.inner(loop=True, staged=True, numbers=[*p.numbers, "u"])
    keeping = f"if {truth(w, inside, 1)}: " if w.chance(0.4) else ""
    source = w.pick((*p.vectors, f"range({w.pick(p.numbers)} % 5)"))
    filling = [f"{keeping}{name}.append({integer(w, inside, 1)} % 11)"]
    more = (
        block(w, p.inner(loop=True, staged=True, lists=[name], iterated=[source]))
        if w.chance(0.4)
        else []
    )
    reading = w.pick(("log('s', sum({0}))", "log('n', len({0}))", "for u in {0}: log('u', u)",
                      "if {0}: log('l', {0}[-1])"))  # fmt: skip
    p.lists.append(name)
    lines = [f"{name} = []", f"for u in {source}:", *indented([*filling, *more])]
    return [*lines, reading.format(name)]


@needs("none_first")
def first_iteration(w: Writer, p: Scope) -> Lines:
    """Keep the first item, or the best so far."""
    name = w.fresh("z")
    source = w.pick((*p.vectors, f"range({w.pick(p.numbers)} % 5)"))
    keep = w.pick(
        (
            ["if {0} is None or u > {0}: {0} = u"],
            ["{0} = u if {0} is None else {0} % 31 + u"],
            ["if {0} is None:", "    {0} = u", "elif u > {0}:", "    {0} = u"],
            ["if {0} is not None: log('z', {0})", "{0} = u"],
        )
    )
    p.optionals.append(name)
    inside = p.inner(loop=True, staged=True, iterated=[*p.iterated, source])
    more = block(w, inside) if w.chance(0.3) else []
    kept = [line.format(name) for line in keep]
    return [f"{name} = None", f"for u in {source}:", *indented([*kept, *more])]


def _orelse(w: Writer, p: Scope) -> Lines:
    if "loop_else" not in w.features or not w.chance(0.3):
        return []
    return ["else:", *_inside(w, p)]


@needs("tries")
def guarded(w: Writer, p: Scope) -> Lines:
    caught = w.pick(("Oops", "ValueError", "(Oops, KeyError)", "Exception", "AssertionError"))
    failing = w.pick(("raise Oops({0})", "raise ValueError('text')", "assert {1}",
                      "raise Worse({0})"))  # fmt: skip
    failing = failing.format(w.pick(p.numbers), truth(w, p, 0))
    inside = p.inner(staged=True)
    lines = ["try:", *indented([*block(w, inside), f"if {truth(w, p, 1)}: {failing}"])]
    lines += _inside(w, p) if w.chance(0.4) else []
    name = w.pick(("", " as error"))
    seen = ["log('code', error.code)"] if name and caught == "Oops" else []
    lines += [f"except {caught}{name}:", *indented([*seen, *block(w, p.inner(staged=True))])]
    lines += ["else:", *_inside(w, p)] if w.chance(0.3) else []
    return lines + (_finally(w, p) if w.chance(0.3) else [])


@needs("tries")
def tidied(w: Writer, p: Scope) -> Lines:
    return ["try:", *_inside(w, p), *_finally(w, p)]


def _finally(w: Writer, p: Scope) -> Lines:
    if "finally_jumps" in w.features and w.chance(0.3):
        return ["finally:", *_inside(w, p), *indented(leaving(w, p.inner(depth=1)) or [])]
    return ["finally:", *_inside(w, p, loop=False, jumps=False)]


@needs("suppresses", "raises")
def suppressed(w: Writer, p: Scope) -> Lines:
    """Swallow an exception, and skip the statements that follow it in the `with`."""
    raised = w.pick(("Oops({0})", "ValueError('text')", "Worse({0})")).format(w.pick(p.numbers))
    kinds = w.pick(("Oops", "Oops, ValueError", "Exception"))
    inside = [f"if {truth(w, p, 1)}: raise {raised}", *block(w, p.inner(staged=True))]
    return [f"with contextlib.suppress({kinds}):", *_inside(w, p), *indented(inside)]


@needs("withs")
def managed(w: Writer, p: Scope) -> Lines:
    manager = w.pick(("Scope('m')", "Scope('m') as s", "contextlib.nullcontext(1)"))
    return [f"with {manager}:", *_inside(w, p)]


@needs("matches")
def matched(w: Writer, p: Scope) -> Lines:
    subject = w.pick(("{0} % 4", "{0}", "({0} % 3, {1} % 3)", "[{0} % 2, {1}]"))
    lines = [f"match {subject.format(integer(w, p, 1), integer(w, p, 1))}:"]
    pair = "," in subject
    plain = ("0", "1 | 2", "-1", "3", "K.real") if not pair else ("(0, _)", "(_, 1)", "[1, q]")
    for head in w.some(lambda: w.pick(plain), 1, 3):
        inside = p.inner(staged=True, numbers=[*p.numbers, *(["q"] if "q" in head else [])])
        guard = f" if {truth(w, inside, 1)}" if w.chance(0.3) else ""
        lines += indented([f"case {head.replace('K.real', '5')}{guard}:"])
        lines += indented(indented(block(w, inside)))
    if w.chance(0.6):
        last = w.pick(("_", "other" if not pair else "(r, _)"))
        lines += indented([f"case {last}:", *_inside(w, p)])
    return lines


BLOCKS: Table = (
    (8, conditional), (3, leaving), (2, partly_bound), (4, while_loop), (3, counted_loop),
    (1, walrus_loop), (2, endless_loop), (7, for_loop), (2, python_loop), (3, iterated),
    (3, list_loop), (3, first_iteration), (2, guarded), (1, tidied), (1, managed), (2, matched),
    (1, suppressed),
)  # fmt: skip
