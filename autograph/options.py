"""The options of a conversion: a frozen value that generated code prints and rebuilds."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

# Methods that must give Python a string; who formats the object joins what the graph knows of it.
TEXT_METHODS = frozenset({"__str__", "__repr__", "__format__"})


@dataclass(frozen=True)
class ConversionOptions:
    """The options of a conversion; the same in generated code and in the cache of conversions.

    Attributes:
        recursive: whether functions that the converted one calls are converted too.
        user_requested: whether the user asked for this function, rather than reaching it by a call.
        optional_features: names of extra features, in the order given.
        internal_convert_user_code: whether code of the user's own modules is converted at all.
        strict: whether it is an error when a part of a function stays Python.
        include: names of modules and packages whose functions are converted as the user's own are.

    >>> ConversionOptions(user_requested=True).optional_features
    ()
    """

    recursive: bool = True
    user_requested: bool = False
    optional_features: tuple[str, ...] = ()
    internal_convert_user_code: bool = True
    strict: bool = False
    include: tuple[str, ...] = ()

    def __repr__(self) -> str:
        # Generated code prints rare options only if they are set.
        rare = [name for name in ("strict", "include") if not getattr(self, name)]
        names = [field.name for field in fields(self) if field.name not in rare]
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__name__}({shown})"

    def call_options(self) -> ConversionOptions:
        """Return the options for a function that is reached by a call.

        >>> ConversionOptions(user_requested=True).call_options() == STANDARD
        True
        """
        converts = self.recursive and self.internal_convert_user_code
        return replace(self, user_requested=False, internal_convert_user_code=converts)


STANDARD = ConversionOptions()
