"""A class inside the function counts its objects, which a staged loop makes."""

STAGES = ("while_loop",)
CASES = [(3,), (0,), (1,)]


def local_class_that_counts(n):
    class Ticket:
        made = 0

        def __init__(self):
            Ticket.made += 1

    for _ in range(n):
        Ticket()
    return Ticket.made
