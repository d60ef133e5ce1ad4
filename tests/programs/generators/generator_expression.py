"""A generator expression with a branch on a tensor in it, and a generator inside a generator."""

STAGES = ("cond", "cond", "cond")
ALWAYS = {
    "for exponent in range(count):": "there are three",
    "return sum(p if p > 2 else -p for p in powers(3))": "there are three",
}
CASES = [(2,), (0,), (5,)]


def generator_expression(x):
    def powers(count):
        for exponent in range(count):
            yield x**exponent

    return sum(p if p > 2 else -p for p in powers(3))
