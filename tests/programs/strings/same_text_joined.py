"""`join` of a text that is the same for each item, as often as a tensor has rows."""

STAGES = ("while_loop",)
CASES = [(0,), (1,), (3,)]


def same_text_joined(n):
    marks = []
    for _ in range(n):
        marks.append("x")
    return "-".join(marks), " ".join("ab" for i in range(n)), ",".join(filter(None, ["a", "b"]))
