"""Every item of a dictionary is added to, in a loop of the graph around one of Python."""

STAGES = ("while_loop",)
ALWAYS = {"for key in totals:": "there are three"}
CASES = [(3,), (1,), (0,)]


def every_key_in_loop(n):
    totals = {"a": 0, "b": 10, "c": -5}
    for i in range(n):
        for key in totals:
            totals[key] += i + len(key)
    return totals
