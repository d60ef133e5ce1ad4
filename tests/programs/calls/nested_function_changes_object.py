"""A nested function that changes an object and a dictionary of the function around it."""

STAGES = ("cond", "while_loop")
CASES = [(0,), (3,), (-2,), (1,)]


class Box:
    value = 1


def nested_function_changes_object(n):
    box, totals = Box(), {"turns": 0}
    box.value = 1

    def visit(k):
        totals["turns"] += k
        if n > 0:
            box.value = box.value + k

    for k in range(n):
        visit(k)
    visit(5)
    return box.value, totals["turns"]
