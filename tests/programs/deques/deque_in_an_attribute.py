"""A deque in an attribute is used by the methods of its object."""

from collections import deque

STAGES = ("while_loop", "cond")
ALWAYS = {"if self.waiting:": "a job was put in before"}
CASES = [([3, 0, 4],), ([0],), ([],)]


class Jobs:
    def __init__(self):
        self.waiting = deque()
        self.done = 0

    def put(self, job):
        self.waiting.append(job)

    def run(self):
        if self.waiting:
            self.done += self.waiting.popleft()


def deque_in_an_attribute(xs):
    jobs = Jobs()
    for x in xs:
        jobs.put(x)
        if x == 0:
            jobs.run()
    return jobs.done, list(jobs.waiting)
