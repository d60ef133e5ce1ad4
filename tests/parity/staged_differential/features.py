"""The constructs of generated programs that can be switched on and off, one switch each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from tests.parity.differential.writer import Table, Tables

M = TypeVar("M", bound=Callable[..., object])


@dataclass(frozen=True)
class Feature:
    """One construct.

    Attributes:
        name: what makers say they need.
        on: whether programs hold it unless something else is asked for.
        about: what it is.
    """

    name: str
    on: bool
    about: str


def _table(text: str) -> tuple[Feature, ...]:
    rows = [line.split(None, 2) for line in text.strip().splitlines()]
    return tuple(Feature(name, switch == "on", about) for name, switch, about in rows)


FEATURES = _table("""
    loop_else        on   `else` of `for` and `while`
    walrus           on   `:=` in tests and expressions
    while_true       on   `while True` left by a break or return
    python_loops     on   loops of Python whose exits depend on tensors
    iterations       on   `enumerate`, `zip`, `reversed`, `map`, `filter` over tensors
    maybe_bound      on   names that only some paths bind
    none_first       on   variables that are None until a first value comes
    literal_joins    on   `1`, `1.5` and `True` left by different paths
    dtype_joins      on   tensors of different dtypes left by different paths
    growing          on   vectors whose length changes
    vectors          on   arithmetic and reductions of vectors
    item_assignment  on   `v[i] = x`, `v[a:b] = x`
    item_changes     on   `v[i] += x`
    list_indices     on   items of lists by indices that are tensors
    slices           on   `v[a:b]`
    lists            on   lists read, and changed outside of loops
    list_loops       on   lists that grow and shrink in branches and loops
    comprehensions   on   list comprehensions, also with conditions, and generator expressions
    dicts            on   dicts with static keys
    tuples           on   tuples packed, unpacked and swapped
    objects          on   attributes changed in branches and loops, also by methods
    changing_methods on   methods that change their object, called in expressions
    dataclasses      on   dataclasses made and rebound
    outer_objects    on   attributes of objects from outside
    functions        on   nested functions, lambdas and closures
    nonlocals        on   `nonlocal` and what it changes
    recursion        on   recursion that a tensor ends
    asserts          on   `assert`
    assert_values    on   `assert` that says a value
    raises           on   `raise` of a class of the user's
    tries            on   `try` with handlers, `else` and `finally`
    withs            on   `with`, and jumps out of it
    matches          on   `match`
    strings          on   f-strings of numbers
    reductions       on   `sum`, `max`, `min`, `any`, `all`, `sorted` of tensors
    conversions      on   `int`, `float`, `bool`, `round`, `divmod`, `pow` of tensors
    value_logic      on   `and` and `or` of numbers
    memberships      on   `in`
    number_tests     on   numbers as tests
    deletions        on   `del`
    list_methods     on   `insert`, `remove`, `index`, `sort`, `copy` and the other methods of lists
    list_arguments   on   lists that functions are given and change
    nested_lists     on   lists of lists
    dict_keys        on   items of dicts that only some paths make or delete
    attributes_of_paths on   attributes that only some paths make or delete
    chosen_objects   on   one of several functions, objects or texts
    none_results     on   functions that return None on some paths
    prints           on   `rt.print`
    keyed_orders     on   `sorted`, `min` and `max` with a key
    changing_keys    on   keys of `sorted`, `min` and `max` that change objects
    suppresses       on   `contextlib.suppress`
    finally_jumps    on   `break`, `continue` and `return` in `finally`
""")
NAMES = tuple(feature.name for feature in FEATURES)
ENABLED = frozenset(feature.name for feature in FEATURES if feature.on)


def needs(*names: str) -> Callable[[M], M]:
    """Mark a maker: it has a place in programs only where all these features are on."""
    unknown = set(names) - set(NAMES)
    if unknown:
        raise ValueError(f"no features: {sorted(unknown)}")

    def mark(maker: M) -> M:
        maker.needs = frozenset(names)  # type: ignore[attr-defined]
        return maker

    return mark


def available(tables: Tables, enabled: Iterable[str]) -> Tables:
    """Return the tables with those makers whose features are on."""
    switched = frozenset(enabled)
    return {
        name: (_enabled_entries(one, switched), _enabled_entries(two, switched))
        for name, (one, two) in tables.items()
    }


def _enabled_entries(table: Table, enabled: frozenset[str]) -> Table:
    kept = [
        (weight, maker) for weight, maker in table if getattr(maker, "needs", enabled) <= enabled
    ]
    return tuple(kept)
