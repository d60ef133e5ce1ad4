"""The options of a Function."""

from __future__ import annotations

from numbers import Integral
from typing import Any, NamedTuple

from autograph.backends.graph.values.dtype_join import DtypeJoin
from autograph.errors import ConversionError
from autograph.features import Feature
from autograph.functions.state.guards import Policy
from runtime.core.argument_checks import flag
from runtime.core.lazy_imports import lazy_import
from runtime.executors.compile_options import CompileOptions
from runtime.passes.manager import DEFAULT, Pass, select_passes

checked_executor = lazy_import("runtime.executors.executor:checked_executor")


class FunctionOptions(NamedTuple):
    """The options of a Function.

    Attributes:
        input_signature: specs that fix the one trace there is, or None.
        autograph: convert Python control flow before tracing.
        reduce_retracing: on a second shape, trace for all shapes.
        include: names of modules whose functions are converted when called.
        strict: refuse functions that cannot be converted as a whole.
        dtype_join: the policy for tensors of two dtypes where paths meet.
        features: extra features of the conversion.
        parallel: whether independent parts of large graphs run side by side (`CompileOptions`).
        passes: names of the passes for graphs, and passes of the user's own; None for all.
        executor: the name of the executor of the graphs; None for the default one.
        fallback: whether the NumPy executor runs graphs that the executor refuses.
        guards: the policy for changes of state that a trace has read.
        of_network: whether it is a step of a network, whose objects other code reads, too.
    """

    input_signature: tuple[Any, ...] | None = None
    autograph: bool = True
    reduce_retracing: bool = False
    include: tuple[str, ...] = ()
    strict: bool = False
    dtype_join: DtypeJoin = "promote"
    features: tuple[Feature, ...] = ()
    guards: Policy = "off"
    parallel: bool | int | None = None
    passes: tuple[str | Pass, ...] | None = None
    executor: str | None = None
    fallback: bool = False
    of_network: bool = False

    def with_run_settings(
        self, parallel: Any, passes: Any, executor: Any = None, fallback: Any = False
    ) -> FunctionOptions:
        """Return these options with the settings for running graphs.

        Raises:
            ConversionError: `parallel` is not a valid setting.
            ArgumentValueError: a name in `passes` is not that of a pass, or `executor` is none.
            DTypeError: `fallback` is not True or False.
        """
        return self._replace(
            parallel=checked_parallel(parallel),
            passes=checked_passes(passes),
            executor=None if executor is None else checked_executor(executor),
            fallback=flag(fallback, "fallback"),
        )

    @property
    def compile_options(self) -> CompileOptions:
        """The compile options of the graphs."""
        return CompileOptions(self.passes, self.parallel, self.executor, self.fallback)


def checked_parallel(parallel: Any) -> bool | int | None:
    """Return the setting of `parallel`, checked.

    Raises:
        ConversionError: it is not a valid setting.

    >>> checked_parallel(None), checked_parallel(2)
    (None, 2)
    """
    if parallel is None or isinstance(parallel, bool):
        return parallel
    if isinstance(parallel, Integral) and int(parallel) > 0:
        return int(parallel)
    raise ConversionError(
        f"parallel must be None, True, False or a number of threads from 1 on, not {parallel!r}"
    )


def checked_passes(passes: Any) -> tuple[str | Pass, ...] | None:
    """Return the chosen passes, by names or by `-name` all but those, and the user's own.

    Raises:
        ArgumentValueError: one is not the name of a pass.

    >>> checked_passes(["cse", "constant_folding"]), "licm" in checked_passes("-licm")
    (('constant_folding', 'cse'), False)
    """
    if passes is None:
        return None
    return tuple([each.name if each in DEFAULT else each for each in select_passes(passes)])
