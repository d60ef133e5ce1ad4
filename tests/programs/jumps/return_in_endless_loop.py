"""`while True` is left by a `return` on a tensor, at once or after many iterations."""

STAGES = ("cond", "while_loop")
CASES = [(1, 10), (50, 10), (0, 1000)]


def return_in_endless_loop(x, limit):
    turns = 0
    while True:
        if x > limit:
            return x, turns
        x = x * 2 + 1
        turns += 1
