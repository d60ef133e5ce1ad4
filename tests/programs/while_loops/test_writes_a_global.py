"""The test of a loop counts in a global variable, by a function that it calls."""

STAGES = ("while_loop",)
CASES = [(2,), (3,), (5,), (10,), (1,)]
asked = 0


def times_asked(step):
    global asked
    asked = asked + step
    return asked


def test_writes_a_global(step):
    global asked
    asked = turns = 0
    while times_asked(step) < 10:
        turns += 1
    return turns, asked
