"""A function gives one of two lists, and a change of the result is a change of that one."""

STAGES = ("cond",)
ALWAYS = {"if len(pick()) > 1:": "one was put in before"}
CASES = [(1,), (5,)]


def chosen_by_a_call(x):
    low, high = [1], [2]

    def pick():
        return high if x > 3 else low

    pick().append(x)
    pick()[0] = 7
    if len(pick()) > 1:
        pick().append(9)
    return low, high
