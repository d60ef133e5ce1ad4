"""The listing of passes shows the changes of each, with numbers of nodes."""

from __future__ import annotations

from autograph.cli.listing import passes_text
from autograph.cli.terminal import Style
from tests.runtime.passes.graphs import INT, graph_of


def test_each_pass_that_changes_something_is_shown() -> None:
    graph = graph_of(lambda x: (x * 1 + x) * (x + x), INT)
    lines = list(passes_text(graph, Style(False, 30)))
    headings = [line.rstrip("- ") for line in lines if line.startswith("-- ")]
    assert [
        "-- traced: 5 nodes",
        "-- simplify: 5 -> 4 nodes",
        "-- cse: 4 -> 3 nodes",
        "-- dce: 3 -> 2 nodes",
    ] == headings
    idle = (
        "inline, constant_folding, fold_branches, unroll, branch_results, loop_variables, licm, "
        "fuse_nodes, scatter_accumulate"
    )
    assert f"changed nothing: {idle}" == lines[-1]
    assert "%add = add(%x0, %x0) : int32" in lines[-2]
