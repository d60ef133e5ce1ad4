"""Inputs for ops on gradients of lists."""

from __future__ import annotations

import numpy as np

from runtime.core.item_list import ItemList
from runtime.core.list_gradient import ItemGradients
from runtime.core.variant import boxed
from tests.laws.op_samples import case, f, i

PAIR = f(1.0, 2.0)
THREE = boxed(ItemList([(f(4.0),), (f(5.0),), (f(6.0),)]))
OF_THREE = boxed(ItemGradients([(0, (f(1.0),)), (2, (f(3.0),))]))
OF_PAIRS = boxed(ItemGradients([(1, (PAIR,))]))
REVERSED = {"forward": "list_reverse", "settings": (), "lists": (True,)}
INSERTED = {"forward": "list_insert", "settings": (), "lists": (True, False, False)}

SAMPLES = [
    case("no_item_gradients"),
    case("join_item_gradients", OF_THREE, OF_THREE),
    case("limit_item_gradients", OF_THREE, i(2)),
    case("place_item_gradients", THREE, i(1), f(7.0), present=(True,)),
    case("pick_item_gradients", OF_THREE, THREE, i(2), f(7.0), present=(True,), smooth=False),
    case("drop_item_gradients", OF_THREE, THREE, i(0)),
    case("gather_item_gradients", OF_THREE, i(2, 0)),
    case("scatter_item_gradients", OF_THREE, i(2, 0, 1)),
    case("move_item_gradients", OF_THREE, THREE, **REVERSED),
    case("move_item_gradients", OF_THREE, THREE, i(0), f(7.0), **INSERTED),
    case("move_item_gradients_back", THREE, OF_THREE, **REVERSED),
    case("move_item_gradients_back", THREE, i(0), f(7.0), OF_THREE, f(2.0), **INSERTED),
    case("rows_as_item_gradients", np.stack([PAIR, PAIR]), leaf=0),
    case("item_gradients_as_rows", OF_PAIRS, np.stack([PAIR, PAIR]), leaf=0, smooth=False),
    case("parts_as_item_gradients", f(1.0, 2.0, 3.0), i(1, 2), leaf=0),
    case("item_gradients_as_parts", OF_PAIRS, f(1.0, 2.0, 3.0), i(1, 2), leaf=0, smooth=False),
    case("lengths_of_items", boxed(ItemList([(PAIR,), (f([1.0]),)])), leaf=0, exact=False),
]
