"""Random terminating programs: a `main` of every construct, with its helpers."""

from __future__ import annotations

import sys
import warnings

from tests.parity.differential import conditions, numeric, values
from tests.parity.differential.blocks import BLOCKS, block, statement
from tests.parity.differential.definitions import DEFINITIONS
from tests.parity.differential.expressions import number
from tests.parity.differential.running import Program
from tests.parity.differential.statements import SIMPLE, Lines
from tests.parity.differential.writer import Tables, Writer, WritingScope, indented

TABLES: Tables = {
    "statement": ((*BLOCKS, *DEFINITIONS), SIMPLE),
    "number": ((*numeric.NUMBERS, *conditions.AS_NUMBERS), numeric.ATOMS),
    "truth": (conditions.TRUTHS, conditions.COMPARISONS),
    "listing": (values.LISTS, values.LIST_ATOMS),
    "mapping": (values.DICTS, values.DICT_ATOMS),
    "text": (values.STRINGS, values.STRING_ATOMS),
    "thing": (values.OBJECTS, values.OBJECT_ATOMS),
}
RESULT = "return a, b, c, xs, d, s, o.v"
PARAMETERS = "a, n, xs, d, s"


def random_program(seed: int, version: tuple[int, int] = sys.version_info[:2]) -> Program:
    """Return a program for a version of Python; the same seed always gives the same.

    Some choices make what no Python takes, such as a parameter that is also global: then the next
    choices count.
    """
    attempt = 0
    while True:
        program = Program(f"program_{seed}.py", _text(seed * 1000 + attempt, version)[0])
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                compile(program.text, program.name, "exec")
            return program
        except SyntaxError:
            attempt += 1


def makers_used(seed: int, version: tuple[int, int]) -> set[str]:
    """Return the names of the makers whose constructs are in a program."""
    return _text(seed * 1000, version)[1]


def _text(seed: int, version: tuple[int, int]) -> tuple[str, set[str]]:
    w = Writer(seed, version, TABLES)
    lines = ["G = 10", "H = [0]", *_bounded_part(), *_outer_function(w), "", *_main(w)]
    return "\n".join(lines) + "\n", w.used


def _bounded_part() -> Lines:
    return ["def bounded_(p):", *indented(["sent = yield p", "return sent"])]


def _outer_function(w: Writer) -> Lines:
    w.budget, before = w.pick((2, 4)), w.budget
    place = WritingScope(numbers=["p", "q", "G"], targets=["p", "q"], lists=["H"], depth=2)
    lines = ["def outer(p, q=2):", *indented(block(w, place))]
    w.budget = before
    return [*lines, *indented([f"return {number(w, place)}"])]


def _with_handler(w: Writer, lines: Lines) -> Lines:
    """Catch the exceptions of statements, most of the time, so that the program has a rest."""
    if len(lines) == 1 and w.chance(0.7) or w.chance(0.4):
        return lines
    handler = indented(["log('error', error)"])
    return ["try:", *indented(lines), "except Exception as error:", *handler]


def _main(w: Writer) -> Lines:
    place = WritingScope(
        numbers=["a", "a", "b", "b", "n", "G"],
        targets=["a", "b", "c"],
        lists=["xs"],
        dicts=["d"],
        strings=["s"],
        objects=["o"],
        functions=["abs", "outer"],
    )
    lines = [] if w.chance(0.3) else ["c = 0"]
    lines += ["b, o = n, Box(a)"]
    while w.budget > 0:
        lines += _with_handler(w, statement(w, place))
    return _entry(w, [*lines, RESULT])


def _entry(w: Writer, body: Lines) -> Lines:
    """Return `main` with its body: a function, seldom a method, a closure or a decorated one."""
    kind = w.pick(("function",) * 8 + ("method", "closure", "decorated"))
    plain = [f"def main({PARAMETERS}):", *indented(body)]
    if kind == "method":
        plain[0] = f"def main(self, {PARAMETERS}):"
        return ["class Holder:", *indented(plain), "main = Holder().main"]
    if kind == "closure":
        return ["def make():", *indented(["f, z = 1, 2", *plain, "return main"]), "main = make()"]
    return ["@traced", *plain] if kind == "decorated" else plain
