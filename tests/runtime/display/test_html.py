"""HTML forms in notebooks: their contents, in bounded size, with the user's text escaped."""

from __future__ import annotations

import html
import re
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.display.html import MOST_ROWS, Markup, code, details, shortened, table, view
from runtime.nn.callbacks.callback import History
from tests.hostile import TEXTS

# Any form is smaller; that of a graph with its viewer has the viewer's script.
LARGEST, LARGEST_DRAWN = 40_000, 2_500_000


def shown(value: Any) -> str:
    """Return the form of a value, without the style."""
    form = value._repr_html_()
    assert isinstance(form, str)
    assert not re.search(r'(src|href)="(?!data:)|@import|url\(', form.split("srcdoc=")[0])
    return form.partition("</style>")[2]


def words(value: Any) -> str:
    """Return the text of a form, without tags."""
    return html.unescape(re.sub(r"<[^>]*>", " ", shown(value)))


# -- the parts -------------------------------------------------------------------------------------


def test_parts_are_bounded() -> None:
    many = table(("a",), ([str(at)] for at in range(1000)))
    assert MOST_ROWS + 2 == many.count("<tr>") and f"{1000 - MOST_ROWS:,} more rows" in many
    assert 4 == code("\n".join("abcdefgh"), 3).count("\n") + 1
    assert "5 more lines" in code("\n".join("abcdefgh"), 3)
    assert len(table((), [["x" * 10**6]])) < 400 > len(code("x" * 10**6))
    assert "abc... (7 more)" == shortened("abcdefghij", 3)


def test_parts_escape_text_and_keep_markup() -> None:
    form = view("<t>", "<a>", Markup("<p>b</p>"), table(("<h>",), [["<c>"]]), note="<n>")
    form = form.partition("</style>")[2]
    for text in "tahcn":
        assert f"<{text}>" not in form and f"&lt;{text}&gt;" in form
    assert "<p>b</p>" in form
    assert "&lt;s&gt;" in details("<s>", "x")


# -- tensors and variables -------------------------------------------------------------------------


@pytest.mark.parametrize("value", [3, [1, 2, 3], "text", [[True, False]]])
def test_a_small_tensor_is_shown_as_text(value: Any) -> None:
    assert rt.constant(value)._repr_html_() is None


def test_a_matrix_is_a_table_of_its_corners() -> None:
    text = shown(rt.reshape(rt.range(30 * 40), [30, 40]))
    assert "shape [30, 40], int32, 4.7 KB" in text
    assert "from 0 to 1199, mean 599.5" in text
    cells = re.findall(r'<td class="ag-number">(.*?)</td>', text)
    assert 11 * 12 == len(cells)
    assert {"0", "39", "1160", "1199"} <= set(cells) and "600" not in cells


def test_values_that_are_not_finite_are_counted() -> None:
    text = words(rt.constant(np.array([[np.nan, 1.0, np.inf, 3.0]] * 9, np.float32)))
    assert "from 1 to 3, mean 2, 18 values not finite" in text
    assert "4 values not finite" in words(rt.constant(np.full((2, 2), np.nan)))


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((3, 3, 3, 3, 3, 3, 3)),
        np.zeros((10, 10, 10, 10, 10)),
        np.array([["x" * 10**4] * 9] * 9, object),
        np.array(["x" * 10**4] * 20, object),
        np.array(b"x" * 10**6, object),
        np.zeros((0, 3)),
        np.zeros((1, 10**6)),
        np.zeros(10**6, np.complex128),
    ],
    ids=lambda array: f"{array.shape}{array.dtype}",
)
def test_forms_and_texts_of_tensors_are_bounded(array: Any) -> None:
    for value in (rt.constant(array), rt.Variable(rt.constant(array), name="v")):
        assert len(value._repr_html_() or "") < LARGEST
        assert len(repr(value)) < 4200


def test_the_text_of_a_usual_tensor_is_that_of_numpy() -> None:
    array = np.arange(3000.0).reshape(30, 100)
    assert f"numpy=\n{array!r}>" in repr(rt.constant(array))
    assert "numpy=b'short'>" in repr(rt.constant("short"))


@pytest.mark.parametrize("shape", [(9, 12), (9, 12, 1), (9, 12, 3), (9, 12, 4)])
def test_bytes_with_channels_are_a_picture(shape: tuple[int, ...]) -> None:
    text = shown(rt.zeros(shape, rt.uint8))
    assert 'width="120" height="90" src="data:image/png;base64,' in text


@pytest.mark.parametrize(
    "tensor",
    [rt.zeros([9, 12, 2], rt.uint8), rt.zeros([9, 12, 3]), rt.zeros([4, 40, 3], rt.uint8)],
    ids=["channels", "dtype", "size"],
)
def test_other_arrays_are_no_picture(tensor: Any) -> None:
    assert "<img" not in shown(tensor)


def test_a_picture_file_in_a_scalar_is_shown() -> None:
    from runtime.summary.encodings import png

    file = rt.constant(png(np.zeros((2, 2, 3), np.uint8)))
    assert 'src="data:image/png;base64,iVBOR' in shown(file)


def test_a_variable_has_its_name() -> None:
    text = words(rt.Variable(rt.zeros([20, 3]), name="rates", trainable=False))
    assert "Variable rates:0 shape [20, 3], float32, 240 B, not trainable" in " ".join(text.split())


# -- datasets, models and graphs -------------------------------------------------------------------


def test_a_dataset_shows_steps_and_elements_and_reads_nothing() -> None:
    def read() -> Any:
        raise AssertionError("the dataset was read")
        yield 1

    given = {"x": rt.zeros([10, 3]), "y": rt.zeros([10])}
    text = words(rt.data.Dataset.from_tensor_slices(given).batch(2))
    for part in ("5 elements", ".batch(2)", "['x']  float32  (None, 3)", "['y']  float32  (None,)"):
        assert part in text
    spec = rt.TensorSpec((), rt.int32)
    lazy = rt.data.Dataset.from_generator(read, output_signature=spec)
    assert "an unknown number of elements" in words(lazy)
    assert "elements without an end" in words(rt.data.Dataset.range(3).repeat())


def test_a_model_shows_layers_and_totals() -> None:
    model = rt.nn.Sequential([rt.nn.layers.Dense(3, name="first"), rt.nn.layers.Dense(1)])
    assert "0 (unbuilt)" in words(model)
    model.build((None, 2))
    text = words(model)
    for part in ("first (Dense)", "(None, 3)", "9", "Total params: 13 (52.00 B)"):
        assert part in text
    layer = words(model.layers[0])
    assert re.search(r"kernel\s+\(2, 3\)\s+6", layer)
    assert rt.nn.layers.Dense(3)._repr_html_() is None


def test_a_large_model_is_bounded() -> None:
    model = rt.nn.Sequential([rt.nn.layers.Dense(1) for _ in range(300)])
    assert "240 more rows" in words(model)


def test_a_history_is_a_curve_and_the_latest_epochs() -> None:
    history = History()
    for epoch in range(5000):
        history.on_epoch_end(epoch, {"loss": 1 / (epoch + 1), "<b>": float("nan")})
    text = shown(history)
    assert "<polyline" in text and "<b></" not in text and "&lt;b&gt;" in text
    assert "5,000 epochs" in text and len(text) < LARGEST
    assert 11 == text.count("<tr>")
    assert "<History: 5,000 epochs, loss 1 -> 0.0002, <b> nan -> nan>" == repr(history)
    assert "<History: 0 epochs>" == repr(History())
    assert "0 epochs" in words(History())


def graph_of(nodes: int) -> rt.Graph:
    graph = rt.Graph("f<x>")
    x = graph.add_input(rt.TensorSpec((2,), rt.float32), "x")
    with graph.recording():
        for _ in range(nodes):
            x = rt.exp(x)
    graph.set_outputs([x])
    return graph


def test_a_graph_is_a_picture_in_a_frame_without_rights() -> None:
    form = shown(graph_of(3))
    assert "1 input, 3 nodes, 1 output" in form
    (frame,) = re.findall(r"<iframe[^>]*>", form)
    assert 'sandbox="allow-scripts"' in frame and " src=" not in frame
    page = html.unescape(re.search(r'srcdoc="([^"]*)"', frame)[1])  # type: ignore[index]
    assert "default-src 'none'" in page and "f<x>" not in page
    assert "%exp_2 = exp(%exp_1) : float32[2]" in form


def test_a_huge_graph_is_text_of_bounded_size() -> None:
    assert len(graph_of(1500)._repr_html_()) < LARGEST_DRAWN
    form = graph_of(2500)._repr_html_()
    assert "<iframe" not in form and "more than 2,000 nodes" in form
    assert len(form) < LARGEST and "more lines" in form


@pytest.mark.parametrize("text", TEXTS)
def test_hostile_text_adds_no_tags(text: str) -> None:
    def forms(text: str) -> list[str]:
        history = History()
        history.on_epoch_end(0, {text: 1.0})
        history.on_epoch_end(1, {text: 0.5})
        layer = rt.nn.layers.Dense(1, name=re.sub(r"/", "_", text) or "_")
        layer.build((None, 1))
        made = [
            rt.constant([[text, "b"]] * 5),
            rt.constant(["x" * 200, text]),
            rt.Variable(rt.zeros([20, 20]), name="v"),
            rt.data.Dataset.from_tensors({text: 1}),
            history,
            layer,
        ]
        return [each._repr_html_() for each in made]

    for hostile, harmless in zip(forms(text), forms("harmless")):
        tags = [
            re.findall(r"</?\w+", each.partition("</style>")[2]) for each in (hostile, harmless)
        ]
        assert tags[0] == tags[1]
        assert "<script>alert" not in hostile


def test_symbolic_tensors_have_no_form() -> None:
    seen = []

    @ag.function
    def f(x: Any) -> Any:
        seen.append(getattr(x, "_repr_html_", None))
        return x

    f(rt.constant(1))
    assert [None] == seen
