"""Python state changed under `init_scope`, which runs once for each trace.

with rt.init_scope():
    self.traces += 1        changes while the function is traced; no call of the graph repeats it

Such a change is no part of the graph: it stays when the trace is over. A trace that is made once
more takes it back with everything else. A place that the graph changes as well is state of calls.
"""

from __future__ import annotations

from collections.abc import Callable

from autograph.backends.graph.program.contents import Contents, contents_of, is_a
from autograph.backends.graph.watching.reach import Reach, Watched
from autograph.backends.graph.watching.watch import contents_now
from autograph.function.kinds import LISTS
from autograph.function.places import ABSENT, WHOLE
from autograph.function.templates import holds_symbolic


class InitScopes:
    """The changes made under `init_scope` while one function is traced.

    Args:
        reach: what the function can reach; what it held is brought up to date at the end of each
            scope.

    Attributes:
        places: the identities of the objects that were changed, each with the key.
    """

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._replaced: list[tuple[Watched, Contents]] = []
        self.places = set[tuple[int, object]]()

    def begin(self) -> Callable[[], None]:
        """Note what everything holds as a scope begins; return what is called at its end."""
        before = contents_now(self._reach)

        def end() -> None:
            watched = list(self._reach)
            before.extend(dict(each.contents) for each in watched[len(before) :])
            for each, was in zip(watched, before):
                self._keep(each, was)

        return end

    def undo(self) -> None:
        """Forget the changes: everything is known to have held what it held before them."""
        for each, contents in reversed(self._replaced):
            _update(each, contents)
        self._replaced.clear()
        self.places.clear()

    def _keep(self, each: Watched, was: Contents) -> None:
        now = dict(contents_of(each.value) or {})
        changed = _changed_keys(each.contents, was, now)
        is_whole = is_a(each.value, (*LISTS, set))
        if is_whole and changed:
            same = list(each.contents.values()) == list(was.values())
            changed = list(dict.fromkeys([*was, *now])) if same else []
        if not changed or any(holds_symbolic((was.get(k), now.get(k))) for k in changed):
            return
        self._replaced.append((each, dict(each.contents)))
        self.places |= {(id(each.value), key) for key in (WHOLE, *changed)}
        kept = {key: value for key, value in each.contents.items() if key not in changed}
        _update(each, now if is_whole else kept | {k: now[k] for k in changed if k in now})


def _changed_keys(known: Contents, was: Contents, now: Contents) -> list[object]:
    """Return the keys that a scope has changed, and nothing of the trace before it."""
    keys = dict.fromkeys([*was, *now])
    return [
        key
        for key in keys
        if was.get(key, ABSENT) is not now.get(key, ABSENT)
        and known.get(key, ABSENT) is was.get(key, ABSENT)
    ]


def _update(each: Watched, contents: Contents) -> None:
    each.contents.clear()
    each.contents.update(contents)
