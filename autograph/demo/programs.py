"""The five programs of the tour, which are plain Python."""
# mypy: disable-error-code="no-untyped-def"


def leaky_relu(x):
    if x > 0:
        return x
    else:
        return x / 4


def square_root(a):
    guess = a
    while abs(guess * guess - a) > a * 1e-5:
        guess = (guess + a / guess) / 2
    return guess


def longest_collatz(limit):
    best, most = 1, 0
    for start in range(1, limit + 1):
        n, steps = start, 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        if steps > most:
            best, most = start, steps
    return best, most


def first_above(values, threshold):
    for value in values:
        if value > threshold:
            return value
    return -1.0


def matrix_power(base, n):
    result = base
    n = n - 1
    while n > 0:
        if n % 2 == 1:
            result = result @ base
        base = base @ base
        n = n // 2
    return result
