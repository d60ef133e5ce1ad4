"""An object is put into a list on a condition, and changed afterwards on any path."""

REFUSED = "ContainerMutationError"
CASES = [(4,), (0,)]
NAMES = "'late'"


class Order:
    def __init__(self, day):
        self.day = day


def object_changed_after_it_was_put_on_a_path(n):
    late = []
    for i in range(n):
        order = Order(i)
        if i > 1:
            late.append(order)
        order.day += 10
    return [each.day for each in late]
