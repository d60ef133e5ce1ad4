"""Item gradients are immutable values."""

from __future__ import annotations

import random

import numpy as np
import pytest

from runtime.core.list_gradient import ItemGradients, Positions

Model = dict[int, float]


def one_more(r: random.Random, pool: list[tuple[ItemGradients, Model]]) -> None:
    """Put other gradients into a pool, and the dict that they are to agree with."""
    gradients, model = r.choice(pool[-6:] if r.random() < 0.8 else pool)
    kind = r.randrange(4)
    if kind == 0:
        at, value = r.randrange(12), r.random()
        made = ItemGradients([gradients, (at, (np.array(value),))])
        pool.append((made, {**model, at: model.get(at, 0) + value}))
    elif kind == 1:
        limit = r.randrange(13)
        below = {at: value for at, value in model.items() if at < limit}
        pool.append((ItemGradients([gradients], limit), below))
    elif kind == 2:
        gone = {r.randrange(12), r.randrange(12)}
        rest = {at: value for at, value in model.items() if at not in gone}
        pool.append((gradients.without(gone), rest))
    else:
        others, values = r.choice(pool)
        total = {at: model.get(at, 0) + values.get(at, 0) for at in {*model, *values}}
        pool.append((ItemGradients([gradients, others]), total))


@pytest.mark.parametrize("seed", range(40))
def test_item_gradients_agree_with_dicts(seed: int) -> None:
    r = random.Random(seed)
    pool: list[tuple[ItemGradients, Model]] = [(ItemGradients(), {})]
    for _ in range(60):
        one_more(r, pool)
        gradients, model = r.choice(pool)
        at = r.randrange(12)
        leaves = gradients.at(at)
        assert pytest.approx(model.get(at, 0)) == (float(leaves[0]) if leaves else 0)
    for gradients, model in r.sample(pool, len(pool)):
        assert pytest.approx(model) == {at: float(x) for at, (x,) in gradients.table().items()}


def test_stepping_through_items_copies_nothing() -> None:
    table = Positions().with_changes(dict.fromkeys(range(1000), ()))
    held = table.as_dict()
    for at in reversed(range(1000)):
        before, table = table, table.below(at)
        assert held is table.as_dict()
    assert ([0], {}) == (list(before.as_dict()), table.as_dict())
