"""`break` in the inner of two loops leaves only that one."""

STAGES = ("while_loop",)
ALWAYS = {"for j in range(n):": "the outer loop runs as often"}
CASES = [(4,), (1,), (0,)]


def break_inner_loop(n):
    pairs = 0
    for i in range(n):
        for j in range(n):
            if j > i:
                break
            pairs += 1
    return pairs
