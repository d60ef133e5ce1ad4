"""64-bit fingerprints of strings, the same on every machine.

murmur: Appleby's MurmurHash64A. keyed: SipHash-2-4 of Aumasson and Bernstein (2012). farm: the
fingerprint of FarmHash (Pike, 2014), which is that of CityHash, once for each range of lengths.
"""

from __future__ import annotations

_MASK = 2**64 - 1
_MURMUR = 0xC6A4A7935BD1E995
_SEED = 0xDECAFCAFFE
_A, _B, _C = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F
_SIP = 0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573


def murmur(text: bytes) -> int:
    """Return MurmurHash64A of a string.

    >>> murmur(b"")
    9328806548029283899
    """
    whole = len(text) - len(text) % 8
    found = _SEED ^ (len(text) * _MURMUR & _MASK)
    for at in range(0, whole, 8):
        word = _folded(_word(text, at) * _MURMUR) * _MURMUR & _MASK
        found = (found ^ word) * _MURMUR & _MASK
    if whole < len(text):
        found = (found ^ int.from_bytes(text[whole:], "little")) * _MURMUR & _MASK
    return _folded(_folded(found) * _MURMUR)


def keyed(text: bytes, key: tuple[int, int]) -> int:
    """Return SipHash-2-4 of a string under a key of two numbers."""
    state = [start ^ key[place % 2] for place, start in enumerate(_SIP)]
    whole = len(text) - len(text) % 8
    words = [_word(text, at) for at in range(0, whole, 8)]
    words.append(int.from_bytes(text[whole:], "little") | (len(text) & 0xFF) << 56)
    for word in words:
        state[3] ^= word
        _sip_rounds(state, 2)
        state[0] ^= word
    state[2] ^= 0xFF
    _sip_rounds(state, 4)
    return state[0] ^ state[1] ^ state[2] ^ state[3]


def _sip_rounds(state: list[int], count: int) -> None:
    a, b, c, d = state
    for _ in range(count):
        a = a + b & _MASK
        b = _left(b, 13) ^ a
        a = _left(a, 32)
        c = c + d & _MASK
        d = _left(d, 16) ^ c
        a = a + d & _MASK
        d = _left(d, 21) ^ a
        c = c + b & _MASK
        b = _left(b, 17) ^ c
        c = _left(c, 32)
    state[:] = a, b, c, d


def farm(text: bytes) -> int:
    """Return FarmHash's fingerprint of a string.

    >>> farm(b"") == _C
    True
    """
    size = len(text)
    factor = _C + 2 * size & _MASK
    if size > 64:
        return _farm_blocks(text)
    if size > 32:
        return _farm_64(text, factor)
    if size > 16:
        return _mixed(*_ends(text, factor, _B)[:2], factor)
    if size >= 8:
        first, last = _word(text, 0) + _C & _MASK, _word(text, size - 8)
        low = _right(last, 37) * factor + first & _MASK
        return _mixed(low, (_right(first, 25) + last) * factor & _MASK, factor)
    if size >= 4:
        first = int.from_bytes(text[:4], "little")
        return _mixed(size + (first << 3), int.from_bytes(text[-4:], "little"), factor)
    if size:
        low, high = text[0] + (text[size >> 1] << 8), size + (text[-1] << 2)
        return _folded(low * _C & _MASK ^ high * _A & _MASK) * _C & _MASK
    return _C


def _ends(text: bytes, factor: int, first: int) -> tuple[int, int, int]:
    """Return two sums of words at both ends of a text, and the first word times `first`."""
    size = len(text)
    a, b = _word(text, 0) * first & _MASK, _word(text, 8)
    c, d = _word(text, size - 8) * factor & _MASK, _word(text, size - 16) * _C & _MASK
    low = _right(a + b, 43) + _right(c, 30) + d & _MASK
    return low, a + _right(b + _C, 18) + c & _MASK, a


def _farm_64(text: bytes, factor: int) -> int:
    low, high, a = _ends(text, factor, _C)
    mixed = _mixed(low, high, factor)
    e, f = _word(text, 16) * factor & _MASK, _word(text, 24)
    g = (low + _word(text, len(text) - 32)) * factor & _MASK
    h = (mixed + _word(text, len(text) - 24)) * factor & _MASK
    begin = _right(e + f, 43) + _right(g, 30) + h & _MASK
    return _mixed(begin, e + _right(f + a, 18) + g & _MASK, factor)


def _farm_blocks(text: bytes) -> int:
    y = 81 * _B + 113 & _MASK
    z = _folded(y * _C + 113 & _MASK) * _C & _MASK
    x = 81 * _C + _word(text, 0) & _MASK
    state = x, y, z, (0, 0), (0, 0)
    rest = (len(text) - 1) % 64
    for at in range(0, len(text) - 1 - rest, 64):
        state = _farm_block(text, at, state, _B, 1)
    x, y, z, v, w = state
    factor = _B + ((z & 0xFF) << 1)
    w0 = w[0] + rest
    v0 = v[0] + w0
    state = x, y, z, (v0 & _MASK, v[1]), (w0 + v0 & _MASK, w[1])
    x, y, z, v, w = _farm_block(text, len(text) - 64, state, factor, 9)
    low = _mixed(v[0], w[0], factor) + _folded(y) * _A + z
    return _mixed(low & _MASK, _mixed(v[1], w[1], factor) + x & _MASK, factor)


_State = tuple[int, int, int, tuple[int, int], tuple[int, int]]


def _farm_block(text: bytes, at: int, state: _State, factor: int, weight: int) -> _State:
    """Return the state after the next 64 bytes."""
    x, y, z, v, w = state
    x = _right(x + y + v[0] + _word(text, at + 8), 37) * factor & _MASK
    y = _right(y + v[1] + _word(text, at + 48), 42) * factor & _MASK
    x ^= w[1] * weight & _MASK
    y = y + v[0] * weight + _word(text, at + 40) & _MASK
    z = _right(z + w[0], 33) * factor & _MASK
    v = _half_block(text, at, v[1] * factor & _MASK, x + w[0] & _MASK)
    w = _half_block(text, at + 32, z + w[1] & _MASK, y + _word(text, at + 16) & _MASK)
    return z, y, x, v, w


def _half_block(text: bytes, at: int, a: int, b: int) -> tuple[int, int]:
    first, second, third, fourth = (_word(text, at + 8 * place) for place in range(4))
    a = a + first & _MASK
    b = _right(b + a + fourth, 21)
    total = a + second + third & _MASK
    return total + fourth & _MASK, b + _right(total, 44) + a & _MASK


def _mixed(low: int, high: int, factor: int) -> int:
    found = _folded((low ^ high) * factor & _MASK)
    return _folded((high ^ found) * factor & _MASK) * factor & _MASK


def _folded(number: int) -> int:
    number &= _MASK
    return number ^ number >> 47


def _word(text: bytes, at: int) -> int:
    return int.from_bytes(text[at : at + 8], "little")


def _right(number: int, places: int) -> int:
    number &= _MASK
    return (number >> places | number << 64 - places) & _MASK


def _left(number: int, places: int) -> int:
    return _right(number, 64 - places)
