"""Every iteration of a loop defines the recursive function; those of two iterations are equal."""

STAGES = ("while_loop", "cond", "recursion")
CASES = [(3, 2), (0, 1), (2, 0), (1, 2)]


def defined_in_a_loop(n, start):
    total = 0
    while n > 0:

        def halved(k):
            if k <= 0:
                return n
            return halved(k // 2) + 1

        total += halved(start + n)
        n -= 1
    return total
