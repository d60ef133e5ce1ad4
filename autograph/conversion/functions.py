"""Converts function objects: decides once and converts once per code object.

The tables of call plans (`plans`), of generated code and of the forms of generators are keyed by
code objects, without keeping these alive. Functions that share a code object, such as closures,
share its conversion; `GeneratedCode.instantiate` adds the cells and defaults of each.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import CellType, CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from autograph.conversion.library_wrappers import LibraryWrappers
from autograph.conversion.loader import GeneratedCode, ReplacementTable, dress, load
from autograph.conversion.rules import (
    Candidate,
    ConversionRule,
    Verdict,
    decide,
    function_behind,
    name_of,
)
from autograph.conversion.verbosity import CODE, CONVERSIONS, DECISIONS, log
from autograph.conversion.wrappers import wrapped_by
from autograph.errors import AutographError, ConversionError, SourceError
from autograph.lowering import first_line_run, lower
from autograph.operators.calls import CallPlan, MakeReplacement, Replacement
from autograph.operators.frames import code_info_of
from autograph.operators.generators import GeneratorProperties
from autograph.options import STANDARD, ConversionOptions
from autograph.syntax import FunctionSource, print_tree, source_of, to_ast
from autograph.syntax.large_stack import RecursionDepthExceeded, with_large_stack
from autograph.syntax.reserved import for_printing
from autograph.syntax.source import share_source
from runtime.core.garbage_collection import without_gc
from runtime.core.lazy_imports import lazy_import, load_module
from runtime.core.weak_tables import IdentityTable, OnceCache

if TYPE_CHECKING:
    from autograph.analysis.tail_positions import TailPositions
    from autograph.conversion.generator_inlining import Exit

exit_of = lazy_import("autograph.conversion.generator_inlining:exit_of")
fresh_name = lazy_import("autograph.conversion.generator_inlining:fresh_name")
has_cleanup = lazy_import("autograph.conversion.generator_inlining:has_cleanup")
is_endless = lazy_import("autograph.conversion.generator_inlining:is_endless")
is_guarded = lazy_import("autograph.conversion.generator_inlining:is_guarded")
is_side_effect_free = lazy_import("autograph.conversion.generator_inlining:is_side_effect_free")
may_raise = lazy_import("autograph.conversion.generator_inlining:may_raise")
users_function = lazy_import("autograph.conversion.generator_inlining:users_function")
with_yield_as_call = lazy_import("autograph.conversion.generator_inlining:with_yield_as_call")
with_yields_as_calls = lazy_import("autograph.conversion.generator_inlining:with_yields_as_calls")

Pipeline = Callable[[FunctionSource, ConversionOptions, Mapping[str, object]], Any]


class FunctionConversions:
    """All conversions of one converter.

    Args:
        pipeline: returns the converted tree for a function's source, the options and the names that
            the function can see.
        vocabulary: the cell that holds `ag__`.
    """

    def __init__(self, pipeline: Pipeline, vocabulary: CellType) -> None:
        self._pipeline = pipeline
        self._vocabulary = vocabulary
        self._plans: dict[ConversionOptions, IdentityTable[CodeType, CallPlan | None]] = {}
        self._replacements: dict[ConversionOptions, ReplacementTable] = {}
        self._generated: OnceCache[CodeType, GeneratedCode | AutographError] = OnceCache()
        self._inverted_forms: OnceCache[CodeType, Any] = OnceCache()
        # The consumer forms, by whether they return the generators' values.
        self._consumer_forms: dict[bool, OnceCache[CodeType, Any]] = {
            returns: OnceCache() for returns in (False, True)
        }

    def plan(self, fn: FunctionType, options: ConversionOptions) -> CallPlan | None:
        """Return the plan for calls of `fn` from converted code, converting it if need be."""
        plan = _UNWRAPPED if wrapped_by(fn) is not None else self._decided(fn, options)
        self.remember(fn.__code__, plan, options)
        return plan

    def plans(self, options: ConversionOptions) -> Mapping[int, CallPlan | None]:
        """Return the call plans so far, by the identity of the code object.

        None stands for calling the function itself.
        """
        return self._table(options).by_id

    def replacements(self, options: ConversionOptions) -> Mapping[int, Replacement]:
        """Return the replacements so far, by the identity of the function."""
        return self._replacement_table(options).by_id

    def set_replacement(
        self, fn: FunctionType, make_replacement: MakeReplacement, options: ConversionOptions
    ) -> None:
        """Call `make_replacement(fn)` in place of `fn` from now on."""
        self._replacement_table(options).put(
            fn, (fn.__code__, fn.__defaults__, None, make_replacement)
        )

    def _replacement_table(self, options: ConversionOptions) -> ReplacementTable:
        return self._replacements.setdefault(options, IdentityTable())

    def remember(self, code: CodeType, plan: CallPlan | None, options: ConversionOptions) -> None:
        """Set the plan for functions with a code object."""
        self._table(options).put(code, plan)

    def _table(self, options: ConversionOptions) -> IdentityTable[CodeType, CallPlan | None]:
        return self._plans.setdefault(options, IdentityTable())

    def generated(self, fn: FunctionType, options: ConversionOptions) -> GeneratedCode:
        """Return the converted code of `fn`; it is converted at the first request.

        Raises:
            SourceError: the source cannot be found.
            ConversionError: the source cannot be converted.
        """
        found = self._generated.get_or_make(fn.__code__, options, lambda: self._make(fn, options))
        if isinstance(found, AutographError):
            raise copy.copy(found)
        return found

    def converted(self, fn: FunctionType, options: ConversionOptions) -> FunctionType:
        """Return the converted form of `fn`, which has the names and attributes of `fn`.

        For a function from an installed package, that package is included: the functions of it that
        `fn` calls are converted, too.
        """
        if is_generated(fn):
            return fn
        if self.rule_for(fn, options.include).name == "installed":
            options = replace(options, include=(*options.include, Candidate(fn, fn).package))
        return dress(self.generated(fn, options).fresh(fn), fn)

    def rule_for(self, value: object, include: tuple[str, ...] = ()) -> ConversionRule:
        """Return the rule that decides about a callable in calls from converted code.

        Args:
            value: the callable.
            include: names of modules that are converted as the user's own are.
        """
        function = function_behind(value)
        return decide(Candidate(value, function, is_generated(function), include))

    def _decided(self, fn: FunctionType, options: ConversionOptions) -> CallPlan | None:
        if not options.internal_convert_user_code:
            return None
        rule = self.rule_for(fn, options.include)
        if rule.name == "around":
            return LibraryWrappers(functools.partial(self._replacement_of, options=options))
        if rule.verdict is Verdict.LEAVE:
            log(DECISIONS, lambda: f"{name_of(fn)} stays as it is: {rule.reason}")
            return None
        try:
            return self.generated(fn, options)
        except AutographError as error:
            if options.strict:
                raise
            # Python runs code that cannot be converted; only tensors in it may fail.
            reason = str(error)
            log(CONVERSIONS, lambda: f"{name_of(fn)} stays as it is: {reason}")
            return None

    def _replacement_of(self, fn: FunctionType, options: ConversionOptions) -> FunctionType:
        plan = self.plan(fn, options)
        return fn if plan is None else plan.instantiate(fn)  # type: ignore[return-value]

    def _make(self, fn: FunctionType, options: ConversionOptions) -> GeneratedCode | AutographError:
        try:
            return with_large_stack(lambda: without_gc(lambda: self._made_from_source(fn, options)))
        except RecursionDepthExceeded:
            return ConversionError(f"{name_of(fn)} nests too deeply; split it into functions")
        except AutographError as error:
            error.__context__ = error.__cause__ = None
            return error.with_traceback(None)

    def inverted(self, made: FunctionType) -> tuple[FunctionType, str] | None:
        """Return the inverted form of a context manager's generator; see `calls.Functions`.

        None if it does not handle exceptions of the body, or is not converted.

        Raises:
            ConversionError: it handles exceptions of the body, and cannot be inverted.
        """
        fn = users_function(made)
        if self.rule_for(fn).verdict is Verdict.LEAVE:
            return None
        found = self._inverted_forms.get_or_make(
            fn.__code__, STANDARD, lambda: self._make_inverted(fn)
        )
        if isinstance(found, AutographError):
            raise copy.copy(found)
        return None if found is None else (dress(found[0].fresh(fn), fn), found[1])

    def consumer_form(
        self, made: FunctionType, returns: bool
    ) -> tuple[FunctionType, tuple[str, ...], GeneratorProperties] | None:
        """Return the consumer form of a generator function; see `calls.Functions`.

        Args:
            made: the converted function.
            returns: whether the form returns the generator's value.
        """
        fn = users_function(made)
        # A method whose code was replaced in place is generated, and has no rule of its own.
        if not is_generated(fn) and self.rule_for(fn).verdict is Verdict.LEAVE:
            return None
        found = self._consumer_forms[returns].get_or_make(
            fn.__code__, STANDARD, lambda: self._make_consumer_form(fn, returns)
        )
        return None if found is None else (dress(found[0].fresh(fn), fn), *found[1:])

    def tails_of(self, code: CodeType, seen: dict[str, Any]) -> TailPositions | None:
        """Return the tail positions of the user's function with a code and these globals.

        None if its source is not available.
        """
        closure = tuple([CellType() for _ in code.co_freevars])
        fn = users_function(FunctionType(code, seen, closure=closure))
        try:
            node = source_of(fn).node
        except SourceError:
            return None
        found: TailPositions = load_module("autograph.analysis.tail_positions").tail_positions(node)
        return found

    def exit_of(self, fn: FunctionType) -> Exit:
        """Return the way in which the end of a `with` depends on a jump or an exception.

        "seen" if the source is not available.

        Args:
            fn: the method `__exit__`, or the generator of a context manager.
        """
        try:
            return exit_of(source_of(users_function(fn)).definition)
        except SourceError:
            return "seen"

    def _make_consumer_form(
        self, fn: FunctionType, returns: bool
    ) -> tuple[GeneratedCode, tuple[str, ...], GeneratorProperties] | None:
        try:
            source = source_of(fn)
            whole = source.definition
            names = tuple(fresh_name(whole, n) for n in ("take_", "delegated_", "entered_"))
            definition = with_yields_as_calls(whole, names, returns)
            if definition is None:
                return None
            made = self._made_from(replace(source, definition=definition), fn, STANDARD)
            is_free, tidies_up = is_side_effect_free(whole), has_cleanup(whole)
            properties = GeneratorProperties(
                is_free, tidies_up, is_endless(whole), may_raise(whole)
            )
            return made, names, properties
        except AutographError:
            return None  # then Python iterates over the generator

    def _make_inverted(self, fn: FunctionType) -> tuple[GeneratedCode, str] | AutographError | None:
        source = source_of(fn)
        if not is_guarded(source.definition):
            return None
        name = fresh_name(source.definition, "body_")
        definition = with_yield_as_call(source.definition, name)
        if definition is None:
            return ConversionError(
                f"the context manager {name_of(fn)} yields in a loop, or at several places, and "
                "sees exceptions that are raised there: let it yield at one place, or write a "
                "class with `__enter__` and `__exit__`"
            )
        try:
            return self._made_from(replace(source, definition=definition), fn, STANDARD), name
        except AutographError as error:
            return error.with_traceback(None)

    def _made_from_source(self, fn: FunctionType, options: ConversionOptions) -> GeneratedCode:
        made = self._made_from(source_of(fn), fn, options)
        share_source(made.code, fn.__code__)
        return made

    def _made_from(
        self, source: FunctionSource, fn: FunctionType, options: ConversionOptions
    ) -> GeneratedCode:
        seen = names_seen_by(fn)
        converted = self._pipeline(source, options, seen)
        log(CONVERSIONS, lambda: f"{name_of(fn)} is converted")
        log(CODE, lambda: print_tree(for_printing(converted)))
        tree = to_ast(converted).body[-1]
        words = self._vocabulary.cell_contents
        line = first_line_run(fn.__code__)
        lowered = lower(tree, source.definition, line, words, options, seen)
        return load(lowered, fn, source.class_name, self._replacement_table(options))


class _UnwrappedPlan:
    """The call plan of the wrappers of this package: the wrapped function is called directly."""

    def instantiate(self, fn: FunctionType) -> Callable[..., object]:
        wrapper = wrapped_by(fn)
        assert wrapper is not None
        return wrapper.target()


_UNWRAPPED = _UnwrappedPlan()


def is_generated(fn: object) -> bool:
    """Return whether `fn` is a function of generated code.

    >>> is_generated(is_generated)
    False
    """
    part = code_info_of(fn.__code__) if type(fn) is FunctionType else None
    return part is not None and part.start is None


def names_seen_by(fn: FunctionType) -> dict[str, object]:
    """Return the values of the globals and free variables of `fn`, as far as they are bound.

    >>> names_seen_by(names_seen_by)["names_seen_by"] is names_seen_by
    True
    """
    seen = dict(fn.__globals__)
    for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or ()):
        try:
            seen[name] = cell.cell_contents
        except ValueError:
            seen.pop(name, None)
    return seen
