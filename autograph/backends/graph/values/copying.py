"""Copies of what is one of several objects, or perhaps None."""

from __future__ import annotations

import sys
from dataclasses import is_dataclass

from autograph.backends.graph.program.places import user_place
from autograph.errors import StagingError

_CONTAINERS = (list, tuple, dict)


def refuse_in_asdict(*options: object) -> None:
    """Raise StagingError if `asdict` or `astuple` copies what it would take apart.

    They look at the type of what a field holds, and copy what they do not know. It is asked by a
    `__deepcopy__`, which `copy.deepcopy` has called.
    """
    frame = sys._getframe(2).f_back
    if frame is None or frame.f_globals.get("__name__") != "dataclasses":
        return
    if any(is_dataclass(each) or isinstance(each, _CONTAINERS) for each in options):
        raise StagingError(
            "dataclasses.asdict() or astuple() meets a field that is None or another object on "
            "some paths, and which is known when the graph runs: make the dict in each branch",
            user_place("copy", "dataclasses"),
        )
