"""Named tuples as elements: each is one argument of the functions, and one item of the loop."""

from collections import namedtuple

import runtime as rt

STAGES = ("while_loop",)
CASES = [(5, 1), (2, 7), (0, 1)]
ALWAYS = {"for point in far": "the way through it cannot be counted, by functions of elements"}

Point = namedtuple("Point", "x y")


def named_tuples_as_elements(count, limit):
    limit = rt.cast(limit, rt.int64)
    points = rt.data.Dataset.range(count).map(lambda n: Point(n, {"twice": 2 * n}))
    far = points.filter(lambda point: point.x + point.y["twice"] > limit)
    best, total = Point(rt.constant(0, rt.int64), limit), rt.constant(0, rt.int64)
    for point in far.map(lambda point: Point(point.x * 2, point.y["twice"])):
        if point.x > 2:
            best = point
        total += point.y
    return best.x, best.y, far.reduce(total, lambda kept, point: kept + point.x)
