"""A UserList that grows on one path: its methods are a library's, and would count a run as one."""

from collections import UserList

REFUSED = "ContainerMutationError"
NAMES = "seen.data"
CASES = [(3,), (1,)]


def grown_in_a_user_list(x):
    seen = UserList()
    if x > 2:
        seen.append(x)
    return len(seen)
