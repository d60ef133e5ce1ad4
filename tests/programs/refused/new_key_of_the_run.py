"""A key that only a run knows is new to a dict."""

REFUSED = "StagingError"
CASES = [(3,), (0,)]


def new_key_of_the_run(n):
    squares = {}
    for i in range(n):
        squares[i] = i * i
    return squares
