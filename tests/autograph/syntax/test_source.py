"""The source of a function is found in its file, or refused."""

from __future__ import annotations

import ast
import functools
import linecache
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gast
import pytest

from autograph.errors import SourceError
from autograph.syntax import large_stack, print_tree, source_of, walk

Load = Callable[..., Any]


def printed(fn: Any) -> str:
    return print_tree(source_of(fn).node)


def plain(a, b=1):  # type: ignore[no-untyped-def]
    return a + b


def test_a_function_of_this_very_file() -> None:
    source = source_of(plain)
    assert print_tree(source.node) == "def plain(a, b=1):\n    return (a + b)"
    assert source.name == "plain"
    assert source.filename == __file__
    assert source.line == plain.__code__.co_firstlineno
    assert source.lines[source.line - 1].startswith("def plain(a, b=1):")
    assert source.text == Path(__file__).read_text()
    assert source.class_name is None


def test_a_test_rewritten_by_pytest_is_found_all_the_same() -> None:
    def asserting(x: int) -> int:
        assert x > 0, "x must be positive"
        return x

    assert printed(asserting).splitlines()[1] == "    assert (x > 0), 'x must be positive'"


def test_nodes_are_fresh_and_positions_those_of_the_file(load: Load) -> None:
    module = load("\n\ndef f(x):\n    y = x\n    return y\n")
    first, second = source_of(module.f), source_of(module.f)
    assert first.node is first.node
    assert first.node is not second.node
    assert isinstance(first.node, gast.FunctionDef)
    assert (first.node.lineno, first.node.body[1].value.col_offset) == (3, 11)
    first.node.body.clear()
    assert len(source_of(module.f).node.body) == 2


def test_methods_of_every_kind(load: Load) -> None:
    module = load(
        "class A:\n"
        "    def plain(self): return 1\n"
        "    @classmethod\n    def of_class(cls): return 2\n"
        "    @staticmethod\n    def static(): return 3\n"
        "    @property\n    def prop(self): return 4\n"
        "    class B:\n        def inner(self): return 5\n"
    )
    a = module.A()
    bodies = {
        1: (a.plain, module.A.plain, module.A.__dict__["plain"]),
        2: (a.of_class, module.A.of_class, module.A.__dict__["of_class"]),
        3: (a.static, module.A.__dict__["static"]),
        4: (module.A.prop.fget,),
        5: (module.A.B.inner, module.A.B().inner),
    }
    for number, functions in bodies.items():
        for function in functions:
            assert source_of(function).node.body[0].value.value == number
            assert source_of(function).class_name == ("B" if number == 5 else "A")


def test_the_class_name_is_the_one_that_mangles_private_names(load: Load) -> None:
    module = load(
        "def deco(f):\n    fs.append(f)\n    return lambda c: c\n"
        "fs = []\n"
        "class A:\n"
        "    def m(self):\n"
        "        def inner(): return 1\n"
        "        return inner\n"
        "    f = lambda self: self\n"
        "@deco(lambda: 2)\n"
        "class B((lambda: object)()): pass\n"
        "def outer():\n"
        "    class C:\n"
        "        def m(self): return 3\n"
        "    return C\n"
    )
    assert source_of(module.A().m()).class_name == "A"
    assert source_of(module.A.f).class_name == "A"
    assert source_of(module.fs[0]).class_name is None
    assert source_of(module.outer().m).class_name == "C"
    assert source_of(module.outer).class_name is None


def test_private_functions_are_found_by_their_written_name(load: Load) -> None:
    module = load("class A:\n    def __f(self): return self.__g\n")
    source = source_of(module.A._A__f)
    assert (source.name, source.class_name) == ("__f", "A")


def test_decorated_functions_and_wrappers_have_their_own_source(load: Load) -> None:
    module = load(
        "import functools\n"
        "def deco(x):\n"
        "    def wrap(f):\n"
        "        @functools.wraps(f)\n"
        "        def wrapper(*args): return f(*args)\n"
        "        return wrapper\n"
        "    return wrap\n"
        "@deco(\n  (lambda:\n 1))\n"
        "@deco(2)\n"
        "def f(x):\n    return x\n"
    )
    assert module.f.__name__ == "f"
    assert source_of(module.f).name == "wrapper"
    inner = module.f.__wrapped__.__wrapped__
    source = source_of(inner)
    assert (source.name, len(source.node.decorator_list), source.line) == ("f", 2, 12)


def test_nested_functions_and_closures(load: Load) -> None:
    module = load(
        "def outer(n):\n"
        "    k = 2\n"
        "    def f(x): return x + n\n"
        "    if n:\n"
        "        def f(x): return x * n * k\n"
        "    return f\n"
    )
    assert printed(module.outer(0)).endswith("return (x + n)")
    assert printed(module.outer(1)).endswith("return ((x * n) * k)")
    assert source_of(module.outer(1)) is not source_of(module.outer(1))


def test_async_functions_and_generators(load: Load) -> None:
    module = load(
        "import types\n"
        "async def f(): await g()\n"
        "@types.coroutine\ndef g(): yield 1\n"
        "async def h():\n    yield [x async for x in y]\n"
    )
    assert isinstance(source_of(module.f).node, gast.AsyncFunctionDef)
    assert source_of(module.g).line == 4
    assert source_of(module.h).line == 5


GENERIC = """
fs = []
def keep(f):
    fs.append(f)
    return type('B', (), {})
def f[T: int](x: T) -> T: return x
class A[T](keep(lambda: 1)):
    def m[U](self, x: U): return x
"""


def test_generic_functions_and_classes(load: Load) -> None:
    if sys.version_info < (3, 12):
        pytest.raises(SyntaxError, load, GENERIC)
        return
    module = load(GENERIC)
    assert printed(module.f).startswith("def f[T: int](x: T) -> T:")
    assert printed(module.A.m).startswith("def m[U](self, x: U):")
    assert source_of(module.A.m).class_name == "A"
    assert source_of(module.fs[0]).class_name == "A"


def test_notebook_cells(load: Load) -> None:
    name = "<ipython-input-7-0123456789ab>"
    text = "x = 1\ndef f(y):\n    return x + y\n"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    try:
        exec(compile(text, name, "exec"), namespace)
        assert printed(namespace["f"]) == "def f(y):\n    return (x + y)"
        assert source_of(namespace["f"]).filename == name
    finally:
        del linecache.cache[name]


def test_cells_with_await_outside_of_functions() -> None:
    name = "<ipython-input-8-0123456789ab>"
    text = "fs = [await g(), lambda: 1]\n"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    code = compile(text, name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    try:
        function = next(c for c in code.co_consts if hasattr(c, "co_code"))
        assert printed(type(plain)(function, {})) == "(lambda : 1)"
    finally:
        del linecache.cache[name]


def test_a_reused_cell_name_returns_the_new_source() -> None:
    name = "<cell>"
    for number in (1, 2):
        text = f"def f(): return {number}\n"
        linecache.cache[name] = (len(text), None, [text], name)
        namespace: dict[str, Any] = {}
        exec(compile(text, name, "exec"), namespace)
        assert printed(namespace["f"]).endswith(f"return {number}")
    del linecache.cache[name]


def run(*arguments: str, stdin: str = "") -> str:
    command = [sys.executable, *arguments]
    root = str(Path(__file__).parents[3])
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, cwd=root)
    return done.stdout + done.stderr


def test_the_command_line() -> None:
    program = (
        "from autograph.syntax import source_of, print_tree\n"
        "def f(x):\n    return x + 1\n"
        "print(print_tree(source_of(f).node))"
    )
    assert run("-c", program) == "def f(x):\n    return (x + 1)\n"


def test_the_prompt_is_remembered_from_python_3_13_on() -> None:
    typed = (
        "from autograph.syntax import source_of, print_tree\n"
        "def f(x):\n    return x + 1\n\n"
        "g = lambda: 2\n"
        "print('got', print_tree(source_of(f).node.body), print_tree(source_of(g).node))\n"
    )
    if sys.version_info >= (3, 13):
        assert "got return (x + 1) (lambda : 2)" in run("-q", "-i", stdin=typed)
    else:
        assert "no source for 'f' (<stdin>:1); put it into a" in run("-q", "-i", stdin=typed)


class Callable_:
    def __call__(self) -> int:
        return 1


class Slotted:
    __slots__ = ()


REFUSED = [
    (len, r"^'len' is written in C and has no Python source; call it unconverted$"),
    ([].append, r"^'list.append' is written in C"),
    (str.upper, r"^'str.upper' is written in C"),
    (int.__add__, r"^'int.__add__' is written in C"),
    ((1).__add__, r"^'int.__add__' is written in C"),
    (int, r"^'int' is a class; convert one of its methods instead$"),
    (Slotted, r"^'Slotted' is a class; convert one of its methods instead$"),
    (functools.partial(plain, 1), r"is a partial; convert its function, \.func, instead$"),
    (Callable_(), r"^an object of class 'Callable_' has no source of its own; convert its __call"),
    (functools.lru_cache(plain), r"^'plain' is a wrapper without .* its \.__wrapped__ instead$"),
    (dict.__dict__["fromkeys"], r"^'dict.fromkeys' is written in C"),
    (3, r"^3 has no Python source; pass a function written with def or lambda$"),
    (None, r"^None has no Python source"),
    (eval("lambda x: x", {}), r"^no source for '<lambda>' \(<string>:1\); put it into a file"),
]  # fmt: skip


@pytest.mark.parametrize(("thing", "message"), REFUSED)
def test_objects_without_source_are_refused(thing: Any, message: str) -> None:
    with pytest.raises(SourceError, match=message) as caught:
        source_of(thing)
    assert "\n" not in str(caught.value)


def test_the_call_method_of_an_object_is_fine() -> None:
    assert source_of(Callable_().__call__).name == "__call__"


def test_a_function_without_a_file_is_refused() -> None:
    namespace: dict[str, Any] = {}
    exec(compile("def f(): pass", "/nowhere/gone.py", "exec"), namespace)
    with pytest.raises(SourceError, match=r"^no source for 'f' \(/nowhere/gone.py:1\); put it"):
        source_of(namespace["f"])


def test_a_source_once_found_stays_found(load: Load, tmp_path: Path) -> None:
    module = load("def f(x):\n    return x + 1\n")
    before = source_of(module.f).text
    (tmp_path / "module.py").write_text("nothing = 1\n")
    assert source_of(module.f).text == before


def test_a_reloaded_module_returns_the_new_source(load: Load) -> None:
    old = load("def f(x):\n    return x + 1\n")
    assert printed(old.f).endswith("(x + 1)")
    new = load("\n\ndef f(x):\n    return x + 2\n")
    assert printed(new.f).endswith("(x + 2)")
    assert printed(old.f).endswith("(x + 1)")


def test_deep_nesting_finds_room(load: Load) -> None:
    module = load("def f(x):\n    return " + "+".join(["x"] * 1400) + "\n")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)
    try:
        assert 1400 == sum(isinstance(n, gast.Name) for n in walk(source_of(module.f).node.body))
    finally:
        sys.setrecursionlimit(limit)


def test_too_deep_a_nesting_is_refused(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    module = load("def f(x):\n    return " + "+".join(["x"] * 2000) + "\n")
    monkeypatch.setattr(large_stack, "_FRAMES", 1000)
    with pytest.raises(SourceError, match="'f' .* nests too deeply"):
        source_of(module.f).node


def test_threads_find_the_same_source(load: Load) -> None:
    text = "\n".join(f"def f{i}(x): return [lambda: {i}, lambda: x]" for i in range(30))
    module = load(text)
    wrong: list[str] = []

    def look() -> None:
        for i in range(30):
            try:
                function = getattr(module, f"f{i}")
                assert printed(function(0)[0]) == f"(lambda : {i})"
                assert source_of(function).line == i + 1
            except Exception as error:
                wrong.append(repr(error))

    threads = [threading.Thread(target=look) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_second_lookup_is_fast(load: Load) -> None:
    lines = "".join(f"def f{i}(x):\n    return x + {i}\n\n" for i in range(400))
    module = load(lines)
    source_of(module.f0)

    def seconds(function: Any) -> float:
        start = time.perf_counter()
        source_of(function)
        return time.perf_counter() - start

    assert min(seconds(module.f0) for _ in range(20)) < 0.0005
    assert min(seconds(getattr(module, f"f{i}")) for i in range(1, 20)) < 0.02
