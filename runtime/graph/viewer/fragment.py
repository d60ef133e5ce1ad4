"""The parts of the viewer that a page includes: style, markup with the data, and script."""

from __future__ import annotations

import json
from functools import cache
from html import escape
from importlib.resources import files
from typing import NamedTuple

from runtime.graph.graph import Graph
from runtime.graph.viewer.contents import graph_contents

# A later script uses functions of earlier ones.
_SCRIPTS = ("layout.js", "boxes.js", "drawing.js", "panel.js", "viewer.js")
# Lets a page run its own inline code and nothing else.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


class Fragment(NamedTuple):
    """The viewer of one graph, for a page to include.

    Attributes:
        style: rules for the page's style element; they apply to the viewer.
        markup: the element that the picture is drawn in, which takes the size that the page gives.
        script: the text of a script element after the markup.
    """

    style: str
    markup: str
    script: str


def viewer_fragment(graph: Graph, title: str) -> Fragment:
    """Return the parts of a page that show `graph`.

    Lines of source on the page, elements with `data-line` in one with `data-file`, are marked when
    the reader selects a node that they recorded, and select it when clicked.

    >>> import autograph.runtime as rt
    >>> "{{" in viewer_fragment(rt.Graph("f"), "f").markup
    False
    """
    parts = {"title": escape(title), "contents": script_json(graph_contents(graph))}
    scripts = "\n".join(map(asset, _SCRIPTS))
    markup = filled(asset("markup.html"), parts)
    return Fragment(asset("viewer.css"), markup, f"(() => {{\n{scripts}}})();")


@cache
def asset(name: str) -> str:
    """Return a file of the viewer as text.

    >>> asset("layout.js").splitlines()[0][:10]
    '// Layered'
    """
    return files("runtime.graph.viewer").joinpath(name).read_text("utf-8")


def filled(template: str, parts: dict[str, str]) -> str:
    """Replace each `{{name}}` in one pass, so that inserted parts are not searched for names.

    >>> filled("<p>{{a}}{{b}}</p>", {"a": "{{b}}", "b": "c"})
    '<p>{{b}}c</p>'
    """
    pieces = template.split("{{")
    done = [pieces[0]]
    for piece in pieces[1:]:
        name, _, rest = piece.partition("}}")
        done += [parts[name], rest]
    return "".join(done)


def script_json(value: object) -> str:
    """Return a value as JSON that cannot end the script element around it.

    >>> script_json({"text": "</script>"})
    '{"text":"\\\\u003c/script\\\\u003e"}'
    """
    text = json.dumps(value, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
