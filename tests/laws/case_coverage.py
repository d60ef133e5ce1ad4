"""Branch coverage of the cases of a program: both ways of every branch, and iteration counts."""

from __future__ import annotations

import ast
import contextlib
import io
import types
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.corpus import Program
from tests.laws.dependence import Dependence

BOTH, EACH_COUNT = frozenset(("else", "then")), frozenset((0, 1, 2))
Way = int | str


@dataclass(frozen=True)
class Fork:
    """A branch or a loop of a program.

    Attributes:
        line: the text of its first line.
        ways: those a program's cases should take. For a loop how often its body is begun, with 2
            for more than once.
    """

    line: str
    ways: frozenset[Way]


@dataclass
class Coverage:
    """Which ways were taken at each fork."""

    forks: list[Fork] = field(default_factory=list)
    taken: defaultdict[int, set[Way]] = field(default_factory=lambda: defaultdict(set))

    def missing(self) -> dict[str, set[Way]]:
        """Return the ways no case takes, by the line of the fork."""
        found: defaultdict[str, set[Way]] = defaultdict(set)
        for number, fork in enumerate(self.forks):
            found[fork.line] |= fork.ways - self.taken[number]
        return {line: ways for line, ways in found.items() if ways}

    # -- what counted code calls ---------------------------------------------------------------

    def test(self, number: int, value: Any) -> bool:
        """Note which way a branch goes."""
        answer = bool(value)
        self.taken[number].add("then" if answer else "else")
        return answer

    def case(self, number: int) -> None:
        """Note that a case of a `match` was taken."""
        self.taken[number].add("then")

    def items(self, number: int, values: Iterable[Any]) -> Iterator[Any]:
        """Yield the items that a comprehension iterates over."""
        with self.loop(number) as turn:
            for value in values:
                turn()
                yield value

    @contextlib.contextmanager
    def loop(self, number: int) -> Iterator[Any]:
        """Count the turns of a loop, however it is left."""
        turns: list[None] = []
        try:
            yield lambda: turns.append(None)
        finally:
            self.taken[number].add(min(len(turns), 2))


def coverage_of(program: Program) -> Coverage:
    """Run every case of a program as plain Python, and return which ways it took."""
    path = Path(program.function.__code__.co_filename)
    text, coverage = path.read_text(), Coverage()
    tree = ast.parse(text)
    tree = _Counted(coverage, Dependence(tree), text.splitlines()).visit(tree)
    module = types.ModuleType("counted")
    module.__dict__.update(__file__=str(path), counted__=coverage)
    with contextlib.redirect_stdout(io.StringIO()):
        code = compile(ast.fix_missing_locations(tree), str(path), "exec", dont_inherit=True)
        exec(code, module.__dict__)
        for case in range(len(program.cases)):
            with contextlib.suppress(Exception):
                module.__dict__[program.name](*program.arguments(case))
    return coverage


class _Counted(ast.NodeTransformer):
    """Puts counting calls around decisions and loops that depend on an argument."""

    def __init__(self, coverage: Coverage, dependence: Dependence, lines: list[str]) -> None:
        self._forks, self._depends, self._lines = coverage.forks, dependence, lines

    def visit_If(self, node: ast.If) -> ast.AST:
        return self._tested(node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        return self._tested(node)

    def visit_For(self, node: ast.For) -> ast.AST:
        depends = self._depends.count(node.iter)
        return self._counted(node, EACH_COUNT if depends else frozenset())

    def visit_While(self, node: ast.While) -> ast.AST:
        if isinstance(node.test, ast.Constant):
            return self._counted(node, frozenset((1, 2)))
        depends = self._depends.value(node.test)
        return self._counted(node, EACH_COUNT if depends else frozenset())

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        depends = self._depends.count(node.iter)
        self.generic_visit(node)
        number = self._fork(node.iter, EACH_COUNT if depends else frozenset())
        node.iter = _call("items", number, node.iter)
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        self.generic_visit(node)
        number = self._fork(node.pattern, frozenset(("then",)))
        node.body.insert(0, ast.Expr(_call("case", number)))
        return node

    def _tested(self, node: ast.If | ast.IfExp) -> ast.AST:
        depends = self._depends.value(node.test)
        self.generic_visit(node)
        number = self._fork(node, BOTH if depends else frozenset())
        node.test = _call("test", number, node.test)
        return node

    def _counted(self, node: ast.For | ast.While, ways: frozenset[Way]) -> ast.AST:
        self.generic_visit(node)
        number = self._fork(node, ways)
        turn = f"turn_{number}__"
        node.body.insert(0, ast.Expr(ast.Call(ast.Name(turn, ast.Load()), [], [])))
        manager = ast.withitem(_call("loop", number), ast.Name(turn, ast.Store()))
        return ast.copy_location(ast.With([manager], [node]), node)

    def _fork(self, node: Any, ways: frozenset[Way]) -> int:
        self._forks.append(Fork(self._lines[node.lineno - 1].strip(), ways))
        return len(self._forks) - 1


def _call(name: str, number: int, *operands: ast.expr) -> ast.Call:
    function = ast.Attribute(ast.Name("counted__", ast.Load()), name, ast.Load())
    return ast.Call(function, [ast.Constant(number), *operands], [])
