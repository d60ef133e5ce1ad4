"""`hasattr` asks for a property that may raise AttributeError when the graph runs."""

REFUSED = "StagingError"
NAMES = "hasattr"
CASES = [(-1,), (4,)]


class Area:
    def __init__(self, size):
        self.size = size

    @property
    def side(self):
        if self.size < 0:
            raise AttributeError("no side")
        return self.size // 2


def attribute_that_may_be_none_at_all(size):
    area = Area(size)
    return area.side if hasattr(area, "side") else -1
