"""The `else` of a `try` is skipped where a tensor decided to jump or to raise in its body."""

STAGES = ("cond",)
CASES = [(1,), (3,), (9,)]


def try_else_after_tensor_jump(x):
    out = 0
    for i in range(5):
        try:
            if i == x:
                continue
            if i == x + 1:
                raise ValueError
            if i == x + 2:
                break
        except ValueError:
            out += 1000
        else:
            out += 10
        finally:
            out += 1
    return out
