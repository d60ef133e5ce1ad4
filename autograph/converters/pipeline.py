"""The pipeline: the converters in order, the check of that order, and the conversion by them.

from a `FunctionSource`   ->   the tree that `to_code` prints and the loader compiles
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autograph.analysis.function_facts import FunctionFacts
from autograph.analysis.occurrences import occurrences_of
from autograph.converters.asserts import Asserts
from autograph.converters.base import Conversion, Converter, Tree, main_function
from autograph.converters.breaks import Breaks
from autograph.converters.calls import Calls
from autograph.converters.comprehensions import Comprehensions
from autograph.converters.conditionals import Conditionals
from autograph.converters.continues import Continues
from autograph.converters.control_flow import ControlFlow
from autograph.converters.declarations import Declarations
from autograph.converters.directives import Directives
from autograph.converters.early_exits import EarlyExits
from autograph.converters.elif_chains import ElifChains
from autograph.converters.finallies import FinallyJumps
from autograph.converters.functions import Functions
from autograph.converters.lists import Lists
from autograph.converters.logical import Logical
from autograph.converters.private_names import PrivateNames
from autograph.converters.report import Report, refuse_kept
from autograph.converters.returns import Returns
from autograph.converters.slices import Slices
from autograph.converters.supers import Supers
from autograph.converters.variables import Variables
from autograph.converters.walruses import BoundInThunks, Walruses
from autograph.converters.withs import MultipleWithItems
from autograph.errors import ConversionError, PipelineError
from autograph.options import STANDARD, ConversionOptions
from autograph.syntax.large_stack import RecursionDepthExceeded, with_large_stack
from autograph.syntax.namer import Namer
from autograph.syntax.origin import origin_of
from autograph.syntax.reserved import RESERVED, STAND_IN, renamed
from autograph.syntax.tree import walk

Pipeline = Sequence[type[Converter]]

PIPELINE: Pipeline = (
    PrivateNames,
    Supers,
    Declarations,
    MultipleWithItems,
    Functions,
    Directives,
    Walruses,
    Asserts,
    FinallyJumps,
    EarlyExits,
    Breaks,
    Continues,
    Returns,
    ElifChains,
    Lists,
    Slices,
    Calls,
    Conditionals,
    Logical,
    Variables,
    ControlFlow,
    Comprehensions,
    BoundInThunks,
)


def check_order(pipeline: Pipeline) -> None:
    """Check that each converter occurs once, after those that it names in `after`.

    Raises:
        PipelineError: a converter is out of order; it names the two converters and the reason.

    >>> try:
    ...     check_order((Returns, Functions))
    ... except PipelineError as error:
    ...     print(error)
    Returns must come after Functions, for a function returns through its scope
    """
    seen: set[type[Converter]] = set()
    for converter in pipeline:
        if converter in seen:
            raise PipelineError(f"{converter.__name__} is in the pipeline twice")
        for other, reason in converter.after.items():
            if other not in seen:
                names = f"{converter.__name__} must come after {other.__name__}"
                raise PipelineError(f"{names}, for {reason}")
        seen.add(converter)


check_order(PIPELINE)


def convert_function(
    source: Any,
    options: ConversionOptions = STANDARD,
    namespace: Mapping[str, object] | None = None,
    pipeline: Pipeline = PIPELINE,
    report: Report | None = None,
) -> Tree:
    """Return the converted tree of a function: a gast `FunctionDef` called `tf__<name>`.

    Args:
        source: a `syntax.source.FunctionSource`; its node is changed.
        options: the options, which are printed in the code, and passed on to called functions.
        namespace: the values of the function's globals and free variables, if known.
        pipeline: the converters, in an order that `check_order` accepts.
        report: records the outcomes of constructs; it must be made of the same source.

    Returns:
        A function definition, or for a lambda the assignment `tf__lambda = lambda ...`, with the
        positions of the user's source.

    Raises:
        ConversionError: the function uses a name or a form that cannot be converted; or, with
            `options.strict`, a part of it stays Python.

    >>> from autograph.syntax import print_tree, source_of
    >>> "'check_order'" in print_tree(convert_function(source_of(check_order)))
    True
    """

    def run(given: Any) -> Tree:
        return _converted(given, options, namespace, pipeline, report)

    try:
        return with_large_stack(lambda: run(source), lambda: run(source.fresh_copy()))
    except RecursionDepthExceeded:
        message = f"'{source.name}' nests too deeply; split its expressions and statements"
        raise ConversionError(message, origin_of(source.node, source)) from None


def _converted(
    source: Any,
    options: ConversionOptions,
    namespace: Mapping[str, object] | None,
    pipeline: Pipeline,
    report: Report | None,
) -> Tree:
    tree: Tree = source.node
    facts = FunctionFacts(tree)
    if RESERVED in facts.inventory.identifiers:
        _refuse_stand_in(tree, facts, source)
        tree = renamed(tree, {RESERVED: STAND_IN})
        facts = FunctionFacts(tree)
        namespace = _renamed_in(namespace)
    if options.strict and report is None:
        report = Report(source)
    conversion = Conversion(source, options, Namer(facts.inventory.identifiers), namespace)
    conversion.report = report
    for kind in pipeline:
        converter = kind()
        if converter.applies(facts, conversion):
            tree = converter.convert(tree, facts, conversion)
            # The occurrences are not computed again for each converter, which would take long.
            inventory = facts.inventory.with_kinds(converter.made())
            facts = FunctionFacts(main_function(tree), inventory)
            _check_removed(converter, tree, facts, source)
    if options.strict and report is not None:
        refuse_kept(report.entries(tree))
    return tree


def _refuse_stand_in(tree: Tree, facts: FunctionFacts, source: Any) -> None:
    if STAND_IN not in facts.inventory.identifiers:
        return
    for node in walk(tree):
        if STAND_IN in occurrences_of(node, deep=False).identifiers:
            message = f"the name '{STAND_IN}' belongs to generated code; choose another name"
            raise ConversionError(message, origin_of(node, source))


def _renamed_in(namespace: Mapping[str, object] | None) -> Mapping[str, object] | None:
    if namespace is None or RESERVED not in namespace:
        return namespace
    others = {name: value for name, value in namespace.items() if name != RESERVED}
    return {**others, STAND_IN: namespace[RESERVED]}


def _check_removed(converter: Converter, tree: Tree, facts: FunctionFacts, source: Any) -> None:
    for node in converter.leftovers(tree, facts):
        name, kinds = type(converter).__name__, " and ".join(k.__name__ for k in converter.removes)
        raise PipelineError(
            f"{name} promised to remove {kinds}, but left one in this {type(node).__name__}",
            origin_of(node, source),
        )
