"""The viewer in a browser, where one is installed: it draws, opens, searches, walks and zooms.

A page gets a script that acts as a reader does, with events, and leaves what it sees in the page.
"""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import runtime as rt
from runtime.graph import Graph, graph_page
from runtime.graph.html_page import SourceText
from runtime.graph.viewer.contents import graph_contents
from tests.runtime.graph.programs import cond_in_while_in_cond
from tests.runtime.graph.test_function_calls import calling, double

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no browser is installed")

# Functions for the scripts below: `press` and `point` send the events of a reader.
ACTIONS = """
const place = document.querySelector(".graph-viewer"), stage = place.querySelector(".stage");
const viewer = place.viewer, seen = {};
const $ = (selector, inside = document) => inside.querySelector(selector);
const box = key => $(`[data-key="${key}"]`);
const middle = shape => {
  const { left, top, width, height } = shape.getBoundingClientRect();
  return { clientX: left + width / 2, clientY: top + height / 2 };
};
const point = (shape, at = middle(shape)) => {
  for (const kind of ["pointerdown", "pointerup"])
    shape.dispatchEvent(new PointerEvent(kind, { bubbles: true, pointerId: 1, ...at }));
};
const press = (key, on = document.activeElement) =>
  on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const type = text => {
  const input = $(".search input");
  input.focus();
  input.value = text;
  input.dispatchEvent(new Event("input"));
  return input;
};
const chosen = () => $(".box.chosen > title")?.textContent;
const titles = () => [...document.querySelectorAll(".box > title")].map(each => each.textContent);
"""


def browsed(page: str, script: str, folder: Path) -> Any:
    """Return the values that a script leaves in `seen` after it acted on a page."""
    file = folder / "page.html"
    ending = (
        f"<script>{ACTIONS} try {{ {script} }} catch (error) {{ seen.error = error.stack; }}\n"
        "const out = document.createElement('output'); out.textContent = JSON.stringify(seen);"
        "document.body.append(out);</script></body>"
    )
    file.write_text(page.replace("</body>", ending), "utf-8")
    flags = ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,800")
    command = [str(BROWSER), *flags, f"--user-data-dir={folder}/profile", "--dump-dom", str(file)]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    found = re.search(r"<output>(.*?)</output>", shown, re.S)
    assert found, shown[-2000:]
    return json.loads(html.unescape(found[1]))


def page_of_nested() -> str:
    """Return the page of a graph whose lines are those of `tests/runtime/graph/programs.py`."""
    graph = cond_in_while_in_cond()
    (origin,) = {node.origin.filename for node in graph.walk() if node.origin}
    source = SourceText(Path(origin).read_text("utf-8"), Path(origin).name, 1)
    return graph_page(graph, "nested", source)


def chain(length: int) -> Graph:
    graph = Graph("chain")
    value = graph.add_input(rt.TensorSpec((4,), rt.float32), "x")
    with graph.recording():
        for _ in range(length // 2):
            value = rt.tanh(value) + value
        graph.set_outputs([value])
    return graph


def test_all_boxes_are_drawn_once_and_apart(tmp_path: Path) -> None:
    script = """
      viewer.openAll();
      seen.vertices = [...viewer.drawing.places.values()].map(each => each.box.vertex)
        .filter(each => each !== undefined);
      seen.overlaps = [];
      const overlap = (one, other) => one.x < other.x + other.w && other.x < one.x + one.w
        && one.y < other.y + other.h && other.y < one.y + one.h;
      const places = [...viewer.drawing.places.values()];
      for (const one of places) for (const other of places)
        if (one !== other && one.body === other.body && overlap(one, other))
          seen.overlaps.push([one.box.key, other.box.key]);
      seen.outside = places.filter(({ box, x, y, w, h }) => {
        const around = box.owner && viewer.drawing.places.get(box.owner.key);
        return around && (x < around.x || y < around.y || x + w > around.x + around.w
          || y + h > around.y + around.h);
      }).map(each => each.box.key);
      seen.lines = viewer.drawing.lines.filter(line => !line.order).length;
    """
    seen = browsed(page_of_nested(), script, tmp_path)
    contents = graph_contents(cond_in_while_in_cond())
    used = {at for each in contents["vertices"] for at, *_ in each["from"]}
    used |= {at for each in contents["graphs"] for at, *_ in each["results"]}
    roots = contents["graphs"][0]["inputs"]
    drawn = [
        at
        for at, each in enumerate(contents["vertices"])
        if each["kind"] not in ("input", "capture") or at in used or at in roots
    ]
    edges = sum(len(each["from"]) for each in contents["vertices"])
    results = sum(len(each["results"]) for each in contents["graphs"])
    assert sorted(seen["vertices"]) == drawn
    assert seen["lines"] == edges + results
    assert [] == seen["overlaps"] == seen["outside"]


def test_a_click_shows_op_type_line_and_links(tmp_path: Path) -> None:
    script = """
      viewer.openAll();
      const at = viewer.contents.vertices.findIndex(each => each.op === "less");
      point(box(viewer.keyOf(at)));
      seen.panel = $(".panel").innerText;
      seen.line = $("[data-line].chosen").innerText;
      $(".panel .link").click();
      seen.input = chosen();
      [...document.querySelectorAll("[data-line]")]
        .find(each => each.innerText.includes("less(i, 3)")).click();
      seen.byLine = chosen();
      press("Escape"); press("Escape");
      seen.closed = $(".panel").hidden;
    """
    seen = browsed(page_of_nested(), script, tmp_path)
    assert "op less" in seen["panel"] and "bool, scalar" in seen["panel"]
    assert "test.set_outputs([less(test.parameters[0], n)])" in seen["line"]
    assert seen["input"] == "i, input, int32"
    assert seen["byLine"].startswith("less, bool")
    assert seen["closed"] is True


def test_boxes_close_and_open(tmp_path: Path) -> None:
    script = """
      viewer.closeAll();
      seen.closed = titles();
      const { key } = [...viewer.drawing.places.values()].find(each => each.box.opens).box;
      const before = box(key).getBoundingClientRect();
      point($(".toggle", box(key)));
      seen.opened = titles().length;
      const after = box(key).getBoundingClientRect();
      seen.moved = Math.abs(before.left - after.left) + Math.abs(before.top - after.top);
      press("Enter");
      seen.again = titles();
      seen.expanded = box(key).getAttribute("aria-expanded");
    """
    seen = browsed(page_of_nested(), script, tmp_path)
    names = [title.split(",")[0] for title in seen["closed"]]
    assert names == ["p", "n", "x", "total", "if", "result"]
    assert seen["opened"] > len(names) and seen["again"] == seen["closed"]
    assert seen["moved"] < 1 and seen["expanded"] == "false"


def test_search_jumps_into_closed_boxes(tmp_path: Path) -> None:
    script = """
      viewer.closeAll();
      press("/", document.body);
      seen.focused = document.activeElement === $(".search input");
      const input = type("print");
      seen.found = [...document.querySelectorAll(".found [data-at]")].map(each => each.innerText);
      seen.marked = document.querySelectorAll(".box.match").length;
      press("Enter", input);
      seen.chosen = chosen();
      const [shape] = document.querySelectorAll(".box.chosen");
      const inner = shape.getBoundingClientRect(), outer = stage.getBoundingClientRect();
      seen.inside = inner.left >= outer.left && inner.right <= outer.right
        && inner.top >= outer.top && inner.bottom <= outer.bottom;
      press("Escape", input);
      seen.after = document.querySelectorAll(".box.match").length;
    """
    seen = browsed(page_of_nested(), script, tmp_path)
    assert seen["focused"] is True and len(seen["found"]) == 1
    assert seen["found"][0].startswith("print ") and seen["marked"] == 1
    assert seen["chosen"].startswith("print, ") and seen["inside"] is True
    assert seen["after"] == 0


def test_keys_walk_and_zoom(tmp_path: Path) -> None:
    script = """
      viewer.closeAll();
      stage.querySelector("svg").focus();
      seen.walk = ["ArrowDown", "ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft"].map(key => {
        press(key);
        return chosen().split(",")[0];
      });
      const scale = viewer.view.scale;
      press("+"); seen.larger = viewer.view.scale / scale;
      press("-"); press("-"); seen.smaller = viewer.view.scale / scale;
      press("f"); seen.fitted = viewer.view.scale / scale;
    """
    seen = browsed(page_of_nested(), script, tmp_path)
    first, below, *rest = seen["walk"]
    assert (first, below) == ("p", "if") and rest[0] == "p"
    assert rest[1] != "p" and rest[2] == "p"
    assert seen["larger"] == pytest.approx(1.25) and seen["smaller"] == pytest.approx(0.8)
    assert seen["fitted"] == pytest.approx(1.0)


def test_the_wheel_zooms_around_the_pointer_and_a_drag_moves(tmp_path: Path) -> None:
    script = """
      const shape = box([...viewer.drawing.places.keys()][0]);
      const before = shape.getBoundingClientRect();
      const at = { clientX: before.left, clientY: before.top };
      const wheel = { deltaY: -240, bubbles: true, cancelable: true, ...at };
      stage.dispatchEvent(new WheelEvent("wheel", wheel));
      const after = shape.getBoundingClientRect();
      seen.moved = Math.hypot(after.left - before.left, after.top - before.top);
      seen.grown = after.width / before.width;
      const send = (kind, x, y, id = 1) => stage.dispatchEvent(
        new PointerEvent(kind, { bubbles: true, pointerId: id, clientX: x, clientY: y }));
      stage.setPointerCapture = () => {};
      send("pointerdown", 600, 600); send("pointermove", 630, 580); send("pointerup", 630, 580);
      const dragged = shape.getBoundingClientRect();
      seen.dragged = [dragged.left - after.left, dragged.top - after.top];
      const scale = viewer.view.scale;
      send("pointerdown", 600, 600, 1); send("pointerdown", 700, 600, 2);
      send("pointermove", 800, 600, 2);
      send("pointerup", 800, 600, 2); send("pointerup", 600, 600, 1);
      seen.pinched = viewer.view.scale / scale;
    """
    seen = browsed(page_of_nested(), script, tmp_path)
    assert seen["moved"] < 0.5 and seen["grown"] == pytest.approx(2.718 ** (240 / 600), rel=0.01)
    assert seen["dragged"] == pytest.approx([30, -20], abs=0.1)
    assert seen["pinched"] == pytest.approx(2.0, rel=0.01)


def test_the_switch_changes_light_and_dark(tmp_path: Path) -> None:
    script = """
      const paper = () => getComputedStyle(place).backgroundColor;
      seen.papers = [paper()];
      for (let at = 0; at < 2; at++) { $("[data-tool=theme]").click(); seen.papers.push(paper()); }
    """
    one, other, again = browsed(page_of_nested(), script, tmp_path)["papers"]
    assert one == again != other


def test_a_graph_that_is_called_twice_opens_in_each_call(tmp_path: Path) -> None:
    inner = double()
    script = """
      viewer.openAll();
      seen.titles = titles().map(each => each.split(",")[0]);
      seen.keys = new Set(viewer.drawing.places.keys()).size;
      viewer.closeAll();
      type("add");
      seen.marked = document.querySelectorAll(".box.match").length;
      viewer.visit(viewer.contents.vertices.findIndex(each => each.op === "add"));
      seen.visited = chosen();
    """
    seen = browsed(graph_page(calling(inner, inner), "main"), script, tmp_path)
    box = ["call double", "x", "add", "result"]
    assert sorted(seen["titles"]) == sorted(["x", *box, *box, "result"])
    assert seen["keys"] == 10 and seen["marked"] == 2
    assert seen["visited"].startswith("add, int32")


@pytest.mark.parametrize(("length", "limit"), [(500, 1000), (5000, 4000)])
def test_a_large_graph_opens_readable_and_fast(length: int, limit: int, tmp_path: Path) -> None:
    script = """
      const texts = [...document.querySelectorAll(".box text")];
      seen.smallest = Math.min(...texts.map(each => parseFloat(getComputedStyle(each).fontSize)));
      seen.smallest *= viewer.view.scale;
      seen.boxes = viewer.drawing.places.size;
      const start = performance.now();
      const again = new viewer.constructor(place);
      seen.time = performance.now() - start;
      seen.nodes = again.contents.vertices.length;
      type("tanh");
      seen.found = $(".said").textContent;
    """
    seen = browsed(graph_page(chain(length), "chain"), script, tmp_path)
    assert seen["smallest"] >= 9 and 5 <= seen["boxes"] <= 60
    assert seen["nodes"] == length + 1 and seen["found"] == f"{length} found"
    assert seen["time"] < limit


def test_text_of_users_stays_text(tmp_path: Path) -> None:
    graph = Graph("f")
    with graph.recording():
        hostile = "</script><img src=x onerror=document.title='changed'>"
        graph.set_outputs([rt.strings.join([rt.constant(hostile), "b"])])
    script = """
      viewer.openAll();
      viewer.visit(0);
      seen.images = document.images.length;
      seen.panel = $(".panel").innerText;
      seen.title = document.title;
    """
    seen = browsed(graph_page(graph, "f"), script, tmp_path)
    assert seen["images"] == 0 and seen["title"] == "f"
    assert "</script><img" in seen["panel"]
