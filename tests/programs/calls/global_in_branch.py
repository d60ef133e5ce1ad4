"""A global that a branch and a loop of the graph assign; it is as before after the call."""

STAGES = ("cond", "while_loop")
CASES = [(3,), (-3,), (1,)]

level = 0


def global_in_branch(x):
    global level
    level = 1
    if x > 0:
        level = x * 10
    for i in range(x):
        level += i
    result = read() + 1
    level = 0
    return result


def read():
    return level
