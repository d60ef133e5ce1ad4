"""Lowering of ops on strings."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import string
from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule
from runtime.export.text_templates import Gap, template_pieces


def _with(op: str, *attributes: str) -> Rule:
    """Return a rule for one node that has some of the attributes, under the same names."""

    def rule(step: GraphDefNodeLowering) -> Any:
        return step.last(op, *step.inputs, **{name: step.attrs[name] for name in attributes})

    return rule


def _join(step: GraphDefNodeLowering) -> Any:
    return step.last("StringJoin", list(step.inputs), separator=step.attrs["separator"])


def _substr(step: GraphDefNodeLowering) -> Any:
    text, start, count = step.inputs
    if count.kind != start.kind:
        kind: Any = start.kind
        count = step.add("Cast", count, DstT=kind)
    return step.last("Substr", text, start, count, unit=step.attrs["unit"])


def _to_number(step: GraphDefNodeLowering) -> Any:
    if step.attrs.get("as_python", False):
        raise step.unsupported("it reads numbers as Python does")
    return step.last("StringToNumber", step.inputs[0], out_type=step.attrs["out_type"])


def _as_string(step: GraphDefNodeLowering) -> Any:
    words = ("precision", "scientific", "shortest", "width", "fill")
    attrs = {name: step.attrs[name] for name in words if name in step.attrs}
    return step.last("AsString", step.inputs[0], **attrs)


def _format(step: GraphDefNodeLowering) -> Any:
    """Join the texts of a template and those of the values in its gaps."""
    pieces = template_pieces(step.node)
    if pieces is None:
        raise step.unsupported("it makes texts as Python does")
    texts = [
        step.const(piece, "text", string) if isinstance(piece, str) else _gap(step, piece)
        for piece in pieces
    ]
    return step.last("StringJoin", texts or [step.const("", "text", string)], separator="")


def _gap(step: GraphDefNodeLowering, gap: Gap) -> Any:
    value, dtype = step.inputs[gap.operand], step.spec(gap.operand).dtype
    if dtype.is_string:
        return value
    if dtype.is_bool:
        words = (step.const(word, "text", string) for word in ("True", "False"))
        return step.add("SelectV2", value, *words)
    if not gap.width:
        return step.add("AsString", value)
    return step.add("AsString", value, width=gap.width, fill="0" if gap.fill == "0" else "")


def _split(step: GraphDefNodeLowering) -> Any:
    row = step.add("ExpandDims", step.inputs[0], step.const(0, "axis"))
    sep = step.const(step.attrs["sep"].decode(), "sep", string)
    parts = step.last("StringSplitV2", row, sep, maxsplit=step.attrs["maxsplit"])
    return parts[1]


def _strong(step: GraphDefNodeLowering) -> Any:
    key = step.attrs["key"]
    if max(key) >= 2**63:
        raise step.unsupported("TensorFlow's keys are below 2**63")
    count = step.attrs["num_buckets"]
    return step.last("StringToHashBucketStrong", *step.inputs, num_buckets=count, key=list(key))


RULES: dict[str, Rule] = {
    "format_values": _format,
    "string_join": _join,
    "string_length": _with("StringLength", "unit"),
    "string_lower": _with("StringLower", "encoding"),
    "string_upper": _with("StringUpper", "encoding"),
    "substr": _substr,
    "as_string": _as_string,
    "regex_replace": _with("StaticRegexReplace", "pattern", "rewrite", "replace_global"),
    "regex_full_match": _with("StaticRegexFullMatch", "pattern"),
    "string_split": _split,
    "hash_bucket": _with("StringToHashBucket", "num_buckets"),
    "hash_bucket_fast": _with("StringToHashBucketFast", "num_buckets"),
    "hash_bucket_strong": _strong,
    "to_number": _to_number,
}
