"""One TensorArray under three names: a variable, an attribute, and a parameter of a helper."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [(0,), (3,), (1,)]


class Log:
    def __init__(self, lines):
        self.lines = lines

    def note(self, value):
        self.lines.write(self.lines.size(), value)


def alias_of_array(n):
    lines = rt.TensorArray(rt.int32, size=0, dynamic_size=True, element_shape=())
    log = Log(lines)
    for i in range(n):
        log.note(10 * i)
        lines.write(lines.size(), i)
    return log.lines.stack()
