"""The constructs of Python the corpus covers, each with the programs that show it.

One line of a table is a row: the section it stands in, the construct, the ids of its programs.
What a program shows of it, with which inputs, and whether it is staged or refused, the program
says itself. `tools/compare_tensorflow.py` makes a table of these rows.
"""

from __future__ import annotations

from dataclasses import dataclass

CONDITIONALS = "Conditionals and boolean expressions"
LOOPS = "Loops"
FUNCTIONS = "Functions, calls and classes"
STATEMENTS = "Statements and the data model"
BUILTINS = "Builtins"
WHOLE = "Whole programs"


@dataclass(frozen=True)
class Construct:
    """One construct and the programs that show it, as `theme/name`."""

    section: str
    name: str
    programs: tuple[str, ...]


def _rows(section: str, text: str) -> tuple[Construct, ...]:
    """Return one construct for each line: its name, a bar, its programs."""
    parts = [line.split("|") for line in text.strip().splitlines()]
    return tuple(Construct(section, name.strip(), tuple(ids.split())) for name, ids in parts)


_CONDITIONALS = """
`if`, `elif`, `else` | conditionals/if_else conditionals/elif_chain conditionals/nested_if
a number as the test | conditionals/number_as_test conditionals/float_as_test
a text as the test | refused/text_as_test
a test of one element in any shape | conditionals/one_element_test
a vector as the test | refused/vector_as_test
a variable bound on one path, used later | conditionals/bound_on_one_path conditionals/used_unbound
a variable of one branch, not used later | conditionals/local_to_one_branch
an attribute made on one path | state/attribute_of_one_path state/attribute_read_where_absent
a key made on one path | state/key_of_one_path lists/missing_key
`None` on one path | joins/none_on_one_path joins/none_in_expressions joins/structure_or_none
`None` on both paths | joins/none_in_both_branches
literals of two kinds | joins/literals_of_two_kinds joins/boolean_or_number
tensors of two dtypes | joins/branch_dtypes
vectors of two lengths | joins/shapes_of_branches
structures that differ | refused/branch_structures
a string on each path | joins/string_per_branch
an object on each path | joins/object_per_branch joins/dataclass_per_branch
a function or a class on each path | joins/function_per_branch joins/class_per_branch
a list changed in a branch | lists/grown_in_both_branches corner_cases/list_changed_in_both
two names for a list changed in a branch | lists/alias_in_branch lists/changed_after_choice
a conditional expression | conditionals/ternary conditionals/ternary_chain
a conditional expression with `[]` | lists/empty_list_or_not
`and`, `or` of comparisons | conditionals/logical_and_or conditionals/short_circuit
`and`, `or` of numbers | conditionals/value_of_or
`and`, `or` of a tensor and a Python number | conditionals/tensor_and_number
operands with effects | conditionals/operand_with_effect
`and`, `or` of vectors | refused/vector_operand_of_and
`not` | conditionals/logical_not
`not` of a vector | refused/not_of_a_vector
a chained comparison | conditionals/chained_comparison corner_cases/chained_calls
the middle of a chain, on Python values | exactness/middle_once corner_cases/chained_kinds
`in` a tensor, a tensor `in` a list | conditionals/member_of_a_tensor
`is`, `is None` | conditionals/optional_argument exactness/in_and_is
`==` of vectors | conditionals/elementwise_equality
a test of `None`, then one of a tensor | conditionals/mask_or_none
"""

_LOOPS = """
`while` on a tensor | while_loops/countdown while_loops/nested_while while_loops/two_conditions
a loop test with effects | corner_cases/tests_with_state calls/called_in_test
a Python test that becomes a tensor | while_loops/python_test_becomes_tensor
`while True` left by `break` | breaks/while_true_break
`while True` left by `return` | returns/return_in_while_true
a Python loop left by a tensor | breaks/static_loop_break returns/return_from_inner_loop
`else` of a loop | while_loops/else_of_while for_loops/else_of_for exactness/loop_else
`for` over `range` of a tensor | for_loops/range_sum for_loops/range_with_step for_loops/range_down
`for` over a tensor | for_loops/over_elements for_loops/over_rows for_loops/two_loops
`for` over a number | refused/loop_over_a_number
`for` with targets for the rows of a matrix | for_loops/pairs_of_rows
`for` over a list of tensors | for_loops/list_of_tensors
loops in loops | for_loops/nested_ranges for_loops/loops_of_both_kinds breaks/break_both_loops
`break` | breaks/break_in_for breaks/break_in_while breaks/break_guards_index
`continue` | continues/continue_in_for continues/continue_and_break continues/continue_in_nested
`return` in a loop, code after it | returns/return_in_for returns/return_in_nested_loops
`return` in a loop under a Python test | returns/return_by_python_test
a variable first set in the loop | for_loops/set_in_loop while_loops/loop_only_variable
a variable set in the first iteration | for_loops/set_in_first_iteration
`None` before the loop | joins/none_at_start joins/maximum_from_none joins/best_so_far
the loop variable after the loop | for_loops/variable_after_loop for_loops/loop_variable_unbound
iterate or bound changed in the body | for_loops/variable_reassigned for_loops/bound_changed
a dtype that changes | while_loops/literal_becomes_float joins/loop_dtype
a shape that changes | while_loops/growing_shape while_loops/growing_by_one
`set_loop_options` | while_loops/loop_options
a structure that changes | refused/tuple_grows
a list that grows | lists/append_in_tensor_loop lists/without_repetition lists/lists_in_a_list
a list as a stack | lists/list_as_a_stack lists/deleted_inserted_reversed
items assigned at a tensor | lists/assigned_at_a_tensor lists/grown_and_assigned
items under Python keys, attributes | lists/dictionary_state classes/attribute_state
attributes and keys made in the loop | classes/attribute_created_in_loop lists/key_made_in_loop
every key of a dictionary | lists/every_key_in_loop
a name for a container, made in the loop | lists/alias_made_in_loop lists/alias_in_loop
a method that changes its object | classes/method_changes_object corner_cases/hidden_writes
named tuples, swaps, rebound lists | classes/replaced_and_unpacked classes/named_tuple_state
a dataclass as state | classes/dataclass_state
a variable of the runtime as state | joins/variable_or_tensor
elements numbered, paired, mapped, filtered | builtins/loops_over_pairs builtins/enumerated_range
`return` in a loop over elements or a matrix | returns/return_in_with returns/return_in_while
a comprehension over elements | lists/comprehensions_over_tensors comprehensions/mapped_rows
a loop over a dataset, `break` | for_loops/dataset_left_early for_loops/dataset_steps
`return` in a loop over a dataset | for_loops/dataset_searched
a comprehension over a dataset | for_loops/dataset_listed
builtins that iterate over a dataset | for_loops/dataset_numbered for_loops/builtins_over_dataset
`next` of an iterator over a dataset | for_loops/dataset_iterator
`next`, with a default, past the end | for_loops/next_with_default for_loops/next_past_the_end
an iterator that loops share | for_loops/iterator_over_tensor_resumed corner_cases/iterator_resumed
a long Python loop | for_loops/long_python_loop
"""

_FUNCTIONS = """
called functions | calls/user_function calls/call_chain calls/function_as_argument
nested functions, closures | calls/closure calls/returned_function
`nonlocal` written by a callee in a loop | calls/nonlocal_counter
a global written in a branch | calls/global_in_branch state/globals_of_called_functions
a closure read after a loop | calls/lambda_sees_later_value corner_cases/early_lambda
late binding of closures | calls/lambdas_bound_late exactness/late_binding
lambdas on one line | corner_cases/lambdas_on_a_line corner_cases/lambda_in_default
defaults, keywords, stars | calls/defaults_and_keywords calls/star_arguments
order of arguments on Python values | exactness/evaluation_order corner_cases/keyword_twice
decorators | corner_cases/decorators_over_lines calls/wrapped_functions
methods, static and class methods | classes/method_with_branch classes/properties
callable objects, `partial` | classes/callable_object calls/partial_application
properties, operators, constructors | corner_cases/class_with_conditions classes/computed_property
containers and iterators of the user's | classes/own_container classes/own_iterator
`super()` | classes/inheritance corner_cases/super_everywhere
private names | classes/private_names corner_cases/mangled_by_definition
a class in a function | classes/class_in_function exactness/class_inside
recursion ended by Python | calls/recursion corner_cases/deep_recursion_900
recursion ended by a tensor | recursion/factorial_by_recursion recursion/even_and_odd
generators | generators/generator_expression generators/yields_from_branches
`async` | generators/coroutine_by_hand generators/asynchronous_loop
a comprehension over Python values | lists/comprehension exactness/comprehension_scopes
a comprehension filtered by tensors | comprehensions/filtered_rows lists/comprehension_over_range
a tensor unpacked | lists/unpacked_tensors builtins/unpacked_rows
functions made by `exec` | calls/function_of_exec
the standard library | calls/standard_library
empty bodies | corner_cases/empty_bodies exactness/docstring_only
names like those of generated code | exactness/name_hygiene
`locals`, `vars`, `eval` | calls/locals_and_eval corner_cases/named_in_locals
names and texts of functions | calls/names_of_functions corner_cases/attributes_of_functions
"""

_STATEMENTS = """
`with` around jumps | statements/managers_in_loop corner_cases/return_through_with
`with` on Python values | exactness/context_manager corner_cases/break_through_with
`try` with jumps | corner_cases/try_else_after_jump corner_cases/finally_overrides
`try` on Python values | corner_cases/finally_break exactness/finally_return
errors of the graph caught | statements/caught_at_run_time errors/fallback_after_failure
`raise` in a branch | asserts/raise_in_branch asserts/raise_in_loop
`assert` | asserts/assert_positive asserts/assert_with_message errors/assert_shows_value
exceptions of the user's own | errors/raise_with_values exactness/own_exception
linked exceptions | errors/raise_from_another corner_cases/exceptions_linked
`del` | statements/deleted_by_tensor exactness/deleted_names corner_cases/deleted_in_branches
`:=` | statements/walrus_in_branches corner_cases/walrus_in_test
`match` | matches/value_cases matches/guards matches/class_patterns matches/star_patterns
`match` on Python values | exactness/match_statement
f-strings and other texts | strings/formatted_values strings/percent_and_format
stars in targets and displays | statements/starred_targets exactness/star_unpacking
augmented assignment | statements/augmented_targets
slices read | lists/slice_read lists/slices_at_tensors
items of a tensor assigned | lists/item_assignment lists/item_assignment_in_loop
slices and masks of a tensor assigned | lists/slice_assigned lists/mask_assigned
NumPy's functions | numpy/standardized numpy/arrays_beside_tensors
annotations | corner_cases/annotated_in_branches exactness/annotated_assignment
imports | statements/import_in_branch
backslashes in comments and texts | corner_cases/comment_with_backslash \
corner_cases/raw_string_with_backslash
tabs, odd indentation | statements/tabs_and_blanks corner_cases/odd_indentation
rare literals and signatures | statements/rare_literals exactness/strings
"""

_BUILTINS = """
`range` | for_loops/range_with_step builtins/enumerated_range
`len` | calls/builtin_functions builtins/lists_and_tuples
`abs`, `int`, `float`, `bool` | builtins/type_conversions
`sorted`, `reversed` | builtins/sorted_elements builtins/sorted_by_key
`max`, `min` | builtins/sums_and_extremes builtins/greatest_by_key builtins/extremes_by_key
`sum`, `any`, `all` | builtins/sums_and_extremes builtins/any_stops_early
`list`, `tuple`, `iter`, `next` | builtins/lists_and_tuples builtins/iterated_by_hand
`enumerate`, `zip`, `map`, `filter` | builtins/loops_over_pairs builtins/zip_two_vectors \
builtins/map_over_two builtins/filter_then_sum
`round`, `divmod`, `pow` | builtins/rounding
functions of `math` | builtins/square_root_as_a_bound builtins/numbers_of_the_math_module \
errors/domain_of_a_root
objects with `__lt__`, `__bool__`, `__len__` | classes/objects_in_their_own_order \
classes/object_in_a_test classes/stack_with_a_length classes/heaviest_of_objects
`isinstance`, `getattr`, `id`, `type` | builtins/type_tests
`print`, `str` | exactness/printing strings/message_of_the_run
"""

_WHOLE = """
a beam search with early stopping | real/beam_search
a parser that evaluates, with its own exceptions | real/shift_reduce
a recursive parser | recursion/expression_parser
a state machine | matches/state_machine
"""

CONSTRUCTS: tuple[Construct, ...] = (
    *_rows(CONDITIONALS, _CONDITIONALS),
    *_rows(LOOPS, _LOOPS),
    *_rows(FUNCTIONS, _FUNCTIONS),
    *_rows(STATEMENTS, _STATEMENTS),
    *_rows(BUILTINS, _BUILTINS),
    *_rows(WHOLE, _WHOLE),
)
