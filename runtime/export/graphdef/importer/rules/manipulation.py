"""Import of ops that join, split, repeat, pad, reverse and rearrange tensors."""

from __future__ import annotations

from typing import Any

from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.ops.arrays import concatenation, indexing, padding, shape
from runtime.ops.arrays.space_to_batch import batch_to_space, space_to_batch
from runtime.ops.arrays.space_to_depth import depth_to_space, space_to_depth


def _pack(step: NodeImport) -> Any:
    return step.record("stack", *step.tensors(), axis=step.attrs.number("axis", 0))


def _unpack(step: NodeImport) -> Any:
    count, axis = step.attrs.number("num"), step.attrs.number("axis", 0)
    return list(step.record("unstack", step.tensor(0), num=count, axis=axis))


def _concat(step: NodeImport) -> Any:
    last = len(step.inputs) - 1
    return _joined(step, step.tensors(0, last), step.number(last, "axes"))


def _old_concat(step: NodeImport) -> Any:
    return _joined(step, step.tensors(1), step.number(0, "axes"))


def _joined(step: NodeImport, parts: list[Any], axis: int) -> Any:
    return parts[0] if len(parts) == 1 else step.record("concat", *parts, axis=axis)


def _split(step: NodeImport) -> Any:
    axis, count = step.number(0, "axes"), step.attrs.number("num_split")
    return list(step.record("split", step.tensor(1), sizes=count, axis=axis))


def _split_unequally(step: NodeImport) -> Any:
    step.attrs.skip("num_split")
    x, axis = step.tensor(0), step.number(2, "axes")
    return list(concatenation.split(x, list(step.numbers(1, "sizes of parts")), axis))


def _tile(step: NodeImport) -> Any:
    return concatenation.tile(step.tensor(0), step.sizes(1))


def _pad(step: NodeImport) -> Any:
    known = step.known(1)
    widths = step.tensor(1) if known is None else known.tolist()
    value = step.tensor(2) if len(step.inputs) > 2 else 0
    return padding.pad(step.tensor(0), widths, constant_values=value)


def _mirror_pad(step: NodeImport) -> Any:
    known = step.known(1)
    widths = step.tensor(1) if known is None else known.tolist()
    return padding.pad(step.tensor(0), widths, mode=step.attrs.text("mode"))


def _mirror_pad_gradient(step: NodeImport) -> Any:
    """Add the padding to the elements that it mirrored."""
    dy, widths = step.tensor(0), step.tensor(1)
    mode = step.attrs.text("mode").lower()
    before, after = step.record("unstack", widths, num=2, axis=1)
    sizes = step.record("shape", dy, out_type=widths.dtype)
    rest = step.record("subtract", step.record("subtract", sizes, before), after)
    like = indexing.slice(dy, before, rest)
    return step.record("unpadded", dy, like, widths, paddings=None, mode=mode)


def _reverse(step: NodeImport) -> Any:
    return step.record("reverse", step.tensor(0), axis=step.numbers(1, "axes"))


def _roll(step: NodeImport) -> Any:
    shift, axes = step.tensor(1), step.numbers(2, "axes")
    if shift.shape.rank == 0:
        shift = shape.reshape(shift, [1])
    return step.record("roll", step.tensor(0), shift, axis=axes)


def _reverse_sequence(step: NodeImport) -> Any:
    axes = {
        "seq_axis": step.attrs.number("seq_dim"),
        "batch_axis": step.attrs.number("batch_dim", 0),
    }
    return step.record("reverse_sequence", step.tensor(0), step.tensor(1), **axes)


# -- blocks ----------------------------------------------------------------------------------------


def _space_to_batch(step: NodeImport) -> Any:
    blocks, margins = step.numbers(1, "block sizes"), step.static(2, "paddings")
    return space_to_batch(step.tensor(0), list(blocks), margins.tolist())


def _batch_to_space(step: NodeImport) -> Any:
    blocks, margins = step.numbers(1, "block sizes"), step.static(2, "crops")
    return batch_to_space(step.tensor(0), list(blocks), margins.tolist())


def _depth(function: Any) -> Rule:
    def rule(step: NodeImport) -> Any:
        size, order = step.attrs.number("block_size"), step.attrs.text("data_format", "NHWC")
        return function(step.tensor(0), size, order)

    return rule


RULES: dict[str, Rule] = {
    "BatchToSpaceND": _batch_to_space,
    "Concat": _old_concat,
    "ConcatV2": _concat,
    "DepthToSpace": _depth(depth_to_space),
    "MirrorPad": _mirror_pad,
    "MirrorPadGrad": _mirror_pad_gradient,
    "Pack": _pack,
    "Pad": _pad,
    "PadV2": _pad,
    "ReverseSequence": _reverse_sequence,
    "ReverseV2": _reverse,
    "Roll": _roll,
    "SpaceToBatchND": _space_to_batch,
    "SpaceToDepth": _depth(space_to_depth),
    "Split": _split,
    "SplitV": _split_unequally,
    "Tile": _tile,
    "Unpack": _unpack,
}
