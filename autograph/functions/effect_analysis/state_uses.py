"""Decides whether code also reads the state that it changes.

log.append("traced")        no: code only appends to the list
calls += 1                  no: code only counts
calls += 1; x / calls       yes

Names are resolved to the objects that they refer to, as far as known before a call: `rt.math.log`
is no use of a list called `log`.
"""

from __future__ import annotations

import dis
import weakref
from collections.abc import Iterable
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

from autograph.backends.graph.objects.object_contents import (
    ClassVariables,
    Globals,
    StoredAttributes,
    is_indexed,
)
from autograph.backends.graph.objects.opaque_state import is_buffer
from autograph.backends.graph.state.object_paths import WatchedObject
from autograph.functions.effect_analysis.resolved_names import (
    UNKNOWN,
    CodeObject,
    NameUse,
    instructions_of,
    may_name,
    uses_in,
)
from autograph.operators.user_classes import mro_of
from runtime.core.fork_safety import cached_property
from runtime.core.lazy_imports import lazy_import

outside_of_init_scopes = lazy_import(
    "autograph.functions.effect_analysis.init_scopes:outside_of_init_scopes"
)

_NOT_READING = ("LOAD_CONST", "LOAD_CLOSURE")
_APPENDING = ("append", "extend", "add")
_READING_FILES = frozenset("getvalue getbuffer read readline readlines tell seek".split())
_STORING_ITEMS = ("STORE_SUBSCR", "DELETE_SUBSCR")
CHANGING = frozenset(
    "append extend insert pop remove clear sort reverse add discard update setdefault popitem "
    "popleft appendleft extendleft rotate move_to_end".split()
)
READING = frozenset(
    name for name in dis.opmap if name.startswith("LOAD_") and name not in _NOT_READING
)
# The texts of `dis` from Python 3.11 on.
_IN_PLACE_SYMBOLS = frozenset("+= -= *= /= //= %= **= @= &= |= ^= <<= >>=".split())
_KEEPING = ("COPY", "DUP_TOP_TWO")
_CHANGING_ITEMS = CHANGING.union(_STORING_ITEMS, _KEEPING, ("STORE_SLICE",))
_DEEPEST = 8
_OF_KEYS = frozenset("add discard remove update clear get setdefault pop keys values items".split())
_IN_ANY_ORDER = frozenset("len sum max min sorted any all".split())
_TESTING = ("CONTAINS_OP", "GET_ITER", "POP_JUMP", "JUMP_IF", "UNARY_NOT", "TO_BOOL")
_CALLS = ("CALL", "CALL_FUNCTION", "PRECALL")
# Methods of arrays, and functions of NumPy, that write to one.
_FILLING = frozenset("fill sort put resize partition itemset setfield byteswap".split())
_FUNCTIONS_FILLING = frozenset("copyto at place put putmask fill_diagonal shuffle".split())


class CodeUses:
    """The uses of variables, attributes and containers in the code of some functions.

    Args:
        functions: the functions whose code is inspected.
        watched: the watched objects, which hold the places under any name.
    """

    def __init__(self, functions: Iterable[CodeObject], watched: Iterable[WatchedObject]) -> None:
        self._functions = list(functions)
        self._watched = watched

    def of_calls(self) -> CodeUses:
        """Return the uses without those in `init_scope`, which run once a trace and in no call."""
        outside = in_calls(self._uses)
        if len(outside) == len(self._uses):
            return self
        found = CodeUses(self._functions, self._watched)
        found._uses = outside
        return found

    @cached_property
    def _uses(self) -> list[NameUse]:
        return uses_in(self._functions)

    @cached_property
    def _holders(self) -> dict[int, list[tuple[WatchedObject, object]]]:
        found: dict[int, list[tuple[WatchedObject, object]]] = {}
        for each in self._watched:
            for key, part in each.contents.items():
                if is_indexed(part) or is_buffer(part):
                    found.setdefault(id(part), []).append((each, key))
        return found

    def changed_names(self) -> frozenset[str]:
        """Return the names that the code assigns, or whose items it changes."""
        deep = {id(use) for uses in self._changing.values() for use in uses}
        return frozenset(use.name for use in self._uses if use.stores or id(use) in deep)

    def only_appended_to(self, each: WatchedObject) -> bool:
        """Return whether code names a list, or set, only to add items to it.

        Then its items make no difference. The result is False if code may reach the list other than
        by a name.
        """
        seen = self._uses_of_container(each)
        return bool(seen) and all(_method(use) in _APPENDING for use in seen or ())

    def only_reads_keys(self, each: WatchedObject) -> bool:
        """Return whether code names a set or dict only to test, add, count or remove keys."""
        seen = self._uses_of_container(each)
        return bool(seen) and all(map(_asks_for_keys, seen or ()))

    def only_counted(self, each: WatchedObject, key: object) -> bool:
        """Return whether code names a place only in `+= 1` of that place.

        False for a place that code does not assign by name: library code that changes it may read
        it. An item is judged by its container: code names `d` only in `d["k"] += 1`.
        """
        if is_indexed(each.value):
            seen = self._uses_of_container(each)
            return bool(seen) and all(map(_counts_item, seen or ()))
        name = _name_of(each, key)
        if may_name(self._functions, name):
            return False
        uses = self._uses_of_place(each, name)
        stores = [use for use in uses if use.stores]
        counts = [use for use in stores if _adds_in_place(use)]
        return bool(stores) and len(uses) - len(stores) <= len(counts) == len(stores)

    def assigns(self, each: WatchedObject, key: object) -> bool:
        """Return whether code may assign a variable or attribute."""
        return any(use.stores for use in self._uses_of_place(each, _name_of(each, key)))

    def reads_file(self, file: object) -> bool:
        """Return whether code reads the text of a file in memory, or its position."""
        reads = [use for use in self._uses if _method(use) in _READING_FILES]
        return any(use.value is file or use.value is UNKNOWN for use in reads)

    def assigns_attribute(self, name: str) -> bool:
        """Return whether code assigns an attribute of some object under a name."""
        return any(u.stores and u.name == name and u.kind == "attribute" for u in self._uses)

    def changes_items(self, each: WatchedObject) -> bool:
        """Return whether code changes a list, dict or set that it reaches by names and items.

        `d.items["k"][0] += 1` changes the list `d.items["k"]`.
        """
        waiting, depth = [each], 0
        while waiting and depth < _DEEPEST:
            for container in waiting:
                if self._named(container, self._changing.get(depth, ())):
                    return True
            outer = [pair for container in waiting for pair in self._held(container)]
            waiting = [other for other, _ in outer if is_indexed(other.value)]
            depth += 1
        return False

    @cached_property
    def _changing(self) -> dict[int, list[NameUse]]:
        """Return the uses that change items, by the depth of the items in the named object.

        `d[0] = x` has the depth 0, `d["k"][0] = x` the depth 1.
        """
        found: dict[int, list[NameUse]] = {}
        for use in self._uses:
            depth, what = use.subscripts()
            if what in _CHANGING_ITEMS:
                found.setdefault(depth, []).append(use)
        return found

    def changes_buffer(self, each: WatchedObject) -> bool:
        """Return whether code may change an array in place: by items, a method, or `out=a`."""
        if self.changes_items(each):
            return True
        named = self._named(each, self._uses)
        return any(_method(use) in _FILLING or _fills_arguments(use.code) for use in named)

    @property
    def changes_some_items(self) -> bool:
        """Return whether code changes items of the objects that it names."""
        return bool(self._changing)

    def _uses_of_place(self, each: WatchedObject, name: str) -> list[NameUse]:
        return [use for use in self._uses if use.name == name and _may_be_of(use, each.value)]

    def _uses_of_container(self, each: WatchedObject) -> list[NameUse] | None:
        """Return the uses that name a container; None if code may reach it in another way."""
        if any(is_indexed(other.value) for other, _ in self._held(each)):
            return None
        if any(not n.isidentifier() or may_name(self._functions, n) for n in self._names(each)):
            return None
        return self._named(each, self._uses)

    def _held(self, each: WatchedObject) -> list[tuple[WatchedObject, object]]:
        return self._holders.get(id(each.value), [])

    def _names(self, each: WatchedObject) -> set[str]:
        named = (pair for pair in self._held(each) if not is_indexed(pair[0].value))
        return {_name_of(*pair) for pair in named} or {each.name.rpartition(".")[2]}

    def _named(self, each: WatchedObject, uses: Iterable[NameUse]) -> list[NameUse]:
        """Return the uses that name a container."""
        names = self._names(each)
        holders = [other.value for other, _ in self._held(each)]

        def is_use(use: NameUse) -> bool:
            if use.stores or use.name not in names:
                return use.value is each.value and not use.stores
            if use.value is each.value or (use.value is UNKNOWN and use.owner is not None):
                return True
            return any(_may_be_of(use, holder) for holder in holders)

        return [use for use in uses if is_use(use)]


def in_calls(uses: list[NameUse]) -> list[NameUse]:
    """Return the uses without those in `init_scope`, which run once a trace and in no call."""
    has_scopes = any(use.name == "init_scope" for use in uses)
    return outside_of_init_scopes(uses) if has_scopes else uses


def only_logged(name: str, functions: Iterable[CodeObject]) -> bool:
    """Return whether code uses a name only to add items or to count.

    Then that code does not depend on the number of times that others do so.
    """
    functions = list(functions)
    if may_name(functions, name):
        return False
    by_code: dict[int, list[NameUse]] = {}
    for use in uses_in(functions):
        if use.name == name and not use.is_of_program:
            by_code.setdefault(id(use.code), []).append(use)
    for uses in by_code.values():
        stores = [use for use in uses if use.stores]
        counts = [use for use in stores if _adds_in_place(use)]
        reads = [use for use in uses if not use.stores]
        if not (len(reads) <= len(counts) == len(stores)) and not all(
            _method(use) in _APPENDING for use in reads
        ):
            return False
        if len(stores) > len(counts):
            return False
    return True


def read_globals(functions: Iterable[FunctionType]) -> dict[int, frozenset[str]]:
    """Return the names of the global variables that code reads, by `id()` of the module's dict.

    Names of attributes are not included.
    """
    found: dict[int, frozenset[str]] = {}
    for function in functions:
        names = {use.name for use in uses_in([function]) if use.kind == "global" and not use.stores}
        space = id(function.__globals__)
        found[space] = found.get(space, frozenset()) | names
    return found


def line_of_change(code: CodeType, name: str) -> int | None:
    """Return the first line that changes the list or dict of a local variable; None without one.

    Lines of inner functions come last.

    >>> def f(items):
    ...     total = len(items)
    ...     items.append(total)
    >>> line_of_change(f.__code__, "items") - f.__code__.co_firstlineno
    2
    """
    lines = dict(dis.findlinestarts(code))
    by_line: dict[int, list[dis.Instruction]] = {}
    for each in instructions_of(code):
        start = max((start for start in lines if start <= each.offset), default=None)
        if start is not None:  # cells are made before the first line
            by_line.setdefault(lines[start], []).append(each)
    for line, instructions in by_line.items():
        reads = any(e.opname in READING and e.argval == name for e in instructions)
        changes = (e.opname in _STORING_ITEMS or e.argval in CHANGING for e in instructions)
        if reads and any(changes):
            return line
    inner = (c for c in code.co_consts if isinstance(c, CodeType) and name in c.co_freevars)
    return next(filter(None, (line_of_change(each, name) for each in inner)), None)


def _name_of(each: WatchedObject, key: object) -> str:
    """Return the name of a variable or attribute in code."""
    return each.name.rpartition(".")[2] if type(each.value) is CellType else str(key)


def _may_be_of(use: NameUse, holder: Any) -> bool:
    """Return whether a use may be of a variable or attribute of `holder`."""
    if type(holder) is CellType:
        return use.kind == "cell" and (use.owner is holder or _is_unknown(use.owner))
    if type(holder) is Globals:
        if isinstance(use.owner, ModuleType):
            return vars(use.owner) is holder.namespace
        if use.kind == "attribute":
            return use.owner is UNKNOWN and any(e.opname == "IMPORT_NAME" for e in use.instructions)
        return use.owner is holder.namespace
    if use.kind != "attribute":
        return False
    if isinstance(holder, (StoredAttributes, ClassVariables)):
        holder = holder.owner
    if use.owner is UNKNOWN or use.owner is holder or type(use.owner) in weakref.ProxyTypes:
        return True
    # The owner may be a class, or an object of it.
    owner_class = use.owner if isinstance(use.owner, type) else type(use.owner)
    return isinstance(holder, type) and holder in mro_of(owner_class)


def _is_unknown(owner: Any) -> bool:
    """Return whether a cell is unknown, or empty: the cell of a function that was freed."""
    if type(owner) is not CellType:
        return owner is UNKNOWN
    try:
        return owner.cell_contents is UNKNOWN
    except ValueError:
        return True


def _method(use: NameUse) -> object:
    """Return the name of the attribute that the next instruction reads from the named object."""
    following = use.next()
    is_attribute = following is not None and following.opname in ("LOAD_ATTR", "LOAD_METHOD")
    return following.argval if following is not None and is_attribute else None


def _fills_arguments(code: CodeType) -> bool:
    """Return whether code calls a function that may write to an array argument."""
    if not _FUNCTIONS_FILLING.isdisjoint(code.co_names):
        return True
    return any(isinstance(each, tuple) and "out" in each for each in code.co_consts)


def _asks_for_keys(use: NameUse) -> bool:
    depth, what = use.subscripts()
    if depth or what in (*_OF_KEYS, *_STORING_ITEMS, *_KEEPING):
        return True
    after = use.next()
    if after is None or after.opname.startswith(_TESTING):
        return after is not None
    before = [use.next(-step) for step in (1, 2, 3)]
    named = any(each is not None and each.argval in _IN_ANY_ORDER for each in before)
    return named and after.opname in _CALLS and after.arg == 1


def _counts_item(use: NameUse) -> bool:
    """Return whether a use of a container is `d["k"] += 1`, which copies container and key."""
    after = use.next(2)
    return after is not None and after.opname in _KEEPING


def _adds_in_place(use: NameUse) -> bool:
    before = use.next(-1)
    return before is not None and is_in_place(before)


def is_in_place(instruction: dis.Instruction) -> bool:
    """Return whether an instruction computes `a += b` or another in-place operation.

    >>> [is_in_place(each) for each in dis.get_instructions("a += 1")].count(True)
    1
    """
    return instruction.opname.startswith("INPLACE_") or instruction.argrepr in _IN_PLACE_SYMBOLS
