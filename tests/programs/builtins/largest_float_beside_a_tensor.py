"""`max` and `sorted` of floats that Python makes adapt to the tensor they meet, as floats do."""

STAGES = ("cond",)
CASES = [(3, 1.5), (0, 1.5), (0, -0.5)]


def largest_float_beside_a_tensor(n, x):
    count = float(n)
    limit = max(count, 0.25 if n == 3 else 0.5)
    first = sorted([count, 1.0])[0]
    shortest = min((count, 0.75), key=lambda value: value * value)
    return x > limit, x + first, x * shortest
