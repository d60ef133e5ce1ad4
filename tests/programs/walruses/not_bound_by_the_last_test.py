"""The last test of a loop does not come to its walrus: the value of the body stays."""

STAGES = ("while_loop", "cond")
CASES = [(1, 9), (2, 9), (0, 9), (12, 9)]


def not_bound_by_the_last_test(fuel, last):
    while fuel > 0 and (last := fuel) != 3:
        fuel -= 1
        if fuel < 9:
            last = 3
    return last
