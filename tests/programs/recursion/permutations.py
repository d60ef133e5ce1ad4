"""All orders of a list: every call is given, and gives back, lists of its own."""

STAGES = ("recursion", "while_loop")
CASES = [(3,), (1,), (0,), (2,)]
ALWAYS = {
    "for rest in": "a list has an order",
    "for i in range(len(items)):": "it has two items at least",
}


def orders(items):
    if len(items) <= 1:
        return [items]
    found = []
    for i in range(len(items)):
        for rest in orders(items[:i] + items[i + 1 :]):
            found.append([items[i]] + rest)
    return found


def permutations(n):
    return orders(list(range(n)))
