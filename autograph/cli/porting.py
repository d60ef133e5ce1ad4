"""The command `port`: prints the changed imports of a TensorFlow program, or writes them."""

from __future__ import annotations

import difflib
import os
import tempfile
import tokenize
from argparse import Namespace
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from types import ModuleType

from autograph.compat import tensorflow
from autograph.compat.namespace import missing_message
from autograph.compat.porting import OURS, Use, needing_tensorflow, ported, uses
from autograph.errors import CommandError


def port(options: Namespace) -> int:
    """Print the changed imports and missing names of a file; with `--write`, change the imports.

    Raises:
        CommandError: the file cannot be read, parsed or written.
    """
    path = Path(options.file)
    before, encoding = _read(path)
    try:
        after = ported(before)
    except (SyntaxError, ValueError) as error:
        raise CommandError(f"{path}: {error}") from None
    lines = [*_difference(before, after, str(path)), *_missing(before)]
    print("\n".join(lines or [f"{path}: there is nothing to change"]))
    if options.write and after != before:
        _write(path, after.encode(encoding))
        print(f"wrote {path}")
    return 0


def _read(path: Path) -> tuple[str, str]:
    """Return the text of a program, with its line ends, and its encoding."""
    try:
        data = path.read_bytes()
        encoding, _ = tokenize.detect_encoding(BytesIO(data).readline)
        return data.decode(encoding), encoding
    except OSError as error:
        raise CommandError(f"cannot read {str(path)!r}: {error.strerror}") from None
    except (SyntaxError, UnicodeDecodeError) as error:
        raise CommandError(f"cannot read {str(path)!r}: {error}") from None


def _difference(before: str, after: str, name: str) -> Iterator[str]:
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), name, f"{name} (ported)", lineterm="", n=0
    )
    yield from lines


def _missing(source: str) -> Iterator[str]:
    found: dict[str, list[int]] = {}
    for use in uses(source):
        for message in _refusal(use):
            found.setdefault(message, []).append(use.line)
    for line, package in needing_tensorflow(source):
        found.setdefault(f"{package} needs TensorFlow itself", []).append(line)
    for message, numbers in found.items():
        lines = list(dict.fromkeys(numbers))
        yield f"line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines))}: {message}"


def _refusal(use: Use) -> Iterator[str]:
    """Yield a message if a name is missing here; attributes of objects are not checked."""
    value: object = tensorflow
    parts = use.path.split(".")
    for at, part in enumerate(parts):
        if not isinstance(value, (ModuleType, type)):
            return
        try:
            value = getattr(value, part)
        except AttributeError as error:
            message = str(error).replace(OURS, "tf")
            place, path = ".".join(("tf", *parts[:at])), ".".join(parts[: at + 1])
            yield message if isinstance(value, ModuleType) else missing_message(place, part, path)
            return


def _write(path: Path, data: bytes) -> None:
    """Replace the contents of a file atomically; its mode, and a link to it, stay."""
    target = path.resolve()
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.chmod(name, target.stat().st_mode & 0o7777)
            os.replace(name, target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise CommandError(f"cannot write {str(path)!r}: {error.strerror}") from None
