"""Functions of a library as a module of the compiler MLIR, in its dialect of TensorFlow's ops.

    AddV2(x, Const)    ->    %3 = "tf.AddV2"(%1, %2) : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>

Checks and prints are left out, and so are nodes that nothing else needs. A number is the location
of each op, by which errors of the converter name the user's line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.core.dtypes import DType, int32
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.export.graphdef.data_types import RESOURCE
from runtime.export.graphdef.function_body import NodeFacts, ValueRef
from runtime.export.graphdef.messages import FunctionDef, NameAttrList, NodeDef
from runtime.export.graphdef.tf_ops import SIGNATURES, STATEFUL
from runtime.export.tflite.tf_dialect import (
    attribute,
    attributes_of,
    constant,
    joined,
    list_type,
    tensor_type,
    text,
    variable_type,
)
from runtime.graph.node import Node

# Ops without a value that LiteRT cannot have.
_CHECKS = frozenset(("Assert", "PrintV2", "NoOp"))
# Ops whose result is their first operand.
_PASSING = frozenset(("Identity", "StopGradient", "CheckNumericsV2"))
_UPDATES = {"AssignAddVariableOp": "AddV2", "AssignSubVariableOp": "Sub"}
_UNKNOWN = TensorShape(None)
_INDEX = TensorSpec((), int32)
_BOOL = "tensor<i1>"


class SharedVariable(NamedTuple):
    """A variable of the module.

    Attributes:
        name: its name in the module; empty if it is a constant.
        spec: the spec of its value.
        value: its first value.
    """

    name: str
    spec: TensorSpec
    value: Array

    @property
    def is_constant(self) -> bool:
        """Whether no function writes it."""
        return not self.name


class Value(NamedTuple):
    """A value of a function: its name and its type."""

    name: str
    type: str


class ModuleText:
    """A module under construction.

    Args:
        functions: the functions of the library, by name.
        facts: the facts about the nodes of each function.

    Attributes:
        sources: the nodes of the graph that the ops were made for; their numbers are locations.
    """

    def __init__(
        self,
        functions: Mapping[str, FunctionDef],
        facts: Mapping[str, Mapping[str, NodeFacts]],
    ) -> None:
        self.functions = functions
        self.facts = facts
        self.sources: list[Node | None] = []
        self._texts: list[str] = []
        self._made: dict[tuple[Any, ...], FunctionText] = {}

    def add(
        self,
        name: str,
        given: Sequence[str | SharedVariable],
        public: str = "",
        ignored: Sequence[str] = (),
    ) -> FunctionText:
        """Add a function of the library, and those that it calls.

        Args:
            name: its name in the library.
            given: the type of each argument, or the variable that it is.
            public: the name under which it is called from outside.
            ignored: the types of additional parameters, before the others, that it does not use.
        """
        key = (name, *(_identity(each) for each in given), "", *ignored)
        if key not in self._made or public:
            own = public or f"{name}_{len(self._made)}"
            found = self._made[key] = FunctionText(self, name, own, bool(public))
            found.enter(given, ignored)
            found.lower()
            self._texts.append(found.text())
        return self._made[key]

    def add_text(self, function: str) -> None:
        """Add a function that is written already."""
        self._texts.append(function)

    def fresh(self, wanted: str) -> str:
        """Return an unused name of a function."""
        return f"{wanted}_{len(self._texts)}_of_{len(self._made)}"

    def location(self, source: Node | None) -> str:
        """Return a location for an op."""
        self.sources.append(source)
        return f'loc("{len(self.sources) - 1}")'

    def text(self) -> str:
        """Return the module."""
        return "\n".join(["module {", *self._texts, "}", ""])


def _identity(given: str | SharedVariable) -> Any:
    return given if isinstance(given, str) else (given.name, id(given.value))


class Lines:
    """The lines of one function under construction.

    Args:
        name: the name of the function.
        location: returns a location for an op.
        is_public: whether it is called from outside.
    """

    def __init__(self, name: str, location: Callable[[], str], is_public: bool = False) -> None:
        self.name = name
        self._location = location
        self._is_public = is_public
        self._parameters: list[Value] = []
        self._results: Sequence[Value] = ()
        self._lines: list[str] = []
        self._count = 0

    def parameter(self, kind: str) -> Value:
        """Add a parameter."""
        self._parameters.append(Value(self._fresh(), kind))
        return self._parameters[-1]

    def op(
        self, op: str, inputs: Sequence[Value], attrs: Iterable[str], types: Sequence[str]
    ) -> list[Value]:
        """Add an op; return its results."""
        name = self._fresh()
        several = len(types) > 1
        head = f"{name}:{len(types)} = " if several else f"{name} = " if types else ""
        self._lines.append(
            f'    {head}"tf.{op}"{joined([each.name for each in inputs])} '
            f"{{{', '.join(attrs)}}} : {joined([each.type for each in inputs])} -> "
            f"{joined(types)} {self._location()}"
        )
        return [Value(f"{name}#{at}" if several else name, each) for at, each in enumerate(types)]

    def const(self, array: Array, dtype: DType) -> Value:
        """Add a constant."""
        kind = tensor_type(TensorSpec(TensorShape.of(array.shape), dtype))
        return self.op("Const", [], [f"value = {constant(array, dtype)}"], [kind])[0]

    def give_back(self, results: Sequence[Value]) -> None:
        """Set the results."""
        self._results = results

    @property
    def types(self) -> list[str]:
        """The types of the results."""
        return [each.type for each in self._results]

    def text(self) -> str:
        """Return the function."""
        word = "" if self._is_public else "private "
        parameters = joined([f"{each.name}: {each.type}" for each in self._parameters])
        values = ", ".join([each.name for each in self._results])
        end = f"func.return {values} : {', '.join(self.types)}" if values else "func.return"
        head = f"  func.func {word}@{self.name}{parameters} -> {joined(self.types)} {{"
        return "\n".join([head, *self._lines, f"    {end}", "  }"])

    def _fresh(self) -> str:
        self._count += 1
        return f"%v{self._count}"


class FunctionText(Lines):
    """One function of the library under construction.

    Args:
        module: the module.
        name: its name in the library.
        own: its name in the module.
        is_public: whether it is called from outside.

    Attributes:
        has_effects: whether it writes variables.
    """

    def __init__(self, module: ModuleText, name: str, own: str, is_public: bool) -> None:
        super().__init__(own, lambda: module.location(self._source), is_public)
        self.module = module
        self.has_effects = False
        self._source: Node | None = None
        self._function = module.functions[name]
        self._facts = module.facts[name]
        self._values: dict[str, Value] = {}
        self._variables: dict[str, SharedVariable] = {}

    def enter(self, given: Sequence[str | SharedVariable], ignored: Sequence[str]) -> None:
        """Add the parameters."""
        for kind in ignored:
            self.parameter(kind)
        for argument, each in zip(self._function.signature.input_arg, given, strict=True):
            if isinstance(each, SharedVariable):
                self._variables[argument.name] = each
            else:
                self._values[argument.name] = self.parameter(each)

    def lower(self) -> None:
        """Add the ops and the results."""
        for node in self._needed():
            self._lower(node)
        returned = self._function.ret.values()
        self.give_back([self._values[each] for each in returned if each not in self._variables])

    def _needed(self) -> list[NodeDef]:
        """Return the nodes that the results and the variables need, in their order."""
        nodes = {node.name: node for node in self._function.node_def}
        waiting = list(self._function.ret.values())
        waiting += [each.name for each in nodes.values() if each.op in STATEFUL - _PASSING]
        needed: set[str] = set()
        while waiting:
            name = waiting.pop().partition(":")[0]
            if name in nodes and name not in needed and nodes[name].op not in _CHECKS:
                needed.add(name)
                waiting += operands(nodes[name])
        return [node for node in nodes.values() if node.name in needed]

    # -- nodes -------------------------------------------------------------------------------------

    def _lower(self, node: NodeDef) -> None:
        facts = self._facts[node.name]
        self._source = facts.source
        inputs = operands(node)
        if node.op in _PASSING:
            self._values[_key(facts.results[0])] = self._values[inputs[0]]
        elif node.op in _RULES:
            _RULES[node.op](self, facts, inputs)
        else:
            self._plain(node.op, facts, inputs)

    def _plain(self, op: str, facts: NodeFacts, inputs: Sequence[str]) -> None:
        given = [self._values[each] for each in inputs]
        types = [self._type(facts, ref, given) for ref in facts.results]
        attrs = dict(facts.attrs)
        given = self._with_item_shape(op, given, types)
        self._set(facts.results, self.op(op, given, attributes_of(op, attrs), types))

    def _with_item_shape(
        self, op: str, given: list[Value], types: Sequence[str]
    ) -> list[Value]:
        """Return the operands of an op on lists, with the shape of the items if it is known."""
        names = [each.name for each in SIGNATURES[op].inputs]
        if "element_shape" not in names:
            return given
        place = names.index("element_shape")
        held = next((each for each in _lists([*types, *(x.type for x in given)])), "")
        dims = _dims_of(held)
        if dims is None:
            return given
        shape = self.const(np.array(dims, np.int32), int32)
        return [*given[:place], shape, *given[place + 1 :]]

    def _type(self, facts: NodeFacts, ref: ValueRef, given: Sequence[Value]) -> str:
        spec = facts.specs.get(ref.index)
        assert isinstance(ref.kind, DType)
        if not ref.kind.is_variant:
            return tensor_type(TensorSpec(_UNKNOWN, ref.kind) if spec is None else spec)
        if spec is not None and not spec.dtype.is_variant:
            return list_type(spec)
        known = next(iter(_lists([each.type for each in given])), None)
        element = facts.attrs.get("element_dtype")
        if known is not None or not isinstance(element, DType) or element.is_variant:
            return known or "tensor<!tf_type.variant>"
        return list_type(TensorSpec(_UNKNOWN, element))

    def _set(self, refs: Iterable[ValueRef], values: Sequence[Value]) -> None:
        self._values.update(zip(map(_key, refs), values))

    # -- variables ---------------------------------------------------------------------------------

    def _read(self, facts: NodeFacts, inputs: Sequence[str]) -> None:
        self._set(facts.results, [self._value_of(self._variables[inputs[0]])])

    def _value_of(self, variable: SharedVariable) -> Value:
        if variable.is_constant:
            return self.const(variable.value, variable.spec.dtype)
        kind = tensor_type(variable.spec)
        return self.op("ReadVariableOp", [self._handle(variable)], [], [kind])[0]

    def _handle(self, variable: SharedVariable) -> Value:
        attrs = [f"shared_name = {text(variable.name)}", 'container = ""']
        return self.op("VarHandleOp", [], attrs, [variable_type(variable.spec)])[0]

    def _assign(self, facts: NodeFacts, inputs: Sequence[str]) -> None:
        self._store(self._variables[inputs[0]], self._values[inputs[1]])

    def _store(self, variable: SharedVariable, value: Value) -> None:
        self.has_effects = True
        self.op("AssignVariableOp", [self._handle(variable), value], ["validate_shape = false"], [])

    def _update(self, op: str) -> Callable[[NodeFacts, Sequence[str]], None]:
        def rule(facts: NodeFacts, inputs: Sequence[str]) -> None:
            variable = self._variables[inputs[0]]
            before = self._value_of(variable)
            self._store(variable, self.op(op, [before, self._values[inputs[1]]], [], [before.type])[0])

        return rule

    # -- control flow ------------------------------------------------------------------------------

    def _given(self, names: Iterable[str]) -> list[str | SharedVariable]:
        """Return the types of values, or the variables that they are."""
        return [self._variables.get(each) or self._values[each].type for each in names]

    def _plain_values(self, names: Iterable[str]) -> list[Value]:
        return [self._values[each] for each in names if each not in self._variables]

    def _branch_types(self, facts: NodeFacts, made: Sequence[FunctionText]) -> list[str]:
        specs = [facts.specs.get(ref.index) for ref in facts.results]
        shapes = facts.attrs["output_shapes"]
        found = []
        for at, (ref, shape) in enumerate(zip(facts.results, shapes)):
            assert isinstance(ref.kind, DType)
            kinds = {each.types[at] for each in made}
            is_known = len(kinds) == 1 or ref.kind.is_variant
            found.append(kinds.pop() if is_known else tensor_type(TensorSpec(shape, ref.kind)))
        del specs
        return found

    def _if(self, facts: NodeFacts, inputs: Sequence[str]) -> None:
        names = [facts.attrs["then_branch"], facts.attrs["else_branch"]]
        made = [self.module.add(each.name, self._given(inputs[1:])) for each in names]
        self._choose(self._values[inputs[0]], made, inputs[1:], facts)

    def _choose(
        self, chooser: Value, made: Sequence[FunctionText], names: Sequence[str], facts: NodeFacts
    ) -> None:
        types = self._branch_types(facts, made)
        given = self._plain_values(names)
        self._set(facts.results, self._if_op(chooser, made, given, types))

    def _if_op(
        self, chooser: Value, made: Sequence[Lines], given: Sequence[Value], types: Sequence[str]
    ) -> list[Value]:
        effects = any(getattr(each, "has_effects", False) for each in made)
        self.has_effects |= effects
        return self.op("If", [chooser, *given], branches(made, effects), types)

    def _case(self, facts: NodeFacts, inputs: Sequence[str]) -> None:
        """Choose by nested branches: LiteRT has no choice among several functions."""
        names: list[NameAttrList] = facts.attrs["branches"]
        index = self._values[inputs[0]]
        made = [self.module.add(each.name, self._given(inputs[1:]), "", [index.type]) for each in names]
        types = self._branch_types(facts, made)
        given = [index, *self._plain_values(inputs[1:])]
        effects = any(each.has_effects for each in made)
        self.has_effects |= effects
        other: Lines = made[-1]
        for number in range(len(made) - 2, 0, -1):
            other = self._else(number, [made[number], other], given, types, effects)
        found = given[1:] if len(made) == 1 else []
        pair = [made[0], other]
        found = chosen(self, 0, pair, given, types, effects)
        self._set(facts.results, found)

    def _else(
        self,
        number: int,
        made: Sequence[Lines],
        given: Sequence[Value],
        types: Sequence[str],
        effects: bool,
    ) -> Lines:
        """Return a function that chooses between a branch and those after it."""
        source = self._source
        name = self.module.fresh("case")
        lines = Lines(name, lambda: self.module.location(source))
        parameters = [lines.parameter(each.type) for each in given]
        lines.give_back(chosen(lines, number, made, parameters, types, effects))
        self.module.add_text(lines.text())
        return lines

    def _loop(self, facts: NodeFacts, inputs: Sequence[str]) -> None:
        given = self._loop_types(facts, inputs)
        made = [self.module.add(facts.attrs[key].name, given) for key in ("cond", "body")]
        types = [each for each in given if isinstance(each, str)]
        effects = any(each.has_effects for each in made)
        self.has_effects |= effects
        attrs = [
            f"cond = @{made[0].name}",
            f"body = @{made[1].name}",
            f"is_stateless = {attribute(not effects)}",
        ]
        found = iter(self.op("While", self._plain_values(inputs), attrs, types))
        for ref, name in zip(facts.results, inputs):
            if name in self._variables:
                self._variables[_key(ref)] = self._variables[name]
            else:
                self._values[_key(ref)] = next(found)

    def _loop_types(self, facts: NodeFacts, inputs: Sequence[str]) -> list[str | SharedVariable]:
        found: list[str | SharedVariable] = []
        for ref, shape, name in zip(facts.results, facts.attrs["output_shapes"], inputs):
            if ref.kind is RESOURCE:
                found.append(self._variables[name])
            elif isinstance(ref.kind, DType) and not ref.kind.is_variant:
                found.append(tensor_type(TensorSpec(shape, ref.kind)))
            else:
                found.append(self._values[name].type)
        return found

    def _const(self, facts: NodeFacts, inputs: Sequence[str]) -> None:
        self._set(facts.results, [self.const(facts.attrs["value"], facts.attrs["dtype"])])


def branches(made: Sequence[Lines], effects: bool) -> list[str]:
    """Return the attributes of a choice between two functions."""
    return [
        f"then_branch = @{made[0].name}",
        f"else_branch = @{made[1].name}",
        f"is_stateless = {attribute(not effects)}",
    ]


def chosen(
    lines: Lines,
    number: int,
    made: Sequence[Lines],
    given: Sequence[Value],
    types: Sequence[str],
    effects: bool,
) -> list[Value]:
    """Add a choice of the first function if the first operand is `number`, else of the second."""
    wanted = lines.const(np.array(number, np.int32), int32)
    (is_it,) = lines.op("Equal", [given[0], wanted], [], [_BOOL])
    return lines.op("If", [is_it, *given], branches(made, effects), types)


def operands(node: NodeDef) -> list[str]:
    """Return the names of the operands of a node, without the nodes that it only waits for."""
    return [each for each in node.input if not each.startswith("^")]


def _key(ref: ValueRef) -> str:
    return f"{ref.node}:{ref.argument}:{ref.place}"


_LIST_HEAD = "tensor<!tf_type.variant<"


def _lists(types: Iterable[str]) -> list[str]:
    return [each for each in types if each.startswith(_LIST_HEAD)]


def _dims_of(held: str) -> list[int] | None:
    """Return the dimensions of the items of a list, -1 for unknown ones, or None."""
    inner = held[len(_LIST_HEAD) + len("tensor<") :].split(">")[0].split("x")
    if not held or inner[0] == "*":
        return None
    return [-1 if each == "?" else int(each) for each in inner[:-1]]


_RULES: dict[str, Callable[[FunctionText, NodeFacts, Sequence[str]], None]] = {
    "Const": FunctionText._const,
    "If": FunctionText._if,
    "StatelessIf": FunctionText._if,
    "Case": FunctionText._case,
    "StatelessCase": FunctionText._case,
    "While": FunctionText._loop,
    "StatelessWhile": FunctionText._loop,
    "ReadVariableOp": FunctionText._read,
    "AssignVariableOp": FunctionText._assign,
    "AssignAddVariableOp": lambda self, facts, inputs: self._update("AddV2")(facts, inputs),
    "AssignSubVariableOp": lambda self, facts, inputs: self._update("Sub")(facts, inputs),
}
