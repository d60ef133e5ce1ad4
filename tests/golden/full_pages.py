"""The programs whose golden pages are full: converted and compiled code, graph, printed function.

Together they show every converter, kind of statement, operator and family of ops (a module of
`runtime/ops/`), but for those that have a reason below, and some programs of each theme.
The pages of all other programs have results alone, so that a change of many can be reviewed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

_FULL = """
asserts: assert_positive message_not_evaluated raise_in_branch
breaks: break_in_for static_loop_break while_true_break
builtins: greatest_by_key rounding spelled_numbers sums_and_extremes
    sums_and_products_of_the_math_module
calls: closure python_functions_by_decorators user_function
classes: attribute_created_in_loop method_changes_object replaced_and_unpacked
    metaclass_of_the_users
comprehensions: filtered_rows mapped_rows shared_by_functions
conditionals: if_else number_as_test one_element_test
continues: continue_in_else continue_in_for continue_in_while
corner_cases: lambdas_on_a_line tests_counted tests_with_state chained_kinds mangled_by_definition
datasets: shuffled_and_whole shuffled_by_a_seed running_sums
deques: emptied last_few text_of_a_grown_deque
documents: get_MSE my_function my_relu power python_side_effect simple_relu
errors: exception_class_chosen raise_from_another raise_with_values
exactness: comprehension_scopes match_subject_binds middle_once global_bound_in_dead_code
    annotated_assignment constants_decide finally_return
for_loops: over_elements pairs_of_rows range_sum
generators: coroutine_by_hand generator_expression return_before_yield asynchronous_loop
    guarded_yields
gradients: descent_until_flat gradients_of_a_persistent_tape second_derivative custom_gradient
    gradients_of_a_grown_list gradients_of_a_tensor_array variables_of_a_training_loop
    stopped_gradients
items: keys_in_different_orders spread_into_a_list swapped
joins: literals_of_two_kinds none_in_both_branches none_on_one_path
jumps: condition_becomes_tensor_after_iterations return_in_endless_loop structures_returned_early
lists: added_up_and_scaled deleted_at_tensors deleted_inserted_reversed dict_under_a_tensor
    extended_and_sliced mask_assigned repeated_by_a_tensor rows_assigned_as_a_slice
    texts_joined_in_tensors tower_of_discs first_row_that_fits_changes grown_in_an_object
matches: state_machine tensor_is_no_sequence value_cases
networks: metric_created_in_each_call one_dense_layer trained_until_good
numerics: mean_of_grown_numbers methods_of_numbers floats_passed_to_the_library
    powers_of_pythons_numbers shifted linspace_of_dynamic_length
numpy: array_carried_by_a_loop arrays_beside_tensors changed_by_functions dynamic_masks
    parts_and_edges standardized
real: beam_search shift_reduce
recursion: even_and_odd expression_parser factorial_by_recursion
refused: branch_structures text_as_test vector_as_test shape_of_array_assigned item_of_a_part
    item_of_an_outer_tensor
returns: return_by_python_test return_in_for return_in_while_true
state: attribute_of_one_path key_of_one_path set_grows_in_branch
statements: caught_at_run_time manager_swallows managers_in_loop import_in_branch
strings: begins_with_a_choice letters_by_their_places none_of_the_words dynamic_format_specs
tensor_arrays: fibonacci_array running_rows split_in_uneven_parts
walruses: branch_that_binds comprehension_that_binds operand_that_binds
while_loops: countdown else_of_while python_test_becomes_tensor loop_options
"""


def _ids() -> Iterator[str]:
    theme = ""
    for word in _FULL.split():
        if word.endswith(":"):
            theme = word[:-1]
        else:
            yield f"{theme}/{word}"


FULL = frozenset(_ids())

# The reasons of what no full page shows; each key is one or more names.

CONVERTERS_WITHOUT_PAGES = {
    "ElifChains": "it changes chains of more than 64 branches, too long for a page",
}
STATEMENTS_WITHOUT_PAGES = {
    "Exec Print": "they are statements of Python 2",
    "TryStar TypeAlias": "not every Python that pages are made by can read them",
}
PYTHON_OPERATORS_WITHOUT_PAGES = {
    "BitAnd BitOr Invert": "they are converted as `^` and unary `-` are",
}
OPERATORS_WITHOUT_PAGES = {
    "list_display list_extend tuple_display": "of backends with lists that cannot change",
    "marked": "it is written in `__str__` and the like, methods that pages leave out",
    "refusals": "it is written around `except*`, which not every Python can read",
}
_OF_ARRAYS = "no program of the corpus calls it, and control flow changes nothing of it"
OP_FAMILIES_WITHOUT_PAGES = {
    "arrays.partitions arrays.reverse_sequence arrays.scatter arrays.searching": _OF_ARRAYS,
    "arrays.segments linalg.diagonals linalg.factorizations linalg.matrix_functions": _OF_ARRAYS,
    "linalg.triangular_factors signal.fourier": _OF_ARRAYS,
    "elementwise.bessel elementwise.casts elementwise.complex_numbers": _OF_ARRAYS,
    "elementwise.error_functions elementwise.gamma elementwise.hyperbolic": _OF_ARRAYS,
    "elementwise.incomplete_gamma elementwise.zero_safe": _OF_ARRAYS,
    "neural.convolution neural.max_pool_positions neural.pooling neural.softmax": _OF_ARRAYS,
    "neural.recurrent_gates neural.sparse_cross_entropy neural.weighted_losses": _OF_ARRAYS,
    "text.hash_buckets text.regular_expressions text.segment_join text.string_format": _OF_ARRAYS,
    "text.unicode": _OF_ARRAYS,
    "grad.cumulative grad.einsum grad.manipulation grad.matrices grad.recurrent_gates": (
        "of gradients of ops that no program of the corpus has gradients of"
    ),
    "grad.reductions grad.sorting neural.optimizer_updates": (
        "of gradients and optimizers that no program of the corpus uses"
    ),
    "effects.assertions effects.spec_assertions": "the programs use `assert` and `rt.assert_`",
    "effects.variable_items": "the programs assign items of lists, and whole variables",
    "effects.clock": "its result is another one in each run",
    "effects.run_counters": "it numbers the containers that only a run creates, of no full page",
    "files.contents files.images files.wav": "a page depends on no file",
    "random.samplers random.stateless": "the programs draw through datasets alone",
    "arrays.sharding": "it needs several devices",
    "data.iterators": "the programs iterate over datasets by `for` alone",
}


def names_of(reasons: Iterable[str]) -> set[str]:
    """Return the names in the keys of a table of reasons."""
    return {name for key in reasons for name in key.split()}
