"""Files changed by an attacker: headers with other contents, and corrected checksums."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

HEAD = struct.Struct("<8sQI")
# Text that does something where it is taken for code, or for a part of a page.
TEXTS = (
    "where=print('done')or True, dtype",
    "x): import os; os.abort()  #",
    "'\"\\",
    '"""',
    "{0.__class__}",
    "$(touch done)`touch done`",
    "</pre><script>alert(1)</script>",
    '" onload="alert(1)',
    "]]>-->",
    "line\nanother\r\n\x00\x1b[31m",
    "${x}%s{x!r}",
    "__import__('os')",
    "__builtins__",
    "__class__",
    "../../../etc/passwd",
    "\u202eevil\u2028\ufeff",
    "ﬁ²ª𝐢𝐟",
)


def header(path: Path) -> Any:
    """Return the contents of a file's header."""
    data = path.read_bytes()
    size = HEAD.unpack_from(data)[1]
    return json.loads(data[HEAD.size : HEAD.size + size])


def give_header(path: Path, said: Any) -> None:
    """Let the header of a file say something else, under a checksum that is right."""
    data = path.read_bytes()
    magic, size, _ = HEAD.unpack_from(data)
    text = said if isinstance(said, bytes) else json.dumps(said).encode()
    head = HEAD.pack(magic, len(text), crc32(text))
    path.write_bytes(head + text + data[HEAD.size + size :])


def change(path: Path, changed: Callable[[Any], object]) -> None:
    """Change the header of a file in place."""
    said = header(path)
    changed(said)
    give_header(path, said)


def nodes(said: Any) -> Iterator[Any]:
    """Yield the nodes of all graphs and regions in a header of a saved object."""
    waiting = list(said["graph"]["graphs"])
    while waiting:
        for node in waiting.pop()["nodes"]:
            yield node
            waiting += node.get("regions", ())
