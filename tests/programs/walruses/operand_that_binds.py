"""A walrus in an operand binds where the operand is evaluated, and nowhere else."""

NO_GRAPH = "its error message is in the words of the running Python"
STAGES = ("cond",)
CASES = [(5, 1), (1, 1), (-5, 0), (-5, 1), (6, 1)]


def operand_that_binds(x, use):
    z = 7
    if x > 0 and (y := x * 2) > 4 and (z := y + 1) > 11:
        return y + z
    if use > 0:
        return y + z
    return z
