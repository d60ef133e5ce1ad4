"""Text is repeated as often as a tensor says."""

STAGES = ()
CASES = [(3,), (1,), (0,), (-2,)]


def text_repeated_by_a_tensor(n):
    bar = "=" * n
    return bar + ">" + f"{bar!s:.2}" * 2
