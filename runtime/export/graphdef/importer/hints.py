"""Attributes of nodes that do not change results, which an import ignores on purpose.

Any other attribute that no rule reads is refused: it may change the meaning of its node.
"""

from __future__ import annotations

IGNORED = frozenset(
    (
        # Places: devices, threads, memory.
        *("_class", "_device", "_parallel_iterations", "parallel_iterations", "swap_memory"),
        *("_stateful_parallelism", "allowed_devices", "use_cudnn_on_gpu", "executor_type"),
        *("_collective_manager_ids", "_read_only_resource_inputs", "_tpu_replicate"),
        *("_XlaMustCompile", "_xla_inferred_shapes", "_mlir_enable", "config", "config_proto"),
        *("_grappler_do_not_remove", "_grappler_relu_clamp_add", "use_inter_op_parallelism"),
        *("_lower_using_switch_merge", "_lower_as_multi_device_function", "_disable_copy_on_read"),
        *("_has_manual_control_dependencies", "_disable_call_shape_inference", "_implements"),
        *("_rendezvous", "_noinline", "_input_shapes", "_force_lowering", "debug_name"),
        # Names: of variables, of arguments, for gradients.
        *("container", "shared_name", "_user_specified_name", "_gradient_op_type"),
        *("_num_original_outputs", "_forward_func_name", "_backward_func_name", "cond_context"),
        # Facts that are inferred here: shapes of results, and the forms of sparse values.
        *("_output_shapes", "_handle_dtypes", "_handle_shapes", "_composite_tensor"),
        *("_original_op", "_cloned", "_original_func_name", "_debug_info", "_xla_compile_id"),
        # Locks and checks of writes: here a write holds a lock, and shapes are always checked.
        *("use_locking", "validate_shape", "validate_indices", "shape_invariant"),
        # Hints for gradients, and of numbers that are expected to be finite.
        *("grad_x", "grad_y", "grad_a", "grad_b", "is_stateless", "reduction_type"),
        # Bounds of lists and TensorArrays, which grow here as they do there.
        *("identical_element_shapes", "tensor_array_name", "clear_after_read"),
    )
)
