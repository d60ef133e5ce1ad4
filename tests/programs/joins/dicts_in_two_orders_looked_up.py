"""Two paths make the keys of a dict in different orders: looked up, each key has its own value."""

STAGES = ("cond", "while_loop")
CASES = [(1,), (-1,), (3,)]


def dicts_in_two_orders_looked_up(n):
    found = {"a": 1, "b": n} if n > 0 else {"b": n, "a": 4}
    while n > 0:
        found = {"b": found["a"], "a": found["b"] + 1}
        n -= 1
    return found["a"], found.get("b"), sorted(found), sum(found.values()), len(found), "c" in found
