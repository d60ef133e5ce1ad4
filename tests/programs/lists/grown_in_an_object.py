"""A list in an attribute grows in a loop."""

STAGES = ("while_loop",)
CASES = [(3,), (0,), (1,)]


def grown_in_an_object(n):
    class C:
        pass

    o = C()
    o.items = []
    o.n = 0
    for i in range(n):
        o.items.append(i)
        o.n += 1
    return o.items, o.n
