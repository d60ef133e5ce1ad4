"""How a function is to be converted: a frozen value that generated code prints and rebuilds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ConversionOptions:
    """What a conversion should do; the same in generated code and in the cache of conversions.

    Attributes:
        recursive: whether functions that the converted one calls are converted too.
        user_requested: whether the user asked for this function, rather than reaching it by a call.
        optional_features: names of extra features, in the order given.
        internal_convert_user_code: whether code of the user's own modules is converted at all.

    >>> ConversionOptions(user_requested=True).optional_features
    ()
    """

    recursive: bool = True
    user_requested: bool = False
    optional_features: tuple[str, ...] = ()
    internal_convert_user_code: bool = True

    def call_options(self) -> ConversionOptions:
        """Return the options for a function that is reached by a call.

        >>> ConversionOptions(user_requested=True).call_options() == STANDARD
        True
        """
        return ConversionOptions(
            recursive=self.recursive,
            user_requested=False,
            optional_features=self.optional_features,
            internal_convert_user_code=self.recursive and self.internal_convert_user_code,
        )


STANDARD = ConversionOptions()
