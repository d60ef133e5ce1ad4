"""Writes a graph as a file of StableHLO that `jax.export` loads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core.argument_checks import shown
from runtime.core.files import write_atomically
from runtime.core.name_suggestions import did_you_mean
from runtime.core.spec import TensorSpec
from runtime.core.tensor import EagerTensor
from runtime.errors import ArgumentValueError, UnimplementedError
from runtime.executors.jax.lowering import known_value
from runtime.executors.jax.rules.jax_modules import jax, with_64_bits
from runtime.executors.jax.values.pytrees import VariableKey, is_array, register_pytrees, traced
from runtime.export.report import ExportReport, refuse_omissions
from runtime.export.stablehlo.tracing import BATCH, FILE, ExportRun, LoweringState, walk
from runtime.export.traces import ExportedProgram, Signature
from runtime.export.try_statements import without_tries
from runtime.graph.inlining import copied
from runtime.passes.cse import written_handles
from runtime.passes.manager import optimize
from runtime.passes.scalar_narrowing import narrow_scalars

_PLATFORMS = ("cpu", "cuda", "rocm", "tpu")


def write_stablehlo(
    signature: Signature, path: str, *, strict: bool = False, platforms: Any = None
) -> ExportReport:
    """Write a graph as a file of StableHLO, and return the report of the export.

    `jax.export.deserialize` reads the file; `call` takes the inputs in order and returns the
    results as a tuple. Sizes that only a run knows are symbols, which are at least 1: the first
    dimensions of all inputs are one, `batch`, as far as the graph allows it. Variables that the
    graph only reads are constants. One that it writes is an input after the others, and a result
    after the others.

    Args:
        signature: the graph, and the names of its inputs and results.
        path: the file.
        strict: whether errors that Python raises, which a file cannot have, are an error; by
            default the report lists them.
        platforms: the platforms that run it, such as ("cpu", "cuda"); by default that of this
            machine.

    Raises:
        UnimplementedError: JAX is missing, or does not run a node; the error has the user's line.
        ArgumentValueError: `platforms` are no names of platforms.
    """
    exporter = _exporter()
    chosen = _checked_platforms(platforms)
    export = _StableHloExport(signature)
    with with_64_bits():
        register_pytrees()
        exported = export.made(exporter, chosen)
    omissions = list(export.trace.omissions)
    if strict:
        refuse_omissions("a file", omissions)
    write_atomically(path, bytes(exported.serialize()))
    return ExportReport("stablehlo", [path], export.notes(), omissions)


def write_program(program: ExportedProgram, path: str, **options: Any) -> ExportReport:
    """Write the only signature of a program; see `write_stablehlo` for the options.

    Raises:
        ArgumentValueError: it has no signature, or several.
    """
    return write_stablehlo(program.only_signature(FILE), path, **options)


def _exporter() -> Any:
    try:
        from jax import export
    except ImportError:
        raise UnimplementedError(
            'a StableHLO file is made by JAX: pip install "autograph-py[jax]"'
        ) from None
    return export


def _checked_platforms(platforms: Any) -> list[str] | None:
    if platforms is None:
        return None
    names = list(platforms) if isinstance(platforms, (list, tuple)) else [platforms]
    if not names or not all(isinstance(each, str) for each in names):
        raise ArgumentValueError(
            f'platforms must be names such as ("cpu", "cuda", "tpu"), not {shown(platforms)}'
        )
    # JAX may have a plug-in for the platform of this machine.
    present = {device.platform for device in jax.devices()}
    known = [*_PLATFORMS, *sorted(present.difference(_PLATFORMS, ["gpu"]))]
    for each in names:
        if each not in known:
            hint = ": cuda or rocm" if each == "gpu" else did_you_mean(each, known)
            raise ArgumentValueError(
                f"platforms must be among {', '.join(known)}, not {shown(each)}{hint}"
            )
    return names


class _StableHloExport:
    """One export: the graph as a function of its inputs, and the parts that are left out of it.

    Args:
        signature: the graph and its names.
    """

    def __init__(self, signature: Signature) -> None:
        self.signature, self.trace = signature, LoweringState()
        self._graph = optimize(copied(without_tries(signature.graph, FILE), flat=True))
        narrow_scalars(self._graph)
        written = {id(x) for node in self._graph.walk() for x in written_handles(node)}
        self._own = len(self._graph.parameters)
        self._given = [
            at
            for at, each in enumerate(self._graph.inputs)
            if at < self._own or (_is_variable(each) and id(each) in written)
        ]
        self._names = [self._name(at) for at in self._given]
        self._limits: list[str] = []
        # Whether the first sizes of the inputs are symbols of their own.
        self._are_apart = False
        self._check()

    def _name(self, at: int) -> str:
        if at < self._own:
            return self.signature.inputs[at]
        return self.signature.state_name(self._outer(at))

    def _outer(self, at: int) -> Any:
        return self._graph.captures[at - self._own].outer

    def _check(self) -> None:
        """Raise UnimplementedError for an input that StableHLO cannot have."""
        for at, name in zip(self._given, self._names):
            tensor = self._graph.inputs[at]
            reason = _refused_input(tensor)
            if reason:
                raise UnimplementedError(
                    f"the input '{name}' does not go into {FILE}: {reason}", tensor.node.origin
                )

    def made(self, exporter: Any, platforms: list[str] | None) -> Any:
        """Return the export of JAX, if need be for such sizes alone that the nodes fit.

        The inputs have one number of rows, unless the graph then has no export.
        """
        try:
            return self._made_in_one_scope(exporter, platforms)
        except UnimplementedError as error:
            self._are_apart, self._limits = True, []
            try:
                return self._made_in_one_scope(exporter, platforms)
            except UnimplementedError:
                raise error from None

    def _made_in_one_scope(self, exporter: Any, platforms: list[str] | None) -> Any:
        export = exporter.export(jax.jit(self.function), platforms=platforms)
        while True:
            try:
                return export(*self.specs(exporter))
            except UnimplementedError:
                found = [each for each in self.trace.limits if each not in self._limits]
                if not found:
                    raise
                self._limits = [*found, *self._limits]  # JAX applies them to the later ones.

    def specs(self, exporter: Any) -> list[Any]:
        """Return the shapes and dtypes of the inputs, with symbols for unknown sizes."""
        scope = exporter.SymbolicScope(self._limits)
        found = []
        for at, name in zip(self._given, self._names):
            spec = self._graph.inputs[at].spec
            text = ", ".join(_dims(spec, name, self._are_apart))
            shape = exporter.symbolic_shape(text, scope=scope) if text else ()
            found.append(jax.ShapeDtypeStruct(shape, spec.dtype.np_dtype))
        return found

    def function(self, *given: Any) -> tuple[Any, ...]:
        """Return the results, and then the new values of variables."""
        self.trace = LoweringState()
        values: list[Any] = [None] * len(self._graph.inputs)
        for at, value in zip(self._given, given):
            values[at] = value
        variables: dict[Any, Any] = {}
        for at, tensor in enumerate(self._graph.inputs):
            if at >= self._own and at not in self._given:
                outer = self._outer(at)
                is_plain = isinstance(outer, EagerTensor)
                values[at] = known_value(outer._array) if is_plain else outer._array
            if _is_variable(tensor):
                key = f"input {at}"
                variables[key], values[at] = traced(values[at]), VariableKey(key)
        run = ExportRun.beginning(self.trace, variables)
        results = walk(run, self._graph, values)
        for name, tensor, value in zip(self.signature.results, self._graph.outputs, results):
            if not is_array(value):
                raise UnimplementedError(
                    f"the result '{name}' does not go into {FILE}: {_refused_result(tensor)}",
                    tensor.node.origin,
                )
        states = [run.variables[f"input {at}"] for at in self._given if self._is_state(at)]
        return (*map(traced, results), *states)

    def _is_state(self, at: int) -> bool:
        return _is_variable(self._graph.inputs[at])

    def notes(self) -> list[str]:
        """Return the names of the inputs and results, in order, and the conditions on sizes."""
        states = [f"{x}:out" for at, x in zip(self._given, self._names) if self._is_state(at)]
        results = [*self.signature.results, *states]
        return [
            f"inputs: {', '.join(self._names) or 'none'}",
            f"results: {', '.join(results) or 'none'}",
            *(f"sizes: {each}" for each in self._limits),
        ]


def _refused_input(tensor: Any) -> str:
    """Return the reason for which an input is refused, "" for none."""
    if tensor.dtype.kind not in "biufc":
        return f"XLA computes numbers, and this one is of {tensor.dtype.name}: give numbers of it"
    return "" if tensor.shape.rank is not None else "give its axes in the signature, as in [None]"


def _refused_result(tensor: Any) -> str:
    if tensor.dtype.is_string:
        return "XLA computes no texts: return the values, and make the text of them outside"
    return (
        "its size does not follow from those of the inputs: return a tensor of a known size, and "
        "the number of its rows that count"
    )


def _is_variable(tensor: Any) -> bool:
    return getattr(tensor.spec, "kind", "") == "variable"


def _dims(spec: TensorSpec, name: str, is_apart: bool) -> Sequence[str]:
    """Return the sizes of an input as texts, with names for those that only a run knows."""
    sizes = spec.shape.dims or ()
    return [
        str(size) if size is not None else f"{name}_{at}" if at or is_apart else BATCH
        for at, size in enumerate(sizes)
    ]
