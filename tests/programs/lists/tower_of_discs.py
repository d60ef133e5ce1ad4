"""An item that is popped from one of several lists is appended to another."""

STAGES = ("while_loop", "cond")
CASES = [(0,), (3,), (1,)]


def tower_of_discs(moves):
    pegs = [[3, 2, 1], [], []]
    for move in range(moves):
        source, target = move % 2, 2 - move % 2
        if len(pegs[source]) > 0:
            pegs[target].append(pegs[source].pop())
    return pegs
