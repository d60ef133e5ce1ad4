"""A graph is searched depth first; the nodes seen are marked in a list."""

STAGES = ("recursion",)
CASES = [(0,), (2,), (4,)]

edges = [[1, 2], [3], [3, 4], [], [0]]


def depth_first(start):
    seen, order = [0] * 5, []

    def visit(node):
        seen[node] = 1
        order.append(node)
        for following in edges[node]:
            if seen[following] == 0:
                visit(following)

    visit(start)
    return seen, order
