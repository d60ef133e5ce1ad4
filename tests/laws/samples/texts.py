"""Inputs for the ops that search, cut and decode strings."""

from __future__ import annotations

import numpy as np

from tests.laws.op_samples import case, s

READING = {"encoding": "UTF-8", "errors": "replace", "replacement": 0xFFFD, "control": False}
NGRAMS = {"separator": b"-", "pads": (b"<", b">"), "padding": -1, "short": False}

SAMPLES = [
    case("regex_replace", s("ab", "c"), pattern="a(.)", rewrite="\\1", replace_global=True),
    case("regex_full_match", s("ab", "c"), pattern="a."),
    case("string_split", s("a b"), sep=b"", maxsplit=-1, exact=False),
    case("bytes_split", s("abc"), exact=False),
    case("string_ngrams", s("a", "b", "c"), widths=(1, 2), **NGRAMS),
    *(case(op, s("ab", "c"), num_buckets=9) for op in ("hash_bucket", "hash_bucket_fast")),
    case("hash_bucket_strong", s("ab", "c"), num_buckets=9, key=(1, 2)),
    case("unicode_decode", s("h\u00e9"), **READING, exact=False),
    case("unicode_split", s("h\u00e9"), **READING, exact=False),
    case(
        "unicode_encode",
        np.array([[104, 233], [97, 98]]),
        encoding="UTF-8",
        errors="replace",
        replacement=0xFFFD,
    ),
    case("unicode_transcode", s("h\u00e9", "a"), target="UTF-16-BE", **READING),
    *(
        case("unsorted_segment_join", texts, np.array([2, 0, 2]), num_segments=3, separator=b"-")
        for texts in (s("a", "b", "c"), s(*"abcdef").reshape(3, 2))
    ),
    case(
        "unsorted_segment_join",
        s("a", "b"),
        np.array([1, 1]),
        np.array(2),
        num_segments=None,
        separator=b"",
        exact=False,
    ),
    case("string_format", np.array([1, 2]), template=("x = ", None), summarize=3),
]
