"""Items are deleted at a place and in a slice that tensors say."""

STAGES = ()
CASES = [(2,), (0,), (-1,), (9,)]


def deleted_at_tensors(n):
    letters, others = [1, 2, 3, 4], [5, 6, 7]
    del others[:n]
    del letters[n]
    return letters, others
