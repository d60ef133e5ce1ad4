"""The options of a conversion, which are printed in generated code."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

# Methods that must return a Python string; the code that formats the object adds symbolic parts.
TEXT_METHODS = frozenset({"__str__", "__repr__", "__format__"})


@dataclass(frozen=True)
class ConversionOptions:
    """The options of a conversion.

    Attributes:
        recursive: whether called functions are converted too.
        user_requested: whether the user asked to convert this function; false for a called one.
        optional_features: the names of optional features.
        internal_convert_user_code: whether code of the user's modules is converted.
        strict: whether it is an error if a part of a function stays Python.
        include: names of modules and packages whose functions are converted like the user's.

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
        """Return the options for a called function.

        >>> ConversionOptions(user_requested=True).call_options() == STANDARD
        True
        """
        converts = self.recursive and self.internal_convert_user_code
        return replace(self, user_requested=False, internal_convert_user_code=converts)


STANDARD = ConversionOptions()
