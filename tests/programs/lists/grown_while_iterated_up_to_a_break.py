"""A list grows while Python iterates over it, in a loop that a run may leave."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]
NAMES = "'queue'"


def grown_while_iterated_up_to_a_break(n):
    queue, total = [n], 0
    for x in queue:
        total += x
        queue.append(x * 2)
        if total > 20:
            break
    return total
