"""Text written to a file in memory on one path."""

import io

REFUSED = "ContainerMutationError"
NAMES = "'out'"
CASES = [(3,), (-3,)]


def text_written_in_branch(x):
    out = io.StringIO()
    if x > 0:
        out.write("positive")
    return x
