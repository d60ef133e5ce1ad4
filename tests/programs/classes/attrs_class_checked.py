"""Validators, converters and `__attrs_post_init__` of an attrs class run on tensors, too."""

import attrs

STAGES = ("cond",)
CASES = [(3,), (-3,), (0,), (20,)]


def positive(instance, attribute, value):
    if value < 0:
        raise ValueError("negative", attribute.name)


@attrs.define
class Area:
    width: int = attrs.field(converter=lambda v: v if v < 9 else 9, validator=positive)
    size: int = attrs.field(init=False)

    def __attrs_post_init__(self):
        self.size = self.width * 2 if self.width > 1 else 1


def attrs_class_checked(n):
    area = Area(n)
    return area.width, area.size
