"""Of two lambdas on one line with the same parameter the right one is converted."""

STAGES = ("cond",)
ALWAYS = {"lambdas_on_a_line": "nobody calls the first lambda"}
CASES = [(3,), (-3,)]

# fmt: off
lambdas_on_a_line = [lambda x: x + 1 if x > 0 else x, lambda x: x + 2 if x > 0 else -x][1]
# fmt: on
