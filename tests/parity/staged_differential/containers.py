"""Random statements and expressions on items of lists, dicts and objects.

What only some paths put there, lists of lists, lists handed to functions, and one of several
functions or objects.
"""

from __future__ import annotations

from tests.parity.differential.writer import Table, Writer, indented, shapes
from tests.parity.staged_differential.features import needs
from tests.parity.staged_differential.scope import Lines, Scope, integer, truth

_METHODS = shapes("""
    {0}.insert({2} % 3, {1} % 11)   {0}.sort()   {0}.reverse()   {0}.clear()   {0} = {0}.copy()
    {0}.sort(reverse=True)   {0}.sort(key=lambda u: u % 4)   {0} = {0} + [{1} % 11]
    if {1} in {0}: {0}.remove({1})   log('count', {0}.count({1}))   {0} = {0}[::-1]
    if {1} in {0}: log('at', {0}.index({1}))   if {0}: {0}[{2} % len({0})] += {1} % 3
    if {0}: del {0}[-1]   if len({0}) < 4: {0} *= 2   {0} = {0}[1:]   {0}.extend({0}[:1])
""")


@needs("list_methods", "lists", "list_loops")
def list_method(w: Writer, p: Scope) -> Lines | None:
    if not p.lists:
        return None
    name, one = w.pick(p.lists), w.pick(p.numbers)
    return [w.pick(_METHODS).format(name, one, w.pick(p.numbers))]


@needs("list_arguments", "lists", "functions", "list_loops")
def list_handed_over(w: Writer, p: Scope) -> Lines | None:
    """A function that changes a list it is given."""
    if not p.lists:
        return None
    name, inside = w.fresh("g"), p.quiet("u", "u")
    change = w.pick(
        ("some.append(u % 11)", "some += [u % 11]", "some.insert(0, u % 11)", "some.clear()")
    )
    lines = [f"def {name}(some, u=1):", f"    if {truth(w, inside, 1)}: {change}"]
    lines += ["    some.append(u % 9)"] if w.chance(0.3) else []
    lines += [f"    return {w.pick(('len(some)', 'sum(some)', 'some[0] if some else u'))}"]
    call = f"{name}({w.pick(p.lists)}, {integer(w, p, 1)} % 7)"
    use = w.pick((f"log('given', {call})", call, f"if {truth(w, p, 1)}: {call}"))
    return [*lines, use]


_ROWS = shapes("""
    {0}.append([{1} % 7])   {0}[0].append({1} % 7)   log('rows', len({0}[0]))
    {0}[-1] = [{1} % 7, 2]   for row in {0}: log('row', len(row))
    log('all', sum([sum(row) for row in {0}]))   {0}[0] = {0}[0] + [{1} % 5]
""")


@needs("nested_lists", "lists", "list_loops")
def rows(w: Writer, p: Scope) -> Lines:
    name = w.fresh("m")
    lines = [f"{name} = [[{integer(w, p, 1)} % 7], [1, {w.pick(p.numbers)}]]"]
    changes = [s.format(name, integer(w, p, 1)) for s in w.some(lambda: w.pick(_ROWS), 1, 2)]
    head = w.pick((f"if {truth(w, p, 1)}:", f"for u in range({w.pick(p.numbers)} % 4):"))
    return [*lines, head, *indented(changes), f"log('rows', len({name}))"]


_KEYED = shapes("""
    if {2}: {0}['p'] = {1} % 13   if {2}: {0}['p'] = {1} % 13   {0}.setdefault('p', {1} % 13)
    log('got', {0}.get('p', {1}))   log('got', {0}.get('p'))   log('popped', {0}.pop('p', {1}))
    log('size', len({0}))   if 'p' in {0}: log('in', {0}['p'])   if 'p' in {0}: {0}['p'] += 1
    if 'p' in {0}: del {0}['p']   log('has', 'p' in {0})
""")


@needs("dict_keys", "dicts")
def key_of_one_path(w: Writer, p: Scope) -> Lines | None:
    if not p.dicts:
        return None
    shape = w.pick(_KEYED)
    return [shape.format(w.pick(p.dicts), integer(w, p, 1), truth(w, p, 1))]


_MEMBERS = shapes("""
    if {2}: {0}.w = {1} % 13   if {2}: {0}.w = {1} % 13   log('got', getattr({0}, 'w', {1}))
    log('has', hasattr({0}, 'w'))   if hasattr({0}, 'w'): {0}.w += 1
    if hasattr({0}, 'w'): del {0}.w   if hasattr({0}, 'w') and {0}.w > {1}: {0}.w = {1} % 5
""")


@needs("attributes_of_paths", "objects")
def attribute_of_one_path(w: Writer, p: Scope) -> Lines | None:
    if not p.objects:
        return None
    shape = w.pick(_MEMBERS)
    return [shape.format(w.pick(p.objects), integer(w, p, 1), truth(w, p, 1))]


@needs("chosen_objects", "functions")
def function_chosen(w: Writer, p: Scope) -> Lines:
    name, inside = w.fresh("h"), p.quiet("u", "u")
    known = ["abs", f"(lambda u: {integer(w, inside, 1)})", f"(lambda u: {integer(w, inside, 1)})"]
    known += p.functions
    one, two, test = w.pick(known), w.pick(known), truth(w, p, 1)
    p.functions.append(name)
    way = w.pick(
        (
            [f"{name} = {one} if {test} else {two}"],
            [f"{name} = {one}", f"if {test}: {name} = {two}"],
        )
    )
    return [*way, f"log('chosen', {name}({w.pick(p.numbers)}))"]


@needs("chosen_objects", "objects")
def object_chosen(w: Writer, p: Scope) -> Lines | None:
    """One of two objects is read, or told to do something."""
    if not p.objects:
        return None
    name, other = w.fresh("p"), w.pick((*p.objects, f"Box({w.pick(p.numbers)})"))
    lines = [f"{name} = {w.pick(p.objects)} if {truth(w, p, 1)} else {other}"]
    use = w.pick(("log('v', {0}.v)", "log('v', {0}.v + {0}.n)", "log('a', {0}.v > {1})"))
    return [*lines, use.format(name, w.pick(p.numbers))]


@needs("chosen_objects", "strings")
def text_chosen(w: Writer, p: Scope) -> Lines:
    name = w.fresh("s")
    lines = [f"{name} = 'one' if {truth(w, p, 1)} else 'two'"]
    use = w.pick(("log('s', {0})", "log('s', f'{{{0}}}-{{{1}}}')", "log('s', {0} == 'one')"))
    return [*lines, use.format(name, w.pick(p.numbers))]


@needs("none_results", "functions", "none_first")
def function_of_nothing(w: Writer, p: Scope) -> Lines:
    """A function whose result is None on some paths."""
    name, result, inside = w.fresh("g"), w.fresh("z"), p.quiet("u", "u")
    last = w.pick(([], ["return None"], [f"return {integer(w, inside, 1)}"], ["log('none', u)"]))
    first = f"if {truth(w, inside, 1)}: return {w.pick(('None', 'u', f'{integer(w, inside, 1)}'))}"
    p.optionals.append(result)
    lines = [f"def {name}(u=0):", *indented([first, *last])]
    return [*lines, f"{result} = {name}({integer(w, p, 1)})", f"log('result', {result})"]


@needs("prints")
def printed(w: Writer, p: Scope) -> Lines:
    return [f"rt.print({w.fresh('p')!r}, {w.pick(p.numbers)})"]


@needs("keyed_orders", "reductions")
def ordered_by_key(w: Writer, p: Scope) -> str | None:
    inside = p.quiet("u", "u")
    if "changing_keys" not in w.features:
        inside = inside.inner(objects=[], functions=[], depth=p.depth)
    key = f"lambda u: {integer(w, inside, 1)} % 5"
    forms = [f"{w.pick(('min', 'max'))}({integer(w, p)}, {integer(w, p)}, key={key})"]
    known = [*p.vectors, *p.lists]
    if known:
        one = w.pick(known)
        forms.append(f"{w.pick(('min', 'max'))}({one}, key={key}, default={integer(w, p, 0)})")
        forms.append(f"(sorted({one}, key={key})[0] if len({one}) > 0 else 7)")
        forms.append(f"sum(sorted({one}, key={key}, reverse=True)[:2])")
    return w.pick(forms)


CONTENTS: Table = (
    (3, list_method), (1, list_handed_over), (1, rows), (4, key_of_one_path),
    (3, attribute_of_one_path), (1, function_chosen), (2, object_chosen), (1, text_chosen),
    (1, function_of_nothing), (1, printed),
)  # fmt: skip
