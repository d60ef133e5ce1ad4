"""An inner call finds the changes that its function makes before it and puts back later."""

STAGES = ("recursion",)
CASES = [(3,), (0,), (2,)]


def restored_after_the_call(n):
    depth, deepest = 0, 0
    path, paths = [], []

    def walk(left):
        nonlocal depth, deepest
        deepest = max(deepest, depth)
        if left == 0:
            paths.append(list(path))
            return depth
        depth += 1
        path.append(left)
        found = walk(left - 1)
        path.pop()
        depth -= 1
        return found

    return walk(n), depth, deepest, path, paths
