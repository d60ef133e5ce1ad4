"""The constructs of the corpus, here and in TensorFlow: a table of both outcomes.

    python tools/compare_tensorflow.py            # runs both, writes golden_outputs/tensorflow.md
    python tools/compare_tensorflow.py --check    # writes nothing, exits 1 on any difference

Every program of `tests/constructs.py` is run by plain Python, by `ag.function` and by
`tf.function`, on all its inputs. Without TensorFlow, which `pip install 'autograph-py[tensorflow]'`
installs, `--check` compares only this project's column.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import selectors
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import autograph as ag
import runtime as rt
from tests.constructs import CONSTRUCTS
from tests.corpus import Program, find
from tests.parity.agreement import outcome_of, value_difference
from tools.tensorflow_worker import MISSING, read_answer, values_of

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "golden_outputs" / "tensorflow.md"
SIDE = ROOT / "tools" / "tensorflow_worker.py"
# Tracing takes TensorFlow a second or two at most; after this time it hangs.
PATIENCE = 60.0
OK = "ok"
WORST = ("crash", "wrong answer", "refused", OK)
_LONGEST = 90


@dataclass(frozen=True)
class Seen:
    """The outcome of one case on any side."""

    result: Any
    errors: tuple[str, ...] = ()  # the names of the exception's classes, its own first
    text: str = ""
    printed: str = ""


def python_of(program: Program, case: int) -> Seen:
    """Return plain Python's outcome."""
    return _seen(program.function, program.arguments(case))


def ours(program: Program) -> str:
    """Return the verdict on a program here: converted, and staged unless it is Python's only."""
    plain = program.python_only is not None
    run = ag.to_graph(program.function) if plain else ag.function(program.function)
    given = program.arguments if plain else program.tensors
    return verdict(program, [_seen(run, given(case)) for case in range(len(program.cases))])


def _seen(function: Any, arguments: list[Any]) -> Seen:
    outcome = outcome_of(function, arguments)
    if outcome.error is None:
        return Seen(outcome.result, printed=outcome.printed)
    names = tuple(kind.__name__ for kind in type(outcome.error).__mro__)
    return Seen(None, names, str(outcome.error), outcome.printed)


def verdict(program: Program, found: Sequence[Seen]) -> str:
    """Return the worst verdict on the cases of a program."""
    words = [_judged(python_of(program, case), seen) for case, seen in enumerate(found)]
    return min(words, key=lambda text: WORST.index(kind_of(text)))


def _judged(expected: Seen, found: Seen) -> str:
    if found.errors:
        return OK if _stands_for(found, expected) else f"refused: {_words(found)}"
    if expected.errors:
        return f"wrong answer (gives {_short(found.result)}, Python {expected.errors[0]})"
    # For both the same: one tensor may stand for a list of numbers, a float for an int.
    if value_difference(expected.result, found.result, differs=("rows", "widened")) is None:
        return OK
    return f"wrong answer (gives {_short(found.result)}, Python {_short(expected.result)})"


def _stands_for(found: Seen, expected: Seen) -> bool:
    """Return whether an exception is Python's, or an operation's where Python raises too."""
    return bool(expected.errors) and bool({expected.errors[0], "OpError"} & set(found.errors))


def kind_of(text: str) -> str:
    """Return the first word of a verdict.

    >>> kind_of("wrong answer (gives 6, Python 105)")
    'wrong answer'
    """
    return next(kind for kind in WORST if text.startswith(kind))


def _words(found: Seen) -> str:
    """Return the class of an exception and the first words of its message, without paths."""
    text = re.sub(r"^\w*(Error|Exception): ", "", _core(found.text))
    return _cut(f"{found.errors[0]}: {_without_places(text)}")


def _core(text: str) -> str:
    """Return the decisive line: TensorFlow shows code first, and the error at the end."""
    lines = [line.strip() for line in text.splitlines() if line.strip()] or [""]
    if not lines[0].endswith(("user code:", "execution error:")):
        return lines[0]
    said = [line for line in lines if not line.startswith("[[{{node")]
    named = [line for line in said if re.match(r"[\w.]*[A-Z]\w*: ", line)]
    return (named or said)[-1]


def _without_places(text: str) -> str:
    text = re.sub(r"0x[0-9a-f]+", "0x...", text)
    return re.sub(r"[\w~/.<-]*/[\w/.-]+\.py\b", "...", text)


def _short(value: object) -> str:
    return _cut(_without_places(re.sub(r"\s+", " ", repr(_plain(value)))), 40)


def _plain(value: Any) -> Any:
    if isinstance(value, rt.EagerTensor):
        return value.numpy().tolist()
    if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        return type(value)(_plain(item) for item in value)
    return {key: _plain(item) for key, item in value.items()} if type(value) is dict else value


def _cut(text: str, longest: int = _LONGEST) -> str:
    return text if len(text) <= longest else f"{text[: longest - 3].rstrip()}..."


class Other:
    """A process that runs programs under TensorFlow; it is restarted after a crash."""

    def __init__(self) -> None:
        self.version = ""
        self._process: subprocess.Popen[bytes] | None = None

    def verdict(self, program: Program) -> str:
        """Return TensorFlow's verdict on a program."""
        answer = self._asked(program.id)
        if isinstance(answer, str):
            return answer
        names = vars(sys.modules[program.function.__module__])
        return verdict(program, [_told(outcome, names) for outcome in answer])

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _asked(self, name: str) -> Any:
        process = self._running()
        assert process.stdin is not None
        process.stdin.write(f"{name}\n".encode())
        process.stdin.flush()
        return self._answer(process)

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, str(SIDE)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT,
            )  # fmt: skip
            self.version = str(self._answer(self._process))
            if self._process is None:
                raise RuntimeError(f"TensorFlow does not start: {self.version}")
        return self._process

    def _answer(self, process: subprocess.Popen[bytes]) -> Any:
        assert process.stdout is not None
        with selectors.DefaultSelector() as waiting:
            waiting.register(process.stdout, selectors.EVENT_READ)
            line = process.stdout.readline() if waiting.select(PATIENCE) else None
        if line:
            return read_answer(line)
        self.close()
        return "crash: it does not come to an end" if line is None else "crash: the process ended"


def _told(outcome: tuple[Any, ...], names: Mapping[str, Any]) -> Seen:
    told, error, printed = outcome
    if error is None:
        return Seen(values_of(told, names, rt.convert_to_tensor), printed=printed)
    return Seen(None, tuple(error[0]), error[1], printed)


def has_tensorflow() -> bool:
    """Return whether TensorFlow is installed."""
    return importlib.util.find_spec("tensorflow") is not None


def programs() -> tuple[Program, ...]:
    """The programs of all constructs, each once."""
    return find(list(dict.fromkeys(name for row in CONSTRUCTS for name in row.programs)))


def page(here: Mapping[str, str], there: Mapping[str, str], about: str) -> str:
    """The table as text; both columns by the programs' ids."""
    parts = ["# The constructs, here and in TensorFlow", about, _totals(here, there)]
    for section in dict.fromkeys(row.section for row in CONSTRUCTS):
        parts += [f"## {section}", "\n".join(_lines(section, here, there))]
    return "\n\n".join(parts) + "\n"


def _lines(section: str, here: Mapping[str, str], there: Mapping[str, str]) -> Iterator[str]:
    yield "| construct | program | `ag.function` | `tf.function` |\n| --- | --- | --- | --- |"
    for row in CONSTRUCTS:
        for place, name in enumerate(row.programs if row.section == section else ()):
            cells = ("" if place else row.name, name, here[name], there[name])
            yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def totals(verdicts: Mapping[str, str]) -> Counter[str]:
    """Return the number of programs by kind of verdict."""
    return Counter(kind_of(text) for text in verdicts.values())


def _totals(here: Mapping[str, str], there: Mapping[str, str]) -> str:
    sides = here, there
    head = f"| of {len(here)} programs | `ag.function` | `tf.function` |\n| --- | --- | --- |"
    rows = [(kind, *(totals(side)[kind] for side in sides)) for kind in reversed(WORST)]
    whole = (f"constructs, of {len(CONSTRUCTS)}, with nothing but ok", *map(_whole, sides))
    return "\n".join([head, *(f"| {a} | {b} | {c} |" for a, b, c in (*rows, whole))])


def _whole(verdicts: Mapping[str, str]) -> int:
    return sum(all(verdicts[name] == OK for name in row.programs) for row in CONSTRUCTS)


def _about(version: str) -> str:
    return (
        f"Made on {date.today().isoformat()} with TensorFlow {version} by "
        "`python tools/compare_tensorflow.py`.\n\n"
        "Each program is run on all its inputs by plain Python, by `ag.function` and by\n"
        "`tf.function` with its default options, the last two on tensors, and called the worst\n"
        "that happened. Under TensorFlow, `rt` is TensorFlow. Programs that mean something on\n"
        "Python values only are converted and run on those. Where Python raises, the same\n"
        "exception is right, and so is the error of an operation. Refused is what raises an\n"
        "exception where Python has an answer; a wrong answer is another one than Python's,\n"
        "without any exception. The programs were chosen by what Python has, not by what\n"
        "TensorFlow promises."
    )


def stored(text: str) -> tuple[dict[str, str], dict[str, str]]:
    """The two columns of a page, by the programs' ids."""
    here, there = {}, {}
    for line in text.splitlines():
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 4 and "/" in cells[1]:
            here[cells[1]], there[cells[1]] = cells[2:]
    return here, there


def differences(found: Mapping[str, str], kept: Mapping[str, str]) -> Iterator[str]:
    """Yield the programs whose verdicts differ from the page."""
    for name in sorted({*found, *kept}):
        if found.get(name) != kept.get(name):
            yield f"{name}: {found.get(name, 'no such program')}; the page says {kept.get(name)}"


def _of_tensorflow(chosen: Iterable[Program]) -> tuple[dict[str, str], str]:
    other = Other()
    try:
        return {program.id: other.verdict(program) for program in chosen}, other.version
    finally:
        other.close()


def check() -> int:
    """Compare with the page; in TensorFlow's column only the kinds, since its words vary."""
    here, there = stored(PAGE.read_text(encoding="utf-8"))
    found = [*differences({program.id: ours(program) for program in programs()}, here)]
    if has_tensorflow():
        kinds = {name: kind_of(text) for name, text in there.items()}
        verdicts, _ = _of_tensorflow(programs())
        now = {name: kind_of(text) for name, text in verdicts.items()}
        found += [f"TensorFlow: {line}" for line in differences(now, kinds)]
    print("\n".join([*found, f"constructs: {len(here)} programs, {len(found)} differences"]))
    return 1 if found else 0


def main(arguments: list[str] | None = None) -> int:
    """Write the page or check it; the exit code of `--check` is 1 on any difference."""
    parser = argparse.ArgumentParser(prog="compare_tensorflow", description="Compare, and tell.")
    parser.add_argument("--check", action="store_true", help="write nothing, report differences")
    if parser.parse_args(arguments).check:
        return check()
    if not has_tensorflow():
        print(MISSING, file=sys.stderr)
        return 2
    here = {program.id: ours(program) for program in programs()}
    there, version = _of_tensorflow(programs())
    PAGE.write_text(page(here, there, _about(version)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
