"""A group is put into a list where another one begins, and filled after that."""

STAGES = ("while_loop", "cond")
CASES = [(0, 0), (1, 3), (7, 5)]


def chunks_begun_on_a_condition(n, k):
    chunks, chunk = [], []
    for i in range(n):
        if i % 3 == 0:
            if chunk:
                chunks.append(chunk)
            chunk = []
        chunk.append(i)
    parts, part = [], []
    for x in [3, 4, k, 1]:
        part.append(x)
        if x > 3:
            parts.append(part)
            part = []
    return chunks, chunk, parts, part
