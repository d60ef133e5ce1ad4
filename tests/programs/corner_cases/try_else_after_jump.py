"""The `else` of a `try` is skipped by a jump out of its body; the `finally` never is."""

STAGES = ("while_loop", "cond")
CASES = [(6,), (2,), (0,), (1,)]


def try_else_after_jump(n):
    total = 0
    for i in range(n):
        try:
            if i == 1:
                continue
            if i == 4:
                break
        except ValueError:
            total = total - 1000
        else:
            total = total + 10
        finally:
            total = total + 1
    return total
