"""Live variables of a running frame: those that its code may read before it assigns them.

    out = collect(out, xs)      while `collect` runs, this `out` is dead: the call assigns it
    return out

Names that the unfinished expression has already read, as `a` in `(a, f(x))`, are live as well.
"""

from __future__ import annotations

import dis
import functools
from collections.abc import Iterable, Iterator, Sequence
from types import CodeType
from typing import Any

_ENDS = ("RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE")
_JUMPS = ("JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "JUMP_ABSOLUTE")
_BLOCKS = ("SETUP_FINALLY", "SETUP_WITH", "SETUP_ASYNC_WITH")
# Instructions by their effect on the value stack; any other one pops operands and pushes a result.
_ADDING = ("LIST_APPEND", "LIST_EXTEND", "SET_ADD", "SET_UPDATE", "MAP_ADD", "DICT_UPDATE")
_PUSHING_ONLY = ("LOAD_FAST", "LOAD_DEREF", "LOAD_CLOSURE", "LOAD_CONST", "PUSH", "COPY")
_WITHOUT_RESULT = (
    *("STORE", "POP", "DELETE", "JUMP", "NOP", "RESUME", "PRECALL", "MAKE_CELL", "EXTENDED_ARG"),
    *("KW_NAMES", "SETUP"),
)
_JUMPING = frozenset((*dis.hasjrel, *dis.hasjabs))


def live_at_start(code: CodeType) -> frozenset[str]:
    """Return the names that code reads before it assigns them.

    >>> y = 1
    >>> def f(x):
    ...     y = x
    ...     return x + y
    >>> sorted(live_at_start(f.__code__))
    ['x']
    """
    flow = _flow_of(code)
    return flow.names(flow.live[0])


def live_after(code: CodeType, offset: int) -> frozenset[str]:
    """Return the names that code may read after a call at an offset.

    Args:
        code: the code of a frame.
        offset: its `f_lasti`.
    """
    return _flow_of(code).after(offset)


def has_not_read(code: CodeType, offset: int, names: frozenset[str]) -> bool:
    """Return whether the unfinished expression around a call has read none of some variables.

    It may have done so in a call of another function. The iterators of loops do not count.
    """
    return _flow_of(code).has_not_read(offset, names)


def operands_of(code: CodeType, offset: int) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names read for the operands of a call, and those that its lambdas have."""
    flow = _flow_of(code)
    k = flow.index_of(offset)
    steps = [] if k is None else flow.filling(k - 1, flow.lowest(k))
    cells = {*code.co_cellvars, *code.co_freevars}
    # Python 3.13 loads a cell as it loads a variable.
    captured = [s for s in steps if s.opname in ("LOAD_CLOSURE", "LOAD_FAST") and s.argval in cells]
    return _names_read(steps), _names_read(captured)


def has_unnamed_values(code: CodeType, offset: int) -> bool:
    """Return whether the unfinished expression around a call may hold results of other calls."""
    return _flow_of(code).has_unnamed_values(offset)


class _Flow:
    """The control flow of one code, with the live names at each instruction as bits."""

    def __init__(self, code: CodeType) -> None:
        bytecode = dis.Bytecode(code)
        self._steps = list(bytecode)
        self._at = {each.offset: k for k, each in enumerate(self._steps)}
        self._bits: dict[str, int] = {}
        entries = list(getattr(bytecode, "exception_entries", ()))
        self._handlers: dict[int, list[int]] = {}
        for entry in entries:
            self._cover(entry.start, entry.end, entry.target)
        for each in self._steps:
            if each.opname in _BLOCKS:
                self._cover(each.offset, each.argval, each.argval)
        self._next = [list(self._followers(k)) for k in range(len(self._steps))]
        self.live = self._fixpoint()
        self._depths = self._stack_depths({e.target: e.depth + 1 + e.lasti for e in entries})

    def _cover(self, start: int, end: int, target: int) -> None:
        for k, each in enumerate(self._steps):
            if start <= each.offset < end:
                self._handlers.setdefault(k, []).append(self._at[target])

    def _followers(self, k: int) -> Iterator[int]:
        step = self._steps[k]
        if step.opname not in (*_ENDS, *_JUMPS) and k + 1 < len(self._steps):
            yield k + 1
        if step.opcode in _JUMPING:
            yield self._at[step.argval]
        yield from self._handlers.get(k, ())

    def _fixpoint(self) -> list[int]:
        effects = [self._effect(step) for step in self._steps]
        live = [0] * (len(self._steps) + 1)
        changed = True
        while changed:
            changed = False
            for k in range(len(self._steps) - 1, -1, -1):
                read, assigned = effects[k]
                now = read | (self._out(live, k) & ~assigned)
                changed = changed or now != live[k]
                live[k] = now
        return live

    def _out(self, live: list[int], k: int) -> int:
        found = 0
        for each in self._next[k]:
            found |= live[each]
        return found

    def _effect(self, step: Any) -> tuple[int, int]:
        """Return the names that an instruction reads first, and those that it assigns."""
        read = assigned = 0
        for is_load, name in _accesses(step):
            bit = self._bits.setdefault(name, 1 << len(self._bits))
            if is_load:
                read |= bit & ~assigned
            else:
                assigned |= bit
        return read, assigned

    def names(self, bits: int) -> frozenset[str]:
        """Return the names for bits."""
        return frozenset(name for name, bit in self._bits.items() if bits & bit)

    def after(self, offset: int) -> frozenset[str]:
        """Return the names that are live after a call, or in the unfinished expression."""
        k = self.index_of(offset)
        if k is None:
            return self.names(self.live[0])
        return self.names(self._out(self.live, k)) | self._unfinished(k)

    def has_not_read(self, offset: int, names: frozenset[str]) -> bool:
        """Return whether no value on the stack below the operands of a call is that of a name."""
        k = self.index_of(offset)
        if k is None:
            return True
        below = [steps for steps in self._below(k) if steps[0].opname != "GET_ITER"]
        has_calls = self._is_in_comprehension(k) or any(map(_has_calls, below))
        return not has_calls and all(names.isdisjoint(_names_read(steps)) for steps in below)

    def _below(self, k: int) -> list[list[Any]]:
        """Return the instructions that made each value below the operands of a call."""
        return [self._makers(k, place) for place in range(self.lowest(k))]

    def index_of(self, offset: int) -> int | None:
        """Return the index of the instruction at an offset; None before the first one."""
        # The offset may be that of a cache entry behind the instruction.
        return max((k for at, k in self._at.items() if at <= offset), default=None)

    # -- the value stack ---------------------------------------------------------------------------

    def _stack_depths(self, handlers: dict[int, int]) -> list[int]:
        """Return the depth of the value stack before each instruction; -1 for unreachable code."""
        depths = [-1] * len(self._steps)
        waiting = [(0, 0), *((self._at[target], depth) for target, depth in handlers.items())]
        while waiting:
            k, depth = waiting.pop()
            if k >= len(self._steps) or depths[k] >= 0:
                continue
            depths[k] = depth
            step = self._steps[k]
            if step.opname not in (*_ENDS, *_JUMPS):
                waiting.append((k + 1, depth + _growth(step, False)))
            if step.opcode in _JUMPING:
                waiting.append((self._at[step.argval], depth + _growth(step, True)))
        return depths

    def lowest(self, k: int) -> int:
        """Return the lowest place of the stack that an instruction takes or fills."""
        step: Any = self._steps[k]
        depth = self._depths[k]
        if step.opname in _ADDING:
            return depth - 1 - int(step.arg)
        if step.opname == "SWAP":
            return depth - int(step.arg)
        if step.opname.startswith(_PUSHING_ONLY):
            return depth
        pushes = 0 if step.opname.startswith(_WITHOUT_RESULT) else 1
        return depth - (pushes - _growth(step, False))

    def _unfinished(self, k: int) -> frozenset[str]:
        """Return the names whose values lie on the stack below the operands of a call."""
        return _names_read(step for steps in self._below(k) for step in steps)

    def has_unnamed_values(self, offset: int) -> bool:
        """Return whether results of calls lie on the stack below the operands of a call."""
        k = self.index_of(offset)
        if k is None:
            return False
        if self._is_in_comprehension(k):
            return True
        # An operand may be an iterator, such as that of `map`, whose items have no names either.
        return any(map(_has_calls, [*self._below(k), self.filling(k - 1, self.lowest(k))]))

    def _is_in_comprehension(self, k: int) -> bool:
        """Return whether an instruction is in a loop that ends with the addition of an item."""
        adds = False
        for j in range(k + 1, len(self._steps)):
            step = self._steps[j]
            adds = adds or step.opname in ("LIST_APPEND", "SET_ADD", "MAP_ADD")
            if adds and step.opcode in _JUMPING and self._at[step.argval] <= k:
                return True
        return False

    def _makers(self, k: int, place: int) -> list[Any]:
        """Return the instructions that made the value at a place of the stack."""
        maker = next((j for j in range(k - 1, -1, -1) if self.lowest(j) <= place), 0)
        return self.filling(maker, self.lowest(maker))

    def filling(self, last: int, lowest: int) -> list[Any]:
        """Return the instructions, up to the last one, that fill the stack from a place on."""
        found: list[Any] = []
        for j in range(last, -1, -1):
            found.append(self._steps[j])
            jumps = j > 0 and self._steps[j - 1].opname in _JUMPS
            if self._depths[j] <= lowest and not jumps:
                break
        return found


_flow_of = functools.lru_cache(512)(_Flow)


def _has_calls(steps: Sequence[Any]) -> bool:
    """Return whether instructions call others than `ag__.callee(f)`, `range(n)` and `len(x)`."""
    calls = sum(each.opname.startswith("CALL") for each in steps)
    # The operators are constants of the code.
    named = (getattr(each.argval, "__name__", each.argval) for each in steps)
    return calls > sum(name in ("callee", "range", "len") for name in named)


def _names_read(steps: Iterable[Any]) -> frozenset[str]:
    return frozenset(name for each in steps for is_load, name in _accesses(each) if is_load)


def _growth(step: Any, jumps: bool) -> int:
    return dis.stack_effect(step.opcode, step.arg, jump=jumps)


def _accesses(step: Any) -> Iterator[tuple[bool, str]]:
    """Yield the variables that an instruction accesses, and whether it reads them."""
    name = step.opname
    if not name.startswith(("LOAD_", "STORE_", "DELETE_")):
        return
    if not any(word in name for word in ("FAST", "DEREF", "CLOSURE", "NAME", "GLOBAL")):
        return
    if name in ("LOAD_FAST_LOAD_FAST", "STORE_FAST_LOAD_FAST", "STORE_FAST_STORE_FAST"):
        first, second = step.argval
        yield name.startswith("LOAD"), first
        yield name.endswith("LOAD_FAST"), second
    elif isinstance(step.argval, str):
        yield name.startswith("LOAD"), step.argval
