"""Functions that return the function to go on with."""

STAGES = ("while_loop", "cond")
CASES = [(4,), (7,), (1,), (0,)]


def functions_as_states(n):
    def a(k):
        return b, k + 1

    def b(k):
        return a, k * 2

    st = a
    k = 1
    for i in range(n):
        st, k = st(k)
    return k, st is a
