"""Options of saving and loading, as `tf.saved_model` has them."""

from __future__ import annotations

from typing import Any

from runtime.core.argument_checks import flag, unavailable


class SaveOptions:
    """The options of saving; they only concern devices and TensorFlow's format.

    >>> SaveOptions(experimental_io_device="/job:localhost").experimental_io_device
    '/job:localhost'
    """

    def __init__(
        self,
        namespace_whitelist: Any = None,
        save_debug_info: bool = False,
        function_aliases: Any = None,
        experimental_debug_stripper: bool = False,
        experimental_io_device: str | None = None,
        experimental_variable_policy: Any = None,
        experimental_custom_gradients: bool = True,
        experimental_image_format: bool = False,
        experimental_skip_saver: bool = False,
        experimental_sharding_callback: Any = None,
        extra_tags: Any = None,
    ) -> None:
        self.namespace_whitelist = namespace_whitelist
        self.save_debug_info = save_debug_info
        self.function_aliases = function_aliases
        self.experimental_debug_stripper = experimental_debug_stripper
        self.experimental_io_device = experimental_io_device
        self.experimental_variable_policy = experimental_variable_policy
        self.experimental_custom_gradients = experimental_custom_gradients
        self.experimental_image_format = experimental_image_format
        self.experimental_skip_saver = experimental_skip_saver
        self.experimental_sharding_callback = experimental_sharding_callback
        self.extra_tags = extra_tags


class LoadOptions:
    """The options of loading an object; none has an effect here.

    Raises:
        ArgumentValueError: `experimental_skip_checkpoint` is set.

    >>> LoadOptions(experimental_io_device="/job:localhost").experimental_io_device
    '/job:localhost'
    """

    def __init__(
        self,
        allow_partial_checkpoint: bool = False,
        experimental_io_device: str | None = None,
        experimental_skip_checkpoint: bool = False,
        experimental_variable_policy: Any = None,
        experimental_load_function_aliases: bool = False,
    ) -> None:
        instead = "leave it out, and assign other values after loading"
        skipped = flag(experimental_skip_checkpoint, "experimental_skip_checkpoint")
        unavailable(skipped, "LoadOptions: experimental_skip_checkpoint", instead, False)
        self.allow_partial_checkpoint = allow_partial_checkpoint
        self.experimental_io_device = experimental_io_device
        self.experimental_skip_checkpoint = skipped
        self.experimental_variable_policy = experimental_variable_policy
        self.experimental_load_function_aliases = experimental_load_function_aliases
