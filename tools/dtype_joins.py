"""Write the table of joined dtypes of two paths, computed by the code that joins them.

python tools/dtype_joins.py            # writes golden_outputs/dtype_joins.md
python tools/dtype_joins.py --check    # writes nothing, exits 1 on any difference
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import runtime as rt
from autograph.backends.graph.values.dtype_join import dtype_join, joined_dtype

PAGE = Path(__file__).resolve().parent.parent / "golden_outputs" / "dtype_joins.md"
TENSORS = (
    *(rt.bool, rt.int8, rt.int16, rt.int32, rt.int64, rt.uint8, rt.uint16, rt.uint32, rt.uint64),
    *(rt.float16, rt.float32, rt.float64, rt.complex64, rt.complex128, rt.string),
)
# The dtypes of Python values that meet no tensor.
NUMBERS = {"bool": rt.bool, "int": rt.int32, "float": rt.float32, "complex": rt.complex64}
REFUSED = "-"

_HEAD = """# What dtypes become where two paths join

A variable that one path leaves with the dtype of the row and another with that of the column has,
afterwards, the dtype in the table; `-` is refused, with an error that names the cast to write. Made
by `python tools/dtype_joins.py`.
"""


def page() -> str:
    """Return the text of the page."""
    parts = [
        _HEAD,
        '## Two tensors, `dtype_join="promote"`\n',
        _table(TENSORS, "promote"),
        '## Two tensors, `dtype_join="strict"`\n',
        "A dtype joins itself; every other pair is refused.\n",
        "## A tensor and a Python number, both policies where they agree\n",
        _numbers_table(),
        "## Two Python numbers, under both policies\n",
        _table_of_two_numbers(),
    ]
    return "\n".join(parts)


def cell(a: rt.DType, a_weak: bool, b: rt.DType, b_weak: bool, policy: str) -> str:
    """Return the table entry for two values; `weak` ones stand for Python numbers."""
    with dtype_join(policy):  # type: ignore[arg-type]
        joined = joined_dtype(a, a_weak, b, b_weak)
    return REFUSED if joined is None else joined.name


def _table(dtypes: tuple[rt.DType, ...], policy: str) -> str:
    rows = [[a.name, *(cell(a, False, b, False, policy) for b in dtypes)] for a in dtypes]
    return _lines(["", *(each.name for each in dtypes)], rows)


def _numbers_table() -> str:
    rows = [[a.name, *(_with_number(a, b) for b in NUMBERS.values())] for a in TENSORS]
    return _lines(["", *(f"Python's {name}" for name in NUMBERS)], rows)


def _with_number(tensor: rt.DType, number: rt.DType) -> str:
    promote, strict = (cell(tensor, False, number, True, p) for p in ("promote", "strict"))
    return promote if promote == strict else f"{promote}; strict: {strict}"


def _table_of_two_numbers() -> str:
    numbers = NUMBERS.items()
    rows = [
        [f"Python's {n}", *(cell(a, True, b, True, "strict") for _, b in numbers)]
        for n, a in numbers
    ]
    return _lines(["", *(f"Python's {name}" for name in NUMBERS)], rows)


def _lines(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main(arguments: list[str] | None = None) -> int:
    """Write or check the page; the exit code is 1 on any difference."""
    parser = argparse.ArgumentParser(prog="dtype_joins", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, report a difference")
    options = parser.parse_args(arguments)
    if options.check:
        return int(PAGE.read_text(encoding="utf-8") != page())
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
