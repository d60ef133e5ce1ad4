"""Random statements with statements inside: conditionals, loops, `try`, `with` and `match`."""

from __future__ import annotations

from tests.parity.differential.expressions import listing, mapping, number, thing, truth
from tests.parity.differential.patterns import case
from tests.parity.differential.statements import Lines
from tests.parity.differential.writer import Table, Writer, WritingScope, indented, shapes

CAUGHT = ("Oops", "Worse", "ValueError", "KeyError", "(Oops, KeyError)", "Exception", "LookupError",
          "(ZeroDivisionError, TypeError)", "UnboundLocalError", "Exception")  # fmt: skip


def block(w: Writer, p: WritingScope) -> Lines:
    """Return one to three statements."""
    lines: Lines = []
    for _ in range(w.pick((1, 1, 2, 2, 3))):
        lines += statement(w, p)
    return lines


def statement(w: Writer, p: WritingScope) -> Lines:
    """Return any statement, as simple as the place and the length of the program ask for."""
    w.budget -= 1
    compound, simple = w.tables["statement"]
    ends = p.depth <= 0 or w.budget < 0 or w.chance(0.35)
    lines: Lines = w.choose(simple if ends else compound, p)
    return lines


def _inside(w: Writer, p: WritingScope) -> Lines:
    return indented(block(w, p))


def conditional(w: Writer, p: WritingScope) -> Lines:
    lines = [f"if {truth(w, p)}:", *_inside(w, p.inner())]
    while w.chance(0.3):
        lines += [f"elif {truth(w, p)}:", *_inside(w, p.inner())]
    if w.chance(0.5):
        lines += ["else:", *_inside(w, p.inner())]
    return lines


_WHILE_LOOPS = shapes("""
    while fuel() and {0} < {1}:   while fuel() and ({0} := {0} + 1) < {1}:
    while fuel() and {0} < {1} and {2}:   while fuel() and 0 <= {0} < {1}:
    while fuel() and not ({0} > {1}):   while fuel():
    while fuel() and ({0} := {0} + 1) < {1} and {2}:
""")


def while_loop(w: Writer, p: WritingScope) -> Lines:
    counter = w.fresh("w")
    shape = w.pick(_WHILE_LOOPS)
    head = shape.format(counter, w.pick(("2", "3", w.pick(p.numbers))), truth(w, p, 1))
    inside = p.inner(loop=True, jumps=True, numbers=[*p.numbers, counter])
    lines = [f"{counter} = 0", head, *indented([f"{counter} += 1"]), *_inside(w, inside)]
    if head == "while fuel():":
        lines += indented([f"if {counter} > 2 or {truth(w, p, 1)}: break"])
    return lines + _orelse(w, p)


_FOR_LOOP_2 = shapes("""
    enumerate(bounded({1}))   bounded(zip({1}, {1}))   [({0}, {2})]   bounded({3}.items())
    zip(range(3), {1})   [[1, 2], [3, {0}]]
""")


_FOR_LOOPS = shapes("""
    range({0})   range(3)   bounded({1})   ({0}, {2})   range({0}, 0, -1)
    enumerate(bounded({1}))   sorted({1})   reversed({1}[:3])   range(0)
    bounded(log('source', {1}))   list({1})   bounded(i for i in {1})   'abc'
    bounded(zip({1}, {1}))   bounded({3})   bounded({3}.items())   map(lambda u: u, {1}[:3])
    bounded(set({1}))   bounded({4})   iter({1}[:4])   filter(None, {1}[:4])
    bounded(range({0}))   {0}
""")


def for_loop(w: Writer, p: WritingScope) -> Lines:
    target, names = w.pick(_for_targets(w, p))
    source = w.pick(_FOR_LOOPS)
    if len(names) == 2:
        source = w.pick(_FOR_LOOP_2)
    if "range({0}" in source and "bounded" not in source:
        source = f"bounded({source})"
    values = (number(w, p, 1), listing(w, p, 1), number(w, p, 1), mapping(w, p, 1), thing(w, p, 1))
    inside = p.inner(loop=True, jumps=True, numbers=[*p.numbers, *names])
    head = f"for {target} in {source.format(*values)}:"
    return [head, *_inside(w, inside), *_orelse(w, p)]


def _for_targets(w: Writer, p: WritingScope) -> list[tuple[str, list[str]]]:
    one, two = w.fresh("i"), w.fresh("j")
    found: list[tuple[str, list[str]]] = [(one, [one])] * 3 + [(f"{one}, {two}", [one, two])] * 2
    found += [(f"{one}, *{two}", [one])] * 1
    if p.targets:
        found += [(w.pick(p.targets), [])] * 2
    if p.objects:
        found += [(f"{w.pick(p.objects)}.v", [])]
    if p.dicts:
        found += [(f"{w.pick(p.dicts)}['k']", [])]
    return found


def changed_meanwhile(w: Writer, p: WritingScope) -> Lines:
    """Change a collection while a loop runs over it."""
    name = w.fresh("g")
    start, source, change = w.pick(
        (
            ("{1}", "bounded({0})", "if len({0}) < 6: {0}.append({2})"),
            ("list({1})", "{0}", "{0}.remove(i)"),
            ("{{'p': 1, 'q': 2}}", "{0}", "{0}[log('new', i + 'r')] = {2}"),
            ("{{'p': 1, 'q': 2}}", "{0}", "{0}.pop(i)"),
            ("{{1, 2, 3}}", "{0}", "{0}.discard(i)"),
            ("{{'p': 1, 'q': 2}}", "{0}.items()", "{0}[i[0]] = {2}"),
        )
    )
    values = (name, listing(w, p, 1), number(w, p, 1))
    inside = p.inner(loop=True, jumps=True)
    lines = [f"{name} = {start}", f"for i in {source}:", f"    {change}", *_inside(w, inside)]
    return [line.format(*values) if place < 3 else line for place, line in enumerate(lines)]


def _orelse(w: Writer, p: WritingScope) -> Lines:
    return ["else:", *_inside(w, p.inner())] if w.chance(0.35) else []


def guarded_statement(w: Writer, p: WritingScope) -> Lines:
    """`try` with everything that may follow."""
    lines = ["try:", *_inside(w, p.inner())]
    if w.chance(0.4):
        lines += indented([f"fail({number(w, p, 1)}, {w.pick(CAUGHT[:4])})"])
    if p.loop and p.jumps and w.chance(0.3):
        lines += indented([f"if {truth(w, p, 1)}: {w.pick(('break', 'continue', 'return'))}"])
    handlers = w.pick((0, 1, 1, 1, 2))
    for _ in range(handlers):
        lines += _handler(w, p, "except")
    if handlers and w.chance(0.2):
        lines += ["except:", *_inside(w, p.inner(handler=True))]
    if handlers and w.chance(0.4):
        lines += ["else:", *_inside(w, p.inner())]
    if not handlers or w.chance(0.4):
        lines += ["finally:", *_inside(w, p.inner())]
    return lines


def jumps_on_the_way(w: Writer, p: WritingScope) -> Lines:
    """A loop around a `try` or `with` that jumps leave from every clause."""
    turn = w.fresh("i")
    inside = p.inner(loop=True, jumps=True, numbers=[*p.numbers, turn, turn])
    clauses = ["try:", *_jump_at(w, inside, turn, "0")]
    if w.chance(0.5):
        clauses += indented([f"if {turn} == 2: fail({turn})"])
    clauses += ["except Oops:", *_jump_at(w, inside, turn, "2")] if w.chance(0.7) else []
    if len(clauses) > 1 and "except Oops:" in clauses and w.chance(0.7):
        clauses += ["else:", *_jump_at(w, inside, turn, "1")]
    if "except Oops:" not in clauses or w.chance(0.5):
        clauses += ["finally:", *_jump_at(w, inside, turn, w.pick(("0", "1", "2")))]
    if w.chance(0.3):
        clauses = [f"with {_manager(w, p)}:", *indented(clauses)]
    tail = [f"log({w.fresh('e')!r}, {turn})"]
    return [f"for {turn} in range(3):", *indented([*clauses, *tail]), *_orelse(w, p)]


def _jump_at(w: Writer, p: WritingScope, turn: str, number_: str) -> Lines:
    jumps = ["break", "continue", "continue", "pass", *([] if p.kind == "class" else ["return 8"])]
    test = w.pick((f"{turn} == {number_}", f"{turn} == {number_}", truth(w, p, 1)))
    lines = [f"log({w.fresh('e')!r}, {turn})", f"if {test}: {w.pick(jumps)}"]
    return indented([*lines, *(block(w, p) if w.chance(0.3) else [])])


def _handler(w: Writer, p: WritingScope, keyword: str, jumps: bool = True) -> Lines:
    caught = w.pick(CAUGHT)
    name = w.pick(("", "", "error", w.pick(p.targets or ["error"])))
    inside = p.inner(handler=True, jumps=jumps and p.jumps)
    seen = [f"log('caught', {name})"] if name else []
    head = f"{keyword} {caught}{' as ' + name if name else ''}:"
    return [head, *indented(seen), *_inside(w, inside)]


def guarded_groups(w: Writer, p: WritingScope) -> Lines | None:
    """`try` with `except*`."""
    if w.version < (3, 11):
        return None
    errors = w.pick(("Oops({0})", "Oops({0}), KeyError(1)", "ValueError(1), ExceptionGroup('in', "
                     "[Worse({0})])", "TypeError({0})"))  # fmt: skip
    lines = ["try:", *_inside(w, p.inner())]
    raising = f"raise ExceptionGroup('group', [{errors.format(number(w, p, 1))}])"
    lines += indented([raising]) if w.chance(0.7) else []
    for _ in range(w.pick((1, 1, 2))):
        lines += _handler(w, p.inner(loop=False), "except*", jumps=False)
    if w.chance(0.3):
        lines += ["else:", *_inside(w, p.inner())]
    if w.chance(0.3):
        lines += ["finally:", *_inside(w, p.inner())]
    return lines


def with_statement(w: Writer, p: WritingScope) -> Lines:
    items = [_manager(w, p) for _ in range(w.pick((1, 1, 2)))]
    if len(items) == 2 and w.chance(0.4):
        head = ["with (", *indented(f"{item}," for item in items), "):"]
    else:
        head = [f"with {', '.join(items)}:"]
    return [*head, *_inside(w, p.inner())]


_MANAGERS = shapes("""
    Guard({0!r})   Guard({0!r}, Exception)   Guard({0!r}, (Oops, KeyError))
    Guard({0!r}, exits=Oops('exit'))   Guard({0!r}, enters=KeyError('enter'))
    guarded({0!r})   guarded({0!r}, Exception)   {1}   Guard({1}, BaseException)
    contextlib.suppress(Oops, LookupError)   {2}   contextlib.nullcontext({1})
""")


def _manager(w: Writer, p: WritingScope) -> str:
    tag = w.fresh("m")
    shape = w.pick(_MANAGERS)
    manager = shape.format(tag, number(w, p, 1), thing(w, p, 1))
    targets = [tag, *p.targets[:2], *([f"{p.objects[0]}.v"] if p.objects else [])]
    return f"{manager} as {w.pick(targets)}" if w.chance(0.4) else manager


def match_statement(w: Writer, p: WritingScope) -> Lines:
    subject = w.pick((number, listing, mapping, thing, listing, mapping))(w, p, 2)
    if w.chance(0.2):
        subject = f"{subject}, {number(w, p, 1)}"
    lines = [f"match {subject}:"]
    for _ in range(w.pick((1, 2, 3))):
        names, head = case(w, p)
        inside = p.inner(numbers=[*p.numbers, *names])
        guard = f" if {truth(w, inside, 1)}" if w.chance(0.3) else ""
        lines += indented([f"case {head}{guard}:", *_inside(w, inside)])
    if w.chance(0.5):
        last = w.pick(("_", w.pick(p.targets or ["_"])))
        lines += indented([f"case {last}:", *_inside(w, p.inner())])
    return lines


BLOCKS: Table = (
    (5, conditional), (4, while_loop), (5, for_loop), (1, changed_meanwhile),
    (5, guarded_statement), (2, jumps_on_the_way), (1, guarded_groups), (4, with_statement),
    (3, match_statement),
)  # fmt: skip
