"""A notebook in a real kernel: errors, warnings, forms and progress. One kernel runs all cells."""

from __future__ import annotations

import re
import sys
from typing import Any

import pytest

from tests import pages

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

CELLS = {
    "imports": "import sys\nimport autograph as ag\nimport autograph.runtime as rt",
    "lean": "'IPython.display' in sys.modules, 'runtime.display.html' in sys.modules",
    "mismatch": """
scale = 2

@ag.function
def f(xs):
    label = 0
    for x in xs:
        y = x + 1
        if y > 2:
            label = "big"
    return label
f(rt.constant([1, 2, 3]))
""",
    "loop mismatch": """
@ag.function
def f(n):
    y = 0
    while n > 0:
        n = n - 1
        y = "a"
    return y
f(rt.constant(3))
""",
    "run error": """
before = 1

@ag.function
def divided(x):
    while x > 0:
        x = x // (x - x)
    return x
divided(rt.constant(3))
""",
    "eager error": "rt.ones([2]) + rt.ones([3])",
    "index error": "@ag.function\ndef at(x, i):\n    return x[i]\nat(rt.ones([2]), rt.constant(7))",
    "keyword": "rt.reduce_sum(rt.ones([2]), axsi=0)",
    "helper": "def helper(x):\n    return x * 2",
    "caller": "@ag.function\ndef g(x):\n    return helper(x)\ng(rt.constant(3))",
    "redefined": "def helper(x):\n    return x * 100",
    "stale": "[int(g(rt.constant(3))) for _ in range(3)]",
    "explain": """
def total(n):
    s = 0
    while n > 0:
        s += n
        n -= 1
    return s
ag.explain(total, rt.constant(4))
""",
    "graph": "ag.function(total).get_concrete_function(rt.constant(4)).graph",
    "profile": "ag.profile(total, rt.constant(4))",
    "matrix": "rt.zeros([100, 100])",
    "scalar": "rt.constant(3)",
    "generated": "print(ag.explain(total))",
    "fit": """
model = rt.nn.Sequential([rt.nn.layers.Dense(1)])
model.compile("sgd", "mse")
history = model.fit(rt.ones([64, 3]), rt.ones([64, 1]), batch_size=4, epochs=20)
""",
    "history": "history",
    "model": "model",
    "dataset": "rt.data.Dataset.range(5)",
}
NUMBERS = {name: at for at, name in enumerate(CELLS, 1)}
PAGE = (pages.ROOT / "docs" / "notebooks.md").read_text("utf-8")
BLOCKS = pages.python_blocks(PAGE)
CELLS |= {f"page {at}": block.source for at, block in enumerate(BLOCKS)}
CELLS["page call"] = "scaled(rt.constant(3))"


class Outputs:
    """The outputs of the cells of an executed notebook, by the names of cells."""

    def __init__(self) -> None:
        cells = [nbformat.v4.new_code_cell(text.strip()) for text in CELLS.values()]
        notebook = nbformat.v4.new_notebook(cells=cells)
        client = nbclient.NotebookClient(
            notebook, timeout=120, allow_errors=True, kernel_name="python3"
        )
        client.create_kernel_manager().kernel_cmd = kernel_command()
        client.execute()
        self._cells = dict(zip(CELLS, notebook.cells))

    def of(self, name: str, kind: str) -> list[Any]:
        """Return the outputs of a cell of one kind, such as `stream`."""
        return [each for each in self._cells[name].outputs if each.output_type == kind]

    def value(self, name: str, form: str = "text/plain") -> str:
        """Return the value of the last expression of a cell, in a form."""
        (result,) = self.of(name, "execute_result")
        return str(result.data.get(form, ""))

    def error(self, name: str) -> str:
        """Return the traceback of a cell, without colours."""
        (error,) = self.of(name, "error")
        return re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(error.traceback))

    def written(self, name: str, stream: str = "stdout") -> str:
        """Return the text that a cell has written to a stream."""
        return "".join(each.text for each in self.of(name, "stream") if each.name == stream)


def kernel_command() -> list[str]:
    """Return the command that starts a kernel of this very Python."""
    return [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]


def test_a_notebook() -> None:
    """Run all cells, then compare; a kernel takes longer to start than all cells to run."""
    outputs = Outputs()
    for check in CHECKS:
        check(outputs)


def importing_loads_nothing_of_notebooks(outputs: Outputs) -> None:
    assert "False)" in outputs.value("lean")


def the_arrow_is_on_the_line_in_the_body(outputs: Outputs) -> None:
    error, cell = outputs.error("mismatch"), f"Cell In[{NUMBERS['mismatch']}]"
    assert re.search(r"-+> 8 +if y > 2:", error)
    assert f"{cell}, line 8, in f()" in error
    # Python 3.10 knows no columns.
    carets = "\n    ^^^^^^^^^" if sys.version_info >= (3, 11) else ""
    assert f"  at {cell}, line 8, in f\n    if y > 2:{carets}" in error
    assert "ipykernel" not in error
    error = outputs.error("loop mismatch")
    assert re.search(r"-+> 6 +y = .a.", error) and "line 6, in f()" in error


def an_error_of_a_run_has_the_arrow_too(outputs: Outputs) -> None:
    error = outputs.error("run error")
    assert re.search(r"-+> 6 +x = x // \(x - x\)", error)
    assert f"  at Cell In[{NUMBERS['run error']}], line 6, in divided" in error


def an_error_outside_of_functions_ends_in_the_cell(outputs: Outputs) -> None:
    error, cell = outputs.error("eager error"), f"Cell In[{NUMBERS['eager error']}], line 1"
    assert cell in error and "ShapeError: add: shapes (2,) and (3,)" in error
    assert 1 == error.count(", line") and "File" not in error and "direct cause" not in error


def a_cause_that_says_the_same_is_left_out(outputs: Outputs) -> None:
    error = outputs.error("index error")
    assert error.startswith("-") and "OutOfBoundsError: slice index 7" in error
    assert "direct cause" not in error


def a_misspelled_keyword_is_answered(outputs: Outputs) -> None:
    error = outputs.error("keyword")
    assert "unexpected keyword argument 'axsi'" in error
    assert error.lower().rstrip("?").endswith("did you mean 'axis'")
    assert 1 == error.count("-> 1 rt.reduce_sum")


def a_helper_defined_anew_is_told_once(outputs: Outputs) -> None:
    assert "[6, 6, 6]" == outputs.value("stale")
    told = outputs.written("stale", "stderr")
    assert 1 == told.count("StaleValueWarning")
    cells = [f"the one of Cell In[{NUMBERS[each]}], line 1" for each in ("helper", "redefined")]
    assert f"g was traced, which still calls {cells[0]}, not {cells[1]}: define g anew" in told
    assert f"  at Cell In[{NUMBERS['stale']}], line 1" in told
    assert "" == outputs.written("caller", "stderr")


def reports_are_short_texts_and_html(outputs: Outputs) -> None:
    for name in ("explain", "profile"):
        assert len(outputs.value(name)) < 1500 and "Origin(" not in outputs.value(name)
        assert '<div class="ag-view">' in outputs.value(name, "text/html")
        assert f"Cell In[{NUMBERS['explain']}]" in outputs.value(name)
        assert f"Cell In[{NUMBERS['explain']}]" in outputs.value(name, "text/html")
    assert f"\nCell In[{NUMBERS['explain']}]\n" in outputs.written("generated")


def values_have_forms(outputs: Outputs) -> None:
    assert "<iframe" in outputs.value("graph", "text/html")
    assert "<table>" in outputs.value("matrix", "text/html")
    assert "" == outputs.value("scalar", "text/html")
    assert "dense (Dense)" in outputs.value("model", "text/html")
    assert "5 elements" in outputs.value("dataset", "text/html")


def a_training_is_one_output(outputs: Outputs) -> None:
    (bar,) = outputs.of("fit", "display_data")
    assert bar.data["text/plain"].startswith("Epoch 20/20  16/16 ")
    assert "<progress" in bar.data["text/html"]
    assert "" == outputs.written("fit")
    assert outputs.value("history").startswith("<History: 20 epochs, loss ")
    assert "<polyline" in outputs.value("history", "text/html")


def the_page_tells_what_a_notebook_does(outputs: Outputs) -> None:
    for at, block in enumerate(BLOCKS):
        assert [] == outputs.of(f"page {at}", "error")
        assert (block.output or "") == outputs.written(f"page {at}")
    (told,) = re.findall(r"^    StaleValueWarning: (.*)$", PAGE, re.MULTILINE)
    numbered = re.escape(told).replace(r"In\[2\]", r"In\[\d+\]").replace(r"In\[3\]", r"In\[\d+\]")
    assert re.search(numbered, outputs.written("page call", "stderr"))


CHECKS = (
    the_page_tells_what_a_notebook_does,
    importing_loads_nothing_of_notebooks,
    the_arrow_is_on_the_line_in_the_body,
    an_error_of_a_run_has_the_arrow_too,
    an_error_outside_of_functions_ends_in_the_cell,
    a_cause_that_says_the_same_is_left_out,
    a_misspelled_keyword_is_answered,
    a_helper_defined_anew_is_told_once,
    reports_are_short_texts_and_html,
    values_have_forms,
    a_training_is_one_output,
)
