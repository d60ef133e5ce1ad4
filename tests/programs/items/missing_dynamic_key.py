"""The values that dicts, also a defaultdict and a Counter, give for a missing key that only the run
knows."""

from collections import Counter, defaultdict

STAGES = ("cond",)
CASES = [(3,), (0,)]


def missing_dynamic_key(n):
    letters, sizes, nothing = Counter("aab"), defaultdict(int, a=2, b=5), {}
    key = "a" if n > 0 else "z"
    try:
        found = nothing[key]
    except KeyError as error:
        found = error.args[0]
    return letters[key], sizes["a" if n > 0 else "b"], found
