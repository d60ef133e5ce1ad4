"""Lowering of files, pictures and sounds."""

from __future__ import annotations

from typing import Any

from runtime.export.graphdef.node_lowering import GraphDefNodeLowering, Rule

# TensorFlow's op of each function, and the attributes that it has.
_DECODERS = {
    "decode_png": ("DecodePng", ("channels", "dtype")),
    "decode_jpeg": ("DecodeJpeg", ("channels", "ratio")),
    "decode_gif": ("DecodeGif", ()),
    "decode_bmp": ("DecodeBmp", ("channels",)),
    "decode_image": ("DecodeImage", ("channels", "dtype")),
}


def _decode(step: GraphDefNodeLowering) -> Any:
    op, names = _DECODERS[step.attrs["function"]]
    attrs = {name: step.attrs[name] for name in names}
    if op == "DecodeImage":
        attrs["expand_animations"] = step.attrs["animated"]
    if op == "DecodeJpeg":
        attrs["dct_method"] = "INTEGER_ACCURATE"
    return step.last(op, *step.inputs, **attrs)


def _encode_png(step: GraphDefNodeLowering) -> Any:
    return step.last("EncodePng", *step.inputs, compression=step.attrs["compression"])


def _decode_wav(step: GraphDefNodeLowering) -> Any:
    names = ("desired_channels", "desired_samples")
    return step.last("DecodeWav", *step.inputs, **{name: step.attrs[name] for name in names})


RULES: dict[str, Rule] = {
    "decode_image": _decode,
    "decode_wav": _decode_wav,
    "encode_png": _encode_png,
}
