"""The programs whose golden pages are full: converted and compiled code, graph, printed function.

Together they show every operator and every op that pages show, and some programs of each theme.
The pages of all other programs have results alone, so that a change of many can be reviewed.
"""

from __future__ import annotations

from collections.abc import Iterator

_FULL = """
asserts: assert_positive message_not_evaluated raise_in_branch
breaks: break_in_for static_loop_break while_true_break
builtins: greatest_by_key rounding spelled_numbers sums_and_extremes
    sums_and_products_of_the_math_module
calls: closure python_functions_by_decorators user_function
classes: attribute_created_in_loop method_changes_object replaced_and_unpacked
comprehensions: filtered_rows mapped_rows shared_by_functions
conditionals: if_else number_as_test one_element_test
continues: continue_in_else continue_in_for continue_in_while
corner_cases: lambdas_on_a_line tests_counted tests_with_state
datasets: shuffled_and_whole shuffled_by_a_seed running_sums
deques: emptied last_few text_of_a_grown_deque
documents: get_MSE my_function my_relu power python_side_effect simple_relu
errors: exception_class_chosen raise_from_another raise_with_values
exactness: comprehension_scopes match_subject_binds middle_once
for_loops: over_elements pairs_of_rows range_sum
generators: coroutine_by_hand generator_expression return_before_yield
gradients: descent_until_flat gradients_of_a_persistent_tape second_derivative custom_gradient
    gradients_of_a_grown_list gradients_of_a_tensor_array variables_of_a_training_loop
    stopped_gradients
items: keys_in_different_orders spread_into_a_list swapped
joins: literals_of_two_kinds none_in_both_branches none_on_one_path
jumps: condition_becomes_tensor_after_iterations return_in_endless_loop structures_returned_early
lists: added_up_and_scaled deleted_at_tensors deleted_inserted_reversed dict_under_a_tensor
    extended_and_sliced mask_assigned repeated_by_a_tensor rows_assigned_as_a_slice
    texts_joined_in_tensors tower_of_discs
matches: state_machine tensor_is_no_sequence value_cases
networks: metric_created_in_each_call one_dense_layer trained_until_good
numerics: mean_of_grown_numbers methods_of_numbers floats_passed_to_the_library
    powers_of_pythons_numbers shifted linspace_of_dynamic_length
numpy: array_carried_by_a_loop arrays_beside_tensors changed_by_functions dynamic_masks
    parts_and_edges standardized
real: beam_search shift_reduce
recursion: even_and_odd expression_parser factorial_by_recursion
refused: branch_structures text_as_test vector_as_test
returns: return_by_python_test return_in_for return_in_while_true
state: attribute_of_one_path key_of_one_path set_grows_in_branch
statements: caught_at_run_time manager_swallows managers_in_loop
strings: begins_with_a_choice letters_by_their_places none_of_the_words
tensor_arrays: fibonacci_array running_rows split_in_uneven_parts
walruses: branch_that_binds comprehension_that_binds operand_that_binds
while_loops: countdown else_of_while python_test_becomes_tensor
"""


def _ids() -> Iterator[str]:
    theme = ""
    for word in _FULL.split():
        if word.endswith(":"):
            theme = word[:-1]
        else:
            yield f"{theme}/{word}"


FULL = frozenset(_ids())
