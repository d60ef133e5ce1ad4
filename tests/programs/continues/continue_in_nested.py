"""`continue` of the inner and of the outer loop."""

STAGES = ("while_loop",)
ALWAYS = {"for j in range(n):": "the outer loop runs as often"}
CASES = [(5,), (2,), (0,), (1,)]


def continue_in_nested(n):
    total = 0
    for i in range(n):
        if i == 1:
            continue
        for j in range(n):
            if j == i:
                continue
            total += 10 * i + j
    return total
