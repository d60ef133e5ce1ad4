"""The class `Module`, which finds variables in its attributes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from runtime.core import name_scopes
from runtime.core.creation_hooks import note_new_owner
from runtime.errors import ArgumentValueError
from runtime.nn.modules import names
from runtime.nn.modules.traversal import all_below, each_once, held
from runtime.state.variable import Variable

if TYPE_CHECKING:
    from typing_extensions import Self

Method = TypeVar("Method", bound=Callable[..., Any])


class ModuleAttributes:
    """The private state of a module, which traces do not treat as user state.

    Its attribute is called `_own`, a name that is also in the keys of checkpoints.

    Attributes:
        name: the name of the module.
        scope: the prefix of the names of its variables; empty until it is set.
    """

    scope: str = ""

    def __init__(self) -> None:
        self.name: str | None = None


class Module:
    """An object that owns variables: those in its attributes, and in lists, tuples and dicts there.

    Args:
        name: a valid Python identifier; by default derived from the class's name.

    Example:
        >>> class Line(Module):
        ...     def __init__(self):
        ...         super().__init__(name="line")
        ...         self.weights = [Variable(2.0, name="weight"), Variable(1.0, name="bias")]
        ...     def __call__(self, x):
        ...         return self.weights[0] * x + self.weights[1]
        >>> line = Line()
        >>> float(line(3.0)), [v.name for v in line.variables]
        (7.0, ['weight:0', 'bias:0'])
    """

    _own: Any
    _own_kind: type = ModuleAttributes
    # The form of names, and the advice for other names.
    _form_of_names = (r"[A-Za-z_.]\w*", "use letters, digits and _")

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        made = object.__new__(cls)
        # In __new__, since the __init__ of a subclass may not call this one.
        made._own = cls._own_kind()
        made._own.name = names.snake_case(cls.__name__)
        note_new_owner(made)
        return made

    def __init__(self, name: str | None = None) -> None:
        if name is not None:
            form, advice = self._form_of_names
            if not isinstance(name, str) or not re.fullmatch(form, name):
                raise ArgumentValueError(f"{name!r} is not a valid name for a module: {advice}")
            self._own.name = name
        self._own.scope = f"{name_scopes.scoped(self._own.name or '')}/"

    @property
    def name(self) -> str:
        """Its given name, or one derived from the class's name."""
        return str(self._own.name)

    @property
    def name_scope(self) -> name_scopes.name_scope:
        """A context in which the module's name prefixes the names of variables.

        The scope in which the module was created comes before that.
        """
        return name_scopes.name_scope(self._own.scope or f"{self.name}/")

    @property
    def variables(self) -> Sequence[Variable]:
        """All variables of the module and of the modules inside, each one once."""
        modules = all_below(self, lambda each: held(each, Module, by_name=True))
        return tuple(each_once(v for m in modules for v in held(m, Variable, by_name=True)))

    @property
    def trainable_variables(self) -> Sequence[Variable]:
        """The trainable variables."""
        return tuple(each for each in self.variables if each.trainable)

    @property
    def non_trainable_variables(self) -> Sequence[Variable]:
        """The variables that are not trainable."""
        return tuple(each for each in self.variables if not each.trainable)

    @property
    def submodules(self) -> Sequence[Module]:
        """The modules inside of this one, nearest first."""
        return tuple(all_below(self, lambda each: held(each, Module, by_name=True))[1:])

    @classmethod
    def with_name_scope(cls, method: Method) -> Method:
        """Make a method run in the name scope of its module.

        >>> class Made(Module):
        ...     @Module.with_name_scope
        ...     def make(self):
        ...         return Variable(1.0, name="v").name
        >>> Made(name="made").make()
        'made/v:0'
        """

        @wraps(method)
        def scoped(self: Any, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return scoped  # type: ignore[return-value]
