"""Functions collected by a loop, each with a value of its iteration as a default."""

REFUSED = "LoopMismatch"
CASES = [(3,), (0,)]
NAMES = "'adders'"


def functions_with_defaults_of_a_loop(n):
    adders = []
    for k in range(n):
        adders.append(lambda x, k=k: x + k)
    return [add(1) for add in adders]
