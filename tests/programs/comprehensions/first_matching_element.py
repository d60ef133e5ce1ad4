"""`next` of a generator expression stops at the first element that matches."""

STAGES = ("cond", "while_loop")
CASES = [(3,), (1,), (-3,)]


class Person:
    def __init__(self, age):
        self.age = age


def first_matching_element(x):
    people = [Person(x), Person(4), Person(7)]
    old = next((p for p in people if p.age > 3), None)
    root = next((i for i in range(x) if i * i > 3), -7)
    doubled = next((v * 2 for v in [1, x] if v > 1), None)
    numbers = [i for i, _ in enumerate("ab", start=x)]
    return old.age, root, -1 if doubled is None else doubled, numbers
