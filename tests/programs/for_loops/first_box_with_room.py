"""Every item of a tensor goes into the first box that has room, which notes it."""

import runtime as rt

STAGES = ("while_loop", "cond")
CASES = [
    (rt.constant([4, 3, 3, 9, 2]),),
    (rt.constant([1, 1, 1, 1, 1]),),
    (rt.constant([8]),),
    (rt.zeros([0], rt.int32),),
]


class Bin:
    def __init__(self, room):
        self.room, self.items = room, []


def first_box_with_room(sizes):
    bins = [Bin(5), Bin(6), Bin(7)]
    for size in sizes:
        for each in bins:
            if each.room >= size:
                each.items.append(size)
                each.room -= size
                break
    return [each.room for each in bins], [len(each.items) for each in bins]
