"""A list as a stack: `append`, `pop`, and a loop until it is empty."""

STAGES = ("while_loop",)
ALWAYS = {"while s:": "one item is there at first"}
CASES = [(5,), (0,), (1,)]


def list_as_a_stack(n):
    s = [0]
    tot = 0
    for i in range(n):
        s.append(i * i)
    while s:
        tot += s.pop()
    return tot, s
