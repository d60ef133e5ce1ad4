"""In each iteration of a loop another one of two lists grows."""

STAGES = ("while_loop", "cond")
CASES = [(2,), (0,), (1,)]


def one_of_two_lists_in_a_loop(n):
    even, odd = [], []
    for i in range(n):
        chosen = even if i % 2 == 0 else odd
        chosen.append(i)
    return even, odd
