"""Objects that a loop has made, in lists of them reversed, numbered and side by side."""

STAGES = ("while_loop",)
CASES = [(0,), (1,), (3,)]


class Task:
    def __init__(self, cost):
        self.cost = cost


def objects_reversed_and_numbered(n):
    tasks = []
    for i in range(n):
        tasks.append(Task(i + 1))
    backwards = list(reversed(tasks))
    numbered, pairs = list(enumerate(tasks)), list(zip(tasks, reversed(tasks)))
    total = sum([place * task.cost for place, task in numbered])
    if pairs:
        total += pairs[0][0].cost - 2 * pairs[0][1].cost
        backwards[0].cost += total
    return [task.cost for task in backwards], total
