"""Programs with one typing mistake each, and the parts that the message about it must have."""

from __future__ import annotations

import contextlib
import io
import linecache
import re
import traceback
import warnings
from typing import NamedTuple

from autograph.__main__ import main
from runtime.core.keyword_suggestions import complete_message

FILE = "model.py"
MARK = "  # <- the mistake"
_HEAD = "import json\n\nimport numpy as np\n\nimport autograph as ag\nimport runtime as rt\n\n"


class Mistake(NamedTuple):
    """A program, or a command line of `python -m autograph`.

    Attributes:
        title: the mistake in words.
        program: the program; one line has the mark.
        names: words of the program that the message has.
        remedy: the part of the message that says what to write, or which sizes must agree.
    """

    title: str
    program: str
    names: tuple[str, ...]
    remedy: str


class Report(NamedTuple):
    """The message of an error or warning, and the line of the program that it shows."""

    kind: str
    message: str
    line: int | None


_X_AND_WEIGHTS = "x, weights = rt.ones([2, 3]), rt.ones([4, 5])\n"
_ANY_LENGTH = "@ag.function(input_signature=[rt.TensorSpec([None])] * 2)\n"

MISTAKES = (
    Mistake(
        "a product of matrices that do not fit",
        _X_AND_WEIGHTS + "rt.matmul(x, weights)" + MARK,
        ("x", "weights"),
        "3 is not 4",
    ),
    Mistake(
        "the same while tracing, with an attribute",
        "class Model:\n    def __init__(self):\n        self.weights = rt.ones([4, 5])\n\n"
        f"    @ag.function\n    def __call__(self, x):\n        return x @ self.weights{MARK}\n\n\n"
        "Model()(rt.ones([2, 3]))",
        ("x", "self.weights"),
        "3 is not 4",
    ),
    Mistake(
        "shapes that do not broadcast",
        "prices, amounts = rt.ones([2]), rt.ones([3])\ntotal = prices * amounts" + MARK,
        ("prices", "amounts"),
        "do not broadcast",
    ),
    Mistake(
        "shapes that do not broadcast, known when the graph runs",
        f"{_ANY_LENGTH}def total(prices, amounts):\n    return prices * amounts{MARK}\n\n\n"
        "total(rt.ones([2]), rt.ones([3]))",
        ("prices", "amounts"),
        "do not broadcast",
    ),
    Mistake(
        "two dtypes",
        "count, rate = rt.constant(3), rt.constant(0.5)\nrt.multiply(count, rate)" + MARK,
        ("count",),
        "write rt.cast(count, rt.float32)",
    ),
    Mistake(
        "two dtypes while tracing",
        "@ag.function\ndef cost(count, rate):\n    total = rt.size(count)\n"
        f"    total += rate{MARK}\n    return total\n\n\ncost(rt.ones([3]), rt.constant(0.5))",
        ("total",),
        "write rt.cast(total, rt.float32)",
    ),
    Mistake(
        "an index that is too large",
        f"scores, i = rt.constant([1, 2, 3]), 7\nscores[i]{MARK}",
        ("scores", "i"),
        "it has size 3",
    ),
    Mistake(
        "an index that is too large when the graph runs",
        f"@ag.function\ndef score(scores, i):\n    return scores[i]{MARK}\n\n\n"
        "score(rt.constant([1, 2, 3]), rt.constant(7))",
        ("scores", "i"),
        "it has size 3",
    ),
    Mistake(
        "an index of gather that is too large",
        f"table, ids = rt.ones([3, 2]), rt.constant([0, 3])\nrt.gather(table, ids){MARK}",
        ("table", "ids"),
        "is not in [0, 3)",
    ),
    Mistake(
        "a division by zero when the graph runs",
        f"@ag.function\ndef share(total, people):\n    return total // people{MARK}\n\n\n"
        "share(rt.constant(7), rt.constant(0))",
        ("total", "people"),
        "by zero",
    ),
    Mistake(
        "a name of NumPy's", f"x = rt.ones([3])\nrt.sum(x){MARK}", ("sum",), "write rt.reduce_sum"
    ),
    Mistake(
        "a typing mistake in a name", f"rt.conact([[1], [2]], 0){MARK}", ("conact",), "'concat'"
    ),
    Mistake(
        "a typing mistake in the name of a layer",
        f"rt.nn.layers.Dence(3){MARK}",
        ("Dence",),
        "'Dense'",
    ),
    Mistake(
        "a typing mistake in the name of a module",
        f"import runtime.lineal{MARK}",
        ("runtime.lineal",),
        "'runtime.linalg'",
    ),
    Mistake(
        "a keyword of a layer",
        f"rt.nn.layers.Dense(3, activaton='relu'){MARK}",
        ("activaton",),
        "'activation'",
    ),
    Mistake("a name of autograph", f"ag.functoin(abs){MARK}", ("functoin",), "'function'"),
    Mistake(
        "a keyword of a traced function",
        f"@ag.function\ndef total(x, axis=0):\n    return rt.reduce_sum(x, axis)\n\n\n"
        f"total(rt.ones([3]), axes=0){MARK}",
        ("axes",),
        "'axis'",
    ),
    Mistake("a command", "python -m autograph explian model.py:cost", ("explian",), "'explain'"),
    Mistake(
        "the assignment of an item of a tensor",
        f"scores = rt.zeros([3])\nscores[1] = 5.0{MARK}",
        ("scores",),
        "scores = rt.set_item(scores, 1, 5.0)",
    ),
    Mistake(
        "a loss that leaves the tape",
        "w = rt.Variable(2.0)\nwith rt.GradientTape() as tape:\n    loss = w * w\n"
        f"    total = float(loss) * 2{MARK}\ntape.gradient(total, w)",
        ("loss",),
        "left the tape",
    ),
    Mistake(
        "a value that a trace does not have",
        f"@ag.function\ndef mean(scores):\n    return scores.numpy().mean(){MARK}\n\n\n"
        "mean(rt.ones([3]))",
        ("scores",),
        "rt.print(scores)",
    ),
    Mistake(
        "print in a branch",
        f"@ag.function\ndef checked(x):\n    if x < 0:\n        print('negative'){MARK}\n"
        "        x = -x\n    return x\n\n\nchecked(rt.constant(1))",
        ("print",),
        "rt.print",
    ),
    Mistake(
        "a file written in a branch",
        "@ag.function\ndef logged(x):\n    if x < 0:\n"
        f"        open('/dev/null', 'w').write('negative'){MARK}\n        x = -x\n"
        "    return x\n\n\nlogged(rt.constant(1))",
        ("open",),
        "rt.py_function",
    ),
    Mistake(
        "a method of arrays",
        f"scores = rt.ones([3])\nscores.astype('int32'){MARK}",
        ("scores",),
        "write rt.cast(scores, ",
    ),
    Mistake(
        "a shape of another size",
        f"image = rt.ones([2, 3])\nrt.reshape(image, [4, 2]){MARK}",
        ("image",),
        "(4, 2)",
    ),
    Mistake(
        "rows of two widths",
        "head, tail = rt.ones([2, 3]), rt.ones([2, 4])\n" + f"rt.concat([head, tail], 0){MARK}",
        ("head", "tail"),
        "(2, 4)",
    ),
    Mistake(
        "the name of a dtype",
        f"x = rt.ones([3])\nrt.cast(x, 'flaot32'){MARK}",
        ("flaot32",),
        "float32",
    ),
    Mistake(
        "an axis that there is not",
        f"scores = rt.ones([3])\nrt.reduce_mean(scores, axis=1){MARK}",
        ("scores",),
        "axis 1 is out of range for rank 1",
    ),
    Mistake(
        "a value of another kind on one path",
        f"@ag.function\ndef sign(x):\n    if x > 0:{MARK}\n        word = 'positive'\n    else:\n"
        "        word = 0\n    return word\n\n\nsign(rt.constant(1))",
        ("word",),
        "dtype",
    ),
    Mistake(
        "a list in place of a number",
        f"@ag.function\ndef halved(x):\n    y = x\n    while x > 0:\n"
        f"        x, y = x - 1, [y]{MARK}\n"
        "    return y\n\n\nhalved(rt.constant(1))",
        ("y",),
        "before the loop",
    ),
    Mistake(
        "a variable of another shape",
        f"weights = rt.Variable(rt.ones([2, 3]))\nweights.assign(rt.ones([3, 2])){MARK}",
        ("weights",),
        "(2, 3)",
    ),
    Mistake(
        "a condition of several values",
        f"@ag.function\ndef positive(scores):\n    if scores > 0:{MARK}\n        return 1\n"
        "    return 0\n\n\npositive(rt.ones([3]))",
        ("scores",),
        "rt.reduce_any(",
    ),
    Mistake(
        "a name of TensorFlow's", f"rt.function(abs){MARK}", ("function",), "write ag.function"
    ),
    Mistake("a name of the other package", f"ag.constant(3){MARK}", ("constant",), "rt.constant"),
    Mistake(
        "two letters of an optimizer",
        f"model = rt.nn.Sequential([rt.nn.layers.Dense(1)])\nmodel.compile('adma'){MARK}",
        ("adma",),
        "'adam'",
    ),
    Mistake(
        "`and` of two vectors",
        f"@ag.function\ndef small(mask, x):\n    return mask and x < 3{MARK}\n\n\n"
        "small(rt.constant([True, False]), rt.constant([1, 2]))",
        ("mask",),
        "(a > 0) & (b > 0)",
    ),
    Mistake(
        "`not` of a vector",
        f"@ag.function\ndef rest(mask):\n    return not mask{MARK}\n\n\n"
        "rest(rt.constant([True, False]))",
        ("mask",),
        "rt.logical_not(",
    ),
    Mistake(
        "the assignment of an item of a variable",
        f"scores = rt.Variable([1.0, 2.0])\nscores[1] = 5.0{MARK}",
        ("scores",),
        "scores[1].assign(5.0)",
    ),
    Mistake(
        "a text and a number",
        f"loss = rt.constant(0.5)\n'the loss is ' + loss{MARK}",
        ("loss",),
        "rt.strings.as_string(loss)",
    ),
    Mistake(
        "round of a vector",
        f"scores = rt.constant([0.5, 1.5])\nround(scores){MARK}",
        ("scores",),
        "rt.round(scores)",
    ),
    Mistake(
        "int of a vector while tracing",
        f"@ag.function\ndef whole(scores):\n    return int(scores){MARK}\n\n\n"
        "whole(rt.constant([0.5, 1.5]))",
        ("scores",),
        "rt.cast(scores, rt.int32)",
    ),
    Mistake(
        "a row without a batch",
        f"row = rt.ones([4])\nrt.nn.layers.Dense(2, name='last')(row){MARK}",
        ("last",),
        "batch the data",
    ),
    Mistake(
        "one-hot classes of a sparse loss",
        "classes, logits = rt.ones([2, 3]), rt.ones([2, 3])\n"
        f"rt.nn.losses.SparseCategoricalCrossentropy()(classes, logits){MARK}",
        ("y_true",),
        "without `sparse`",
    ),
    Mistake(
        "a dimension that is no whole number",
        f"half = rt.constant(1.5)\nrt.zeros([half]){MARK}",
        ("half",),
        "rt.cast(half, rt.int32)",
    ),
    Mistake(
        "a function of one argument for pairs",
        "pairs = rt.data.Dataset.from_tensor_slices(([1, 2], [3, 4]))\n"
        f"def first(pair): return pair[0]\npairs.map(first){MARK}",
        ("first",),
        "a tuple of 2",
    ),
    Mistake(
        "a variable that one call makes",
        f"@ag.function\ndef total(x):\n    v = rt.Variable(1.0){MARK}\n    v.assign_add(x)\n"
        "    return v + 1\n\n\ntotal(rt.constant(1.0))",
        ("total",),
        "create it outside the function",
    ),
    Mistake(
        "a name of another namespace",
        f"x = rt.ones([3])\nrt.percentile(x, 50){MARK}",
        ("percentile",),
        "write rt.nn.ops.statistics.percentile",
    ),
    Mistake(
        "a layer in the wrong namespace",
        f"rt.Dense(3){MARK}",
        ("Dense",),
        "write rt.nn.layers.Dense",
    ),
    Mistake(
        "a name of NumPy's random numbers",
        f"rt.random.randn(3){MARK}",
        ("randn",),
        "write rt.random.normal",
    ),
    Mistake(
        "a function that only NumPy has",
        f"rt.polyfit([1], [2], 1){MARK}",
        ("polyfit",),
        "rt.numpy_function(np.polyfit, ",
    ),
    Mistake(
        "a part of TensorFlow that there is not",
        f"rt.ragged.constant([[1], [2, 3]]){MARK}",
        ("ragged",),
        "padded_batch",
    ),
    Mistake(
        "a picture as JPEG",
        f"image = rt.zeros([2, 2, 3], rt.uint8)\nrt.io.encode_jpeg(image){MARK}",
        ("encode_jpeg",),
        "rt.io.encode_png(image)",
    ),
    Mistake(
        "a method of PyTorch's",
        f"loss = rt.ones([])\nloss.backward(){MARK}",
        ("loss", "backward"),
        "tape.gradient(loss, variables)",
    ),
    Mistake(
        "a function without return as the loss",
        "w = rt.Variable(1.0)\ndef loss_of(w): w * w\nwith rt.GradientTape() as tape:\n"
        f"    loss = loss_of(w)\ntape.gradient(loss, w){MARK}",
        ("loss",),
        "without `return`",
    ),
    Mistake(
        "a gradient of whole numbers",
        "w = rt.Variable(3)\nwith rt.GradientTape() as tape:\n    loss = w * w\n"
        f"tape.gradient(loss, w){MARK}",
        ("loss",),
        "rt.cast(x, rt.float32)",
    ),
    Mistake(
        "gradients in the place of variables",
        "w = rt.Variable(3.0)\nwith rt.GradientTape() as tape:\n    loss = w * w\n"
        "gradient = tape.gradient(loss, w)\n"
        f"rt.nn.optimizers.SGD().apply_gradients([(w, gradient)]){MARK}",
        ("variables",),
        "apply_gradients(zip(gradients, variables))",
    ),
    Mistake(
        "an index that is no whole number",
        f"scores, i = rt.constant([1, 2, 3]), rt.constant(1.0)\nscores[i]{MARK}",
        ("i",),
        "rt.cast(i, rt.int32)",
    ),
    Mistake(
        "classes that are no whole numbers",
        f"labels = rt.constant([1.0, 2.0])\nrt.one_hot(labels, 3){MARK}",
        ("labels",),
        "rt.cast(labels, rt.int32)",
    ),
    Mistake(
        "a number with digits for a variable of whole numbers",
        f"count = rt.Variable(3, name='count')\ncount.assign(1.5){MARK}",
        ("count", "1.5"),
        "rt.cast(1.5, rt.int32)",
    ),
    Mistake(
        "the sizes of a shape as arguments",
        f"rt.zeros(2, 3){MARK}",
        (),
        "write rt.zeros([2, 3])",
    ),
    Mistake(
        "a list with rows of two lengths",
        f"rt.constant([[1, 2], [3]]){MARK}",
        ("[[1, 2], [3]]",),
        "one length",
    ),
    Mistake(
        "a function of two arguments for single elements",
        f"rows = rt.data.Dataset.range(3)\nrows.map(lambda x, y: x){MARK}",
        ("x", "y"),
        "write lambda x: ...",
    ),
    Mistake(
        "names of columns as arguments",
        "rows = rt.data.Dataset.from_tensor_slices({'age': [1], 'size': [2]})\n"
        f"rows.map(lambda age, size: age + size){MARK}",
        ("age", "size"),
        "row['age']",
    ),
    Mistake(
        "an item of a dataset",
        f"rows = rt.data.Dataset.range(3)\nrows[0]{MARK}",
        ("rows",),
        "rows.element_at(0)",
    ),
    Mistake(
        "columns of two lengths",
        f"x, y = np.ones([3, 2]), np.ones([4])\nrt.data.Dataset.from_tensor_slices((x, y)){MARK}",
        ("x", "y"),
        "the same number of rows",
    ),
    Mistake(
        "a keyword of PyTorch's",
        f"x = rt.ones([2, 2])\nrt.reduce_mean(x, dim=1){MARK}",
        ("dim",),
        "write axis=",
    ),
    Mistake(
        "a function without a source",
        f"exec('def sign(x): return 1 if x > 0 else -1')\nag.function(sign)(rt.constant(3)){MARK}",
        ("sign",),
        "put it into a file",
    ),
    Mistake(
        "a coroutine",
        f"@ag.function{MARK}\nasync def step(x):\n    return x\n\n\nstep(rt.constant(1))",
        ("step",),
        "return its values as a list or a tensor",
    ),
    Mistake(
        "a list that is an argument",
        f"@ag.function\ndef collect(found, x):\n    found.append(x){MARK}\n    return x\n\n\n"
        "collect([rt.constant(1)], rt.constant(2))",
        ("found",),
        "found = list(found)",
    ),
    Mistake(
        "a weight that each call adds",
        "class Scale(rt.nn.layers.Layer):\n    def call(self, x):\n"
        f"        return x * self.add_weight(shape=(3,)){MARK}\n\n\n"
        "scale = Scale(name='scale')\nscale(rt.ones([2, 3]))\nscale(rt.ones([2, 3]))",
        ("scale",),
        "`def build(self, input_shape)`",
    ),
    Mistake(
        "labels that do not fit the model",
        "model = rt.nn.Sequential([rt.nn.layers.Dense(2)])\nmodel.compile('sgd', 'mse')\n"
        f"model.fit(np.ones([4, 3]), np.ones([4, 3]), verbose=0){MARK}",
        ("y_true", "y_pred"),
        "(None, 2)",
    ),
    Mistake(
        "a file that is not there",
        f"rt.io.read_file('picture.png'){MARK}",
        ("'picture.png'",),
        "No such file",
    ),
    Mistake(
        "contents that are no picture",
        f"rt.io.decode_png(b'text'){MARK}",
        (),
        "PNG, JPEG, GIF, BMP or WebP",
    ),
    Mistake(
        "a folder without a model",
        f"ag.saved_model.load('models'){MARK}",
        ("'models'",),
        "no file 'saved_model.pb' in it",
    ),
)


def report_of(mistake: Mistake) -> Report:
    """Run a program with a mistake, and return its first error or warning."""
    if mistake.program.startswith("python -m autograph "):
        return _report_of_command(mistake.program.split()[3:])
    text = _HEAD + mistake.program + "\n"
    linecache.cache[FILE] = (len(text), None, text.splitlines(True), FILE)
    with warnings.catch_warnings(record=True) as found, contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("always")
        try:
            exec(compile(text, FILE, "exec"), {"__name__": "model"})
        except Exception as error:
            return _report_of_error(error)
    for each in found:
        return Report(each.category.__name__, str(each.message), each.lineno)
    return Report("no error", "", None)


def rating_of(mistake: Mistake, report: Report) -> dict[str, bool]:
    """Return, for line, variable and remedy, whether the message names it."""
    lines = (_HEAD + mistake.program).splitlines()
    marked = [at for at, line in enumerate(lines, 1) if line.endswith(MARK)]
    return {
        "line": report.line in marked or not marked,
        "variable": all(_has_word(report.message, name) for name in mistake.names),
        "remedy": mistake.remedy in report.message,
    }


def _report_of_command(words: list[str]) -> Report:
    with contextlib.redirect_stderr(io.StringIO()) as printed:
        try:
            main(words)
        except SystemExit:
            pass
    return Report("the command line", printed.getvalue().strip().splitlines()[-1], None)


def _report_of_error(error: Exception) -> Report:
    complete_message(error)  # as where an error is shown
    shown = [each for each in traceback.extract_tb(error.__traceback__) if each.filename == FILE]
    message = str(getattr(error, "message", error))
    named = re.search(rf"at {FILE}:(\d+)", str(error))
    line = int(named[1]) if named else shown[-1].lineno if shown else None
    return Report(type(error).__name__, message, line)


def _has_word(text: str, word: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(word)}(?!\w)", text) is not None
