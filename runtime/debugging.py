"""Checks of values, shapes and dtypes: the namespace `rt.debugging`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.ops.effects.assertions import Assert as Assert
    from runtime.ops.effects.assertions import assert_all_finite as assert_all_finite
    from runtime.ops.effects.assertions import assert_equal as assert_equal
    from runtime.ops.effects.assertions import assert_greater as assert_greater
    from runtime.ops.effects.assertions import assert_greater_equal as assert_greater_equal
    from runtime.ops.effects.assertions import assert_less as assert_less
    from runtime.ops.effects.assertions import assert_less_equal as assert_less_equal
    from runtime.ops.effects.assertions import assert_near as assert_near
    from runtime.ops.effects.assertions import assert_negative as assert_negative
    from runtime.ops.effects.assertions import assert_non_negative as assert_non_negative
    from runtime.ops.effects.assertions import assert_non_positive as assert_non_positive
    from runtime.ops.effects.assertions import assert_none_equal as assert_none_equal
    from runtime.ops.effects.assertions import assert_positive as assert_positive
    from runtime.ops.effects.assertions import check_numerics as check_numerics
    from runtime.ops.effects.spec_assertions import assert_integer as assert_integer
    from runtime.ops.effects.spec_assertions import assert_proper_iterable as assert_proper_iterable
    from runtime.ops.effects.spec_assertions import assert_rank as assert_rank
    from runtime.ops.effects.spec_assertions import assert_rank_at_least as assert_rank_at_least
    from runtime.ops.effects.spec_assertions import assert_rank_in as assert_rank_in
    from runtime.ops.effects.spec_assertions import (
        assert_same_float_dtype as assert_same_float_dtype,
    )
    from runtime.ops.effects.spec_assertions import assert_scalar as assert_scalar
    from runtime.ops.effects.spec_assertions import assert_shapes as assert_shapes
    from runtime.ops.effects.spec_assertions import assert_type as assert_type
    from runtime.ops.effects.spec_assertions import is_numeric_tensor as is_numeric_tensor
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.ops.effects.assertions": (
                "Assert assert_all_finite assert_equal assert_greater assert_greater_equal "
                "assert_less assert_less_equal assert_near assert_negative assert_non_negative "
                "assert_non_positive assert_none_equal assert_positive check_numerics"
            ),
            "runtime.ops.effects.spec_assertions": (
                "assert_integer assert_proper_iterable assert_rank assert_rank_at_least "
                "assert_rank_in assert_same_float_dtype assert_scalar assert_shapes assert_type "
                "is_numeric_tensor"
            ),
        },
    )
