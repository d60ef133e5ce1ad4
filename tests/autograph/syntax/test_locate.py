"""The definition of a function in its file is found, or none."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gast
import pytest

from autograph.errors import SourceError
from autograph.syntax import print_tree, recompile, source_of

Load = Callable[..., Any]

LAMBDAS = {
    "[lambda x: x + 1, lambda x: x + 2]": ["x + 1", "x + 2"],
    "[lambda x: x, lambda y: y, lambda x, y: x]": ["x", "y", "x"],
    "[lambda x: 1, lambda x: 1.0, lambda x: True, lambda x: '1']": ["1", "1.0", "True", "'1'"],
    "[lambda x: 0.0, lambda x: -0.0]": ["0.0", "-0.0"],
    "[lambda x: x.a, lambda x: x.b, lambda x: x.a()]": ["x.a", "x.b", "x.a()"],
    "[lambda x: (1, 2), lambda x: (2, 1)]": ["(1, 2)", "(2, 1)"],
    "[lambda: (lambda: 1), (lambda: (lambda: 2))()]": ["lambda: 1", "2"],
    "[(lambda f: f)(lambda: 3), lambda: 3]": ["3", "3"],
    "[lambda x, k=k: x in {k} for k in (1, 2)]": ["x in {k}", "x in {k}"],
    "[lambda x: x in {1, 2}, lambda x: x in {1, 3}]": ["x in {1, 2}", "x in {1, 3}"],
    "(lambda a: [lambda: a, lambda: -a, lambda: 1])(1)": ["a", "-a", "1"],
    "[lambda: f'{1}{2}', lambda: f'{1!r}']": ["f'{1}{2}'", "f'{1!r}'"],
    "[lambda x:\\\n  x, lambda x: (\n  x)]": ["x", "x"],
    "[lambda: (yield), lambda: 0]": ["(yield)", "0"],
    "[lambda *a: a, lambda **a: a, lambda a: a]": ["a", "a", "a"],
    "sorted([lambda: 2, lambda: 1], key=lambda f: f())": ["1", "2"],
}


@pytest.mark.parametrize("text", LAMBDAS)
def test_lambdas_on_one_line_are_distinct(load: Load, text: str) -> None:
    module = load(f"# -*- coding: utf-8 -*-\nfs = {text}\n")
    expected = [print_tree(gast.parse(body).body[0]) for body in LAMBDAS[text]]
    assert [print_tree(source_of(f).node.body) for f in module.fs] == expected
    assert all(source_of(f).name == "<lambda>" for f in module.fs)


def test_equal_lambdas_are_distinct_by_column(
    load: Load,
) -> None:
    module = load("fs = [lambda x: x,    lambda x: x, (lambda x: x)]\n")
    columns = [6, 22, 36] if sys.version_info >= (3, 11) else [6, 6, 6]
    assert [source_of(f).node.col_offset for f in module.fs] == columns


def test_lambdas_in_decorators_defaults_and_f_strings(load: Load) -> None:
    module = load(
        "fs = []\n"
        "def keep(f):\n    fs.append(f)\n    return lambda g: g\n"
        "@keep(lambda: 1)\n"
        "def f(a=keep(lambda: 2), *, b: keep(lambda: 3) = 0): pass\n"
        'x = f"""\n{keep(lambda: 4)!r:>{(keep(lambda: 5), 9)[1]}}\n"""\n'
    )
    assert sorted(source_of(f).node.body.value for f in module.fs) == [1, 2, 3, 4, 5]


AWKWARD = {
    "continuation lines": "def f(x): \\\n    return x + \\\n 1\n",
    "a comment ending in a backslash": "def f(x):\n    # odd \\\n    return x + 1  # why \\\n",
    "tabs and spaces": "if True:\n\tif True:\n\t        def f(x):\n\t          return x + 1\n",
    "odd indentation": "class A:\n         def f(self, x):\n          return x + 1\nf = A().f\n",
    "a raw string with backslash and newline": (
        "def f(x):\n    s = r'a\\\nb'\n    return x + len(s) - 3\n"
    ),
    "text that is not indented": 'def f(x):\n    """\nnot indented\n"""\n    return x + 1\n',
    "one line": "def g(x): return x; \nf = lambda x: x + 1; h = 1\n",
    "windows line ends": "def f(x):\r\n    y = '''\r\n'''\r\n    return x + len(y)\r\n",
    "old mac line ends": "def f(x):\r    return x + 1\r",
    "a form feed": "\x0c\ndef f(x):\n\x0c    return x + 1\n",
    "no newline at the end": "def f(x):\n    return x + 1",
    "letters beyond ascii": "é = 'ü'; f = lambda ñ: ñ + len(é)\n",
    "semicolons": "a = 1; f = lambda x: x + 1; b = 2\n",
    "a docstring of code": "'''\ndef f(x): return 0\n'''\ndef f(x): return x + 1\n",
    "names defined again": "def f(x): return x\ndef f(x): return x + 1\n",
    "a with in brackets": "import contextlib\nwith (contextlib.nullcontext(1) as a):\n"
    "  def f(x): return x + a\n",
    "a match": "match 1:\n  case 1:\n    def f(x): return x + 1\n",
    "an else": "if not 1: pass\nelse:\n  def f(x): return x + 1\n",
    "an except": "try: 1/0\nexcept ZeroDivisionError:\n  def f(x): return x + 1\n",
    "dead code of the same name": "if 0:\n  def f(x): return 0\nf = lambda x: x + 1\n",
    "an invalid escape": "def f(x): return x + len('\\d') - 1\n",
    "a comparison with a literal": "def f(x): return x + (1 is 1)\n",
    "module calls": "import math as m\ndef f(x): return x + int(m.floor(1.5))\n",
    "imports in a try": "try: import math\nexcept ImportError: pass\n"
    "def f(x): return x + int(math.floor(1.5))\n",
    "a super of its own": "def super(): return 1\n"
    "class A:\n    def f(self, x): return x + super()\nf = A().f\n",
    "annotations": "def f(x: 'int', *, y: list[int] = 1) -> 'int': return x + y\n",
    "a class in the function": "def f(x):\n  class A:\n"
    "    def __init__(self): self.b = self.a = x\n"
    "    def g(self): self.c = 1\n  return A().a + 1\n",
    "a global statement": "def f(x):\n  global z\n  z = 1\n  return x + z\n",
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("kind", AWKWARD)
def test_awkward_files(load: Load, kind: str) -> None:
    module = load(AWKWARD[kind])
    assert module.f(1) == 2
    source = source_of(module.f)
    namespace = {"f": None, **vars(module)}
    text = print_tree(source.node)
    exec(text if source.name != "<lambda>" else f"f = {text}", namespace)
    arguments = (None, 1) if source.class_name else (1,)
    assert namespace["f"](*arguments) == 2  # type: ignore[misc]


EDITS = {
    "another constant": "def f(x):\n    return x + 2\n",
    "another operator": "def f(x):\n    return x - 1\n",
    "another name": "def f(x):\n    return y + 1\n",
    "another parameter": "def f(x, y=0):\n    return x + 1\n",
    "a line more before": "\ndef f(x):\n    return x + 1\n",
    "renamed": "def g(x):\n    return x + 1\n",
    "less": "def f(x):\n    return x\n",
    "gone": "",
    "not python": "def f(x):\n    return x +\n",
    "a lambda": "f = lambda x: x + 1\n",
    "a generator": "def f(x):\n    return (yield x) + 1\n",
}


@pytest.mark.parametrize("kind", EDITS)
def test_a_file_edited_since_it_was_imported_is_refused(
    load: Load, tmp_path: Path, kind: str
) -> None:
    module = load("def f(x):\n    return x + 1\n")
    (tmp_path / "module.py").write_text(EDITS[kind])
    message = r"^(the source of|no source for) 'f' \(.*module.py:1\)"
    with pytest.raises(SourceError, match=message) as caught:
        source_of(module.f)
    assert kind == "gone" or "has changed since it was imported; import it again" in str(
        caught.value
    )


def test_edits_elsewhere_in_the_file_are_ignored(load: Load, tmp_path: Path) -> None:
    module = load("def f(x):\n    return x + 1\ndef g(): pass\n")
    (tmp_path / "module.py").write_text("def f(x):\n    return (x + 1) # better\nh = 1\n")
    assert source_of(module.f).lines[1] == "    return (x + 1) # better"
    with pytest.raises(SourceError, match="'g'"):
        source_of(module.g)


def test_code_compiled_without_its_imports_is_found(load: Load) -> None:
    """A converted function makes such code: from Python 3.11 on, its calls are compiled apart."""
    text = "import math\n\n\ndef f(x):\n    return lambda y: math.floor(x + y)\n"
    module = load(text)
    filename = module.f.__code__.co_filename
    made: dict[str, Any] = {"math": module.math}
    exec(compile(text.replace("import math", ""), filename, "exec"), made)
    assert "f" == source_of(made["f"]).name
    assert 5 == source_of(made["f"](1)).line
    exec(compile(text.replace("floor", "ceil"), filename, "exec"), made)
    with pytest.raises(SourceError, match="has changed since it was imported"):
        source_of(made["f"])


def test_a_class_is_compiled_once_to_find_its_methods(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    methods = "".join(f"    def m{at}(self):\n        return {at}\n" for at in range(20))
    module = load(f"class C:\n{methods}\nclass D:\n{methods}\n")
    compiled: list[object] = []
    real = recompile._codes_of

    def counted(*given: Any) -> Any:
        compiled.append(given)
        return real(*given)

    monkeypatch.setattr(recompile, "_codes_of", counted)
    for kind in (module.C, module.D):
        for at in range(20):
            found = print_tree(source_of(getattr(kind, f"m{at}")).node)
            assert f"def m{at}(self):\n    return {at}" == found.strip()
    assert 2 == len(compiled)
