"""The HTML page of a graph before and after each pass, without external files.

A button for each pass that changes the graph shows two pictures, before and after it, and the lines
of the text that differ.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from html import escape

from autograph.cli.listing import GraphAfterPass, GraphPasses, passes_of
from runtime.graph.graph import Graph
from runtime.graph.viewer.fragment import POLICY, Fragment, filled, viewer_fragment

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{{policy}}">
<title>{{title}}</title>
<style>
{{viewer_style}}
:root { --page: light-dark(#fff, #15181c); --band: light-dark(#f5f7fa, #1a1e23);
        --rule: light-dark(#d3dae3, #38414c); --text: light-dark(#1b2530, #e6eaef);
        --dim: light-dark(#55616e, #a3afbb); --on: light-dark(#1f6fb2, #6db5f2);
        --more: light-dark(#e2f3e5, #1d3826); --less: light-dark(#fde6e2, #42211d); }
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body { display: grid; grid-template: auto minmax(0, 1fr) auto / minmax(0, 1fr) minmax(0, 1fr);
       color: var(--text); font: 14px/1.5 Helvetica, Arial, sans-serif; background: var(--page); }
header, .changes { grid-column: 1 / -1; }
header { padding: .45rem 1rem; border-bottom: 1px solid var(--rule); background: var(--band); }
h1 { margin: 0 0 .3rem; font-size: 1.05rem; }
h2 { margin: 0; padding: .3rem .8rem; font-size: .9rem; color: var(--dim); font-weight: 600; }
header p { margin: .3rem 0 0; color: var(--dim); font-size: .85rem; }
nav { display: flex; gap: .3rem; flex-wrap: wrap; }
nav button { font: inherit; padding: .15rem .6rem; border: 1px solid var(--rule);
             border-radius: .35rem; background: var(--page); color: var(--text); cursor: pointer; }
nav button[aria-pressed="true"] { border-color: var(--on); box-shadow: inset 0 -2px var(--on); }
nav small { color: var(--dim); }
.side { display: flex; flex-direction: column; min-height: 0; min-width: 0; }
.side + .side { border-left: 1px solid var(--rule); }
.side .graph-viewer { flex: 1; }
.changes { max-height: 30vh; overflow: auto; border-top: 1px solid var(--rule);
           background: var(--band); }
pre { margin: 0; padding: .4rem 0;
      font: 12px/1.55 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
pre[hidden] { display: none; }
pre span { display: block; padding: 0 .8rem; min-width: max-content; }
pre .more { background: var(--more); }
pre .less { background: var(--less); }
@media (max-width: 50rem) {
  body { grid-template: auto minmax(0, 1fr) minmax(0, 1fr) auto / minmax(0, 1fr); }
  .side + .side { border-left: 0; border-top: 1px solid var(--rule); }
}
</style>
</head>
<body>
<header><h1>{{title}}</h1><nav aria-label="passes">{{buttons}}</nav><p>{{unused}}</p></header>
<section class="side" aria-label="before"><h2></h2></section>
<section class="side" aria-label="after"><h2></h2></section>
<div class="changes" role="region" aria-label="lines that differ">{{changes}}</div>
{{templates}}
<script>
{{script}}
const sides = [...document.querySelectorAll(".side")];
const pictures = new Map();
const picture = number => {
  const template = document.querySelector(`template[data-stage="${number}"]`);
  const part = template.content.firstElementChild.cloneNode(true);
  return { part, name: template.dataset.name };
};
const show = number => {
  document.querySelectorAll("nav button").forEach(button =>
    button.setAttribute("aria-pressed", Number(button.dataset.shows) === number));
  document.querySelectorAll(".changes pre").forEach(pre => {
    pre.hidden = Number(pre.dataset.stage) !== number;
  });
  sides.forEach((side, at) => {
    const stage = Math.max(0, number - 1 + at);
    const key = `${at} ${stage}`;
    side.hidden = number === 0 && at === 1;
    side.style.gridColumn = number === 0 && at === 0 ? "1 / -1" : "";
    side.querySelectorAll(".graph-viewer").forEach(each => { each.hidden = true; });
    if (side.hidden) return;
    const isNew = !pictures.has(key);
    if (isNew) pictures.set(key, picture(stage));
    const { part, name } = pictures.get(key);
    side.querySelector("h2").textContent = name;
    part.hidden = false;
    if (isNew) {
      side.append(part);
      part.dispatchEvent(new Event("graph-viewer", { bubbles: true }));
    }
  });
};
document.querySelector("nav").addEventListener("click", event => {
  const button = event.target.closest("button");
  if (button) show(Number(button.dataset.shows));
});
show({{first}});
</script>
</body>
</html>
"""
# Lines around a change.
_CONTEXT = 2


def passes_page(graph: Graph, title: str) -> str:
    """Return a complete page that shows a graph before and after each pass that changes it.

    Args:
        graph: the graph as traced; it is not changed.
        title: the heading.
    """
    passes: GraphPasses[Fragment] = passes_of(graph, viewer_fragment)
    shown = passes.shown
    parts = {
        "title": escape(title),
        "policy": POLICY,
        "viewer_style": shown[0].form.style,
        "buttons": "".join(_button(at, each) for at, each in enumerate(shown)),
        "unused": escape(" · ".join(passes.remarks)),
        "changes": "".join(_changes(shown, at) for at in range(1, len(shown))),
        "templates": "\n".join(_template(at, each) for at, each in enumerate(shown)),
        "script": shown[0].form.script,
        "first": str(min(1, len(shown) - 1)),
    }
    return filled(_PAGE, parts)


def _button(number: int, shown: GraphAfterPass[Fragment]) -> str:
    name = f"{escape(shown.name)} <small>{shown.size}</small>"
    return f'<button type="button" aria-pressed="false" data-shows="{number}">{name}</button>'


def _template(number: int, shown: GraphAfterPass[Fragment]) -> str:
    name = escape(f"{shown.name}: {shown.nodes}")
    return f'<template data-stage="{number}" data-name="{name}">{shown.form.markup}</template>'


def _changes(shown: Sequence[GraphAfterPass[Fragment]], number: int) -> str:
    before, after = (each.text.splitlines() for each in shown[number - 1 : number + 1])
    rows = "".join(_rows(before, after))
    return f'<pre data-stage="{number}" hidden>{rows}</pre>'


def _rows(before: list[str], after: list[str]) -> Iterator[str]:
    lines = difflib.unified_diff(before, after, lineterm="", n=_CONTEXT)
    kinds = {"+": "more", "-": "less", " ": "same"}
    for line in list(lines)[2:]:
        kind = kinds.get(line[0])
        yield f'<span class="{kind or "gap"}">{escape(line) if kind else "..."}\n</span>'
