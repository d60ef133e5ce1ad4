"""A `while` inside a `while`: the inner counter starts again each time."""

STAGES = ("while_loop",)
CASES = [(3, 4), (0, 4), (3, 0), (1, 1)]


def nested_while(rows, columns):
    total = 0
    i = 0
    while i < rows:
        j = 0
        while j < columns:
            total += i * j + 1
            j += 1
        i += 1
    return total
