"""This project's TensorFlow Lite models in LiteRT: a table of those that compute the same.

    python tools/compare_tflite.py            # runs both, writes golden_outputs/tflite.md
    python tools/compare_tflite.py --check    # writes nothing, exits 1 on any difference
    python tools/compare_tflite.py NAME ...   # prints the verdicts on programs and ops

Every program of the corpus is staged on all its inputs, converted by litert-converter, and run by
LiteRT on the same inputs; so is each sample of each op. `pip install 'autograph-py[tflite]'`
installs both.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.model_pages import GOES_ON, Models
from tools.tflite_cases import cases_of, refusal, sampled
from tools.tflite_worker import Answer

ROOT = Path(__file__).resolve().parent.parent


def _about(version: str) -> str:
    return (
        "Each program of the corpus is staged on all its inputs, converted by litert-converter,\n"
        "and run by LiteRT on the same inputs; a program that writes variables runs twice in one\n"
        "interpreter. Same are dtypes, shapes and values of results; where the program raises,\n"
        f"the model fails. A model that {GOES_ON.partition(', ')[2]} is one of a program that\n"
        "raises for some input: LiteRT has no exceptions, and the report of the export lists the\n"
        "line. A model that fails gives an error in LiteRT, and no values. Not exported is what\n"
        "LiteRT has nothing the same for. The second table has samples of every op, once with the\n"
        "sizes of the inputs known and once without. The nodes are those that the converter is\n"
        "given."
    )


def _told(answer: Any) -> Any:
    return Answer(*answer) if isinstance(answer, tuple) else answer


MODELS = Models(
    format="TensorFlow Lite",
    engine="LiteRT",
    page=ROOT / "golden_outputs" / "tflite.md",
    about=_about,
    side=ROOT / "tools" / "tflite_worker.py",
    patience=20.0,
    packages=("litert_converter", "ai_edge_litert"),
    missing=(
        "litert-converter and ai-edge-litert are not installed: pip install 'autograph-py[tflite]'"
    ),
    cases_of=cases_of,
    sampled=sampled,
    refusal=refusal,
    told=_told,
    by_sample=True,
)


if __name__ == "__main__":
    sys.exit(MODELS.main("compare_tflite"))
