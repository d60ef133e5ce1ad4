"""Ops that decode and encode pictures: PNG by itself, other formats by Pillow."""

from __future__ import annotations

from io import BytesIO
from typing import Annotated, Any

import numpy as np

from runtime.core.argument_checks import choice, flag
from runtime.core.dtypes import DType, DTypeLike, as_dtype, float32, string, uint8, uint16
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, OpError, ShapeError, UnimplementedError
from runtime.ops.arguments import static_int
from runtime.ops.convert import to_tensor
from runtime.ops.files import png
from runtime.ops.files.png_chunks import SIGNATURE
from runtime.ops.infer import check_scalar
from runtime.ops.op import apply, define

JPEG, GIF, BMP, WEBP = "JPEG", "GIF", "BMP", "WebP"
_MODES = {1: "L", 3: "RGB", 4: "RGBA"}
# The largest number of samples of all frames.
_LARGEST_SIZE = 2**29


def decode_by_pillow(contents: bytes, kind: str, channels: int, ratio: int) -> Array:
    """Return the frames of a picture, uint8 [frames, height, width, channels].

    Args:
        kind: JPEG, GIF, BMP or WEBP.
        channels: 1, 3 or 4; 0 for those of the file.
        ratio: the factor by which a JPEG is smaller.

    Raises:
        ArgumentValueError: the file is damaged, or too large.
        UnimplementedError: Pillow is not installed.
    """
    opened = _opener(kind)
    try:
        with opened(BytesIO(contents), formats=(kind.upper(),)) as image:
            count = getattr(image, "n_frames", 1) if kind == GIF else 1
            if image.width * image.height * count * 4 > _LARGEST_SIZE:
                raise ArgumentValueError(
                    f"the {kind} is too large: {count} times {image.width} times {image.height}"
                )
            return np.stack([_frame(image, at, kind, channels, ratio) for at in range(count)])
    except OpError:
        raise
    except Exception as error:  # of any class, in parsers of another project
        reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise ArgumentValueError(f"the {kind} cannot be decoded: {reason}") from None


def _opener(kind: str) -> Any:
    try:
        from PIL.Image import open as opened
    except ImportError:
        raise UnimplementedError(
            f'Pillow decodes {kind}: pip install "autograph-py[images]"'
        ) from None
    return opened


def _frame(image: Any, at: int, kind: str, channels: int, ratio: int) -> Array:
    if at:
        image.seek(at)
    mode = _MODES.get(channels) or _mode_of(image, kind)
    if kind == JPEG:
        # A JPEG has its gray apart, and makes smaller pictures by itself.
        size = (-(-image.width // ratio), -(-image.height // ratio))
        image.draft("L" if mode == "L" else None, size)
    array = np.asarray(image.convert(mode))
    return array[..., None] if array.ndim == 2 else array


def _mode_of(image: Any, kind: str) -> str:
    if kind in (GIF, WEBP) and not (kind == WEBP and image.mode == "RGBA"):
        return "RGB"
    return image.mode if image.mode in ("L", "RGBA") else "RGB"


PNG = "PNG"
# The formats that each function decodes, and the numbers of channels that may be asked for.
_FORMATS: dict[str, tuple[str, ...]] = {
    "decode_png": (PNG, JPEG, GIF, WEBP),
    "decode_jpeg": (PNG, JPEG, GIF, WEBP),
    "decode_gif": (PNG, JPEG, GIF, WEBP),
    "decode_bmp": (BMP,),
    "decode_image": (PNG, JPEG, GIF, WEBP, BMP),
}
_CHANNELS = {
    PNG: (0, 1, 3, 4),
    JPEG: (0, 1, 3),
    GIF: (0, 3),
    BMP: (0, 3, 4),
    WEBP: (0, 3, 4),
}
_DTYPES = {"decode_png": (uint8, uint16), "decode_image": (uint8, uint16, float32)}
_RATIOS = (1, 2, 4, 8)


# The ends of paths that are given in place of contents.
_SUFFIXES = (b".png", b".jpg", b".jpeg", b".gif", b".bmp", b".webp")


def _format_of(contents: bytes) -> str:
    """Return the format of a picture by its first bytes.

    >>> _format_of(b"GIF89a...")
    'GIF'
    """
    beginnings = ((SIGNATURE, PNG), (b"\xff\xd8\xff", JPEG), (b"GIF8", GIF), (b"BM", BMP))
    for beginning, name in beginnings:
        if contents.startswith(beginning):
            return name
    if contents[:4] == b"RIFF" and contents[8:12] == b"WEBP":
        return WEBP
    if contents.lower().endswith(_SUFFIXES):
        raise ArgumentValueError(
            f"{contents.decode(errors='replace')!r} is the path of a picture, not its contents: "
            "write rt.io.read_file(path) for them"
        )
    raise ArgumentValueError(
        "contents must be an image: a PNG, JPEG, GIF, BMP or WebP"
        if contents
        else "contents must be the bytes of an image, not empty"
    )


def _decode_kernel(
    contents: Array,
    *,
    function: Annotated[str, _FORMATS],
    channels: int,
    dtype: DType,
    ratio: int,
    animated: bool,
) -> Array:
    check_scalar(TensorSpec.of_array(contents), "contents")
    data: bytes = contents.item()
    kind = _format_of(data)
    if kind not in _FORMATS[function]:
        raise ArgumentValueError(f"{function} does not decode {kind}: write decode_{_word(kind)}")
    if channels not in _CHANNELS[kind]:
        allowed = ", ".join(map(str, _CHANNELS[kind]))
        raise ArgumentValueError(f"channels must be one of {allowed} for a {kind}, not {channels}")
    if kind == PNG:
        frames = png.decode(data, channels, dtype is not uint8)[None]
    else:
        frames = decode_by_pillow(data, kind, channels, ratio)
    return _as_dtype(_wanted_frames(frames, kind, function, animated), kind, dtype)


def _word(kind: str) -> str:
    return kind.lower() if kind in (PNG, JPEG, GIF, BMP) else "image"


def _wanted_frames(frames: Array, kind: str, function: str, animated: bool) -> Array:
    """Return all frames, or one as [height, width, channels]."""
    if function == "decode_gif" or (function == "decode_image" and animated and kind == GIF):
        return frames
    if len(frames) > 1 and function != "decode_image":
        raise ArgumentValueError(f"the GIF has {len(frames)} frames: write decode_gif")
    return frames[0]


def _as_dtype(image: Array, kind: str, dtype: DType) -> Array:
    """Return 8-bit samples, or 16-bit ones of a PNG, in a dtype, with TensorFlow's scales."""
    if dtype is float32:
        scale = 65535 if image.dtype == np.uint16 else 255
        return image * np.float32(1 / scale)
    wide = dtype is uint16 and kind != PNG
    return image.astype(np.uint16) * 256 if wide else image


def _decode_infer(
    contents: TensorSpec,
    *,
    function: Annotated[str, _FORMATS],
    channels: int,
    dtype: DType,
    ratio: int,
    animated: bool,
) -> TensorSpec:
    check_scalar(contents, "contents")
    if dtype not in _DTYPES.get(function, (uint8,)):
        names = ", ".join(each.name for each in _DTYPES.get(function, (uint8,)))
        raise DTypeError(f"{function} gives {names}, not {dtype.name}: cast its result")
    if channels not in (0, 1, 3, 4):
        raise ArgumentValueError(
            f"channels must be 0 (those of the file), 1, 3 or 4, not {channels}"
        )
    if ratio not in _RATIOS:
        raise ArgumentValueError(f"ratio must be 1, 2, 4 or 8, not {ratio}")
    shape = (None, None, channels or None)
    if function == "decode_gif":
        return TensorSpec((None, *shape), dtype)
    return TensorSpec(None if function == "decode_image" and animated else shape, dtype)


def _encode_kernel(image: Array, *, compression: int) -> Array:
    found = np.empty(image.shape[:-3], object)
    for place in np.ndindex(*image.shape[:-3]):
        found[place] = png.encode(image[place], compression)
    return found


def _encode_infer(image: TensorSpec, *, compression: int) -> TensorSpec:
    if image.dtype not in (uint8, uint16):
        raise DTypeError(
            f"an image must be uint8 or uint16, not {image.dtype.name}: write rt.cast(image, "
            "rt.uint8)"
        )
    if not -1 <= compression <= 9:
        raise ArgumentValueError(f"compression must be between -1 and 9, not {compression}")
    dims = image.shape.dims
    if dims is None:
        return TensorSpec(None, string)
    if len(dims) < 3 or dims[-1] not in (None, 1, 2, 3, 4) or 0 in dims[-3:]:
        raise ShapeError(
            f"an image has the shape [..., height, width, 1 to 4 channels], not {image.shape}"
        )
    return TensorSpec(dims[:-3], string)


DECODE_IMAGE = define(
    "decode_image", _decode_kernel, _decode_infer, kinds="O", tensorflow_name="DecodeImage"
)
ENCODE_PNG = define("encode_png", _encode_kernel, _encode_infer, tensorflow_name="EncodePng")


def _decoded(
    function: str,
    contents: Any,
    channels: Any = 0,
    dtype: Any = uint8,
    ratio: Any = 1,
    animated: bool = True,
) -> Tensor:
    attrs = {
        "function": function,
        "channels": static_int(0 if channels is None else channels, "channels"),
        "dtype": as_dtype(dtype),
        "ratio": static_int(ratio, "ratio"),
        "animated": animated,
    }
    result: Tensor = apply(DECODE_IMAGE, (to_tensor(contents),), **attrs)
    return result


# -- functions -------------------------------------------------------------------------------------


def decode_png(
    contents: TensorLike, channels: int = 0, dtype: DTypeLike = uint8, name: str | None = None
) -> Tensor:
    """Return the picture in the bytes of a PNG file, [height, width, channels].

    Every kind of PNG is decoded: 1 to 16 bits, palettes, interlaced ones. JPEG, GIF and WebP are
    decoded too, by Pillow: `pip install "autograph-py[images]"`. The samples are TensorFlow's, but
    for an alpha channel that is added to fewer than 8 bits: it is opaque, not nearly transparent.

    Args:
        contents: a scalar string tensor, as `read_file` returns.
        channels: 1 for gray, 3 for RGB, 4 for RGB and alpha, 0 for those of the file.
        dtype: uint8 or uint16; 8 bits become 16 by a factor of 257.

    Raises:
        ArgumentValueError: the contents are damaged, or no picture.
        DTypeError: the dtype is another one.

    >>> import autograph.runtime as rt
    >>> image = rt.constant([[[255, 0, 0], [0, 0, 255]]], rt.uint8)
    >>> decode_png(encode_png(image), channels=1)[..., 0]
    <rt.Tensor: shape=(1, 2), dtype=uint8, numpy=array([[76, 29]], dtype=uint8)>
    """
    return _decoded("decode_png", contents, channels, dtype)


def encode_png(image: TensorLike, compression: int = -1, name: str | None = None) -> Tensor:
    """Return the bytes of a PNG file of each picture, a string tensor of the shape in front.

    Args:
        image: [..., height, width, channels], uint8 or uint16; 1 channel is gray, 2 are gray and
            alpha, 3 RGB, 4 RGB and alpha.
        compression: from 0, none, to 9, the most; -1 is between.

    Raises:
        ShapeError: there is no pixel, or another number of channels.
        DTypeError: the dtype is another one.

    >>> import autograph.runtime as rt
    >>> encode_png(rt.zeros([5, 2, 3, 1], rt.uint8)).shape
    TensorShape([5])
    """
    level = static_int(compression, "compression")
    result: Tensor = apply(ENCODE_PNG, (to_tensor(image),), compression=level)
    return result


def _is_equal(given: Any, default: object) -> bool:
    return isinstance(given, (bool, int, float, np.bool_, np.number)) and given == default


def decode_jpeg(
    contents: TensorLike,
    channels: int = 0,
    ratio: int = 1,
    fancy_upscaling: bool = True,
    try_recover_truncated: bool = False,
    acceptable_fraction: float = 1,
    dct_method: str = "",
    name: str | None = None,
) -> Tensor:
    """Return the picture in the bytes of a JPEG file, uint8 [height, width, channels].

    It needs Pillow: `pip install "autograph-py[images]"`. The samples are those of TensorFlow's
    `dct_method="INTEGER_ACCURATE"`; its default differs by a few units.

    Args:
        contents: a scalar string tensor.
        channels: 1 for gray, 3 for RGB, 0 for those of the file.
        ratio: the picture is smaller by this factor: 1, 2, 4 or 8.
        fancy_upscaling, try_recover_truncated, acceptable_fraction: only the default values.
        dct_method: "", "INTEGER_FAST" or "INTEGER_ACCURATE", which are the same here.

    Raises:
        ArgumentValueError: the contents are damaged, or no picture.
        UnimplementedError: Pillow is not installed.

    >>> decode_jpeg(b"not a picture")
    Traceback (most recent call last):
    runtime.errors.ArgumentValueError: ... the contents are not an image: PNG, JPEG, GIF, BMP ...
    """
    choice(dct_method, "dct_method", ("", "INTEGER_FAST", "INTEGER_ACCURATE"))
    given = (fancy_upscaling, try_recover_truncated, acceptable_fraction)
    if not all(map(_is_equal, given, (True, False, 1))):
        raise ArgumentValueError(
            "fancy_upscaling, try_recover_truncated and acceptable_fraction have their default "
            "values here"
        )
    return _decoded("decode_jpeg", contents, channels, ratio=ratio)


def decode_gif(contents: TensorLike, name: str | None = None) -> Tensor:
    """Return all frames in the bytes of a GIF file, uint8 [frames, height, width, 3].

    It needs Pillow: `pip install "autograph-py[images]"`.

    Raises:
        ArgumentValueError: the contents are damaged, or no picture.
        UnimplementedError: Pillow is not installed.

    >>> import autograph.runtime as rt
    >>> decode_gif(encode_png(rt.zeros([2, 4, 3], rt.uint8))).shape
    TensorShape([1, 2, 4, 3])
    """
    return _decoded("decode_gif", contents, 3)


def decode_bmp(contents: TensorLike, channels: int = 0, name: str | None = None) -> Tensor:
    """Return the picture in the bytes of a BMP file, uint8 [height, width, channels].

    It needs Pillow: `pip install "autograph-py[images]"`.

    Args:
        contents: a scalar string tensor.
        channels: 3 for RGB, 4 for RGB and alpha, 0 for those of the file.

    Raises:
        ArgumentValueError: the contents are damaged, or no BMP.
        UnimplementedError: Pillow is not installed.

    >>> import autograph.runtime as rt
    >>> decode_bmp(encode_png(rt.zeros([2, 4, 3], rt.uint8)))
    Traceback (most recent call last):
    runtime.errors.ArgumentValueError: ... decode_bmp does not decode PNG: write decode_png
    """
    return _decoded("decode_bmp", contents, channels)


def decode_image(
    contents: TensorLike,
    channels: int | None = None,
    dtype: DTypeLike = uint8,
    name: str | None = None,
    expand_animations: bool = True,
) -> Tensor:
    """Return the picture in the bytes of a PNG, JPEG, GIF, BMP or WebP file.

    All but PNG need Pillow: `pip install "autograph-py[images]"`.

    Args:
        contents: a scalar string tensor.
        channels: 1, 3 or 4, as far as the format has them; None or 0 for those of the file.
        dtype: uint8, uint16 or float32, which is between 0 and 1.
        expand_animations: whether a GIF gives all its frames, [frames, height, width, 3]; otherwise
            the first one. The rank of a result in a graph is only known without.

    Raises:
        ArgumentValueError: the contents are damaged, or no picture.
        DTypeError: the dtype is another one.
        UnimplementedError: Pillow is needed, and not installed.

    >>> import autograph.runtime as rt
    >>> image = rt.constant([[[255], [51]]], rt.uint8)
    >>> decode_image(encode_png(image), dtype=rt.float32)[..., 0]
    <rt.Tensor: shape=(1, 2), dtype=float32, numpy=array([[1. , 0.2]], dtype=float32)>
    """
    animated = flag(expand_animations, "expand_animations")
    return _decoded("decode_image", contents, channels, dtype, animated=animated)
