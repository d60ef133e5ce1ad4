"""This project's ONNX models in onnxruntime: a table of those that compute the same.

    python tools/compare_onnx.py            # runs both, writes golden_outputs/onnx.md
    python tools/compare_onnx.py --check    # writes nothing, exits 1 on any difference
    python tools/compare_onnx.py NAME ...   # prints the verdicts on programs and ops

Every program of the corpus is staged on all its inputs, written as a model, and run by onnxruntime
on the same inputs; so is each sample of each op. `pip install 'autograph-py[test]'` installs
onnxruntime.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.model_pages import GOES_ON, Models
from tools.onnx_cases import cases_of, refusal, sampled
from tools.onnx_worker import Answer

ROOT = Path(__file__).resolve().parent.parent


def _about(version: str) -> str:
    return (
        "Each program of the corpus is staged on all its inputs, and the model that\n"
        "`write_onnx` writes is run by onnxruntime on the same inputs. Same are dtypes, shapes\n"
        "and values of results and variables; where the program raises, the model fails. A model\n"
        f"that {GOES_ON.partition(', ')[2]} is one of a program that raises for some input: ONNX\n"
        "has no exceptions, and the report of the export lists the line. The second table does\n"
        "so with samples of every op, once with the sizes of the inputs known and once without.\n"
        "Of other random numbers the dtypes and shapes are the same, and the report lists them.\n"
        "Not exported is what ONNX has nothing the same for."
    )


def _told(answer: Any) -> Any:
    return Answer(*answer) if isinstance(answer, tuple) else answer


MODELS = Models(
    format="ONNX",
    engine="onnxruntime",
    page=ROOT / "golden_outputs" / "onnx.md",
    about=_about,
    side=ROOT / "tools" / "onnx_worker.py",
    patience=6.0,
    packages=("onnx", "onnxruntime"),
    missing="onnx and onnxruntime are not installed: pip install 'autograph-py[test]'",
    cases_of=cases_of,
    sampled=sampled,
    refusal=refusal,
    told=_told,
)


if __name__ == "__main__":
    sys.exit(MODELS.main("compare_onnx"))
