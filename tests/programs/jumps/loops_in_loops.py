"""`break`, `continue`, `return` and `else` of a loop in a loop."""

STAGES = ("cond", "while_loop")
ALWAYS = {"for j in range(n):": "the outer loop runs as often"}
CASES = [(0,), (3,), (6,), (1,)]


def loops_in_loops(n):
    total = 0
    for i in range(n):
        for j in range(n):
            if j > i:
                break
            if (i + j) % 2:
                continue
            total += i * j
            if total > 20:
                return total
        else:
            total += 1
    return -total
