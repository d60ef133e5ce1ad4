"""Constants among operands and tests are seen through as the compiler does."""

CASES = [(3,), (0,)]
PYTHON_ONLY = "what is tested are constants"


def constants_decide(x):
    seen = []
    1 or seen.append(x)
    0 or seen.append(x + 1)
    try:
        if 1 ^ []:
            seen.append("never")
    except TypeError as error:
        seen.append(str(error))
    return seen, (x if 1 else -x), (0 and x), (x and 1 and 2)
