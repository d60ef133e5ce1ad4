"""Functions in cells of a notebook: errors name the cell, and variables bound anew are noticed."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import BranchMismatch, LoopMismatch, SourceError, StaleValueWarning
from runtime.core import uncaught_errors
from runtime.errors import NotFoundError
from tests.cells import Cells

HELPER = "def helper(x):\n    return x * {}\n"
DECORATOR = """import functools
def passing(function):
    @functools.wraps(function)
    def inner(*args):
        return function(*args)
    return inner
"""
FUNCTION = "@ag.function{}\ndef f(x):\n    return helper(x)\n"


@pytest.fixture
def cells(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cells]:
    made = Cells(monkeypatch)
    made.run("import autograph as ag\nimport runtime as rt\n")
    yield made


def called(cells: Cells, name: str = "f") -> tuple[int, list[str]]:
    """Return the value of a call, and the texts of its warnings."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        value = int(cells.namespace[name](rt.constant(3)))
    return value, [str(each.message) for each in seen if each.category is StaleValueWarning]


# -- the names of cells ----------------------------------------------------------------------------


MISMATCH = """
@ag.function
def f(xs):
    label = 0
    for x in xs:
        if x > 2:
            label = "big"
    return label
"""


def test_an_error_of_a_trace_names_the_cell(cells: Cells) -> None:
    cells.run(MISMATCH)
    with pytest.raises(BranchMismatch, match=r"at Cell In\[2\], line 6, in f\n    if x > 2:"):
        cells.namespace["f"](rt.constant([1]))


def entries_of(error: BaseException) -> list[tuple[str, int, tuple[str, ...]]]:
    """Return the function, line and parameters of each entry of a traceback after the first."""
    shown = [*traceback.walk_tb(error.__traceback__)][1:]
    return [
        (code.co_name, line, code.co_varnames[: code.co_argcount])
        for code, line in ((frame.f_code, line) for frame, line in shown)
    ]


@pytest.mark.parametrize("head", ["for x in xs:", "while rt.size(xs) > 3:"])
def test_the_arrow_is_on_the_line_of_the_body_that_does_not_fit(cells: Cells, head: str) -> None:
    cells.run(
        f"@ag.function\ndef f(xs):\n    y = 0\n    {head}\n        xs = xs[1:]\n"
        '        y = "a"\n    return y\n'
    )
    with pytest.raises(LoopMismatch, match=r"at Cell In\[2\], line 6, in f\n    y = ") as caught:
        cells.namespace["f"](rt.constant([1]))
    assert [("f", 6, ("xs",))] == entries_of(caught.value)
    text = "".join(traceback.format_exception(caught.value))
    assert '2.py", line 6, in f\n    y = "a"' in text


def test_frames_of_bodies_show_no_made_up_parameters(cells: Cells) -> None:
    cells.run(
        "@ag.function\ndef f(xs):\n    label = 0\n    for x in xs:\n        for y in xs:\n"
        "            label = y.missing\n    return label\n"
    )
    with pytest.raises(AttributeError, match="missing") as caught:
        cells.namespace["f"](rt.constant([1]))
    with uncaught_errors.users_part(caught.value, in_notebook=True):
        assert [("f", 6, ())] == entries_of(caught.value)


def test_an_error_of_a_run_shows_no_frame_of_a_library(cells: Cells) -> None:
    cells.run("@ag.function\ndef f(x):\n    return rt.io.read_file('/missing/file')\n")
    with pytest.raises(NotFoundError) as caught:
        cells.namespace["f"](rt.constant(0))
    assert [("f", 3)] == [each[:2] for each in entries_of(caught.value)]


@pytest.mark.parametrize(
    "file, magic", [("<timed exec>", "%%time"), ("<magic-timeit>", "%%timeit")]
)
def test_a_function_under_a_magic_that_times_names_it(file: str, magic: str) -> None:
    names: dict[str, Any] = {}
    exec(compile("def f(x):\n    return x\n", file, "exec"), names)
    with pytest.raises(SourceError, match=f"which {magic} keeps to itself; define it in another"):
        ag.to_code(names["f"])


def test_a_notebook_shows_no_frame_of_this_project_for_a_missing_name() -> None:
    shown = []

    class Shell:
        def showtraceback(self, error: Any, tb_offset: int | None = None) -> None:
            shown.extend(frame.f_code.co_name for frame, _ in traceback.walk_tb(error[2]))

    try:
        rt.sum  # type: ignore[attr-defined]
    except AttributeError as error:
        uncaught_errors._show_in_notebook(Shell(), type(error), error, error.__traceback__)
    assert ["test_a_notebook_shows_no_frame_of_this_project_for_a_missing_name"] == shown


def test_an_error_of_a_run_names_the_cell(cells: Cells) -> None:
    cells.run("@ag.function\ndef f(x):\n    return 3 // x\n")
    with pytest.raises(ZeroDivisionError, match=r"at Cell In\[2\], line 3, in f"):
        cells.namespace["f"](rt.constant(0))


def test_an_error_about_a_missing_source_names_its_cell(cells: Cells) -> None:
    cells.run("def f(x):\n    return x\n")
    f = cells.namespace["f"]
    f.__code__ = f.__code__.replace(co_firstlineno=9)
    with pytest.raises(SourceError, match=r"'f' \(Cell In\[2\], line 9\)"):
        ag.to_code(f)


def test_reports_name_the_cell(cells: Cells) -> None:
    cells.run("def f(x):\n    while x > 0:\n        x -= 1\n    return x\n")
    f = cells.namespace["f"]
    assert "Cell In[2]" in str(ag.explain(f)).splitlines()
    assert "Cell In[2]" in str(ag.explain(f, rt.constant(2))).splitlines()
    assert {"Cell In[2], line 2", "Cell In[2], line 3"} == {
        each.place for each in ag.profile(f, rt.constant(2)).lines
    }
    graph = ag.function(f).get_concrete_function(rt.constant(2)).graph
    assert "# Cell In[2], line 3" in graph.as_text(origins=True)


# -- variables that are bound anew -----------------------------------------------------------------


def test_a_helper_that_another_cell_redefines_warns_once(cells: Cells) -> None:
    cells.run(HELPER.format(2))
    cells.run(FUNCTION.format(""))
    assert (6, []) == called(cells) == called(cells)
    cells.run(HELPER.format(100))
    told = (
        "'helper' was defined anew after f was traced, which still calls the one of Cell In[2], "
        "line 1, not the one of Cell In[4], line 1: define f anew, too, or write "
        "@ag.function(guards='retrace') above it"
    )
    assert (6, [told]) == called(cells)
    assert (6, []) == called(cells) == called(cells)


def test_each_redefinition_warns(cells: Cells) -> None:
    cells.run(HELPER.format(2))
    cells.run(FUNCTION.format(""))
    called(cells)
    for number in (4, 5):
        cells.run(HELPER.format(number))
        value, (told,) = called(cells)
        assert value == 6 and f"not the one of Cell In[{number}]" in told


def test_a_helper_whose_cell_is_run_again_is_the_same(cells: Cells) -> None:
    cells.run(HELPER.format(2))
    cells.run(FUNCTION.format(""))
    called(cells)
    cells.run("\n" + HELPER.format(2))
    assert (6, []) == called(cells)


@pytest.mark.parametrize("options, told", [("(guards='off')", 0), ("(guards='warn')", 1)])
def test_a_given_policy_holds_in_a_cell(cells: Cells, options: str, told: int) -> None:
    cells.run(HELPER.format(2))
    cells.run(FUNCTION.format(options))
    called(cells)
    cells.run(HELPER.format(100))
    value, texts = called(cells)
    assert (6, told) == (value, len(texts))


def test_retrace_calls_the_new_helper(cells: Cells) -> None:
    cells.run(HELPER.format(2))
    cells.run(FUNCTION.format("(guards='retrace')"))
    assert (6, []) == called(cells)
    cells.run(HELPER.format(100))
    assert (300, []) == called(cells)


def of_file(x: Any) -> Any:
    return scale(x)


def scale(x: Any) -> Any:
    return x * 2


def test_a_function_of_a_file_has_no_guards_in_a_notebook(
    cells: Cells, monkeypatch: pytest.MonkeyPatch
) -> None:
    f = ag.function(of_file)
    assert 6 == int(f(rt.constant(3)))
    monkeypatch.setitem(globals(), "scale", lambda x: x * 100)
    cells.namespace["f"] = f
    assert (6, []) == called(cells)


@pytest.mark.parametrize(
    "before, uses, after, words",
    [
        ("rate = 2", "x * rate", "rate = 3", "'rate' was 2 when f was traced and is 3 now"),
        (
            "class Net:\n    k = 2",
            "x * Net.k",
            "class Net:\n    k = 3",
            "'Net' was defined anew after f was traced, which still uses the former one",
        ),
        (
            "class Net:\n    k = 2\nnet = Net()",
            "x * net.k",
            "net = Net()\nnet.k = 3",
            "'net' was another when f was traced and is <cells.Net object> now",
        ),
        (
            "scale = lambda x: x * 2",
            "scale(x)",
            "scale = lambda x: x * 3",
            "not the one of Cell In[4], line 1",
        ),
        (
            "@ag.function\ndef scale(x):\n    return x * 2",
            "scale(x)",
            "@ag.function\ndef scale(x):\n    return x * 3",
            "'scale' was defined anew after f was traced",
        ),
        (
            DECORATOR + "@passing\ndef scale(x):\n    return x * 2",
            "scale(x)",
            "@passing\ndef scale(x):\n    return x * 3",
            "calls the one of Cell In[2], line 7, not the one of Cell In[4], line 1",
        ),
        (
            "import functools\n@functools.lru_cache\ndef scale():\n    return 2",
            "x * scale()",
            "@functools.lru_cache\ndef scale():\n    return 3",
            "calls the one of Cell In[2], line 2, not the one of Cell In[4], line 1",
        ),
        (
            "def made(n):\n    return lambda x: x * n\nscale = made(2)",
            "scale(x)",
            "scale = made(3)",
            "'scale' was defined anew after f was traced, which still calls the former one",
        ),
        (
            "def scale(x, k=2):\n    return x * k",
            "scale(x)",
            "def scale(x, k=3):\n    return x * k",
            "'scale' was defined anew after f was traced",
        ),
        (
            "import numpy as np\ndata = np.array([2])",
            "x * data[0]",
            "data = np.array([3])",
            "'data' was array([2]) when f was traced and is array([3]) now",
        ),
        (
            "import numpy as np\ndata = np.full(20_000, 2)",
            "x * data[0]",
            "data = np.full(20_000, 3)",
            "'data' was array([2, 2, 2",
        ),
        (
            "import numpy as np\ndata = np.array([2])",
            "x * data[0]",
            "data[:] = 3",
            "'data' was array([2]) when f was traced and is array([3]) now",
        ),
        ("data = [2]", "x * data[0]", "data[0] = 3", "'data' was [2] when f was traced"),
        ("data = {'k': 2}", "x * data['k']", "data['k'] = 3", "'data' was {'k': 2} when"),
        (
            "class Net:\n    k = 2\nnet = Net()\nnet.k = 2",
            "x * net.k",
            "net.k = 3",
            "'net.k' was 2 when f was traced and is 3 now",
        ),
        (
            "class Net:\n    k = 2",
            "x * Net.k",
            "Net.k = 3",
            "'Net.k' was 2 when f was traced and is 3 now",
        ),
        (
            "class Net:\n    def k(self):\n        return 2\nnet = Net()",
            "x * net.k()",
            "Net.k = lambda self: 3",
            "'Net' was another when f was traced and is a class with other methods now",
        ),
        (
            "class Net(rt.Module):\n    def __init__(self):\n        self.w = 2\nnet = Net()",
            "x * net.w",
            "net.w = 3",
            "'net.w' was 2 when f was traced and is 3 now",
        ),
    ],
)
def test_other_rebound_values_warn_once(
    cells: Cells, before: str, uses: str, after: str, words: str
) -> None:
    cells.run(before)
    cells.run(f"@ag.function\ndef f(x):\n    return {uses}\n")
    called(cells)
    cells.run(after)
    value, (told,) = called(cells)
    assert 6 == value
    assert words in told
    assert (6, []) == called(cells)


def test_a_number_that_changes_in_each_call_warns_once(cells: Cells) -> None:
    cells.run("step = 0")
    cells.run("@ag.function\ndef f(x):\n    return x + step\n")
    texts = []
    for step in range(5):
        cells.run(f"step = {step}")
        texts += called(cells)[1]
    assert 1 == len(texts)


def test_both_functions_warn_about_a_helper_of_a_called_function(cells: Cells) -> None:
    cells.run(HELPER.format(2))
    cells.run(FUNCTION.format("") + "@ag.function\ndef outer(x):\n    return f(x)\n")
    called(cells, "outer")
    called(cells)
    assert 1 == cells.namespace["f"].experimental_get_tracing_count()
    cells.run(HELPER.format(3))
    for name in ("outer", "f"):
        value, (told,) = called(cells, name)
        assert value == 6 and f"defined anew after {name} was traced" in told


def test_large_arrays_and_lists_and_logs_are_not_compared(cells: Cells) -> None:
    cells.run(
        "import numpy as np\n"
        "data, table = np.ones(100_000, np.int32), [2] * 2000\n"
        "class Net:\n"
        "    def __init__(self):\n"
        "        self.log, self.k = [], 1\n"
        "net = Net()\n"
    )
    cells.run("@ag.function\ndef f(x):\n    return x * table[0] * net.k * rt.constant(data)[0]\n")
    called(cells)
    cells.run("table.append(7)\ndata[0] = 5\nnet.log.append(1)\n")
    assert (6, []) == called(cells)


@pytest.mark.parametrize(
    "definition",
    [
        DECORATOR + "@passing\ndef helper(x, k=2):\n    return x * k\n",
        "def made(n):\n    return lambda x: x * n\nhelper = made(2)\n",
    ],
)
def test_a_decorated_helper_whose_cell_is_run_again_is_the_same(
    cells: Cells, definition: str
) -> None:
    cells.run(definition)
    cells.run(FUNCTION.format(""))
    called(cells)
    cells.run("\n" + definition)
    assert (6, []) == called(cells)


def test_a_dataset_warns_of_a_helper_that_is_defined_anew(cells: Cells) -> None:
    cells.run(HELPER.format(2))
    cells.run("items = rt.data.Dataset.range(3).map(lambda x: helper(x)).take(2)\nother = items\n")
    cells.run("f = lambda x: list(items)[1]\n")
    assert (2, []) == called(cells)
    cells.run(HELPER.format(100))
    told = (
        "'helper' was defined anew after the function of map was traced, which still calls the one "
        "of Cell In[2], line 1, not the one of Cell In[5], line 1: make the dataset anew, too"
    )
    value, texts = called(cells)
    assert (2, [told]) == (value, [text.partition("\n")[0] for text in texts])
    assert (2, []) == called(cells)


def test_an_input_signature_is_watched_too(cells: Cells) -> None:
    cells.run(HELPER.format(2))
    cells.run(FUNCTION.format("(input_signature=[rt.TensorSpec((), rt.int32)])"))
    assert (6, []) == called(cells) == called(cells)
    cells.run(HELPER.format(3))
    assert 1 == len(called(cells)[1])


def test_static_methods_and_properties_of_cells_are_watched(cells: Cells) -> None:
    cells.run(HELPER.format(2))
    cells.run(
        "class A:\n    @ag.function\n    @staticmethod\n    def g(x):\n        return helper(x)\n"
        "f = A.g\n"
    )
    called(cells)
    cells.run(HELPER.format(3))
    assert 1 == len(called(cells)[1])
