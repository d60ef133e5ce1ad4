"""How often a generator yields cannot depend on a tensor: its loop stays Python and says so."""

REFUSED = "StagedIterationError"
NAMES = 'range(0, Tensor("n:0"'
CASES = [(4,)]


def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        yield a
        a, b = b, a + b


def length_of_generator(n):
    total = 0
    for value in fibonacci(n):
        total = total + value
    return total
