"""Regions of loops as functions, and copies of results: the last step before a model is written.

    tfl.while(x) ({ tfl.add ... }, { ... })    ->    tfl.while(x) ({ call @loop_0_cond }, { ... })

The exporter of litert-converter writes a loop only if each of its regions is a call of a function
of the same values. Values from outside of a region become loop variables that do not change.

LiteRT copies the results of a loop's body to its parameters one after another, and gives each
result of a branch away. So a result that is another parameter, or occurs twice, is a copy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any


class LoopRegions:
    """The loops of a module of the compiler MLIR.

    Args:
        ir: the module `litert_converter.mlir.ir`.
        func: its dialect of functions.
        module: the module.
    """

    def __init__(self, ir: Any, func: Any, module: Any) -> None:
        self._ir, self._func, self._module = ir, func, module

    def type_constants(self) -> None:
        """Give constants that the passes computed their own shapes, which the file has.

        Raises:
            ValueError: a constant has no shape.
        """
        for each in operations(self._module.operation):
            if each.name not in ("tfl.pseudo_const", "arith.constant"):
                continue
            own = each.attributes["value"].type
            if not self._ir.ShapedType(own).has_static_shape:
                raise ValueError(f"{each.location}: a constant has no known shape")
            is_returned = any(use.owner.name == "func.return" for use in each.result.uses)
            if each.result.type != own and not is_returned:
                each.result.set_type(own)

    def outline(self) -> None:
        """Move the regions of all loops into functions, inner loops first."""
        loops = [each for each in operations(self._module.operation) if each.name == "tfl.while"]
        for number, loop in enumerate(loops):
            self._outline(self._closed(loop), number)

    def copy_results(self) -> None:
        """Copy the results of functions for which LiteRT has no place of their own."""
        bodies = self._bodies()
        for function in self._module.body.operations:
            name = self._ir.StringAttr(function.operation.attributes["sym_name"]).value
            block = function.operation.regions[0].blocks[0]
            end = _last(block)
            if "tf_saved_model.exported_names" in function.operation.attributes:
                continue
            self._copy(block, end, is_body=name in bodies)

    def _bodies(self) -> set[str]:
        """Return the names of the functions that are bodies of loops."""
        found = set()
        for loop in operations(self._module.operation):
            if loop.name == "tfl.while":
                call = loop.regions[1].blocks[0].operations[0].operation
                found.add(self._ir.FlatSymbolRefAttr(call.attributes["callee"]).value)
        return found

    def _copy(self, block: Any, end: Any, is_body: bool) -> None:
        seen: list[Any] = []
        arguments = list(block.arguments)
        for place, value in enumerate(list(end.operands)):
            is_moved = is_body and any(
                value == each for at, each in enumerate(arguments) if at != place
            )
            if is_moved or any(value == each for each in seen):
                end.operands[place] = self._copied(value, end)
            seen.append(value)

    def _copied(self, value: Any, end: Any) -> Any:
        """Return a copy of a value: a choice between it and itself, which LiteRT does not drop."""
        ir = self._ir
        kind = ir.RankedTensorType.get([], ir.IntegerType.get_signless(1))
        true = ir.DenseElementsAttr.get_splat(kind, ir.BoolAttr.get(True))
        point = ir.InsertionPoint(end)
        always = ir.Operation.create(
            "tfl.pseudo_const", results=[kind], attributes={"value": true}, ip=point
        )
        copy = ir.Operation.create(
            "tfl.select_v2", results=[value.type], operands=[always.result, value, value], ip=point
        )
        return copy.result

    # -- loops -------------------------------------------------------------------------------------

    def _closed(self, loop: Any) -> Any:
        """Return a loop whose regions use nothing from outside."""
        self._give_absent_operands(loop)
        outer = _outer_values(loop)
        if not outer:
            return loop
        ir = self._ir
        new = ir.Operation.create(
            "tfl.while",
            results=[*(each.type for each in loop.results), *(each.type for each in outer)],
            operands=[*loop.operands, *outer],
            attributes={name: loop.attributes[name] for name in loop.attributes},
            regions=2,
            ip=ir.InsertionPoint(loop),
        )
        for number in range(2):
            self._moved(loop.regions[number].blocks[0], new.regions[number], outer, number == 1)
        for old, value in zip(loop.results, new.results):
            old.replace_all_uses_with(value)
        loop.erase()
        return new

    def _give_absent_operands(self, loop: Any) -> None:
        """Let operands that are left out, such as a bias, be so in the loop: no variable is one."""
        for each in operations(loop):
            for place, value in enumerate(each.operands):
                if str(value.type) == "none":
                    absent = self._ir.Operation.create(
                        "tfl.no_value",
                        results=[value.type],
                        attributes={"value": self._ir.UnitAttr.get()},
                        ip=self._ir.InsertionPoint(each),
                    )
                    each.operands[place] = absent.result

    def _moved(self, block: Any, region: Any, outer: Sequence[Any], is_body: bool) -> None:
        """Move the operations of a block into a region with parameters for outer values."""
        types = [*(each.type for each in block.arguments), *(each.type for each in outer)]
        new = region.blocks.append(*types, arg_locs=[self._ir.Location.unknown()] * len(types))
        _move(list(block.operations), new)
        count = len(block.arguments)
        for old, value in zip(block.arguments, new.arguments):
            old.replace_all_uses_with(value)
        added = list(new.arguments)[count:]
        for old, value in zip(outer, added):
            _replace(new, old, value)
        if is_body:
            end = _last(new)
            self._yield([*end.operands, *added], self._ir.InsertionPoint(end))
            end.erase()

    def _outline(self, loop: Any, number: int) -> None:
        for word, region in zip(("cond", "body"), loop.regions):
            self._outlined(region.blocks[0], f"loop_{number}_{word}")

    def _outlined(self, block: Any, name: str) -> None:
        """Move the operations of a block into a function, and call that."""
        ir, end = self._ir, _last(block)
        parameters = [each.type for each in block.arguments]
        results = [each.type for each in end.operands]
        kind = ir.FunctionType.get(parameters, results)
        with ir.InsertionPoint(self._module.body):
            function = self._func.FuncOp(name, kind, visibility="private")
        inner = function.add_entry_block()
        _move(list(block.operations)[:-1], inner)
        with ir.InsertionPoint(inner):
            self._func.ReturnOp(list(end.operands))
        end.erase()
        for old, value in zip(block.arguments, inner.arguments):
            old.replace_all_uses_with(value)
        point = ir.InsertionPoint(block)
        with point:
            call = self._func.CallOp(results, name, list(block.arguments))
        self._yield(list(call.results), ir.InsertionPoint(block))

    def _yield(self, values: Sequence[Any], point: Any) -> None:
        self._ir.Operation.create("tfl.yield", operands=list(values), ip=point)


def operations(operation: Any) -> Iterator[Any]:
    """Yield the operations inside of an operation, each after those inside of it."""
    for region in operation.regions:
        for block in region:
            for each in list(block.operations):
                yield from operations(each.operation)
                yield each.operation


def _last(block: Any) -> Any:
    return list(block.operations)[-1].operation


def _move(moved: Sequence[Any], block: Any) -> None:
    for each in moved:
        block.append(each)


def _outer_values(loop: Any) -> list[Any]:
    """Return the values from outside that the regions of a loop use."""
    inside = list(operations(loop))
    own = {hash(each) for operation in inside for each in operation.results}
    for owner in (loop, *inside):
        own |= {hash(x) for region in owner.regions for block in region for x in block.arguments}
    found: dict[int, Any] = {}
    for operation in inside:
        for value in operation.operands:
            if hash(value) not in own:
                found.setdefault(hash(value), value)
    return list(found.values())


def _replace(block: Any, old: Any, new: Any) -> None:
    """Replace a value in a block, and in the blocks inside."""
    for each in block.operations:
        for operation in (*operations(each.operation), each.operation):
            for place, value in enumerate(operation.operands):
                if value == old:
                    operation.operands[place] = new
