"""Random nested functions, lambdas and classes, and calls of them."""

from __future__ import annotations

from tests.parity.differential.blocks import block
from tests.parity.differential.expressions import anything, listing, number, truth
from tests.parity.differential.statements import SIMPLE, Lines
from tests.parity.differential.writer import Table, Writer, WritingScope, indented, shapes

# Parameters, what `f` may be called with, and the numbers among the parameters.
SIGNATURES = (
    ("p", "{0}", ("p",)),
    ("p, q=2", "{0}", ("p", "q")),
    ("p, q=log('default', 3), /", "{0}", ("p", "q")),
    ("p=1, *more, q=2", "{0}, {1}, q=1", ("p", "q")),
    ("p, *, q=1, **more", "{0}, z={1}", ("p", "q")),
    ("p, q={2}", "q={0}, p={1}", ("p", "q")),
    ("*more, p=5", "*{3}[:2], p={0}", ("p",)),
    ("p: int, q: 'text' = 0", "{0}", ("p", "q")),
    ("p, seen=[]", "{0}", ("p",)),
)


def body_place(
    w: Writer, p: WritingScope, parameters: list[str], kind: str = "plain"
) -> WritingScope:
    """Return the place of the body of a function defined at `p`."""
    outer = [name for name in p.numbers if name not in parameters]
    return p.inner(
        numbers=[*outer, *parameters, *parameters],
        targets=list(parameters),
        kind=kind,
        loop=False,
        jumps=True,
        handler=False,
        suspends=True,
        binds=True,
        nested=True,
    )


def body(w: Writer, p: WritingScope, inside: WritingScope) -> Lines:
    """Return the statements of a function, which may declare variables of functions around it."""
    lines: Lines = []
    if w.chance(0.15):
        lines.append("'''What it does.'''")
    shared = [name for name in p.targets if name in ("a", "b", "c") and p.kind != "class"]
    if shared and w.chance(0.4):
        name = w.pick(shared)
        lines.append(f"nonlocal {name}")
        inside.targets.append(name)
    if w.chance(0.2):
        lines.append("global G")
        inside.targets.append("G")
        inside.numbers.append("G")
    if w.chance(0.5):
        local = w.fresh("x")
        lines.append(f"{local} = {number(w, inside, 1)}")
        inside.targets.append(local)
        inside.numbers.append(local)
    return [*lines, *block(w, inside)]


def function(w: Writer, p: WritingScope) -> Lines:
    """Define a function, and call it if nothing else will."""
    name = w.fresh("f")
    parameters, call, numbers = w.pick(SIGNATURES)
    values = [number(w, p, 1), number(w, p, 1), number(w, p, 0), listing(w, p, 0)]
    inside = body_place(w, p, list(numbers))
    lines = [f"def {name}({parameters.format(*values)}):"]
    if "seen" in parameters:
        lines += indented(["if len(seen) < 4: seen.append(p)", "log('seen', seen)"])
    lines += indented([*body(w, p, inside), f"return {number(w, inside)}"])
    if w.chance(0.3):
        lines = [w.pick(_DECORATORS), *lines]
    if parameters[0] != "*":
        p.functions.append(name)
    return [*lines, f"log('call', {name}({call.format(*values)}))"]


_DECORATORS = shapes("""
    @traced   @repeated(2)   @functools.lru_cache(maxsize=None)   @(lambda f: f)
    @functools.wraps(log)   @log("decorator", traced)   @functools.cache
""")


_RECURSIONS = shapes("""
    {0}(p - 1) + 1   log('deep', {0}(p - 1))   p and {0}(p - 1)   [*map({0}, [p - 1])][0]
    {0}(p - 1) if p > 1 else {0}(0)
""")


def recursion(w: Writer, p: WritingScope) -> Lines:
    """Define a function that calls itself, or two that call each other."""
    one, two = w.fresh("f"), w.fresh("f")
    inside = body_place(w, p, ["p"])
    partner = w.pick((one, two))
    leaf = f"if p <= 0 or not fuel(): return {number(w, inside, 1)}"
    step = w.pick(_RECURSIONS)
    lines = [f"def {one}(p):", *indented([leaf, *block(w, inside)])]
    lines += indented([f"return {step.format(partner)}"])
    if partner == two:
        lines += [f"def {two}(p):", *indented([f"return log('other', {one}(p - 1))"])]
    p.functions.append(one)
    return [*lines, f"log('depth', {one}(3))"]


def closures(w: Writer, p: WritingScope) -> Lines:
    """Make functions in a loop; they see the variables as they are when they are called."""
    made, inside = w.fresh("fs"), p.inner(loop=True)
    late = p.quiet("i")
    shape = w.pick(("{0}.append(lambda: {1})", "{0}.append(lambda i=i: {1})",
                    "{0}.append(functools.partial(lambda i: {1}, i))"))  # fmt: skip
    lines = [f"{made} = []", f"for i in bounded({listing(w, p, 1)}):"]
    lines += indented([shape.format(made, number(w, late, 1))])
    if w.chance(0.4):
        lines += indented([f"def later(): return {number(w, late, 1)}", f"{made}.append(later)"])
    lines += indented(block(w, inside)) if w.chance(0.4) else []
    return [*lines, f"log('late', [f() for f in {made}])"]


def class_definition(w: Writer, p: WritingScope) -> Lines:
    """Define a class with methods of several kinds, and use it."""
    name, base = w.fresh("C"), w.pick(("", "(Box)", "(Box)", "(object)", "(Oops)"))
    inside = p.inner(kind="class", binds=False, suspends=False, loop=False, handler=False)
    inside.targets.clear()
    members = [_method(w, p, name, base) for _ in range(w.pick((1, 2, 3)))]
    lines = [f"class {name}{base}:"]
    lines += indented([f"tag = {number(w, inside, 1)}", "__hidden = 3"])
    if w.chance(0.3):
        lines += indented([f"if {truth(w, inside, 1)}:", *indented(w.choose(SIMPLE, inside))])
    lines += indented(line for member in members for line in member)
    if w.chance(0.3):
        lines = [w.pick(("@log_class", "@functools.total_ordering", "@(lambda k: k)")), *lines]
        lines = [line.replace("@log_class", "@functools.partial(log, 'class')") for line in lines]
    made = w.fresh("o")
    argument = f"({number(w, p, 1)})" if base in ("(Box)", "(Oops)") else "()"
    lines += [f"{made} = {name}{argument}", f"{made}.v = {number(w, p, 1)}"]
    uses = [f"log('member', {made}.{use})" for use in _uses(members)]
    p.objects.extend([made] if base == "(Box)" else [])
    return [*lines, *uses]


_METHODS = (
    ("", "m{0}(self, p=1)", "m{0}(2)"),
    ("", "m{0}(self, p)", "m{0}(*[1])"),
    ("@classmethod", "m{0}(cls, p=2)", "m{0}(p=3)"),
    ("@staticmethod", "m{0}(p, q=1)", "m{0}(1)"),
    ("@property", "m{0}(self)", "m{0}"),
    ("@functools.cached_property", "m{0}(self)", "m{0}"),
    ("@traced", "m{0}(self, p)", "m{0}(3)"),
    ("", "__private{0}(self, p=1)", "tag"),
    ("", "__init__(self, v=4)", "v"),
    ("", "__call__(self, p=1)", "__call__(2)"),
    ("", "__bool__(self)", "__bool__() and 1"),
    ("", "__add__(self, p)", "__add__(5)"),
    ("@functools.singledispatchmethod", "m{0}(self, p)", "m{0}(1)"),
)


def _method(w: Writer, p: WritingScope, owner: str, base: str) -> Lines:
    decorator, head, _ = w.pick(_METHODS)
    number_ = w.fresh("method")[6:]
    parameters = [name for name in ("p", "q", "v") if name in head.replace("private", "")]
    inside = body_place(w, p, parameters)
    inside.targets.append("z")
    first = "cls" if "cls" in head else "self"
    has_self = "self" in head or "cls" in head
    held = [f"{first}.tag", f"{first}.__hidden"] if has_self else [f"{owner}.tag"]
    inside.numbers.extend(held)
    special = _super_use(w, head, base, first) if has_self else []
    lines = [decorator] if decorator else []
    lines += [f"def {head.format(number_)}:"]
    lines += indented([*special, "z = 1", *block(w, inside)])
    if "__init__" not in head and "__bool__" not in head:
        lines += indented([f"return {number(w, inside, 1)}"])
    return lines


def _super_use(w: Writer, head: str, base: str, first: str) -> Lines:
    if "__init__" in head:
        call = "super().__init__(v)" if base == "(Box)" else "super().__init__()"
        return [w.pick((call, f"{call}; {first}.v = v")), f"{first}.__own = log('own', v)"]
    if not w.chance(0.4):
        return []
    return [w.pick(("log('super', super().__repr__()[:4])", "log('cls', __class__.__name__)",
                    f"log('own', super(__class__, {first}).__hash__() and 1)",
                    "log('in', [__class__.__name__ for _ in 'ab'])",
                    "log('later', (lambda: __class__.__name__)())"))]  # fmt: skip


def _uses(members: list[Lines]) -> list[str]:
    heads = [line for member in members for line in member[:2] if line.startswith("def ")]
    found = []
    for head in heads:
        name = head[4 : head.index("(")]
        decorated = next(m[0] for m in members if head in m[:2])
        takes = "1" if "p" in head[head.index("(") :].replace("private", "") else ""
        if "property" in decorated:
            found.append(name)
        elif not name.startswith("__") or name in ("__call__", "__add__"):
            found.append(f"{name}({takes})")
    return found


_GENERATORS = shapes("""
    [1, 2]   [Oops('thrown')]   [1, 'close']   [GeneratorExit()]   [None, 5]
    [ValueError('v'), 3]   ['close']   [StopIteration(1)]
""")


def generator(w: Writer, p: WritingScope) -> Lines:
    """Define a generator and run it: by a loop, or by hand."""
    name = w.fresh("gen")
    inside = body_place(w, p, ["p", "q"], kind="generator")
    lines = [f"def {name}(p, q=2):"]
    lines += indented([*body(w, p, inside), *_yielding(w, inside), *block(w, inside)])
    calls = ["log('all', list(bounded({0}({1}))))", "log('driven', drive({0}({1}), {2}))",
             "for y in bounded({0}({1})): log('y', y)", "log('some', [*bounded({0}({1}))][:2])",
             "log('sum', next({0}({1}), None))", "{3}, *_ = bounded({0}({1}))"]  # fmt: skip
    script = w.pick(_GENERATORS)
    target = w.pick(p.targets or [w.fresh("y")])
    call = w.pick(calls).format(name, number(w, p, 1), script, target)
    return [*lines, call]


_YIELDINGS = shapes("""
    yield {0}   {1} = yield {0}   {1} = yield   yield from {2}[:3]
    {1} = yield from inner({0})   yield {0}, {1}   log('got', (yield {0}))
    {1} = (yield {0}) or {1}   yield from (u for u in {2})   yield from [{0}, {1}]
""")


def _yielding(w: Writer, p: WritingScope) -> Lines:
    target = w.pick(p.targets)
    shape = w.pick(_YIELDINGS)
    return [shape.format(number(w, p, 1), target, listing(w, p, 1)).replace("inner", "bounded_")]


def yielding(w: Writer, p: WritingScope) -> Lines | None:
    """Suspend the function this stands in."""
    if p.kind == "generator":
        return _yielding(w, p)
    return awaiting(w, p) if p.kind == "coroutine" else None


_COROUTINES = shapes("""
    ()   [1, 2]   [Oops('thrown')]   [None, 'close']   [3, KeyError(1)]
""")


def coroutine(w: Writer, p: WritingScope) -> Lines:
    """Define a coroutine and drive it by hand."""
    name = w.fresh("co")
    inside = body_place(w, p, ["p", "q"], kind="coroutine")
    lines = [f"async def {name}(p, q=2):"]
    lines += indented([*body(w, p, inside), *awaiting(w, inside), *block(w, inside)])
    lines += indented([f"return {number(w, inside)}"])
    script = w.pick(_COROUTINES)
    return [*lines, f"log('ran', drive({name}({number(w, p, 1)}), {script}))"]


_AWAITINGS = shapes("""
    await   for   with   comprehension   closure
""")


def awaiting(w: Writer, p: WritingScope) -> Lines:
    """Return statements that only a coroutine may hold."""
    target, inner = w.pick(p.targets), p.inner(loop=True)
    kind = w.pick(_AWAITINGS)
    if kind == "await":
        return [f"{target} = await Pause({number(w, p, 1)})"]
    if kind == "comprehension":
        source = f"Ticks({number(w, p.quiet(), 1)})"
        return [f"{target} = len([u async for u in {source} if u != {target}])"]
    if kind == "for":
        lines = [f"async for {target} in Ticks(3):", *indented(block(w, inner))]
        return lines + (["else:", *indented(block(w, p.inner()))] if w.chance(0.4) else [])
    if kind == "closure":
        name = w.fresh("co")
        return [f"async def {name}(): return await Pause({number(w, p.quiet(), 0)})",
                f"{target} = await {name}()"]  # fmt: skip
    swallow = w.pick(("", ", Exception", ", Oops"))
    head = f"async with Ticks({number(w, p, 1)}{swallow}) as {target}, Ticks(1):"
    return [head, *indented(block(w, p.inner()))]


def dispatch(w: Writer, p: WritingScope) -> Lines:
    """Define a function with implementations by type."""
    name = w.fresh("f")
    inside = body_place(w, p, ["p"])
    lines = ["@functools.singledispatch", f"def {name}(p): return log('any', p)"]
    for kind in w.pick((("int",), ("int", "str"), ("list",))):
        annotation = f"@{name}.register({kind})"
        lines += [
            annotation,
            "def _(p):",
            *indented([*block(w, inside), f"return log('{kind}', p)"]),
        ]
    return [*lines, f"log('one', {name}({anything(w, p, 1)}))", f"log('two', {name}(3))"]


DEFINITIONS: Table = (
    (4, function), (1, recursion), (2, closures), (3, class_definition), (3, generator),
    (2, coroutine), (1, dispatch), (6, yielding),
)  # fmt: skip
