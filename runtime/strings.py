"""Strings: the namespace `rt.strings`."""

from __future__ import annotations

from runtime.ops.strings import as_string as as_string
from runtime.ops.strings import join as join
from runtime.ops.strings import length as length
from runtime.ops.strings import lower as lower
from runtime.ops.strings import reduce_join as reduce_join
from runtime.ops.strings import strip as strip
from runtime.ops.strings import substr as substr
from runtime.ops.strings import to_number as to_number
from runtime.ops.strings import upper as upper
