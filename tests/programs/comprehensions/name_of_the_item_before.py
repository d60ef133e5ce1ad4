"""An inner `for` clause reads its own name: the value of the item before."""


def name_of_the_item_before(x):
    return [y for first in (True, False, False) for y in ([x] if first else [y * 2, y + 1])]


CASES = [(3,), (-1,)]
STAGES = ()
