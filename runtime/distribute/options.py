"""Options of distributed steps and datasets, as in `tf.distribute`."""

from __future__ import annotations

from typing import Any

from runtime.errors import ArgumentValueError


class RunOptions:
    """The options of a step on many devices; of which none has an effect.

    >>> RunOptions().experimental_enable_dynamic_batch_size
    True
    """

    def __init__(
        self,
        experimental_enable_dynamic_batch_size: bool = True,
        experimental_bucketizing_dynamic_shape: bool = False,
        experimental_xla_options: Any = None,
    ) -> None:
        self.experimental_enable_dynamic_batch_size = experimental_enable_dynamic_batch_size
        self.experimental_bucketizing_dynamic_shape = experimental_bucketizing_dynamic_shape
        self.experimental_xla_options = experimental_xla_options


class InputOptions:
    """The options of data for many devices; of which none has an effect.

    >>> InputOptions().experimental_per_replica_buffer_size
    1
    """

    def __init__(
        self,
        experimental_fetch_to_device: bool | None = None,
        experimental_replication_mode: Any = "PER_WORKER",
        experimental_place_dataset_on_device: bool = False,
        experimental_per_replica_buffer_size: int = 1,
    ) -> None:
        self.experimental_fetch_to_device = experimental_fetch_to_device
        self.experimental_replication_mode = experimental_replication_mode
        self.experimental_place_dataset_on_device = experimental_place_dataset_on_device
        self.experimental_per_replica_buffer_size = experimental_per_replica_buffer_size


class InputContext:
    """The argument of a function that makes a dataset: its pipeline, among those of all replicas.

    >>> InputContext().get_per_replica_batch_size(8)
    8
    """

    def __init__(
        self,
        num_input_pipelines: int = 1,
        input_pipeline_id: int = 0,
        num_replicas_in_sync: int = 1,
    ) -> None:
        self.num_input_pipelines = num_input_pipelines
        self.input_pipeline_id = input_pipeline_id
        self.num_replicas_in_sync = num_replicas_in_sync

    def get_per_replica_batch_size(self, global_batch_size: int) -> int:
        """Return the size of the part of a batch that one replica gets.

        Raises:
            ArgumentValueError: the batch cannot be divided evenly.
        """
        if global_batch_size % self.num_replicas_in_sync:
            raise ArgumentValueError(
                f"global_batch_size must be a multiple of {self.num_replicas_in_sync}, not "
                f"{global_batch_size}"
            )
        return global_batch_size // self.num_replicas_in_sync
