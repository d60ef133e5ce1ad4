"""A Python number that a loop carries, shifted and signed."""

STAGES = ("while_loop",)
CASES = [(3,), (0,), (1,)]


def shifted(n):
    value = 1
    for i in range(n):
        value += i
    return value << 2, value >> 1, +value, 1 << value
