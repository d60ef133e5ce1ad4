"""An inner `for` clause reads its own name: the value of the item before."""


def name_of_the_item_before(x, n):
    return [y for k in range(n) for y in ([x] if k == 0 else [y * 2, y + 1])]


STATIC = (1,)
CASES = [(3, 0), (3, 1), (-1, 3)]
STAGES = ()
ALWAYS = {"return [y": "a clause without items would leave no value for the next one"}
