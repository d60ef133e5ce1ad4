"""A method that goes down a tree, kept in tensors, and counts on the object the nodes it visits."""

STAGES = ("cond", "recursion")
CASES = [([1, 3, -1, -1, -1], [2, 4, -1, -1, -1], 0), ([1, -1], [-1, -1], 1), ([-1], [-1], -1)]


class Tree:
    def __init__(self, left, right):
        self.left, self.right, self.visited = left, right, 0

    def depth(self, node):
        self.visited = self.visited + 1
        if node < 0:
            return 0
        left, right = self.depth(self.left[node]), self.depth(self.right[node])
        return 1 + (left if left > right else right)


def tree_walk(left, right, root):
    tree = Tree(left, right)
    return {"depth": tree.depth(root), "visited": tree.visited}
