"""The order of layers of a functional model; orders are those of Keras 3.15."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import nn
from runtime.nn.layers import Add, Concatenate, Dense, Embedding, GlobalAveragePooling1D, Input


def names(inputs: Any, outputs: Any) -> list[str]:
    return [layer.name for layer in nn.Model(inputs, outputs).layers]


def test_inputs_precede_their_branch() -> None:
    title, body, tags = Input((None,), name="title"), Input((4,), name="body"), Input((2,))
    rows = GlobalAveragePooling1D(name="gap")(Embedding(10, 4, name="emb")(title))
    all_of = Concatenate(name="cc")([rows, Dense(3, name="dn")(body), tags])
    first, other = Dense(1, name="priority")(all_of), Dense(3, name="department")(all_of)
    start = ["title", "emb", "body", "gap", "dn", tags.name, "cc"]
    inputs = [title, body, tags]
    assert [*start, "priority", "department"] == names(inputs, [first, other])
    # A dict counts in the order of its keys.
    by_name = {"priority": first, "department": other}
    assert [*start, "department", "priority"] == names(inputs, by_name)


def test_layers_are_ordered_by_distance_from_the_outputs() -> None:
    i = Input((4,), name="i")
    a, b = Dense(4, name="a")(i), Dense(4, name="b")(i)
    c = Dense(4, name="c")(a)
    assert ["i", "a", "b", "c", "add"] == names(i, [Add(name="add")([b, c]), a])
    assert ["i", "a", "c", "b", "add2"] == names(i, Add(name="add2")([c, b]))
    last = Dense(4, name="q")(Add(name="add3")([Dense(4, name="z")(b), i]))
    assert ["i", "b", "z", "add3", "q"] == names(i, last)


def test_a_layer_that_is_called_twice_is_listed_once() -> None:
    i = Input((4,), name="i")
    shared = Dense(4, name="shared")
    assert ["i", "shared", "last"] == names(i, Dense(1, name="last")(shared(shared(i))))


def test_an_input_that_leads_nowhere_is_one_of_the_last_layers() -> None:
    i, unused = Input((4,), name="i"), Input((4,), name="unused")
    assert ["i", "unused", "d"] == names([i, unused], Dense(1, name="d")(i))


def test_a_thousand_layers_are_ordered() -> None:
    found = start = Input((1,))
    for _ in range(1100):
        found = Add()([found, start])
    assert 1101 == len(nn.Model(start, found).layers)


def test_weights_have_the_order_of_layers() -> None:
    i = Input((2,))
    model = nn.Model(i, {"z": Dense(1, name="z")(i), "a": Dense(3, name="a")(i)})
    assert [(2, 3), (3,), (2, 1), (1,)] == [np.shape(each) for each in model.get_weights()]
