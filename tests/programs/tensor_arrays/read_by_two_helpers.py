"""Two functions that are called with a TensorArray read the same element."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [(3,), (0,), (1,)]


def last_of(values):
    return values.read(values.size() - 1)


def twice_last_of(values):
    return 2 * last_of(values)


def read_by_two_helpers(n):
    values = rt.TensorArray(rt.int32, 1, dynamic_size=True, clear_after_read=True).write(0, 7)
    for i in range(n):
        values = values.write(i + 1, last_of(values) + twice_last_of(values))
    return values.stack()
