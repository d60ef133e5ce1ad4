"""Staged containers take and refuse arguments as Python's do: all methods and operators."""

from __future__ import annotations

import itertools
import linecache
import operator
from collections import OrderedDict, defaultdict, deque
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.backends.graph.containers.dynamic_keys import DynamicDict, DynamicSet
from autograph.backends.graph.containers.staged_deque import StagedDeque
from autograph.backends.graph.containers.staged_dict import StagedDict
from autograph.backends.graph.containers.staged_list import StagedList
from autograph.backends.graph.values.dynamic_items import DynamicItems
from autograph.backends.graph.values.leaf_spec import TracedSpec
from autograph.backends.possibly_unbound import PossiblyUnbound
from autograph.errors import StagingError
from runtime.ops.containers import lists

REFUSED = "refused"
POOL = (1, True, 2.0, None, "a", [9], (9, 8), {}, {1})
KEYWORDS = ({"key": 1}, {"default": 3}, {"index": 0}, {"reverse": "a"}, {"x": 1})
OPERATORS = tuple(
    getattr(operator, name)
    for name in "add sub mul matmul truediv floordiv mod pow lshift rshift and_ or_ xor lt le gt "
    "ge iadd isub imul imatmul itruediv ifloordiv imod ipow ilshift irshift iand ior ixor getitem "
    "delitem".split()
)
GROWN = {
    "list": "o = [3, 1, 2]\n    for i in range(n): o.append(i)",
    "deque": "o = deque([3, 1, 2])\n    for i in range(n): o.append(i)",
    "dict": "o = {'a': 1, 'z': 5}\n    if n > 1: o['b'] = 2",
    "OrderedDict": "o = OrderedDict(a=1, z=5)\n    if n > 1: o['b'] = 2",
    "defaultdict": "o = defaultdict(int, a=1, z=5)\n    if n > 1: o['b'] = 2",
}
# What is done with a grown container, whose result and contents are those of Python.
SEQUENCES = (
    "o.index(1, 2)", "o.index(1, -2)", "o.index(1, 0, 9)", "o.index(1, 1, -1)", "o.index(n, n - n)",
    "o[True]", "o[False]", "o.count((9, 8))", "[3] in o", "o.insert(True, 7)", "o.remove(1)",
    "o.pop()", "o == 5", "sum(o[k] for k in range(len(o)))",
)  # fmt: skip
DICTS = (
    "o.pop('a')", "o.pop('b', 9)", "o.pop('q', 9)", "o.get('b', 9)", "o.get('q', 9)", "o.get('z')",
    "o.setdefault('q', 4)", "o.update(b=7)", "o.update({'c': 7})", "o.update([('c', 7)])",
    "o | {'a': 8}", "o == 5", "len(o)",
)  # fmt: skip
WORKS = {
    "list": (*SEQUENCES, "o.pop(True)", "o.pop(n)", "o.sort(reverse=1)", "o.sort(key=None)"),
    "deque": (*SEQUENCES, "o.rotate(2)", "o.rotate()", "o.popleft()", "o.appendleft(4)"),
    "dict": DICTS,
    "OrderedDict": (
        *DICTS,
        "o.pop('a', default=3)",
        "o.pop(key='a')",
        "o.setdefault('q', default=3)",
    ),
    "defaultdict": (*DICTS, "o['q']"),
}
# What raises an error of Python's, with its text; the classes may be more special.
FAILS = {
    "list": ("o.index(1, 9)", "o.index(8)", "o.index([9])", "o.remove(8)", "o.sort(1)",
             "o.pop(None)", "o.extend(1, 2)", "o.pop(index=0)", "o * 2.0", "o + (9, 8)",
             "(9, 8) + o", "5 <= o",
             "int(o)", "o[1:2.0]"),
    "deque": ("o.pop(0)", "o.index(1, 9)", "o.remove(8)", "o[1:2]", "o.extend()", "o + [1]"),
    "dict": ("o.get()", "o.update({}, {})", "o.pop('q')", "o.popitem(1)", "o | 3", "3 | o", "-o",
             "o.get('a', default=3)", "next(o)"),
    "OrderedDict": ("o.pop('q')", "o.popitem(x=1)"),
    "defaultdict": ("o.pop('q')", "o.get()"),
}  # fmt: skip


def compiled(kind: str, lines: str) -> Any:
    """Return the function of `n` with the lines, after the growth of `o`."""
    name = f"<arguments of {kind}: {lines}>"
    text = f"def f(n):\n    {GROWN[kind]}\n    {lines}\n"
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    known = {"deque": deque, "OrderedDict": OrderedDict, "defaultdict": defaultdict}
    exec(compile(text, name, "exec"), known)
    return known["f"]


def plain(value: Any) -> Any:
    """Return a result without tensors and views of it."""
    if isinstance(value, rt.Tensor):
        return value.numpy().item()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value


@pytest.mark.parametrize("kind", GROWN)
def test_results_and_contents_are_pythons(kind: str) -> None:
    held = "list(o)" if kind == "deque" else "o"
    grown, ends = GROWN[kind].replace("\n    ", "\n        "), []
    parts = []
    for number, expression in enumerate(WORKS[kind]):
        parts.append(f"def g{number}():\n        {grown}\n        r = {expression}")
        parts.append(f"    return r, {held}\n")
        ends.append(f"g{number}()")
    lines = "\n    ".join([*parts, f"return [{', '.join(ends)}]"])
    f = compiled(kind, lines)
    expected = plain(f(2))
    results = plain(ag.function(f)(rt.constant(2)))
    assert dict(zip(WORKS[kind], results)) == dict(zip(WORKS[kind], expected))


@pytest.mark.parametrize(("kind", "line"), [(k, line) for k in FAILS for line in FAILS[k]])
def test_errors_are_pythons(kind: str, line: str) -> None:
    f = compiled(kind, f"return {line}")
    with pytest.raises(Exception) as of_python:
        f(2)
    with pytest.raises(of_python.type) as staged:
        ag.function(f)(rt.constant(2))
    assert str(staged.value).splitlines()[0] == str(of_python.value)


def text_of(function: Any, *args: Any, **kwargs: Any) -> str | None:
    """Return the text of the TypeError of a call, if it raises one; or that it is refused."""
    try:
        function(*args, **kwargs)
    except StagingError:
        return REFUSED
    except TypeError as error:
        return str(error)
    except Exception:
        return None
    return None


def differs(text: str | None, of_python: str) -> bool:
    """Return whether a call does not raise Python's error, and is not refused by name either."""
    return text not in (of_python, REFUSED)


def staged_containers() -> list[tuple[Any, Any]]:
    """Return staged containers while a graph is recorded, each with one of Python's."""
    element = TracedSpec(rt.TensorSpec((), rt.int32))

    def items() -> DynamicItems:
        return DynamicItems(lists.list_new(), element)

    there = PossiblyUnbound("o['b']", rt.constant(True), rt.constant(2), lambda: None, print)
    return [
        (StagedList([items()]), []),
        (StagedDeque(deque([items()])), deque()),
        (StagedDict({"b": there}), {}),
        (DynamicDict({items(): items()}), {}),
        (DynamicSet({items()}), set()),
    ]


def test_methods_and_operators_raise_the_errors_of_python() -> None:
    differences: list[object] = []
    calls = [
        *itertools.chain.from_iterable(itertools.product(POOL, repeat=count) for count in range(3)),
        *[(each,) * count for each in (1, "a", [9]) for count in (3, 4)],
    ]

    def walk(staged: Any, python: Any) -> None:
        methods = [name for name in dir(type(python)) if not name.startswith("_")]
        for name in methods:
            if name == "fromkeys" or not callable(getattr(type(python), name)):
                continue  # a method of the class, or an attribute
            all_calls = [(args, {}) for args in calls]
            all_calls += [((*args,), more) for args in ((), (1,)) for more in KEYWORDS]
            for args, more in all_calls:
                text = text_of(getattr(type(python)(), name), *args, **more)
                if text is not None and differs(
                    text_of(getattr(staged, name), *args, **more), text
                ):
                    differences.append((type(python).__name__, name, args, more, text))
        # A text before `%` is a format, and an operator in place has its target on the left.
        for call, value in itertools.product(OPERATORS, POOL):
            for flipped in (False,) if call.__name__[0] in "igdm" else (False, True):
                pairs = [(value, each) if flipped else (each, value) for each in (staged, python)]
                text = text_of(call, *pairs[1])
                if text is not None and differs(text_of(call, *pairs[0]), text):
                    differences.append((type(python).__name__, call.__name__, value, flipped, text))

    with rt.Graph().as_default():
        for staged, python in staged_containers():
            walk(staged, python)
    assert differences == []


# The cases of a `match` of a grown container; each is taken, or not, as in Python.
PATTERNS = {
    "list": ("list()", "dict()", "{'a': 1}", "list([3, *_])", "[3, 1, *_]", "set() | [_]", "int()"),
    "deque": ("deque()", "list()", "{'a': 1}", "object()"),
    "dict": ("dict()", "{'b': 2}", "{'b': 3}", "{'a': 1, 'b': 2}", "{'q': _}", "{**r}", "[*_]"),
}


@pytest.mark.parametrize("kind", PATTERNS)
def test_patterns_match_as_in_python(kind: str) -> None:
    grown = GROWN[kind].replace("\n    ", "\n        ")
    parts = [
        f"def g{number}():\n        {grown}\n        match o:\n            case {pattern}:\n"
        f"                return 1\n        return 0\n"
        for number, pattern in enumerate(PATTERNS[kind])
    ]
    calls = ", ".join(f"g{number}()" for number in range(len(parts)))
    f = compiled(kind, "\n    ".join([*parts, f"return [{calls}]"]))
    for n in (0, 2):
        assert plain(ag.function(f)(rt.constant(n))) == f(n)
