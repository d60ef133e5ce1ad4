"""The vocabulary: all operators of generated code, bound to `ag__`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from autograph.backends.protocol import Backends
from autograph.backends.try_block import Handler
from autograph.backends.undefined import Undefined, UndefinedReturnValue
from autograph.operators.calls import CallOperators
from autograph.operators.comparisons import Comparisons, IdentityComparison
from autograph.operators.composite_places import AttributeStep, CompositePlace, ItemStep
from autograph.operators.comprehensions import ComprehensionOperators
from autograph.operators.containers import Containers
from autograph.operators.control_flow import (
    AssertOperators,
    ConditionalOperators,
    ControlFlowOperators,
)
from autograph.operators.debuggers import step_over_internals
from autograph.operators.function_scope import FunctionScope, with_function_scope
from autograph.operators.generators import Generators
from autograph.operators.iteration import iterator_of
from autograph.operators.lists import ListOperators
from autograph.operators.logical import LogicalOperators
from autograph.operators.match_statement import MatchCase, Matches
from autograph.operators.patterns import PATTERNS
from autograph.operators.recording_state import RecordingState
from autograph.operators.repetition import make_repeat_operand
from autograph.operators.slices import SliceOperators
from autograph.operators.special_methods import SpecialMethodOperators
from autograph.operators.string_formatting import StringFormatting
from autograph.operators.tracebacks import ConversionBoundary, drop_frames_of_handled
from autograph.operators.tracebacks import with_user_frames as clean
from autograph.operators.try_statements import Tries, UncatchableErrors
from autograph.operators.unpacking import (
    make_display,
    make_star_arguments,
    make_star_items,
    make_unpack_each,
    make_unpack_items,
)
from autograph.operators.variables import (
    attribute_owner,
    bound,
    delegate,
    ld,
    ldu,
    make_add_operand,
    make_load_operand,
    make_right_operand,
    make_shape_owner,
    make_special_attribute,
)
from autograph.options import STANDARD, ConversionOptions


class Vocabulary:
    """All operators, bound to some backends and to a conversion of called functions.

    Args:
        backends: the backends that execute statements on tensors.
        calls: the calls of functions, which convert the functions.

    Attributes:
        has_eager_versions: whether calls that record nothing run the user's own statements.
    """

    has_eager_versions = True

    def __init__(self, backends: Backends, calls: CallOperators) -> None:
        self.backends = backends
        self.recorder = backends.recorder
        self.converted_call = calls.converted_call
        self._calls = calls
        generators = Generators(backends, calls.consumer_form, calls.tails_of, calls.exit_of)
        backends.generator_replacement_of = generators.around
        backends.lazy_builtin = generators.lazy_builtin
        backends.iterator_replacement_of = generators.of_iterator
        self.is_python = backends.is_python
        self.staging = RecordingState(backends).staging
        self.operand, self.load_operand, self.add_operand = (
            backends.operand,
            make_load_operand(backends),
            make_add_operand(backends),
        )
        self.right_operand = make_right_operand(backends)
        self.star_items, self.repeat_operand = (
            make_star_items(backends),
            make_repeat_operand(backends),
        )
        self.unpack_items, self.star_arguments = (
            clean(make_unpack_items(backends)),
            clean(make_star_arguments(backends)),
        )
        self.unpack_each = make_unpack_each(backends, self.unpack_items)
        special = SpecialMethodOperators(backends)
        self.truth_value, self.iterable, self.is_python_truth = special.operators()
        self.iter = iterator_of
        # Cached, since each call of a converted function evaluates its options.
        self.ConversionOptions = cache(ConversionOptions)
        self.STD = STANDARD
        self.FunctionScope = partial(FunctionScope, backends)
        self.with_function_scope = partial(with_function_scope, backends)
        self.Undefined = Undefined
        self.UndefinedReturnValue = UndefinedReturnValue
        self.ld = ld
        self.shape_owner = make_shape_owner(backends)
        self.ldu, self.bound, self.delegate, self.attribute_owner = (
            ldu,
            bound,
            delegate,
            attribute_owner,
        )
        self.special_attribute = clean(make_special_attribute(backends))
        self.place, self.attribute, self.item = CompositePlace, AttributeStep, ItemStep
        self._add_statements(backends)
        self._add_expressions(backends)

    def _add_statements(self, backends: Backends) -> None:
        statements = ControlFlowOperators(backends)
        self.if_stmt, self.truth = clean(statements.if_stmt), clean(statements.truth)
        self.while_stmt = clean(statements.while_stmt)
        self.for_stmt = clean(statements.for_stmt)
        self.while_rest, self.for_rest = clean(statements.while_rest), clean(statements.for_rest)
        self.assert_stmt = clean(AssertOperators(backends).assert_stmt)
        self.match_stmt, self.case = clean(Matches(backends).match_stmt), MatchCase
        tries = Tries(backends, self._calls.inverted)
        self.try_stmt, self.handler = clean(tries.try_stmt), Handler
        self.with_stmt = clean(tries.with_stmt)
        self.raised = tries.raised
        unseen = UncatchableErrors(backends)
        self.uncatchable, self.refusals = unseen.uncatchable, unseen.refusals
        self.pass_refusal = unseen.pass_refusal
        self.__dict__.update(PATTERNS)
        self.drop_frames, self.boundary = (
            drop_frames_of_handled,
            ConversionBoundary(step_over_internals),
        )

    def _add_expressions(self, backends: Backends) -> None:
        logical = LogicalOperators(backends)
        self.and_, self.or_ = clean(logical.and_), clean(logical.or_)
        self.not_, self.compare = clean(logical.not_), clean(logical.compare)
        self.and_rest, self.or_rest = clean(logical.and_rest), clean(logical.or_rest)
        self.compare_rest = clean(logical.compare_rest)
        self.if_exp = clean(ConditionalOperators(backends).if_exp)
        identity = IdentityComparison(backends)
        self.same, self.differ = clean(identity.same), clean(identity.differ)
        containers = Containers(backends)
        self.is_plain_test, self.is_plain_item = containers.is_plain_test, containers.is_plain_item
        self.contains, self.lacks = clean(containers.contains), clean(containers.lacks)
        self.get_item, self.delete_item = map(clean, (containers.get_item, containers.delete_item))
        comparisons = Comparisons(backends)
        self.is_plain_comparison = comparisons.is_plain
        self.less, self.less_equal = comparisons.operators("<", "<=")
        self.greater, self.greater_equal = comparisons.operators(">", ">=")
        self.equal, self.unequal = comparisons.operators("==", "!=")
        made = ComprehensionOperators(backends)
        self.list_comp, self.set_comp = clean(made.list_comp), clean(made.set_comp)
        self.dict_comp, self.gen_exp = clean(made.dict_comp), clean(made.gen_exp)
        lists = ListOperators(self._call_method)
        self.list_append, self.list_pop = lists.list_append, lists.list_pop
        self.list_extend = lists.list_extend
        self.list_display = clean(make_display(backends, list))
        self.tuple_display = clean(make_display(backends, tuple))
        texts = StringFormatting(backends)
        self.text, self.joined, self.marked = texts.text, texts.joined, texts.marked
        self.sized = texts.sized
        self.left_of_percent = texts.left_of_percent
        slices = SliceOperators(backends)
        self.is_rebound = slices.is_rebound
        self.set_item, self.slice_ = slices.set_item, slices.slice_
        self.put_item = slices.put_item
        self.updates_in_place, self.update_item = slices.updates_in_place, slices.update_item
        self.same_container = clean(slices.same_container)

    def scope(self, name: str, options: ConversionOptions) -> FunctionScope:
        """Return the function scope that compiled code references as a constant."""
        callee = self._calls.callee_under(options.call_options())
        return self.FunctionScope(name, "fscope", options, callee)

    def _call_method(self, method: Callable[..., object], *args: object) -> object:
        scope = self.FunctionScope("method", "fscope", STANDARD)
        return self.converted_call(method, args, None, scope)
