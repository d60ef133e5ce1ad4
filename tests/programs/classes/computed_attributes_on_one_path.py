"""One path assigns an attribute; on the other, `__getattr__` or a cached property computes it."""

from functools import cached_property

STAGES = ("cond",)
CASES = [(3,), (1,), (-3,)]


class Settings:
    counted = 0

    def __getattr__(self, name):
        if name.startswith("size"):
            return -5
        raise AttributeError(name)

    @cached_property
    def total(self):
        self.counted += 1
        return self.counted * 10


def computed_attributes_on_one_path(x):
    settings = Settings()
    if x > 0:
        settings.size = x + settings.total
        settings.other = 1
    settings.counted += 5
    known = hasattr(settings, "size"), hasattr(settings, "other"), getattr(settings, "other", 7)
    return settings.size, known, settings.total, settings.counted
