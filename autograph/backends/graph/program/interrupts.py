"""Exceptions from outside of the traced program: those that a signal handler raises.

A timer or Ctrl-C may stop a trace at any point. Its exception belongs to no path of the program.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator
from types import CodeType


def is_interrupt(error: BaseException) -> bool:
    """Return whether a signal handler written in Python has raised an exception.

    >>> is_interrupt(ValueError())
    False
    """
    entry, codes = error.__traceback__, None
    while entry is not None:
        codes = set(_codes_of_handlers()) if codes is None else codes
        if entry.tb_frame.f_code in codes:
            return True
        entry = entry.tb_next
    return False


def _codes_of_handlers() -> Iterator[CodeType]:
    signal = sys.modules.get("signal")
    # Only the module `signal` sets a handler written in Python.
    for number in signal.valid_signals() if signal else ():
        handler = signal.getsignal(number)  # type: ignore[union-attr]
        while isinstance(handler, functools.partial):
            handler = handler.func
        handler = getattr(handler, "__func__", handler)
        code = getattr(handler, "__code__", None)
        if isinstance(code, CodeType):
            yield code
