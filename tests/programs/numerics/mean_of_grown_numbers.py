"""`sum(l) / len(l)` of Python's own numbers that a loop has collected; of none it raises."""

STAGES = ("while_loop",)
CASES = [(3,), (0,), (1,)]


def mean_of_grown_numbers(n):
    numbers = []
    while n > 0:
        numbers.append(float(n) / 8)
        n = n - 1
    return sum(numbers) / len(numbers), sum(numbers, 0.25)
