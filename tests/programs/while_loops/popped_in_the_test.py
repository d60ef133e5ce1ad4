"""A test asks whether a list holds something, and takes it out: of `and` only the truth matters."""

STAGES = ("while_loop",)
CASES = [(0,), (2,), (3,), (7,)]


def popped_in_the_test(n):
    stack = [1, 2, 3]
    while stack and stack.pop() != n:
        n = n + 0
    taken = 0
    if stack and stack.pop() == 1:
        taken = 1
    return stack, taken
