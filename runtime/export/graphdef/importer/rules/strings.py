"""Import of ops on strings."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import float32
from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.ops.text import strings


def _join(step: NodeImport) -> Any:
    texts = [step.tensor(at) for at in range(len(step.inputs))]
    return step.record("string_join", *texts, separator=step.attrs.raw("separator", b""))


def _with(name: str, **defaults: Any) -> Rule:
    """Return the rule of an op with text attributes of the same names."""

    def rule(step: NodeImport) -> Any:
        attrs = {word: step.attrs.text(word, default) for word, default in defaults.items()}
        return step.record(name, step.tensor(0), **attrs)

    return rule


def _substr(step: NodeImport) -> Any:
    text, start, count = (step.tensor(at) for at in range(3))
    return step.record("substr", text, start, count, unit=step.attrs.text("unit", "BYTE"))


def _replace(step: NodeImport) -> Any:
    everywhere = step.attrs.flag("replace_global", True)
    if step.op == "RegexReplace":
        pattern, rewrite = (_known_text(step, at) for at in (1, 2))
    else:
        pattern, rewrite = step.attrs.text("pattern"), step.attrs.text("rewrite")
    attrs = {"pattern": pattern, "rewrite": rewrite, "replace_global": everywhere}
    return step.record("regex_replace", step.tensor(0), **attrs)


def _match(step: NodeImport) -> Any:
    is_static = step.op == "StaticRegexFullMatch"
    pattern = step.attrs.text("pattern") if is_static else _known_text(step, 1)
    return step.record("regex_full_match", step.tensor(0), pattern=pattern)


def _known_text(step: NodeImport, position: int) -> str:
    found = step.static(position, "patterns").item()
    return found.decode() if isinstance(found, bytes) else str(found)


def _bucket(name: str) -> Rule:
    def rule(step: NodeImport) -> Any:
        count = step.attrs.number("num_buckets")
        return step.record(name, step.tensor(0), num_buckets=count)

    return rule


def _strong_bucket(step: NodeImport) -> Any:
    attrs = {"num_buckets": step.attrs.number("num_buckets"), "key": step.attrs.numbers("key")}
    return step.record("hash_bucket_strong", step.tensor(0), **attrs)


def _as_string(step: NodeImport) -> Any:
    return strings.as_string(
        step.tensor(0),
        step.attrs.number("precision", -1),
        step.attrs.flag("scientific", False),
        step.attrs.flag("shortest", False),
        step.attrs.number("width", -1),
        step.attrs.text("fill", ""),
    )


def _to_number(step: NodeImport) -> Any:
    wanted = step.attrs.dtype("out_type", float32)
    return step.record("to_number", step.tensor(0), out_type=wanted)


RULES: dict[str, Rule] = {
    "AsString": _as_string,
    "RegexFullMatch": _match,
    "RegexReplace": _replace,
    "StaticRegexFullMatch": _match,
    "StaticRegexReplace": _replace,
    "StringJoin": _join,
    "StringLength": _with("string_length", unit="BYTE"),
    "StringLower": _with("string_lower", encoding=""),
    "StringStrip": _with("string_strip"),
    "StringToHashBucket": _bucket("hash_bucket"),
    "StringToHashBucketFast": _bucket("hash_bucket_fast"),
    "StringToHashBucketStrong": _strong_bucket,
    "StringToNumber": _to_number,
    "StringUpper": _with("string_upper", encoding=""),
    "Substr": _substr,
}
