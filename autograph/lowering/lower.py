"""The lowering pipeline, from a converted definition to the definition that is compiled."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from autograph.lowering.calls import with_plain_calls
from autograph.lowering.composites import with_places
from autograph.lowering.constants import Constants, with_vocabulary
from autograph.lowering.expressions import with_conditional_statements, with_fields
from autograph.lowering.item_assignment import with_inner_items
from autograph.lowering.jumps import with_plain_returns
from autograph.lowering.number_variables import number_names
from autograph.lowering.operand_dispatch import with_operand_dispatch
from autograph.lowering.statements import with_python_branches
from autograph.lowering.synthetic_code import fix_positions, with_reused_names
from autograph.lowering.try_statements import (
    with_boundary,
    with_clean_handlers,
    with_uncatchable_refused,
)
from autograph.lowering.user_function import UserFunction, identifiers
from autograph.lowering.versioning import with_both_versions
from autograph.options import ConversionOptions
from autograph.syntax.reserved import RESERVED, STAND_IN, renamed
from runtime.core.lazy_imports import lazy_import

with_string_operators = lazy_import("autograph.lowering.string_formatting:with_string_operators")


class Lowered(NamedTuple):
    """The result of lowering a function.

    Attributes:
        definition: a function definition, or the assignment of a lambda.
        constants: the objects that the code references as constants.
        has_both_versions: whether the function has an eager version beside the traced one.
    """

    definition: Any
    constants: Constants
    has_both_versions: bool


class Operators(Protocol):
    """The part of the vocabulary that lowering uses."""

    def scope(self, name: str, options: ConversionOptions) -> object:
        """Return the scope of a function; its `callee` finds the replacement of a callable."""

    def attribute(self, name: str) -> object:
        """Return the step to an attribute of an object."""

    def item(self, key: object) -> object:
        """Return the step to an item of an object."""

    @property
    def has_eager_versions(self) -> bool:
        """True if calls that record nothing run the user's own statements."""

    @property
    def recorder(self) -> Callable[[], object]:
        """A function that returns None while nothing is recorded."""


def lower(
    converted: Any,
    original: Any,
    line: int,
    vocabulary: Operators,
    options: ConversionOptions,
    namespace: Mapping[str, object],
) -> Lowered:
    """Return the lowered form of a converted function.

    Args:
        converted: an `ast` definition, or the assignment of a lambda; it is used up.
        original: the definition of the user's function, which is not changed.
        line: the line of the user's function that runs first.
        vocabulary: the vocabulary, `ag__`.
        options: the options of the conversion.
        namespace: values of the globals and free variables of the function.
    """
    fix_positions(converted)
    constants = Constants()
    function = converted.value if isinstance(converted, ast.Assign) else converted
    function = with_reused_names(with_plain_returns(function))
    function = with_places(function, vocabulary.attribute, vocabulary.item, constants)
    numbers = number_names(function)
    function = with_plain_calls(
        function, numbers, lambda name: vocabulary.scope(name, options), constants
    )
    user_function = UserFunction(original)
    if options.call_options().internal_convert_user_code:
        function = with_operand_dispatch(
            *(function, numbers, namespace), lambda: identifiers(function) | user_function.names
        )
    if user_function.formats_strings:
        function = with_string_operators(function, numbers)
    function = with_inner_items(function, lambda: identifiers(function) | user_function.names)
    function = with_clean_handlers(function)
    records = user_function.may_start_recording
    has_both_versions = vocabulary.has_eager_versions and not records
    names = identifiers(function) | user_function.names
    function = with_python_branches(function, user_function, names, has_both_versions)
    function = with_conditional_statements(function)
    function = with_uncatchable_refused(function)
    if options.user_requested and not records:
        function = with_boundary(function)
    function = with_vocabulary(function, vocabulary, constants)
    if RESERVED in user_function.names:
        function = renamed(function, {STAND_IN: RESERVED})
    if has_both_versions:
        function = with_both_versions(function, user_function, line, vocabulary, constants)
    if isinstance(converted, ast.Assign):
        function = with_fields(converted, {"value": function})
    return Lowered(function, constants, has_both_versions)
