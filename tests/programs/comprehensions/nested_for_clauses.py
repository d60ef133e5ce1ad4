"""Two `for`s in one comprehension, with a condition after each."""

STAGES = ("while_loop",)
ALWAYS = {"products =": "i is odd where j begins"}
CASES = [(0,), (3,), (6,), (1,)]


def nested_for_clauses(n):
    products = [i * j for i in range(n) if i % 2 == 1 for j in range(i) if j > 0]
    return products, [[i + j for j in (1, 2)] for i in range(2)]
