"""Strings: the namespace `rt.strings`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.ops.text.hash_buckets import to_hash_bucket as to_hash_bucket
    from runtime.ops.text.hash_buckets import to_hash_bucket_fast as to_hash_bucket_fast
    from runtime.ops.text.hash_buckets import to_hash_bucket_strong as to_hash_bucket_strong
    from runtime.ops.text.regular_expressions import bytes_split as bytes_split
    from runtime.ops.text.regular_expressions import ngrams as ngrams
    from runtime.ops.text.regular_expressions import regex_full_match as regex_full_match
    from runtime.ops.text.regular_expressions import regex_replace as regex_replace
    from runtime.ops.text.regular_expressions import split as split
    from runtime.ops.text.segment_join import unsorted_segment_join as unsorted_segment_join
    from runtime.ops.text.string_format import format_ as format  # noqa: F401
    from runtime.ops.text.string_format import format_ as format_
    from runtime.ops.text.strings import as_string as as_string
    from runtime.ops.text.strings import join as join
    from runtime.ops.text.strings import length as length
    from runtime.ops.text.strings import lower as lower
    from runtime.ops.text.strings import reduce_join as reduce_join
    from runtime.ops.text.strings import strip as strip
    from runtime.ops.text.strings import substr as substr
    from runtime.ops.text.strings import to_number as to_number
    from runtime.ops.text.strings import upper as upper
    from runtime.ops.text.unicode import unicode_decode as unicode_decode
    from runtime.ops.text.unicode import unicode_encode as unicode_encode
    from runtime.ops.text.unicode import unicode_split as unicode_split
    from runtime.ops.text.unicode import unicode_split_with_offsets as unicode_split_with_offsets
    from runtime.ops.text.unicode import unicode_transcode as unicode_transcode
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.ops.text.hash_buckets": (
                "to_hash_bucket to_hash_bucket_fast to_hash_bucket_strong"
            ),
            "runtime.ops.text.segment_join": "unsorted_segment_join",
            "runtime.ops.text.strings": (
                "as_string join length lower reduce_join strip substr to_number upper"
            ),
            "runtime.ops.text.string_format": "format=format_ format_",
            "runtime.ops.text.regular_expressions": (
                "bytes_split ngrams regex_full_match regex_replace split"
            ),
            "runtime.ops.text.unicode": (
                "unicode_decode unicode_encode unicode_split unicode_split_with_offsets "
                "unicode_transcode"
            ),
        },
    )
