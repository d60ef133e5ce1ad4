"""An output of a notebook's cell that is replaced while the cell runs, such as a progress bar."""

from __future__ import annotations

import sys
from html import escape
from itertools import count
from os import getpid
from typing import Any

from runtime.core.source_names import ipython_shell

_numbers = count(1)
_HTML = '<div style="white-space:pre-wrap;font-family:monospace;font-size:12px">{}{}</div>'
_BAR = '<progress max="1" value="{:.3f}" style="width:12em;vertical-align:-1px"></progress> '


class LiveOutput:
    """One output of the cell that runs now; each text replaces the one before.

    Args:
        publisher: the `display_pub` of IPython's shell.
    """

    def __init__(self, publisher: Any) -> None:
        self._publisher = publisher
        self._name = f"autograph-{getpid()}-{next(_numbers)}"
        self._is_shown = False

    def show(self, text: str, part: float | None = None) -> None:
        """Show a text.

        Args:
            text: the text.
            part: the part of the work that is done, from 0 to 1, for a bar before it; or None.
        """
        bar = "" if part is None else _BAR.format(min(max(part, 0.0), 1.0))
        data = {"text/plain": text, "text/html": _HTML.format(bar, escape(text))}
        self._publisher.publish(
            data=data,
            metadata={},
            transient={"display_id": self._name},
            update=self._is_shown,
        )
        self._is_shown = True


def live_output() -> LiveOutput | None:
    """Return a new output of the running cell; None outside of notebooks.

    It is None where the standard output is redirected, too, since a text is expected there.

    >>> live_output() is None
    True
    """
    shell = ipython_shell()
    if getattr(shell, "kernel", None) is None:
        return None
    # The stream is wrapped while a function is traced.
    stream = getattr(sys.stdout, "stream", sys.stdout)
    if not type(stream).__module__.startswith("ipykernel"):
        return None
    return LiveOutput(shell.display_pub)
