"""Functions without readable source run as they are: straight code is fine on tensors."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]

made = {}
exec("def doubled(v):\n    return v * 2 + 1", made)


def function_of_exec(x):
    y = made["doubled"](x)
    return y if y > 0 else eval("x * 100")
