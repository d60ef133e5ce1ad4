"""One of several Python objects: which one is known when the graph runs.

if c: act = jump               act is Several(%index, (jump, duck))
else: act = duck       ->
act(x)                         a conditional: jump(x) or duck(x)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, NoReturn

import runtime as rt
from autograph.backends.graph.places import user_place
from autograph.errors import StagingError

Action = Callable[[Any], object]
# Records a choice between what an action does for each object; conditionals know how.
Picker = Callable[["Several", Action, str], Any]


class Several:
    """One of a few Python objects, chosen by a tensor.

    What is done with it is done with each of them, on a path of its own.

    Attributes:
        index: a scalar int32 tensor: the position of the object in `options`.
        options: the objects.
    """

    __slots__ = ("index", "options")
    pick: ClassVar[Picker]

    def __init__(self, index: rt.Tensor, options: tuple[object, ...]) -> None:
        object.__setattr__(self, "index", index)
        object.__setattr__(self, "options", options)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return Several.pick(self, lambda each: each(*args, **kwargs), "a call")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Several.pick(self, lambda each: getattr(each, name), f"attribute '{name}'")

    def __setattr__(self, name: str, value: object) -> None:
        Several.pick(self, lambda each: setattr(each, name, value), f"attribute '{name}'")

    def __getitem__(self, index: object) -> Any:
        return Several.pick(self, lambda each: each[index], "an item")

    def __setitem__(self, index: object, value: object) -> None:
        Several.pick(self, lambda each: each.__setitem__(index, value), "an item")

    def __eq__(self, other: object) -> Any:
        return Several.pick(self, lambda each: each == other, "==")

    def __ne__(self, other: object) -> Any:
        return Several.pick(self, lambda each: each != other, "!=")

    def objects_behind(self) -> tuple[object, ...]:
        """Return what an assignment to an attribute or item assigns in."""
        return self.options

    def is_one(self, value: object) -> rt.Tensor | bool:
        """Return whether the object is `value` itself."""
        places = [place for place, each in enumerate(self.options) if each is value]
        return rt.equal(self.index, places[0]) if places else False

    def holds(self, question: Callable[[object], bool]) -> rt.Tensor | bool:
        """Return what Python answers to a question about the object."""
        answers = [bool(question(each)) for each in self.options]
        if len(set(answers)) == 1:
            return answers[0]
        return rt.gather(rt.constant(answers), self.index)

    def refuse(self, *others: object) -> NoReturn:
        """Raise StagingError: Python asks for something that must be the same on every path."""
        names = ", ".join(type(each).__name__ for each in self.options)
        raise StagingError(
            f"this is one of several objects ({names}), and which is known when the graph runs, so "
            "Python cannot go over it or compute with it here: do that in each branch",
            user_place(),
        )

    __iter__ = __len__ = __bool__ = __contains__ = __lt__ = __le__ = __gt__ = __ge__ = refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = refuse
    __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = refuse
    __matmul__ = __rmatmul__ = __neg__ = __abs__ = __int__ = __float__ = __index__ = refuse
    __enter__ = __exit__ = __delattr__ = __delitem__ = refuse
    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<one of {', '.join(map(repr, self.options))}>"
