"""Functions of the library, built from a body of nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from zlib import crc32

from runtime.export.graphdef.data_types import number_of
from runtime.export.graphdef.function_body import (
    Body,
    Kind,
    NodeFacts,
    ValueRef,
    argument_name,
)
from runtime.export.graphdef.messages import ArgDef, FunctionDef, NameAttrList, OpDef


class AddedFunctions:
    """The functions added so far.

    TensorFlow numbers all functions of a process, and accepts no two different functions of one
    name. Here the number is a hash of the function's contents: so two graphs in one process share a
    name only for equal functions.

    Args:
        functions: the functions of a library that is continued, by name.

    Attributes:
        facts: the facts about the nodes of each function, by its name.
    """

    def __init__(self, functions: dict[str, FunctionDef] | None = None) -> None:
        self._functions = {} if functions is None else functions
        self.facts: dict[str, Mapping[str, NodeFacts]] = {}

    @property
    def functions(self) -> list[FunctionDef]:
        """The functions so far, each before those that refer to it."""
        return list(self._functions.values())

    def add(
        self, function: FunctionDef, facts: Mapping[str, NodeFacts] | None = None
    ) -> NameAttrList:
        """Add a function under its name with the hash appended; return a reference to it."""
        number = crc32(function.SerializeToString())
        signature = function.signature.with_values(
            name=f"{function.signature.name.replace('/', '_')}_{number}"
        )
        self._functions.setdefault(signature.name, function.with_values(signature=signature))
        self.facts.setdefault(signature.name, facts or {})
        return NameAttrList(name=signature.name)


@dataclass(frozen=True)
class Results:
    """The results of a function.

    Attributes:
        changed: the computed results, each behind an Identity node as in TensorFlow.
        passed: the parameters that a loop passes to its next iteration unchanged.
    """

    changed: Sequence[ValueRef]
    passed: Sequence[ValueRef] = ()


def parameter(body: Body, wanted: str, kind: Kind) -> ValueRef:
    """Return a new parameter of the function of a body."""
    name = body.arguments.fresh(argument_name(wanted))
    if not body.prefix:
        body.names.fresh(name)  # A node of the function must not have the name, too.
    return ValueRef(name, kind)


def ends(body: Body, refs: Iterable[ValueRef], last: Sequence[str]) -> list[ValueRef]:
    """Add Identity nodes for the results of a body, which wait for the nodes with effects.

    Args:
        body: the body.
        refs: the results.
        last: the nodes with effects that no other node waits for.
    """
    waits: list[str] = []
    if last:
        name = body.names.fresh("NoOp")
        body.add("NoOp", (), name=name, waits=last)
        waits = [body.prefix + name]
    return [
        body.add("Identity", [ref], name=body.names.fresh("Identity"), waits=waits)[0]
        for ref in refs
    ]


def function_def(
    name: str,
    body: Body,
    parameters: Sequence[ValueRef],
    results: Results,
    last: Sequence[str] = (),
) -> FunctionDef:
    """Return the function of a body."""
    found = ends(body, results.changed, last)
    returned = {_result_name(body, ref): ref for ref in [*found, *results.passed]}
    signature = OpDef(
        name=name,
        input_arg=[ArgDef(name=ref.node, type=number_of(ref.kind)) for ref in parameters],
        output_arg=[ArgDef(name=key, type=number_of(ref.kind)) for key, ref in returned.items()],
        control_output=list(last),
        is_stateful=body.is_stateful,
    )
    return FunctionDef(
        signature=signature,
        node_def=body.nodes,
        ret={key: body.text(ref) for key, ref in returned.items()},
        control_ret={each: each for each in last},
    )


def _result_name(body: Body, ref: ValueRef) -> str:
    return body.arguments.fresh(argument_name(ref.node))
