"""The files under `golden_outputs/`: their paths, and their differences from rendered pages."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "golden_outputs"
# Of no one program: made by `tools/compare_tensorflow.py`, `tools/dtype_joins.py`,
# `tools/compare_engines.py`, `tools/compare_graphdef.py`, `tools/compare_onnx.py`,
# `tools/compare_tflite.py`, `tools/compare_saved_models.py`, `tools/compare_signatures.py`,
# `tests/golden/test_graphdef_texts.py` and `tests/golden/test_mistakes.py`.
TABLES = (
    "tensorflow", "dtype_joins", "engines", "graphdef", "graphdef_texts", "mistakes", "onnx",
    "saved_models", "signatures", "tflite",
)  # fmt: skip


def path_of(program_id: str, folder: Path = FOLDER) -> Path:
    """The golden file of a program."""
    return folder / f"{program_id}.md"


def difference(program_id: str, text: str, folder: Path = FOLDER) -> str:
    """A unified diff from the golden file to `text`; empty when they are equal."""
    path = path_of(program_id, folder)
    if not path.exists():
        return (
            f"{program_id}: no golden file; write it with `python tools/regolden.py {program_id}`"
        )
    golden = path.read_bytes().decode("utf-8")  # as it is: reading as text would mend line ends
    if golden == text:
        return ""
    lines = difflib.unified_diff(
        _visible(golden), _visible(text), f"golden_outputs/{program_id}.md", "printed now"
    )
    return "\n".join(line.rstrip("\n") for line in lines)


def _visible(text: str) -> list[str]:
    """The lines, with anything but one line feed at their ends spelled out."""
    lines = [line.replace("\r", "\\r") for line in text.split("\n")]
    return lines[:-1] if lines[-1] == "" else [*lines[:-1], f"{lines[-1]}\\ no line feed"]


def orphans(program_ids: Iterable[str], folder: Path = FOLDER) -> list[Path]:
    """Files that belong to no program, nor to a tool."""
    wanted = {path_of(name, folder) for name in (*program_ids, *TABLES)}
    return sorted(path for path in folder.rglob("*") if path.is_file() and path not in wanted)


def write(pages: Mapping[str, str], folder: Path = FOLDER) -> Iterator[str]:
    """Write the pages that changed, and name them."""
    for program_id, text in pages.items():
        if difference(program_id, text, folder):
            path = path_of(program_id, folder)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8"))
            yield program_id


def remove_orphans(program_ids: Iterable[str], folder: Path = FOLDER) -> list[Path]:
    """Delete files that belong to no program, and name them."""
    found = orphans(program_ids, folder)
    for path in found:
        path.unlink()
    return found
