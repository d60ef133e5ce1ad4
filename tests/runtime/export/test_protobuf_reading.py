"""Messages read from bytes, compared with real protobuf messages, and with damaged bytes."""

from __future__ import annotations

import random
import string
import time
import tracemalloc
from typing import Any

import pytest

from runtime.errors import DataLossError
from runtime.export.graphdef.messages import (
    AttrListValue,
    AttrValue,
    GraphDef,
    NodeDef,
    ShownGraphDef,
    TensorProto,
    TensorShapeProto,
    VersionDef,
)
from runtime.export.protobuf import Field, Message, varint
from tests.suite_length import IS_LONG

CHANGES = 100_000 if IS_LONG else 10_000


def _proto() -> Any:
    pytest.importorskip("tensorboard")
    from tensorboard.compat.proto import graph_pb2

    return graph_pb2.GraphDef


def _filled(rng: random.Random, proto: Any, kind: type[Message], depth: int) -> None:
    """Set random fields of a real message, of those that our class has."""
    chosen = [field for field in kind.FIELDS if field.chosen]
    fields = [rng.choice(chosen)] if chosen else kind.FIELDS
    for field in fields:
        if rng.random() < 0.4 and not chosen:
            continue
        held = getattr(proto, field.name)
        count = rng.randrange(3)
        if field.key is not None:
            for _ in range(count):
                key = _scalar(rng, field.key)
                if isinstance(field.kind, str):
                    held[key] = _scalar(rng, field.kind)
                else:
                    _filled(rng, held[key], field.kind, depth + 1)
        elif isinstance(field.kind, str) and field.many:
            held.extend(_scalar(rng, field.kind) for _ in range(count))
        elif isinstance(field.kind, str):
            setattr(proto, field.name, _scalar(rng, field.kind))
        elif field.many:
            for _ in range(count):
                _filled(rng, held.add(), field.kind, depth + 1)
        else:
            held.SetInParent()
            _filled(rng, held, field.kind, depth + 1)


def _scalar(rng: random.Random, kind: str) -> Any:
    if kind == "string":
        return "".join(rng.choices(string.printable + "éß漢", k=rng.randrange(5)))
    if kind == "bytes":
        return rng.randbytes(rng.randrange(6))
    if kind in ("double", "float"):
        return rng.choice([0.0, -1.5, 2.0**100, float("inf")])
    low, high = _BOUNDS[kind]
    return rng.choice([low, high, 0, 1, rng.randint(low, high)])


_BOUNDS = {
    "bool": (0, 1),
    "enum": (0, 23),
    "int": (-(2**63), 2**63 - 1),
    "int32": (-(2**31), 2**31 - 1),
    "uint32": (0, 2**32 - 1),
    "uint64": (0, 2**64 - 1),
}


def _same(ours: Any, theirs: Any) -> bool:
    """Return whether a message has the values of a real one."""
    for field in type(ours).FIELDS:
        one, other = getattr(ours, field.name), getattr(theirs, field.name)
        if field.key is not None:
            same = set(one) == set(other) and all(_equal(field, one[k], other[k]) for k in one)
        elif field.many:
            same = len(one) == len(other) and all(_equal(field, *pair) for pair in zip(one, other))
        elif isinstance(field.kind, str):
            same = _equal(field, one, other)
        else:
            same = ours.HasField(field.name) == theirs.HasField(field.name)
            same = same and _same(one, other)
        if not same:
            return False
    return True


def _equal(field: Field, one: Any, other: Any) -> bool:
    if not isinstance(field.kind, str):
        return _same(one, other)
    return bool(one == other or (one != one and other != other))


def _messages(seed: int, count: int) -> list[Any]:
    rng, found = random.Random(seed), []
    for _ in range(count):
        proto = _proto()()
        _filled(rng, proto, GraphDef, 0)
        found.append(proto)
    return found


def test_messages_are_read_as_protobuf_reads_them() -> None:
    for proto in _messages(1, 300):
        data = proto.SerializeToString()
        found = GraphDef.FromString(data)
        assert _same(found, proto)
        assert _proto().FromString(found.SerializeToString()) == proto


def test_two_messages_in_a_row_are_merged_as_protobuf_merges_them() -> None:
    for one, other in zip(_messages(2, 100), _messages(3, 100)):
        data = one.SerializeToString() + other.SerializeToString()
        assert _same(GraphDef.FromString(data), _proto().FromString(data))


def test_damaged_bytes_are_read_or_refused_with_one_error() -> None:
    """Bytes that protobuf accepts are read with its values."""
    message = importable_protobuf_error()
    rng, sources = random.Random(4), [p.SerializeToString() for p in _messages(5, 50)]
    read = refused = compared = 0
    for _ in range(CHANGES):
        data = _changed(rng, rng.choice(sources))
        try:
            found = GraphDef.FromString(data)
        except DataLossError:
            refused += 1
            with pytest.raises(message):
                _proto().FromString(data)
            continue
        read += 1
        try:
            theirs = _proto().FromString(data)
        except message:
            continue  # They read parts of messages that this project skips.
        if not _has_unknown_fields(theirs):
            compared += 1
            assert _same(found, theirs)
    assert min(read, refused, compared) > CHANGES // 10


def _has_unknown_fields(proto: Any) -> bool:
    """Return whether a real message holds fields that its class does not have.

    It keeps a whole entry of a map under them if the entry has a field too many.
    """
    plain = type(proto)()
    plain.CopyFrom(proto)
    plain.DiscardUnknownFields()
    return bool(plain.ByteSize() != proto.ByteSize())


def importable_protobuf_error() -> Any:
    """Return protobuf's class of errors."""
    pytest.importorskip("google.protobuf")
    from google.protobuf.message import DecodeError

    return DecodeError


def _changed(rng: random.Random, data: bytes) -> bytes:
    held = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 5])):
        at = rng.randrange(len(held) + 1)
        how = rng.randrange(4)
        if how == 0:
            del held[at:]
        elif how == 1:
            held[at:at] = rng.randbytes(rng.randrange(1, 4))
        elif how == 2:
            del held[at : at + rng.randrange(1, 4)]
        elif at < len(held):
            held[at] = rng.randrange(256)
    return bytes(held)


def test_numbers_may_be_packed_or_not() -> None:
    packed = TensorProto(int_val=[1, -2, 300]).SerializeToString()
    loose = b"".join(varint(7 << 3) + varint(n) for n in (1, -2, 300))
    assert [1, -2, 300] == TensorProto.FromString(packed).int_val
    assert [1, -2, 300] == TensorProto.FromString(loose).int_val
    assert [1, -2, 300] * 2 == TensorProto.FromString(packed + loose).int_val


def test_a_scalar_has_its_last_value_and_a_oneof_its_last_field() -> None:
    data = VersionDef(producer=5).SerializeToString() + VersionDef(producer=6).SerializeToString()
    assert 6 == VersionDef.FromString(data).producer
    parts = AttrValue(i=1), AttrValue(list=AttrListValue(i=[2])), AttrValue(s=b"x")
    found = AttrValue.FromString(b"".join(part.SerializeToString() for part in parts))
    assert found == AttrValue(s=b"x")


def test_unknown_fields_are_skipped_in_each_wire_format() -> None:
    group = varint(99 << 3 | 3) + varint(7 << 3) + b"\x01" + varint(99 << 3 | 4)
    others = (
        varint(98 << 3) + b"\x05",
        varint(97 << 3 | 1) + bytes(8),
        varint(96 << 3 | 5) + bytes(4),
    )
    sized = varint(95 << 3 | 2) + b"\x02ab"
    data = b"".join((group, *others, sized, NodeDef(name="x").SerializeToString()))
    assert NodeDef.FromString(data) == NodeDef(name="x")


class _Nested(Message):
    """A message that holds messages of its own class."""

    FIELDS = (Field("value", 1, "int"),)


def test_nesting_has_a_limit() -> None:
    _Nested.FIELDS = (*_Nested.FIELDS, Field("inner", 2, _Nested))
    _Nested.__init_subclass__.__func__(_Nested)  # type: ignore[attr-defined]
    data = b""
    for _ in range(100):
        data = varint(2 << 3 | 2) + varint(len(data)) + data
    assert _Nested.FromString(data).HasField("inner")
    data = varint(2 << 3 | 2) + varint(len(data)) + data
    with pytest.raises(DataLossError, match="nested more than 100 levels"):
        _Nested.FromString(data)
    groups = varint(9 << 3 | 3) * 200_000 + varint(9 << 3 | 4) * 200_000
    with pytest.raises(DataLossError, match="groups more than 100 levels"):
        _Nested.FromString(groups)


REFUSED = {
    "ends within a number": b"\x08\xff",
    "number of more than 10 bytes": b"\x08" + b"\xff" * 10 + b"\x01",
    "and 1 are left": b"\x0a\xff\xff\xff\xff\x0fx",
    "a field of 9 bytes, and 8 are left": b"\x12\x09" + bytes(8),
    "number 0": b"\x00\x00",
    "wire format 7": b"\x0f\x00",
    "another one": varint(9 << 3 | 3) + varint(8 << 3 | 4),
    "wire format 4": varint(8 << 3 | 4),
    "not UTF-8": b"\x0a\x01\xff",
}


@pytest.mark.parametrize("words", REFUSED)
def test_damaged_bytes_are_refused_with_the_reason(words: str) -> None:
    with pytest.raises(DataLossError, match=words):
        NodeDef.FromString(REFUSED[words])


def test_packed_numbers_must_fill_their_bytes() -> None:
    with pytest.raises(DataLossError, match="3 bytes of float numbers"):
        TensorProto.FromString(varint(5 << 3 | 2) + b"\x03abc")


def test_only_bytes_are_read() -> None:
    with pytest.raises(DataLossError, match="read from bytes, not from str"):
        NodeDef.FromString("x")  # type: ignore[arg-type]
    assert NodeDef.FromString(bytearray(b"\x0a\x01x")).name == "x"
    assert type(ShownGraphDef.FromString(b"")) is GraphDef


def test_huge_lengths_cost_nothing() -> None:
    tracemalloc.start()
    start = time.process_time()
    for size in (2**31, 2**40, 2**63, 2**64 - 1):
        with pytest.raises(DataLossError, match="are left"):
            TensorProto.FromString(varint(4 << 3 | 2) + varint(size) + b"x")
    assert time.process_time() - start < 0.1
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


def test_a_message_in_many_parts_is_read_once() -> None:
    part = TensorShapeProto(unknown_rank=True).SerializeToString()
    piece = varint(2 << 3 | 2) + varint(len(part)) + part
    start = time.process_time()
    assert TensorProto.FromString(piece * 50_000).tensor_shape.unknown_rank
    assert time.process_time() - start < 2
