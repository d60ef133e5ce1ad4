"""Functions of a library as a module of the compiler MLIR, in its dialect of TensorFlow's ops.

    AddV2(x, Const)    ->    %3 = "tf.AddV2"(%1, %2) : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>

Checks and prints are left out, and so are nodes that nothing else needs. A number is the location
of each op, by which errors of the converter name the user's line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from runtime.core.dtypes import DType
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.export.graphdef.data_types import RESOURCE
from runtime.export.graphdef.function_body import NodeFacts, ValueRef
from runtime.export.graphdef.messages import FunctionDef, NodeDef
from runtime.export.graphdef.rules.list_moves import TAKING
from runtime.export.graphdef.tf_ops import STATEFUL
from runtime.export.tflite import list_rows, rewrites
from runtime.export.tflite.mlir_function import (
    INT,
    FunctionValue,
    MlirFunction,
    NodeMlirFunction,
    any_length,
    functions,
    handle,
)
from runtime.export.tflite.shape_inference import ALIKE, inferred
from runtime.export.tflite.tf_dialect import tensor_type, variable_type
from runtime.export.tflite.unsupported import NOT_KEEPING_NAN
from runtime.graph.node import Node

# Ops without results that LiteRT cannot have.
_CHECKS = frozenset(("Assert", "PrintV2", "NoOp"))
# Ops whose result is their first operand.
_PASSING = frozenset(("Identity", "StopGradient", "CheckNumericsV2", "EnsureShape"))
_UPDATES = {"AssignAddVariableOp": "AddV2", "AssignSubVariableOp": "Sub"}
_BOOL = TensorSpec((), "bool")


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


Given = TensorSpec | SharedVariable
"""An argument of a function: the spec of a tensor, or a variable."""


class ModuleText:
    """A module under construction.

    Args:
        library: the functions of the library, by name.
        facts: the facts about the nodes of each function.

    Attributes:
        sources: the nodes of the graph that the ops were made for; their numbers are locations.
        unused: the nodes whose failures a check would show, which the module does not have.
        losing_nan: by TensorFlow's op, the first node with a kernel that does not keep NaN.
    """

    def __init__(
        self,
        library: Mapping[str, FunctionDef],
        facts: Mapping[str, Mapping[str, NodeFacts]],
    ) -> None:
        self.library = library
        self.facts = facts
        self.sources: list[Node | None] = []
        self.unused: list[Node] = []
        self.losing_nan: dict[str, Node | None] = {}
        self._texts: list[str] = []
        self._count = 0
        self._made: dict[tuple[Any, ...], FunctionText] = {}

    def public(self, name: str, own: str, given: Sequence[Given]) -> FunctionText:
        """Add a function that is called from outside, under a name of its own."""
        return self._added(FunctionText(self, name, own, is_public=True), given, [])

    def called(
        self, name: str, given: Sequence[Given], ignored: Sequence[TensorSpec] = ()
    ) -> FunctionText:
        """Add a function, and those that it calls, unless they are added already.

        Args:
            name: its name in the library.
            given: its arguments.
            ignored: further arguments, before the others, that it does not use.
        """
        key = (name, *map(_identity, given), "ignored", *map(_identity, ignored))
        if key not in self._made:
            function = FunctionText(self, name, self.fresh(name))
            self._made[key] = self._added(function, given, ignored)
        return self._made[key]

    def _added(
        self, function: FunctionText, given: Sequence[Given], ignored: Sequence[TensorSpec]
    ) -> FunctionText:
        function.enter(given, ignored)
        function.lower()
        self._texts.append(function.text())
        return function

    def add(self, function: MlirFunction) -> None:
        """Add a function that is not of the library."""
        self._texts.append(function.text())

    def initializer(self, name: str, variables: Iterable[SharedVariable]) -> None:
        """Add the function that sets variables."""
        function = MlirFunction(name, lambda: self.location(None), is_public=True)
        for each in variables:
            value = function.const(each.value, each.spec.dtype)
            _store(function, each, value)
        self.add(function)

    def fresh(self, wanted: str) -> str:
        """Return an unused name of a function."""
        self._count += 1
        return f"{wanted}_{self._count}"

    def location(self, source: Node | None) -> str:
        """Return a location for an op."""
        self.sources.append(source)
        return f'loc("{len(self.sources) - 1}")'

    def text(self) -> str:
        """Return the module."""
        return "\n".join(["module {", *self._texts, "}", ""])


def _identity(given: Given) -> Any:
    if isinstance(given, SharedVariable):
        return given.name, id(given.value)
    return given.shape.dims, given.dtype.name


class FunctionText(NodeMlirFunction):
    """One function of the library under construction.

    Args:
        module: the module.
        name: its name in the library.
        own: its name in the module.
        is_public: whether it is called from outside.

    Attributes:
        has_effects: whether it writes variables.
    """

    def __init__(self, module: ModuleText, name: str, own: str, is_public: bool = False) -> None:
        super().__init__(own, lambda: module.location(self.source), is_public)
        self.module = module
        self.has_effects = False
        self._function = module.library[name]
        self._facts = module.facts[name]
        self._values: dict[str, FunctionValue] = {}
        self._variables: dict[str, SharedVariable] = {}
        self._lists: set[str] = set()

    def enter(self, given: Sequence[Given], ignored: Sequence[TensorSpec]) -> None:
        """Add the parameters."""
        for spec in ignored:
            self.parameter(spec)
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
        self.results = self._tensors(returned)
        if self._is_public:
            self.results = [self._tensor(*pair) for pair in zip(returned, self.results)]

    def _tensor(self, name: str, value: FunctionValue) -> FunctionValue:
        """Return a result; of a list the tensor of its items."""
        return list_rows.items(self, value) if name in self._lists else value

    def _needed(self) -> list[NodeDef]:
        """Return the nodes that the results and the variables need, in their order."""
        nodes = {node.name: node for node in self._function.node_def}
        waiting = list(self._function.ret.values())
        waiting += [each.name for each in nodes.values() if each.op in STATEFUL - _PASSING]
        self.module.unused += [
            source
            for each in nodes.values()
            if each.op == "Assert" and (source := self._facts[each.name].source) is not None
        ]
        needed: set[str] = set()
        while waiting:
            name = waiting.pop().partition(":")[0]
            if name in nodes and name not in needed and nodes[name].op not in _CHECKS:
                needed.add(name)
                waiting += _used_operands(nodes[name])
        return [node for node in nodes.values() if node.name in needed]

    def op(
        self,
        op: str,
        inputs: Sequence[FunctionValue],
        specs: Sequence[TensorSpec],
        attrs: Mapping[str, Any] | None = None,
    ) -> list[FunctionValue]:
        """Add an op, and tell the module whether its kernel keeps NaN."""
        if op in NOT_KEEPING_NAN and inputs[0].spec.dtype.is_floating:
            self.module.losing_nan.setdefault(op, self.source)
        return super().op(op, inputs, specs, attrs)

    # -- nodes -------------------------------------------------------------------------------------

    def _lower(self, node: NodeDef) -> None:
        facts = self._facts[node.name]
        self.source = facts.source
        inputs = _operands(node)
        if node.op in _RULES:
            _RULES[node.op](self, facts, inputs)
        elif node.op in _UPDATES:
            self._update(_UPDATES[node.op], inputs)
        else:
            given = [self._values[each] for each in inputs]
            self._set(facts.results, self._made(node.op, facts, given))

    def _made(
        self, op: str, facts: NodeFacts, given: Sequence[FunctionValue]
    ) -> Sequence[FunctionValue]:
        if op in _PASSING:
            return given[:1]
        if op in list_rows.RULES:
            if list_rows.NO_ITEMS in given and op not in list_rows.JOINING:
                raise self.unsupported(list_rows.UNKNOWN_SHAPE)
            return list_rows.RULES[op](self, facts, given)
        if op in rewrites.RULES:
            return rewrites.RULES[op](self, facts, given)
        specs = [self.spec(facts, at) for at in range(len(facts.results))]
        if specs and specs[0].shape.rank is None:
            known = [(each.spec.shape, self.constants.get(each.name)) for each in given]
            shape = inferred(op, known, facts.attrs)
            count = len(specs) if op in ALIKE else 1
            specs[:count] = [TensorSpec(shape, each.dtype) for each in specs[:count]]
        return self.op(op, given, specs, facts.attrs)

    def _set(self, refs: Iterable[ValueRef], values: Iterable[FunctionValue]) -> None:
        for ref, value in zip(refs, values):
            self._values[_key(ref)] = value
            if isinstance(ref.kind, DType) and ref.kind.is_variant:
                self._lists.add(_key(ref))

    def _const(self, facts: NodeFacts, inputs: Sequence[str]) -> None:
        self.check(facts.attrs["dtype"])
        self._set(facts.results, [self.const(facts.attrs["value"], facts.attrs["dtype"])])

    # -- variables ---------------------------------------------------------------------------------

    def _read(self, facts: NodeFacts, inputs: Sequence[str]) -> None:
        self._set(facts.results, [self._value_of(self._variables[inputs[0]])])

    def _value_of(self, variable: SharedVariable) -> FunctionValue:
        if not variable.name:
            return self.const(variable.value, variable.spec.dtype)
        own = handle(self, variable.name, variable_type(variable.spec))
        (name,) = self.line("ReadVariableOp", [own], [], [tensor_type(variable.spec)])
        return FunctionValue(name, variable.spec)

    def _assign(self, facts: NodeFacts, inputs: Sequence[str]) -> None:
        self.has_effects = True
        _store(self, self._variables[inputs[0]], self._values[inputs[1]])

    def _update(self, op: str, inputs: Sequence[str]) -> None:
        variable = self._variables[inputs[0]]
        before = self._value_of(variable)
        self.has_effects = True
        _store(self, variable, self.one(op, [before, self._values[inputs[1]]], variable.spec))

    def _assign_slice(self, facts: NodeFacts, inputs: Sequence[str]) -> None:
        variable = self._variables[inputs[0]]
        given = [self._value_of(variable), *self._tensors(inputs[1:])]
        self.has_effects = True
        _store(self, variable, rewrites.written(self, facts, given)[0])

    # -- control flow ------------------------------------------------------------------------------

    def _given(self, names: Iterable[str]) -> list[Given]:
        return [self._variables.get(each) or self._value(each).spec for each in names]

    def _tensors(self, names: Iterable[str]) -> list[FunctionValue]:
        return [self._value(each) for each in names if each not in self._variables]

    def _value(self, name: str) -> FunctionValue:
        found = self._values[name]
        if found is list_rows.NO_ITEMS:
            raise self.unsupported(list_rows.UNKNOWN_SHAPE)
        return found

    def _call(self, facts: NodeFacts, inputs: Sequence[str]) -> None:
        """Add the ops of a called function."""
        source = self.source
        called = FunctionText(self.module, facts.attrs["f"].name, self.name)
        called.continue_from(self)
        for argument, name in zip(called._function.signature.input_arg, inputs, strict=True):
            if name in self._variables:
                called._variables[argument.name] = self._variables[name]
            else:
                called._values[argument.name] = self._values[name]
        called.lower()
        self.source = source
        self.has_effects |= called.has_effects
        self._set(facts.results, called.results)

    def _if(self, facts: NodeFacts, inputs: Sequence[str]) -> None:
        names = [facts.attrs["then_branch"], facts.attrs["else_branch"]]
        made = [self.module.called(each.name, self._given(inputs[1:])) for each in names]
        effects = any(each.has_effects for each in made)
        self.has_effects |= effects
        chooser, *given = self._tensors(inputs)
        found = _choice(self, chooser, made, given, self._joined(facts, made), effects)
        self._set(facts.results, found)

    def _joined(self, facts: NodeFacts, made: Sequence[FunctionText]) -> list[TensorSpec]:
        """Return the specs of the results of a choice."""
        found = []
        for place, shape in enumerate(facts.attrs["output_shapes"]):
            specs = [each.specs[place] for each in made]
            is_list = facts.results[place].kind is not specs[0].dtype
            first = any_length(specs[0]) if is_list else specs[0]
            found.append(first if is_list else TensorSpec(shape, first.dtype))
        return found

    def _case(self, facts: NodeFacts, inputs: Sequence[str]) -> None:
        """Choose by nested choices between two: LiteRT has none among several functions."""
        names = facts.attrs["branches"]
        given = self._given(inputs[1:])
        made = [self.module.called(each.name, given, [INT]) for each in names]
        effects = any(each.has_effects for each in made)
        self.has_effects |= effects
        specs = self._joined(facts, made)
        tensors = self._tensors(inputs)
        last: MlirFunction = made[-1]
        for number in range(len(made) - 2, 0, -1):
            last = self._other([made[number], last], number, tensors, specs, effects)
        self._set(facts.results, _numbered(self, 0, [made[0], last], tensors, specs, effects))

    def _other(
        self,
        made: Sequence[MlirFunction],
        number: int,
        given: Sequence[FunctionValue],
        specs: Sequence[TensorSpec],
        effects: bool,
    ) -> MlirFunction:
        """Return a function that chooses between a branch and those after it."""
        source = self.source
        function = MlirFunction(self.module.fresh("case"), lambda: self.module.location(source))
        tensors = [function.parameter(each.spec) for each in given]
        function.results = _numbered(function, number, made, tensors, specs, effects)
        self.module.add(function)
        return function

    def _loop(self, facts: NodeFacts, inputs: Sequence[str]) -> None:
        if facts.attrs["cond"].name.startswith(TAKING):
            places, target = self._tensors(inputs[2:4])
            self._set(facts.results[-1:], [list_rows.taken(self, target, places)])
            return
        given = self._loop_specs(facts, inputs)
        made = {key: self.module.called(facts.attrs[key].name, given) for key in ("cond", "body")}
        effects = any(each.has_effects for each in made.values())
        self.has_effects |= effects
        specs = [each for each in given if isinstance(each, TensorSpec)]
        names = self.line(
            "While",
            [(each.name, tensor_type(each.spec)) for each in self._tensors(inputs)],
            functions({key: each.name for key, each in made.items()}, effects),
            list(map(tensor_type, specs)),
        )
        found = iter([FunctionValue(name, spec) for name, spec in zip(names, specs)])
        for ref, name in zip(facts.results, inputs):
            if name in self._variables:
                self._variables[_key(ref)] = self._variables[name]
            else:
                self._set([ref], [next(found)])

    def _loop_specs(self, facts: NodeFacts, inputs: Sequence[str]) -> list[Given]:
        found: list[Given] = []
        for place, (shape, name) in enumerate(zip(facts.attrs["output_shapes"], inputs)):
            kind = facts.results[place].kind
            if kind is RESOURCE:
                found.append(self._variables[name])
            elif isinstance(kind, DType) and not kind.is_variant:
                found.append(TensorSpec(shape, kind))
            else:
                found.append(any_length(self._value(name).spec))
        return found


def _store(function: MlirFunction, variable: SharedVariable, value: FunctionValue) -> None:
    own = handle(function, variable.name, variable_type(variable.spec))
    given = [own, (value.name, tensor_type(value.spec))]
    function.line("AssignVariableOp", given, ["validate_shape = false"], [])


def _choice(
    function: MlirFunction,
    chooser: FunctionValue,
    made: Sequence[MlirFunction],
    given: Sequence[FunctionValue],
    specs: Sequence[TensorSpec],
    effects: bool,
) -> list[FunctionValue]:
    """Add a choice between two functions; return its results."""
    names = function.line(
        "If",
        [(each.name, tensor_type(each.spec)) for each in (chooser, *given)],
        functions({"then_branch": made[0].name, "else_branch": made[1].name}, effects),
        list(map(tensor_type, specs)),
    )
    return [FunctionValue(name, spec) for name, spec in zip(names, specs)]


def _numbered(
    function: MlirFunction,
    number: int,
    made: Sequence[MlirFunction],
    given: Sequence[FunctionValue],
    specs: Sequence[TensorSpec],
    effects: bool,
) -> list[FunctionValue]:
    """Add a choice of the first function if the first operand is a number, else of the second."""
    is_it = function.one("Equal", [given[0], function.ints(number)], _BOOL)
    return _choice(function, is_it, made, given, specs, effects)


def _operands(node: NodeDef) -> list[str]:
    """Return the names of the operands of a node, without the nodes that it only waits for."""
    return [each for each in node.input if not each.startswith("^")]


def _used_operands(node: NodeDef) -> list[str]:
    """Return the names of the operands of a node that the module has."""
    found = _operands(node)
    return found[2:4] if _is_taking(node) else found


def _is_taking(node: NodeDef) -> bool:
    """Return whether a node is the loop that takes items of a list by their positions."""
    test = node.attr.get("cond")
    return test is not None and str(test.func.name).startswith(TAKING)


def _key(ref: ValueRef) -> str:
    return f"{ref.node}:{ref.argument}:{ref.place}"


_RULES: Mapping[str, Callable[[FunctionText, NodeFacts, Sequence[str]], None]] = {
    "Const": FunctionText._const,
    "PartitionedCall": FunctionText._call,
    "StatefulPartitionedCall": FunctionText._call,
    "If": FunctionText._if,
    "StatelessIf": FunctionText._if,
    "Case": FunctionText._case,
    "StatelessCase": FunctionText._case,
    "While": FunctionText._loop,
    "StatelessWhile": FunctionText._loop,
    "ReadVariableOp": FunctionText._read,
    "AssignVariableOp": FunctionText._assign,
    "ResourceStridedSliceAssign": FunctionText._assign_slice,
}
