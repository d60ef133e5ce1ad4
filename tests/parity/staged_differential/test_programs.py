"""Programs hold every construct, and their runs take both ways of every kind of choice."""

from __future__ import annotations

import ast
import collections
from collections.abc import Iterable, Iterator
from typing import Any

from tests.parity.staged_differential import world
from tests.parity.staged_differential.features import ENABLED
from tests.parity.staged_differential.programs import (
    CASES,
    TABLES,
    StagedProgram,
    random_program,
    written,
)
from tests.parity.staged_differential.running import (
    ENTRY,
    numbers,
    outcomes_of_plain,
    variables_of,
)

COUNT = 900
FAIR_SHARE = 0.004


def test_every_construct_that_is_on_has_its_share_of_programs() -> None:
    used = collections.Counter(name for seed in range(COUNT) for name in written(seed)[1])
    makers = {m for pair in TABLES.values() for table in pair for _, m in table}
    on = {m.__name__ for m in makers if getattr(m, "needs", ENABLED) <= ENABLED}
    assert [] == sorted(name for name in on if used[name] < FAIR_SHARE * COUNT)
    assert set() == set(used) - on


class Counted(ast.NodeTransformer):
    """Have every `if` report its choices, and every loop its iterations."""

    def visit_If(self, node: ast.If) -> ast.stmt:
        self.generic_visit(node)
        node.test = _saying("chosen_", node, node.test)
        return node

    def visit_For(self, node: ast.For) -> ast.stmt:
        self.generic_visit(node)
        node.iter = _saying("gone_over_", node, node.iter)
        return node


def _saying(word: str, node: ast.stmt, value: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(word, ast.Load()), [ast.Constant(node.lineno), value], [])


def _ways(program: StagedProgram) -> tuple[dict[int, set[bool]], dict[int, set[int]]]:
    """Run a program; return the results of its tests, and how often its loops went round."""
    choices: dict[int, set[bool]] = collections.defaultdict(set)
    trips: dict[int, set[int]] = collections.defaultdict(set)

    def chosen(line: int, test: Any) -> bool:
        choices[line].add(bool(test))
        return bool(test)

    def counted_iteration(line: int, items: Iterable[Any]) -> Iterator[Any]:
        count = 0
        try:
            for item in items:
                count += 1
                yield item
        finally:
            trips[line].add(min(count, 2))

    tree = ast.fix_missing_locations(Counted().visit(ast.parse(program.text)))
    text = StagedProgram(f"counted_{program.name}", ast.unparse(tree))
    words = {"chosen_": chosen, "gone_over_": counted_iteration}
    for case in CASES:
        variables = {**variables_of(text, world.NumPyOperations), **words}
        world.TRACE.clear()
        try:
            exec(compile(text.text, text.name, "exec", dont_inherit=True), variables)
            variables[ENTRY](*numbers(case))
        except (Exception, world.OutOfFuel):
            continue  # programs may fail
    return choices, trips


def test_programs_cover_branches_and_iteration_counts() -> None:
    ways = [_ways(random_program(seed)) for seed in range(150)]
    choices = [said for one, _ in ways for said in one.values()]
    trips = [made for _, two in ways for made in two.values()]
    assert 0.4 * len(choices) < sum(len(said) == 2 for said in choices)
    for count in (0, 1, 2):
        assert 0.3 * len(trips) < sum(count in made for made in trips)
    assert 0.2 * len(trips) < sum(len(made) == 3 for made in trips)


def test_most_programs_return() -> None:
    outcomes = [outcomes_of_plain(random_program(seed), CASES[:2]) for seed in range(150)]
    ends = [outcome.error for pair in outcomes for outcome in pair]
    assert 0.6 * len(ends) < sum(error is None for error in ends)
    assert 0.005 * len(ends) < sum(error is not None for error in ends)
    assert not any(error and error[0] in ("TypeError", "AttributeError") for error in ends)
