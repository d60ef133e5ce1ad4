"""Import of files, pictures and sounds."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import uint8
from runtime.export.graphdef.importer.node_import import NodeImport, Rule
from runtime.ops.files import images


def _decode(function: str) -> Rule:
    """Return the rule of a decoder, with the attributes that TensorFlow's op has."""

    def rule(step: NodeImport) -> Any:
        return step.record(
            "decode_image",
            step.tensor(0),
            function=function,
            channels=step.attrs.number("channels", 3 if function == "decode_gif" else 0),
            dtype=step.attrs.dtype("dtype", uint8),
            ratio=step.attrs.number("ratio", 1),
            animated=step.attrs.flag("expand_animations", True),
        )

    return rule


def _encode_png(step: NodeImport) -> Any:
    return images.encode_png(step.tensor(0), step.attrs.number("compression", -1))


def _decode_wav(step: NodeImport) -> Any:
    names = ("desired_channels", "desired_samples")
    attrs = {name: step.attrs.number(name, -1) for name in names}
    return step.record("decode_wav", step.tensor(0), **attrs)


def _same(name: str) -> Rule:
    def rule(step: NodeImport) -> Any:
        return step.record(name, *(step.tensor(at) for at in range(len(step.inputs))))

    return rule


# Ops that open any file, after which ops here.
FILE_OPS = {"ReadFile": "read_file", "WriteFile": "write_file"}

RULES: dict[str, Rule] = {
    **{name: _same(own) for name, own in FILE_OPS.items()},
    "DecodeBmp": _decode("decode_bmp"),
    "DecodeGif": _decode("decode_gif"),
    "DecodeImage": _decode("decode_image"),
    "DecodeJpeg": _decode("decode_jpeg"),
    "DecodePng": _decode("decode_png"),
    "DecodeWav": _decode_wav,
    "EncodePng": _encode_png,
    "EncodeWav": _same("encode_wav"),
}
