"""Functions of the standard library are called as they are, on Python values beside tensors."""

import copy
import json
import math
import operator
import statistics

STATIC = (1,)
STAGES = ("cond",)
CASES = [(3, 4), (-3, 4)]


def standard_library(x, n):
    scale = statistics.mean([n, n + 2]) + math.sqrt(n) + len(json.dumps({"n": n}))
    pair = copy.copy([x, x])
    pair[0] = operator.add(pair[0], int(scale))
    if x > 0:
        return pair[0] * n
    return pair[1]
