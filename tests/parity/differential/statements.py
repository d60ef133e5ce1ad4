"""Random statements without statements inside, and the list of all kinds."""

from __future__ import annotations

from tests.parity.differential.expressions import (
    anything,
    listing,
    mapping,
    number,
    text,
    thing,
    truth,
)
from tests.parity.differential.writer import Table, Writer, WritingScope, shapes

Lines = list[str]


def assignment(w: Writer, p: WritingScope) -> Lines | None:
    return [f"{w.pick(p.targets)} = {number(w, p)}"] if p.targets else None


def list_assignment(w: Writer, p: WritingScope) -> Lines | None:
    return _kept(w, p.lists, "l", listing(w, p), p)


def dict_assignment(w: Writer, p: WritingScope) -> Lines | None:
    return _kept(w, p.dicts, "m", mapping(w, p), p)


def string_assignment(w: Writer, p: WritingScope) -> Lines | None:
    return _kept(w, p.strings, "s", f"({text(w, p)})[:6]", p)


def object_assignment(w: Writer, p: WritingScope) -> Lines | None:
    return _kept(w, p.objects, "o", thing(w, p), p)


def _kept(w: Writer, names: list[str], base: str, value: str, p: WritingScope) -> Lines | None:
    """Bind a new variable: one from around here may belong to a function further out."""
    name = w.fresh(base)
    names.append(name)
    return [f"{name} = {value}"]


_ANNOTATEDS = shapes("""
    {0}: int = {1}   {0}: log('never') = {1}   {2}.v: int = {1}   {3}[0]: 'text' = {1}
    ({0}): int = {1}   {0}: int
""")


def annotated(w: Writer, p: WritingScope) -> Lines | None:
    name = w.fresh("n")
    p.numbers.append(name)
    shape = w.pick(_ANNOTATEDS)
    if p.kind in ("class", "module"):
        shape = "{0}: int = {1}"
    return [shape.format(name, number(w, p), thing(w, p, 0), listing(w, p, 0))]


_SEVERAL_TARGETS = shapes("""
    {0} = {1} = {2}   {0}, {1} = {2}, {3}   {0}, {1} = {1}, {0}
    ({0}, [{1}, *_]) = {2}, {5}   {0}, *{1} = {5} or [1]; {1} = len({1})   *_, {0} = {5}
    {0} = {4}.v = {2}   {4}.v, {5}[0] = {2}, {3}   [{0}, {1}] = {5}   {0}, {1} = {4}
    {0}, *_, {1} = {4}   {5}[0] = {0} = {2}   fo, {0} = *{5}[:1], {2}
""")


def several_targets(w: Writer, p: WritingScope) -> Lines | None:
    if not p.targets:
        return None
    one, other = w.pick(p.targets), w.pick(p.targets)
    shape = w.pick(_SEVERAL_TARGETS)
    values = (number(w, p), number(w, p), thing(w, p, 1), listing(w, p, 1))
    return shape.format(one, other, *values).split("; ")


_AUGMENTEDS = shapes("""
    {0} += {1}   {0} -= {1}   {0} |= 1   {0} //= {1}   {0} %= {1}   {2}.v += {1}
    {2}[{1}] += {3}   {4}[0] += {1}   {5}['k'] += {1}   {5}['k'] -= {1}
    log('o', {2}).v += {1}   {4}[log('i', 0)] += {1}   {4}[:1] += [{1}]
    {5}.setdefault('z', [{1}])[:1] += [{3}]   {2}.twice += {1}
""")


def augmented(w: Writer, p: WritingScope) -> Lines | None:
    if not p.targets:
        return None
    shape = w.pick(_AUGMENTEDS)
    values = (thing(w, p, 1), number(w, p), listing(w, p, 0), mapping(w, p, 0))
    return [shape.format(w.pick(p.targets), number(w, p), *values)]


def augmented_object(w: Writer, p: WritingScope) -> Lines | None:
    own = [name for name in p.objects if name not in ("o", "self")]
    return [f"{w.pick(own)} += {number(w, p)}"] if own else None


_STOREDS = shapes("""
    {1}[0] = {0}   {2}['k'] = {0}   {3}.v = {0}   {3}[{0}] = {4}   {1}[1:2] = [{0}]
    {1}[:0] = [{0}]   {2}[{4}] = {0}   {3}.twice = {0}
    {2}[log('key', 'k')] = log('value', {0})   {1}[{4}] = {0}
    log('o', {3}).v = log('w', {0})
""")


def stored(w: Writer, p: WritingScope) -> Lines | None:
    shape = w.pick(_STOREDS)
    values = (listing(w, p, 0), mapping(w, p, 0), thing(w, p, 1), number(w, p))
    return [shape.format(number(w, p), *values)]


_DELETEDS = shapes("""
    del {0}   del {1}[0]   del {2}['k']   del {1}[:1]   del {3}.v   del {3}[{4}]
    {0} = 1; del {0}   del {0}, {1}[-1]   del ({0}, {2}['m'])   log({0}); del {0}; {0} = {4}
""")


def deleted(w: Writer, p: WritingScope) -> Lines | None:
    if not p.targets or not w.chance(0.4):
        return None
    name = w.pick(p.targets)
    shape = w.pick(_DELETEDS)
    values = (listing(w, p, 0), mapping(w, p, 0), thing(w, p, 0), number(w, p, 1))
    return shape.format(name, *values).split("; ")


def noted(w: Writer, p: WritingScope) -> Lines:
    return [f"log({w.fresh('e')!r}, {anything(w, p)})"]


def evaluated_only(w: Writer, p: WritingScope) -> Lines:
    return [anything(w, p)]


_LIST_METHODS = shapes("""
    {1}.append({0})   {1}.pop()   {1}.pop({0})   {1}.insert(0, {0})   log('pop', {1}.pop(0))
    {1}.extend({2}[:2])   {1}.sort()   {1}.reverse()   log('p', {3}.pop('k'))
    log('p', {3}.pop('q', {0}))   {3}.update(m={0})   {1}.append([{0}])
    log('a', {1}.append({0}))   {1}.remove({0})   {1}.sort(key=lambda u: -u)
""")


def list_method(w: Writer, p: WritingScope) -> Lines:
    shape = w.pick(_LIST_METHODS)
    return [shape.format(number(w, p), listing(w, p, 0), listing(w, p), mapping(w, p, 0))]


_ASSERTEDS = shapes("""
    assert {0} or {0} or True   assert {0}   assert {0}, {1}   assert not {0}, f'{{{2}}}'
    assert log('a', True), fail(1)
""")


def asserted(w: Writer, p: WritingScope) -> Lines:
    shape = w.pick(_ASSERTEDS)
    return [shape.format(truth(w, p), anything(w, p), w.pick(p.numbers))]


_RAISEDS = shapes("""
    raise Oops({0})   raise ValueError({0}, {1})   raise KeyError
    raise Oops({0}) from ValueError({1})   raise Worse({0}, {1}) from None   raise fail({0})
    raise IndexError(log('r', {0})) from log('c', None)   raise {0}
    raise StopIteration({0})   raise Oops
""")


def raised(w: Writer, p: WritingScope) -> Lines | None:
    if not p.handler and w.chance(0.6):
        return None
    shape = w.pick(_RAISEDS)
    if p.handler and w.chance(0.5):
        shape = w.pick(("raise", "raise", "raise sys.exc_info()[1]", "raise Worse(1)"))
    return [shape.format(number(w, p), number(w, p, 1))]


def returned(w: Writer, p: WritingScope) -> Lines | None:
    if not p.jumps or p.kind in ("class", "module"):
        return None
    if p.kind == "asyncgen":
        return ["return"]
    return [w.pick(("return", "return {0}", "return {0}", "return {1}, {0}")).format(
        number(w, p), anything(w, p))]  # fmt: skip


def jump(w: Writer, p: WritingScope) -> Lines | None:
    return [w.pick(("break", "continue"))] if p.loop and p.jumps else None


def conditional_jump(w: Writer, p: WritingScope) -> Lines | None:
    jumps = [*(["break", "continue"] if p.loop else [])]
    jumps += [] if p.kind in ("class", "module") else ["return", f"return {number(w, p)}"]
    if not jumps or not p.jumps:
        return None
    done = "return" if p.kind == "asyncgen" else w.pick(jumps)
    return [f"if {truth(w, p)}: {done}"]


def nothing(w: Writer, p: WritingScope) -> Lines:
    return [w.pick(("pass", "...", "'text'", "pass  # \\"))]


_LOOKED_ATS = shapes("""
    log('locals', sorted(locals()))   log('vars', len(vars()))   log('dir', dir())
    log('seen', {k: v for k, v in sorted(locals().items()) if k < 'd'})   exec('G = 3')
    log('exc', exc_names())   log('exc', sys.exc_info()[0])   log('exc', sys.exc_info()[1])
    exec('z = 1; log(z)', {{'log': log}})   exec('log("x", {0})')
    log('name', sys._getframe().f_code.co_name)   log('line', sys._getframe().f_lineno)
""")
_LOOKED_AT_INSIDE = shapes("""
    log('odd', [k for k in dir() if '_' in k[1:]])   log('p', locals()['p'])
    log('odd', [k for k in locals() if '_' in k[1:] or k == 'fscope'])   log('p', vars()['p'])
    log('exc', exc_names())   log('exc', sys.exc_info()[1])   exec('log("x", {0})')
    log('name', sys._getframe().f_code.co_name)   log('line', sys._getframe().f_lineno)
""")


def looked_at(w: Writer, p: WritingScope) -> Lines | None:
    """Write a look at a function's own variables; a class body and a comprehension see others."""
    if p.kind != "plain":
        return None
    # Code that is never reached makes variables of functions further out visible, in Python.
    shape = w.pick(_LOOKED_AT_INSIDE if p.nested else _LOOKED_ATS)
    return [shape.replace("{0}", w.pick(p.numbers)).replace("{{", "{").replace("}}", "}")]


_IMPORTEDS = shapes("""
    import math; log(math.floor({0}))   from operator import add; log(add({0}, 1))
    import os.path as path; log(path.join('p', 'q'))
    from operator import add as plus; log(plus({0}, {0}))
    import itertools; log(list(itertools.islice(itertools.count({0}), 2)))
    from missing_module import nothing
""")


def imported(w: Writer, p: WritingScope) -> Lines:
    shape = w.pick(_IMPORTEDS)
    if "missing" in shape and not w.chance(0.2):
        shape = "import json; log(json.dumps([{0}]))"
    return shape.format(number(w, p, 1)).split("; ")


def printed(w: Writer, p: WritingScope) -> Lines:
    return [w.pick(("print({0})", "print({0}, {1}, sep='-', end=';')", "print(*{2}[:2])")).format(
        number(w, p), number(w, p), listing(w, p))]  # fmt: skip


SIMPLE: Table = (
    (8, assignment), (2, list_assignment), (1, dict_assignment), (1, string_assignment),
    (2, object_assignment), (2, annotated), (3, several_targets), (4, augmented),
    (2, augmented_object), (3, stored), (3, deleted), (3, noted), (1, evaluated_only),
    (3, list_method), (1, asserted), (2, raised), (2, returned), (2, jump), (3, conditional_jump),
    (1, nothing), (2, looked_at), (1, imported), (1, printed),
)  # fmt: skip
