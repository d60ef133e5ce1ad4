"""Random expressions: integers that stay small, floats, truth values and vectors."""

from __future__ import annotations

from tests.parity.differential.writer import Table, Writer, shapes
from tests.parity.staged_differential.containers import ordered_by_key
from tests.parity.staged_differential.features import needs
from tests.parity.staged_differential.scope import Scope, condition, integer, real, truth, vector


def literal(w: Writer, p: Scope) -> str:
    return w.pick(("0", "1", "2", "3", "5", "-1", "K"))


def variable(w: Writer, p: Scope) -> str:
    return w.pick(p.numbers)


_ARITHMETIC = shapes("""
    ({0} + {1})   ({0} - {1})   ({0} * {2})   ({0} * {1} % 31)   ({0} % {2})   ({0} // {2})
    -{0}   abs({0})   ({0} & 7)   ({0} + {2})   ({0} - {2})   ~{0}
""")


def arithmetic(w: Writer, p: Scope) -> str:
    shape = w.pick(_ARITHMETIC)
    return shape.format(integer(w, p), integer(w, p), w.pick("23"))


def extremes(w: Writer, p: Scope) -> str:
    return f"{w.pick(('min', 'max'))}({integer(w, p)}, {integer(w, p)})"


def chosen(w: Writer, p: Scope) -> str:
    return f"({integer(w, p)} if {condition(w, p, p.depth)} else {integer(w, p)})"


@needs("value_logic")
def value_of_logic(w: Writer, p: Scope) -> str:
    return f"({integer(w, p)} {w.pick(('and', 'or'))} {integer(w, p)})"


@needs("walrus")
def bound_on_the_way(w: Writer, p: Scope) -> str | None:
    if not p.binds or not p.targets:
        return None
    return f"({w.pick(p.targets)} := {integer(w, p)} % 53)"


@needs("conversions")
def converted(w: Writer, p: Scope) -> str:
    shape = w.pick(("int({1})", "int({2})", "divmod({0}, 3)[0]", "pow({0} % 7, 2)", "int({0})",
                    "divmod({0}, 4)[1]", "round({1})"))  # fmt: skip
    return shape.format(integer(w, p), real(w, p), truth(w, p))


@needs("reductions")
def reduced(w: Writer, p: Scope) -> str | None:
    if not p.vectors:
        return None
    shape = w.pick(("sum({0})", "max({0}, default={1})", "min({0}, default={1})", "sum({0}, {1})",
                    "(max({0}) if len({0}) > 0 else {1})", "sum(sorted({0})[:2])"))  # fmt: skip
    return shape.format(w.pick(p.vectors), integer(w, p))


@needs("vectors")
def reduced_by_operation(w: Writer, p: Scope) -> str | None:
    if not p.vectors:
        return None
    return w.pick(("int(rt.reduce_sum({0}))", "len({0})", "len({1})")).format(
        w.pick(p.vectors), vector(w, p)
    )


def element(w: Writer, p: Scope) -> str | None:
    if not p.vectors:
        return None
    shape = w.pick(("({0}[0] if len({0}) > 0 else {1})", "({0}[-1] if len({0}) > 1 else {1})",
                    "({0}[{1} % len({0})] if len({0}) > 0 else {1})"))  # fmt: skip
    return shape.format(w.pick(p.vectors), integer(w, p, 0))


@needs("functions")
def called(w: Writer, p: Scope) -> str | None:
    return f"{w.pick(p.functions)}({integer(w, p)})" if p.functions else None


@needs("objects")
def attribute(w: Writer, p: Scope) -> str | None:
    if not p.objects:
        return None
    forms = ["{0}.v", "{0}.n"]
    if "changing_methods" in w.features:
        forms.append("{0}.added({1} % 7)")
    return w.pick(forms).format(w.pick(p.objects), integer(w, p, 0))


@needs("dicts")
def of_dict(w: Writer, p: Scope) -> str | None:
    return f"{w.pick(p.dicts)}['{w.pick('km')}']" if p.dicts else None


@needs("lists")
def of_list(w: Writer, p: Scope) -> str | None:
    if not p.lists:
        return None
    forms = ["len({0})", "({0}[-1] if {0} else {1})", "({0}[0] if len({0}) > 0 else {1})"]
    forms += ["sum({0})"]
    if "list_indices" in w.features:
        forms += ["({0}[{1} % len({0})] if {0} else 0)"] * 2
    shape = w.pick(forms)
    return shape.format(w.pick(p.lists), integer(w, p, 0))


@needs("none_first")
def of_optional(w: Writer, p: Scope) -> str | None:
    if not p.optionals:
        return None
    shape = w.pick(("(-1 if {0} is None else {0})", "({0} if {0} is not None else {1})"))
    return shape.format(w.pick(p.optionals), integer(w, p, 0))


@needs("comprehensions")
def comprehended(w: Writer, p: Scope) -> str | None:
    source = _source(w, p)
    inside = p.quiet("u", "u")
    shape = w.pick(("sum([{1} for u in {0}])", "len([u for u in {0} if {2}])",
                    "sum({1} for u in {0})", "sum([{1} for u in {0} if {2}])"))  # fmt: skip
    return shape.format(source, integer(w, inside, 1), truth(w, inside, 1))


def _source(w: Writer, p: Scope) -> str:
    known = [*p.vectors, *p.lists] or ["(1, 2)"]
    return w.pick((*known, "range(3)", f"range({integer(w, p, 0)} % 4)"))


def real_literal(w: Writer, p: Scope) -> str:
    return w.pick(("0.5", "1.0", "2.5", "-1.5", "0.0", "0.25"))


def real_variable(w: Writer, p: Scope) -> str | None:
    return w.pick(p.floats) if p.floats else None


def real_arithmetic(w: Writer, p: Scope) -> str:
    shape = w.pick(("({0} + {1})", "({0} - {1})", "({0} * 0.5)", "-{0}", "abs({0})", "({0} / 2.0)",
                    "({0} * 2)", "({0} + 1)"))  # fmt: skip
    return shape.format(real(w, p), real(w, p))


def real_chosen(w: Writer, p: Scope) -> str:
    return f"({real(w, p)} if {truth(w, p)} else {real(w, p)})"


def real_extremes(w: Writer, p: Scope) -> str:
    return f"{w.pick(('min', 'max'))}({real(w, p)}, {real(w, p)})"


@needs("conversions")
def real_converted(w: Writer, p: Scope) -> str:
    return f"float({integer(w, p)})"


def comparison(w: Writer, p: Scope) -> str:
    operator = w.pick(("<", ">", "==", "!=", "<=", ">="))
    if p.floats and w.chance(0.25):
        return f"({real(w, p)} {operator} {real(w, p)})"
    return f"({integer(w, p)} {operator} {integer(w, p)})"


def flag(w: Writer, p: Scope) -> str | None:
    return w.pick(p.truths) if p.truths else None


def chained(w: Writer, p: Scope) -> str:
    one, two = w.pick(("< <=", "> >", "<= <", "!= <", "== ==")).split()
    return f"({integer(w, p)} {one} {integer(w, p)} {two} {integer(w, p)})"


def logic(w: Writer, p: Scope) -> str:
    operator = w.pick((" and ", " or "))
    return f"({operator.join(w.some(lambda: truth(w, p), 2, 3))})"


def negation(w: Writer, p: Scope) -> str:
    return f"(not {truth(w, p)})"


def truth_chosen(w: Writer, p: Scope) -> str:
    return f"({truth(w, p)} if {truth(w, p)} else {truth(w, p)})"


@needs("number_tests")
def number_as_truth(w: Writer, p: Scope) -> str:
    joined = ("{2} or {0}", "{0} and {2}") if "dtype_joins" in w.features else ()
    return w.pick(("{0} % 3", "{0}", "not {0}", "{1}", *joined)).format(
        integer(w, p), real(w, p), truth(w, p)
    )


def plain_truth(w: Writer, p: Scope) -> str:
    return truth(w, p)


@needs("conversions")
def truth_converted(w: Writer, p: Scope) -> str:
    return f"bool({integer(w, p)})"


@needs("memberships")
def member(w: Writer, p: Scope) -> str:
    places = ["(1, 2)", f"[{integer(w, p, 0)}, 3]", "range(3)", *p.vectors, *p.lists]
    return f"({integer(w, p)} {w.pick(('in', 'not in'))} {w.pick(places)})"


@needs("none_first")
def missing(w: Writer, p: Scope) -> str | None:
    if not p.optionals:
        return None
    shape = w.pick(("({0} is None)", "({0} is not None)", "({0} is None or {0} < {1})",
                    "({0} is not None and {0} > {1})"))  # fmt: skip
    return shape.format(w.pick(p.optionals), integer(w, p, 0))


@needs("reductions")
def quantified(w: Writer, p: Scope) -> str | None:
    if not p.vectors:
        return None
    one = w.pick(p.vectors)
    return f"{w.pick(('any', 'all'))}({one} > {integer(w, p, 0)})"


@needs("lists")
def list_as_truth(w: Writer, p: Scope) -> str | None:
    return w.pick(("(bool({0}) and {1})", "(not {0})", "(len({0}) > 2)")).format(
        w.pick(p.lists), truth(w, p, 0)
    ) if p.lists else None  # fmt: skip


def vector_variable(w: Writer, p: Scope) -> str:
    return w.pick(p.vectors or ["rt.range(3)"])


@needs("vectors")
def vector_arithmetic(w: Writer, p: Scope) -> str:
    shape = w.pick(("({0} + {1})", "({0} * 2 % 23)", "({0} - {1})", "-{0}", "abs({0})",
                    "({0} + {0})", "rt.concat([{0}, {0}[:1]], 0)",
                    "rt.where({0} > {1}, {0}, 0)"))  # fmt: skip
    return shape.format(vector(w, p), integer(w, p, 0))


@needs("slices")
def vector_slice(w: Writer, p: Scope) -> str:
    shape = w.pick(("{0}[1:]", "{0}[:-1]", "{0}[:{1} % 3]", "{0}[::2]", "{0}[::-1]", "{0}[0:2]"))
    return shape.format(vector_variable(w, p), integer(w, p, 0))


INTEGERS: Table = (
    (8, arithmetic), (2, extremes), (3, chosen), (1, value_of_logic), (1, bound_on_the_way),
    (2, converted), (2, reduced), (1, ordered_by_key), (1, reduced_by_operation), (2, element),
    (6, called), (2, attribute), (2, of_dict), (3, of_list), (3, of_optional), (1, comprehended),
)  # fmt: skip
INTEGER_ATOMS: Table = ((3, literal), (7, variable))
REALS: Table = (
    (5, real_arithmetic), (2, real_chosen), (1, real_extremes), (1, real_converted),
)  # fmt: skip
REAL_ATOMS: Table = ((2, real_literal), (4, real_variable))
TRUTHS: Table = (
    (6, comparison), (2, chained), (4, logic), (2, negation), (1, truth_chosen),
    (1, truth_converted), (1, member), (3, missing), (1, quantified),
    (2, list_as_truth),
)  # fmt: skip
CONDITIONS: Table = ((8, plain_truth), (2, number_as_truth))
TRUTH_ATOMS: Table = ((5, comparison), (2, flag))
VECTORS: Table = ((3, vector_arithmetic), (6, vector_slice), (1, vector_variable))
VECTOR_ATOMS: Table = ((1, vector_variable),)
