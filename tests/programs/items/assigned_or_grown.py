"""A list under a key is replaced on one path and grows on the other."""

STAGES = ("cond",)
CASES = [(-1,), (1,)]


def assigned_or_grown(n):
    queues = {"q": [], "rest": {"z": 1}}
    if n < 0:
        queues["q"] = [5]
        queues["rest"]["z"] = n
    else:
        queues["q"].append(n)
        queues["rest"] = {"z": 7}
    return queues
