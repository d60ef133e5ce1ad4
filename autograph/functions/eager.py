"""A switch with which every `Function` runs its Python function instead of a graph.

It is for debugging: with it on, a breakpoint or a `print` inside a decorated function is reached by
every call, and the values there are eager tensors.
"""

from __future__ import annotations

from runtime.core.argument_checks import flag


class EagerSwitch:
    """One on/off value, shared by all threads: in a debugger all threads should stop."""

    __slots__ = ("on",)

    def __init__(self) -> None:
        self.on = False


SWITCH = EagerSwitch()


def run_functions_eagerly(run_eagerly: bool) -> None:
    """Run the bodies of all Functions as plain Python from now on, or trace them again.

    Args:
        run_eagerly: True to run the Python functions unconverted, False for graphs.

    Example:
        >>> run_functions_eagerly(True)
        >>> functions_run_eagerly()
        True
        >>> run_functions_eagerly(False)
    """
    SWITCH.on = flag(run_eagerly, "run_eagerly")


def functions_run_eagerly() -> bool:
    """Return whether `run_functions_eagerly(True)` is in force.

    Example:
        >>> functions_run_eagerly()
        False
    """
    return SWITCH.on
