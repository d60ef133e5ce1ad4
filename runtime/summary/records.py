"""Records: how event files hold one piece of bytes after the other, each with its checksums.

length: 8 bytes | checksum of the length: 4 | the piece | checksum of the piece: 4
"""

from __future__ import annotations

import struct

from runtime.summary.crc32c import masked_crc32c


def record(data: bytes) -> bytes:
    """Return a piece of bytes as a record.

    >>> record(b"").hex()
    '000000000000000029039807d8ea82a2'
    """
    length = struct.pack("<Q", len(data))
    checks = (struct.pack("<I", masked_crc32c(each)) for each in (length, data))
    return length + next(checks) + data + next(checks)
