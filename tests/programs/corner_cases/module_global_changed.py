"""A global that nested blocks and nested functions change is one variable of the module."""

STAGES = ("cond",)
ALWAYS = {"if x > 0:": "it is called where x is positive"}
CASES = [(3,), (-3,)]
level = 0


def module_global_changed(x):
    global level
    level = x

    def change():
        global level
        if x > 0:
            level = level + 1
        level = level * 2

    if x > 0:
        change()
    result, level = level, 0
    return result
