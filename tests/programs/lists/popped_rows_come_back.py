"""Rows are taken out of a list whose length the run knows, changed, and put into lists again."""

STAGES = ("while_loop",)
CASES = [(0, 2), (1, 1), (1, 3), (3, 1), (2, 0)]


def popped_rows_come_back(n, rounds):
    waiting, done = [], []
    for i in range(n):
        waiting.append([i, rounds + i])
    turns = 0
    while waiting:
        job = waiting.pop(0)
        turns += 1
        job[1] -= 1
        if job[1] > 0:
            waiting.append(job)
        else:
            job.append(turns)
            done.append(job)
    return done, turns
