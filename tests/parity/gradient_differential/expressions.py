"""Random differentiable expressions: small floats and vectors, integers and tests."""

from __future__ import annotations

from tests.parity.differential.writer import Table, Writer, shapes
from tests.parity.gradient_differential.scope import Scope, integer, real, truth, vector

# -- floats ----------------------------------------------------------------------------------------


def literal(w: Writer, p: Scope) -> str:
    return w.pick(("HALF", "MORE", "LESS"))


def variable(w: Writer, p: Scope) -> str:
    return w.pick(p.floats)


def of_variable(w: Writer, p: Scope) -> str:
    return w.pick(("U", "U", "W[0]", "W[-1]", "U.read_value()", "(U + 0.0)"))


_ARITHMETIC = shapes("""
    ({0} + {1})   ({0} - {1})   ({0} * {1})   -{0}   {0} / (1.5 + {1} * {1})   ({0} * 0.5)
    ({0} ** 2)   ({0} + 1)   (2 - {0})   ({0} * {0})
""")


def arithmetic(w: Writer, p: Scope) -> str:
    return w.pick(_ARITHMETIC).format(real(w, p), real(w, p))


_SMOOTH = shapes("""
    rt.sin({0})   rt.tanh({0})   rt.exp(-{0} * {0})   rt.sqrt(1.0 + {0} * {0})   rt.cos({0})
    rt.math.log(1.5 + {0} * {0})   rt.pow(1.5 + rt.sin({0}), rt.tanh({1}))   rt.sigmoid({0})
    rt.atan2({0}, 1.5 + {1} * {1})   rt.math.softplus({0})   rt.square({0})   rt.identity({0})
    rt.math.erf({0})   rt.math.divide_no_nan({0}, 1.5 + {1} * {1})   rt.add_n([{0}, {1}, {0}])
""")


def smooth(w: Writer, p: Scope) -> str:
    return w.pick(_SMOOTH).format(real(w, p), real(w, p))


_KINKED = shapes("""
    abs({0})   rt.maximum({0}, {1})   rt.minimum({0}, {1})   max({0}, {1})   min({0}, {1})
    rt.nn.relu({0})   rt.where({2}, {0}, {1})   ({0} if {2} else {1})
    rt.clip_by_value({0}, -1, 1)
    rt.cond({2}, lambda: {0}, lambda: {1})   rt.floormod({0}, 1.5)   {0} % 1.5
    rt.switch_case({3} % 3, [lambda: {0}, lambda: {1}, lambda: {0} * {1}])   rt.floor({0})
    rt.cast(rt.cast({0}, rt.int32), rt.float64)
""")


def kinked(w: Writer, p: Scope) -> str:
    calm = p.quiet()
    return w.pick(_KINKED).format(
        real(w, calm), real(w, calm), truth(w, calm, 1), integer(w, calm, 0)
    )


_REDUCED = shapes("""
    rt.reduce_sum({0})   rt.reduce_mean({0})   rt.reduce_max({0})   rt.reduce_prod(rt.sin({0}))
    rt.tensordot({0}, {1}, 1)   {2}[{3} % 3]   {2}[1]   {2}[-1]   rt.gather({0}, {3} % 3)
    rt.reduce_sum(rt.boolean_mask({0}, {1} > 0.5083))   rt.reduce_logsumexp({0})
    rt.unstack({0}, 3)[1]
    rt.reduce_sum({2}[{3} % 3:])   rt.reduce_sum({0}[:, None] * {1})   sum({2})   max({2})
    rt.reduce_sum(rt.matmul({0}[None], {1}[:, None]))   rt.reduce_sum({2}[{2} > 0.2617])
    rt.math.reduce_variance({0})   rt.norm(1.0 + rt.square({0}))   rt.math.reduce_std({0} * C3)
""")


def reduced(w: Writer, p: Scope) -> str:
    named = w.pick(p.vectors)
    return w.pick(_REDUCED).format(vector(w, p), vector(w, p), named, integer(w, p, 0))


_FOLDED = shapes("""
    sum([{1} for u in {0}])   rt.foldl(lambda c, u: {2}, {0}, {3})   sum({1} for u in {0})
    rt.foldr(lambda c, u: {2}, {0}, {3})   rt.scan(lambda c, u: {2}, {0}, {3})[-1]
    rt.while_loop(lambda i, c: i < 3, lambda i, c: [i + 1, {4}], [0, {3}])[1]
    sum([{1} for u in {0} if u > 0.5083], {3})
""")


def folded(w: Writer, p: Scope) -> str | None:
    if p.depth < 1:
        return None
    return w.pick(_FOLDED).format(
        w.pick(p.vectors), tamed(w, _with(p, "u"), 1), tamed(w, _with(p, "c", "c", "u"), 1),
        f"({real(w, p, 0)} + 0.0 * x)", tamed(w, _with(p, "c", "c"), 1),
    )  # fmt: skip


def _with(p: Scope, *names: str) -> Scope:
    return p.inner(floats=[*p.floats, *names], binds=False)


def tamed(w: Writer, p: Scope, room: int | None = None) -> str:
    """Return a float that is small however large the numbers in it are."""
    shape = w.pick(("rt.tanh({0})", "rt.sin({0})", "rt.cos({0})", "(0.5 * {1} + rt.sin({0}))",
                    "rt.tanh({0} * {1})", "rt.exp(-({0}) ** 2)"))  # fmt: skip
    return shape.format(real(w, p, room), w.pick(p.floats))


def called(w: Writer, p: Scope) -> str | None:
    if not p.functions:
        return None
    return f"{w.pick(p.functions)}({real(w, p)}, {real(w, p)})"


def recomputed(w: Writer, p: Scope) -> str | None:
    if not p.functions:
        return None
    return f"rt.recompute_grad({w.pick(p.functions)})({real(w, p)}, {real(w, p)})"


def given_gradient(w: Writer, p: Scope) -> str:
    return w.pick(("cube({0})", "product({0}, {1})[0]", "product({0}, {1})[1]")).format(
        real(w, p), real(w, p)
    )


def held_back(w: Writer, p: Scope) -> str:
    return w.pick(("rt.stop_gradient({0})", "reversing({0})")).format(real(w, p))


def of_list(w: Writer, p: Scope) -> str | None:
    if not p.lists:
        return None
    shape = w.pick(("{0}[-1]", "{0}[0]", "sum({0})", "{0}[{1} % len({0})]", "rt.stack({0})[0]",
                    "rt.add_n({0})", "sum([u * u for u in {0}])"))  # fmt: skip
    return shape.format(w.pick(p.lists), integer(w, p, 0))


def of_dict(w: Writer, p: Scope) -> str | None:
    return f"{w.pick(p.dicts)}[{w.pick(('k', 'm'))!r}]" if p.dicts else None


def of_object(w: Writer, p: Scope) -> str | None:
    return f"{w.pick(p.objects)}.{w.pick(('f', 'f', 'v[1]'))}" if p.objects else None


def of_array(w: Writer, p: Scope) -> str | None:
    if not p.arrays:
        return None
    shape = w.pick(("{0}.read({1} % 3)", "rt.reduce_sum({0}.stack())", "{0}.gather([2, 0, 2])[0]"))
    return shape.format(w.pick(p.arrays), integer(w, p, 0))


def bound_on_the_way(w: Writer, p: Scope) -> str | None:
    if not p.binds or not p.targets:
        return None
    return f"({w.pick(p.targets)} := {tamed(w, p)})"


def of_whole(w: Writer, p: Scope) -> str:
    return f"rt.cast({integer(w, p, 0)}, rt.float64)"


# -- vectors ---------------------------------------------------------------------------------------


def vector_variable(w: Writer, p: Scope) -> str:
    return w.pick((*p.vectors, *p.vectors, "W"))


_VECTORS = shapes("""
    ({0} + {1})   ({0} * {2})   ({0} - {1})   rt.sin({0})   rt.tanh({0})   {3}[::-1]   -{0}
    rt.concat([{3}[1:], {3}[:1]], 0)   rt.where({0} > {2}, {0}, {1})   rt.gather({0}, [2, 0, 0])
    rt.stack([{2}, {2}, 1.0 * {3}[0]])   rt.reverse({0}, [0])   rt.cumsum({0})   rt.sort({0})
    rt.tensor_scatter_nd_update({0}, [[{4} % 3]], [{2}])   rt.roll({0}, 1, 0)   {0} / (2 + {1} ** 2)
    rt.tensor_scatter_nd_add({0}, [[1], [1]], [{2}, {2}])   rt.nn.softmax({0})
    rt.scatter_nd([[0], [2], [2]], {0}, [3])   rt.pad({3}[1:], [[0, 1]])   rt.fill([3], {2})
    rt.squeeze(rt.matmul({0}[None], {0}[:, None]) * {1}[None], 0)   rt.transpose({0}[None])[:, 0]
    rt.linalg.matvec(rt.stack([{0}, {1}, {0}]), {1})   rt.broadcast_to({2}, [3])   ({0} + {3}[:1])
    rt.math.unsorted_segment_sum({0}, [0, 2, 0], 3)   rt.maximum({0}, {2})   rt.math.cumprod({0})
    rt.reshape(rt.reshape({0}, [3, 1]) @ {1}[None], [9])[::4]   rt.identity({0})
    rt.tile({3}[:1], [3])
    rt.einsum('i,j->i', {0}, {1})   rt.split(rt.concat([{0}, {1}], 0), 2)[1]   rt.abs({0})
    rt.linalg.solve(2.0 * rt.eye(3, dtype=rt.float64) + 0.1 * {0}[:, None], {1}[:, None])[:, 0]
""")


def vector_of_vectors(w: Writer, p: Scope) -> str:
    return w.pick(_VECTORS).format(
        vector(w, p), vector(w, p), real(w, p, 1), w.pick(p.vectors), integer(w, p, 0)
    )


def mapped(w: Writer, p: Scope) -> str | None:
    if p.depth < 1:
        return None
    shape = w.pick(("rt.map_fn(lambda u: {1}, {0})", "rt.scan(lambda c, u: {2}, {0})",
                    "rt.stack([{1} for u in {0}])",
                    "rt.vectorized_map(lambda u: {1}, {0})"))  # fmt: skip
    return shape.format(
        w.pick(p.vectors), tamed(w, _with(p, "u", "u"), 1), tamed(w, _with(p, "c", "u"), 1)
    )


def array_stacked(w: Writer, p: Scope) -> str | None:
    return f"{w.pick(p.arrays)}.stack()" if p.arrays else None


# -- whole numbers and tests -----------------------------------------------------------------------


def whole_literal(w: Writer, p: Scope) -> str:
    return w.pick("0123")


def whole_variable(w: Writer, p: Scope) -> str:
    return w.pick(p.numbers)


_WHOLE = shapes("""
    ({0} + {1})   ({0} * {1})   ({0} % 3)   rt.cast(rt.floor({2} * 3), rt.int32)
    rt.cast(rt.argmax({3}), rt.int32)   ({0} - 1)   rt.cast({2} > 0.2617, rt.int32)
""")


def whole(w: Writer, p: Scope) -> str:
    return w.pick(_WHOLE).format(integer(w, p), integer(w, p), real(w, p, 1), w.pick(p.vectors))


_TESTS = shapes("""
    ({0} > {1})   ({0} < {1})   ({2} > {3})   ({2} % 2 == 0)   ({2} == {3})
    rt.reduce_any({4} > {0})
    (0.1083 < {0} < 0.9071)
""")


def comparison(w: Writer, p: Scope) -> str:
    return w.pick(_TESTS).format(
        real(w, p), real(w, p, 0), integer(w, p, 1), integer(w, p, 0), w.pick(p.vectors)
    )


def logic(w: Writer, p: Scope) -> str:
    shape = w.pick(("({0} and {1})", "({0} or {1})", "(not {0})"))
    return shape.format(truth(w, p), truth(w, p))


REALS: Table = (
    (6, arithmetic), (6, smooth), (5, kinked), (5, reduced), (2, folded), (5, called),
    (1, recomputed), (1, given_gradient), (1, held_back), (3, of_list), (2, of_dict),
    (2, of_array), (2, of_object), (1, bound_on_the_way), (1, of_whole),
)  # fmt: skip
REAL_ATOMS: Table = ((1, literal), (8, variable), (2, of_variable))
VECTORS: Table = ((6, vector_of_vectors), (1, mapped), (1, array_stacked), (1, vector_variable))
VECTOR_ATOMS: Table = ((1, vector_variable),)
WHOLES: Table = ((3, whole), (2, whole_variable))
WHOLE_ATOMS: Table = ((2, whole_literal), (4, whole_variable))
TRUTHS: Table = ((5, comparison), (2, logic))
TRUTH_ATOMS: Table = ((1, comparison),)
