"""Functions called by the test, the body and the iterable of loops see the loop's variables."""

STAGES = ("while_loop",)
ALWAYS = {"for j in range((lambda: n + i)()):": "i is n by then"}
CASES = [(3,), (0,), (1,)]


def closures_in_loop(n):
    total = 0
    i = 0
    below = lambda: i < n

    def step():
        return total + i

    while below():
        i = i + 1
        total = step()
    for j in range((lambda: n + i)()):
        scaled = lambda: j * 10
        total = total + scaled()
    return total, i
