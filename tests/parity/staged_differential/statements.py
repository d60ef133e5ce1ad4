"""Random simple statements; their bindings are available to later ones."""

from __future__ import annotations

from tests.parity.differential.writer import Table, Writer, shapes
from tests.parity.staged_differential.containers import CONTENTS
from tests.parity.staged_differential.features import needs
from tests.parity.staged_differential.scope import Lines, Scope, integer, real, truth, vector

RESULTS = {"i": integer, "f": real, "b": truth}


def new(w: Writer, base: str, names: list[str], value: str) -> Lines:
    """Bind a name nobody has used; it is known from here on."""
    name = w.fresh(base)
    names.append(name)
    return [f"{name} = {value}"]


def assignment(w: Writer, p: Scope) -> Lines | None:
    if not p.targets:
        return None
    return [f"{w.pick(p.targets)} = {integer(w, p, 2)} % {w.pick(('41', '17', '97'))}"]


def real_assignment(w: Writer, p: Scope) -> Lines | None:
    return [f"{w.pick(p.floats)} = {real(w, p, 2)} % 8.0"] if p.floats else None


def truth_assignment(w: Writer, p: Scope) -> Lines | None:
    return [f"{w.pick(p.truths)} = {truth(w, p, 2)}"] if p.truths else None


def new_integer(w: Writer, p: Scope) -> Lines:
    lines = new(w, "n", p.numbers, f"{integer(w, p, 2)} % 37")
    p.targets.append(p.numbers[-1])
    return lines


def new_real(w: Writer, p: Scope) -> Lines:
    return new(w, "f", p.floats, f"{real(w, p, 2)} % 8.0")


def new_truth(w: Writer, p: Scope) -> Lines:
    return new(w, "t", p.truths, truth(w, p, 2))


@needs("vectors")
def new_vector(w: Writer, p: Scope) -> Lines:
    return new(w, "v", p.vectors, f"({vector(w, p, 1)} + 0)")


def augmented(w: Writer, p: Scope) -> Lines | None:
    if not p.targets:
        return None
    shape = w.pick(("{0} += {1} % 5", "{0} -= {1} % 7", "{0} += 1", "{0} -= 2", "{0} //= 2"))
    return [shape.format(w.pick(p.targets), integer(w, p, 1))]


def noted(w: Writer, p: Scope) -> Lines:
    make = w.pick((integer, integer, truth, real))
    return [f"log({w.fresh('e')!r}, {make(w, p, 1)})"]


@needs("vectors")
def noted_vector(w: Writer, p: Scope) -> Lines | None:
    return [f"log({w.fresh('e')!r}, {w.pick(p.vectors)})"] if p.vectors else None


@needs("strings")
def noted_text(w: Writer, p: Scope) -> Lines:
    shape = w.pick(("f'<{{{0}}}>'", "f'{{{0}}} and {{{1}}}'", "f'{{{0}:>4}}'", "'x' + f'{{{0}}}'"))
    return [f"log({w.fresh('e')!r}, {shape.format(*w.some(lambda: w.pick(p.numbers), 2, 2))})"]


@needs("tuples")
def several(w: Writer, p: Scope) -> Lines | None:
    if not p.targets:
        return None
    shape = w.pick(("{0}, {1} = {1}, {0}", "{0}, {1} = {2}, {3}", "{0} = {1} = {2}",
                    "({0}, {1}), {0} = ({2}, 1), {3}", "{0}, *_ = ({2}, {3}, 1)"))  # fmt: skip
    values = (f"{integer(w, p, 1)} % 29", f"{integer(w, p, 1)} % 19")
    return [shape.format(w.pick(p.targets), w.pick(p.targets), *values)]


@needs("growing", "vectors")
def grown(w: Writer, p: Scope) -> Lines | None:
    if not p.vectors:
        return None
    shape = w.pick(("{0} = rt.concat([{0}, [{1} % 9]], 0)", "{0} = {0}[1:]",
                    "{0} = rt.concat([{0}[1:], {0}[:1]], 0)",
                    "{0} = rt.concat([{0}, {0}], 0)[:6]"))  # fmt: skip
    return [shape.format(w.pick(p.vectors), integer(w, p, 1))]


@needs("item_assignment")
def item_assigned(w: Writer, p: Scope) -> Lines | None:
    known = [name for name in p.vectors if name not in p.iterated]
    if not known:
        return None
    one = w.pick(known)
    forms = ["{0}[{1} % len({0})] = {2} % 9", "{0}[-1] = {2} % 9", "{0}[:1] = {2} % 9"]
    if "item_changes" in w.features:
        forms += ["{0}[0] += {2} % 5", "{0}[{1} % len({0})] -= 1"]
    shape = w.pick(forms)
    written = shape.format(one, integer(w, p, 0), integer(w, p, 1))
    return [f"if len({one}) > 0: {written}"]


@needs("lists")
def new_list(w: Writer, p: Scope) -> Lines:
    items = ", ".join(w.some(lambda: f"{integer(w, p, 1)} % 11", 0, 3))
    return new(w, "l", p.lists, f"[{items}]")


_CHANGED = shapes("""
    {0}.append({1} % 11)   {0}.append({1} % 11)   {0} += [{1} % 11]   {0}.insert(0, {1} % 11)
    if {0}: {0}.pop()   if {0}: {0}[-1] = {1} % 11   if {0}: {0}[0] += {1} % 3
    {0}.extend([{1} % 11, 2])   if len({0}) > 1: {0}.pop(0)
""")


@needs("lists")
def list_changed(w: Writer, p: Scope) -> Lines | None:
    if not p.lists or p.staged and "list_loops" not in w.features:  # type: ignore[attr-defined]
        return None
    return [w.pick(_CHANGED).format(w.pick(p.lists), integer(w, p, 1))]


@needs("comprehensions", "lists")
def list_comprehended(w: Writer, p: Scope) -> Lines:
    inside = p.quiet("u", "u")
    shape = w.pick(("[{1} % 9 for u in {0}]", "[u for u in {0} if {2}]",
                    "[{1} % 9 for u in {0} if {2}]"))  # fmt: skip
    source = w.pick((*p.vectors, *p.lists, "range(K)", f"range({integer(w, p, 0)} % 4)"))
    return new(w, "l", p.lists, shape.format(source, integer(w, inside, 1), truth(w, inside, 1)))


@needs("dicts")
def new_dict(w: Writer, p: Scope) -> Lines:
    one, two = w.some(lambda: f"{integer(w, p, 1)} % 13", 2, 2)
    return new(w, "d", p.dicts, f"{{'k': {one}, 'm': {two}}}")


@needs("dicts")
def dict_changed(w: Writer, p: Scope) -> Lines | None:
    if not p.dicts:
        return None
    forms = ["{0}['{2}'] = {1} % 13", "{0}['{2}'] += {1} % 5", "{0}.update({2}={1} % 7)"]
    if "dict_keys" not in w.features:  # another dict with other keys is another structure
        forms.append("{0} = {{**{0}, '{2}': {1} % 7}}")
    shape = w.pick(forms)
    return [shape.format(w.pick(p.dicts), integer(w, p, 1), w.pick("km"))]


@needs("objects")
def new_object(w: Writer, p: Scope) -> Lines:
    return new(w, "o", p.objects, f"Box({integer(w, p, 1)} % 13)")


_MEMBERS = shapes("""
    {0}.v = {1} % 13   {0}.v += {1} % 5   {0}.n -= 1   {0}.add({1} % 7)   {0}.add({1} % 7)
    {0}.raise_to({1} % 9)   {0}.v, {0}.n = {0}.n, {0}.v   log('got', {0}.added({1} % 5))
""")


@needs("objects")
def object_changed(w: Writer, p: Scope) -> Lines | None:
    return [w.pick(_MEMBERS).format(w.pick(p.objects), integer(w, p, 1))] if p.objects else None


# What a trace finds in an object from outside is a tensor or None: Python numbers no tensor meets
# are changed once a trace, as docs/state.md says of what Python alone changes.
_OUTER_MEMBERS = shapes("""
    if OUTER.best is None or {1} > OUTER.best: OUTER.best = {1} % 31 + b - b
    OUTER.best = None if OUTER.best is not None and OUTER.best > 20 else OUTER.best
    log('best', -1 if OUTER.best is None else OUTER.best)
""")


@needs("outer_objects", "objects")
def outer_changed(w: Writer, p: Scope) -> Lines:
    forms = (*_MEMBERS, *_OUTER_MEMBERS)
    return [w.pick(forms).format("OUTER", integer(w, p, 1))]


@needs("dataclasses")
def point_moved(w: Writer, p: Scope) -> Lines:
    values = (integer(w, p, 1), integer(w, p, 1), w.pick(p.numbers))
    name = w.fresh("q")
    p.numbers.append(f"{name}.x")
    lines = [f"{name} = Point({values[0]} % 13, {values[1]} % 7)"]
    change = w.pick(("{0} = {0}.moved({1} % 5)", "{0}.x += 1", "{0} = Point({0}.y, {0}.x)"))
    condition = truth(w, p, 1)
    return [*lines, f"if {condition}: {change.format(name, values[2])}", f"log('q', {name}.y)"]


@needs("none_first")
def new_optional(w: Writer, p: Scope) -> Lines:
    return new(w, "z", p.optionals, "None")


@needs("none_first")
def optional_assigned(w: Writer, p: Scope) -> Lines | None:
    if not p.optionals:
        return None
    shape = w.pick(("{0} = {1} % 9", "{0} = {1} % 9",
                    "{0} = {1} % 9 if {0} is None else {0} % 31 + 1",
                    "if {0} is None or {0} < {1}: {0} = {1} % 9", "{0} = None",
                    "if {0} is None: {0} = {2} % 9"))  # fmt: skip
    return [shape.format(w.pick(p.optionals), w.pick(p.numbers), integer(w, p, 1))]


@needs("literal_joins")
def mixed_assigned(w: Writer, p: Scope) -> Lines | None:
    values = ["1", "2.5", "0", "-0.5"]
    if not p.mixed:
        return new(w, "m", p.mixed, w.pick(values))
    return [f"{w.pick(p.mixed)} = {w.pick(values)}"]


@needs("dtype_joins", "literal_joins")
def mixed_tensor_assigned(w: Writer, p: Scope) -> Lines | None:
    if not p.mixed:
        return None
    value = w.pick((f"{integer(w, p, 1)} % 5", *(f"{name} % 4.0" for name in p.floats)))
    return [f"{w.pick(p.mixed)} = {value}"]


@needs("literal_joins")
def mixed_noted(w: Writer, p: Scope) -> Lines | None:
    if not p.mixed:
        return None
    return [
        f"log({w.fresh('e')!r}, {w.pick(('{0}', '({0} > 1)', '-{0}')).format(w.pick(p.mixed))})"
    ]


@needs("deletions")
def deleted(w: Writer, p: Scope) -> Lines | None:
    own = [name for name in p.targets if name[0] == "n" and name not in p.functions]
    if not own or p.loop or p.nested:
        return None
    name = w.pick(own)
    for names in (p.numbers, p.targets):
        names[:] = [other for other in names if other != name]
    if not p.numbers:
        p.numbers.append("a")
    return [w.pick((f"del {name}", f"log('d', {name}); del {name}"))]


@needs("asserts")
def asserted(w: Writer, p: Scope) -> Lines:
    said = w.pick(("", ", 'text'", ", {2}" if "assert_values" in w.features else ""))
    shape = f"assert {{0}} or {{1}}{said}"
    return [shape.format(truth(w, p, 1), truth(w, p, 1), w.pick(p.numbers))]


@needs("raises")
def raised(w: Writer, p: Scope) -> Lines:
    shape = w.pick(("Oops({1})", "Oops({1}, 'why')", "ValueError('text')", "Oops", "KeyError({1})"))
    return [f"if {truth(w, p, 1)}: raise {shape.format('', w.pick(p.numbers))}"]


def returned(w: Writer, p: Scope) -> Lines | None:
    if not p.jumps or not p.staged:
        return None
    return [f"if {truth(w, p, 1)}: return {results(w, p)}"]


def jumped(w: Writer, p: Scope) -> Lines | None:
    if not p.loop:
        return None
    return [f"if {truth(w, p, 1)}: {w.pick(('break', 'continue'))}"]


def results(w: Writer, p: Scope) -> str:
    """Return the values that the function returns here: always of the same kinds."""
    values = ", ".join(RESULTS[kind](w, p, 1) for kind in p.results)
    return f"({values})" if len(p.results) > 1 else values


SIMPLE: Table = (
    *CONTENTS,
    (6, assignment), (2, real_assignment), (2, truth_assignment), (2, new_integer), (1, new_real),
    (1, new_truth), (2, new_vector), (5, augmented), (4, noted), (1, noted_vector),
    (1, noted_text), (2, several), (2, grown), (2, item_assigned), (2, new_list),
    (4, list_changed), (1, list_comprehended), (1, new_dict), (4, dict_changed), (1, new_object),
    (5, object_changed), (1, outer_changed), (1, point_moved), (2, new_optional),
    (4, optional_assigned), (2, mixed_assigned), (3, mixed_tensor_assigned), (3, mixed_noted),
    (5, deleted), (1, asserted), (1, raised), (2, returned), (4, jumped),
)  # fmt: skip
