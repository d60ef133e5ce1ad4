"""A function of a library makes a text of a number that only the graph knows."""

import string

REFUSED = "StagingError"
NAMES = "string.Template.substitute()"
CASES = [(2,), (3,)]


def text_made_by_a_library(n):
    count = 0
    while n > 0:
        n -= 1
        count += 1
    return string.Template("count: $count").substitute(count=count)
