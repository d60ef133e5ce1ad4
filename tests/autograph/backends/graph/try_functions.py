"""Functions with `try`, each with its arguments; pytest does not rewrite their assertions."""

from __future__ import annotations

import runtime as rt

ALL = (-3, -1, 0, 1, 2, 3, 5)


class Coded(ValueError):
    def __init__(self, text, code):
        super().__init__(text, code)
        self.code = code


class Other(Coded):
    pass


def state_of_the_moment(x):
    y = z = 0
    try:
        y = x + 1
        if x > 0:
            raise ValueError("positive")
        z = 5
        if x < 0:
            raise ValueError("negative")
        y = 7
    except ValueError:
        return y * 100 + z
    return y


def first_matching_clause(x):
    try:
        if x > 3:
            raise KeyError(x)
        if x > 1:
            raise IndexError(x)
        if x > 0:
            raise ValueError(x)
    except KeyError:
        return 1
    except LookupError:
        return 2
    except (TypeError, ValueError):
        return 3
    return 4


def not_caught(x):
    try:
        if x > 0:
            raise ValueError("positive", x)
    except KeyError:
        return 1
    return 2


def every_part(x):
    n = 0
    try:
        n += 1
        if x > 0:
            raise ValueError(x)
        n += 2
    except ValueError:
        n += 10
        if x > 2:
            raise KeyError(n)  # noqa: B904
    else:
        n += 100
    finally:
        n += 1000
    return n


def else_is_not_guarded(x):
    try:
        y = x + 1
        if x < 0:
            raise KeyError(x)
    except KeyError:
        y = 0
    else:
        if y > 2:
            raise KeyError("else", y)
    return y


def arguments_and_attributes(x):
    try:
        if x > 2:
            raise Coded("large", x * 2)
        if x > 0:
            raise Other("small", x)
    except Coded as error:
        return error.code * 10 + error.args[1]
    return 0


def the_same_in_all(x):
    try:
        if x > 0:
            raise ValueError("positive")
    except ValueError as error:
        return len(error.args[0]) + len(str(error))
    return 0


def raised_again(x):
    try:
        try:
            if x > 0:
                raise Coded("c", x)
        except ValueError:
            if x > 2:
                raise
            return 5
    except Coded as error:
        return error.code
    return 0


def raised_from(x):
    try:
        if x > 0:
            raise Coded("c", x)
    except ValueError as error:
        raise KeyError("k", x) from error
    return 0


def raised_while_handling(x):
    try:
        if x > 0:
            raise Coded("c", x)
    except ValueError:
        raise KeyError("k", x)  # noqa: B904
    return 0


def in_a_loop(x):
    total = i = 0
    while i < x:
        try:
            if i == 1:
                raise KeyError(i)
            total += i
        except KeyError as error:
            total += 100 + error.args[0]
        i += 1
    return total


def around_a_loop(x):
    total = i = 0
    try:
        while i < x:
            total += i
            if total > 4:
                raise ValueError(i)
            i += 1
    except ValueError as error:
        return total * 100 + i * 10 + error.args[0]
    return total


def jumps_out_of_each_part(x):
    total = i = 0
    while i < 5:
        i += 1
        try:
            if i == x:
                continue
            if i > x + 2:
                break
            if i == 2:
                raise KeyError(i)
            total += 1
        except KeyError:
            total += 10
            if x > 2:
                break
        finally:
            total += 100
    return total


def returns_from_a_handler(x):
    for i in rt.range(4):
        try:
            if i == x:
                raise ValueError(i)
        except ValueError as error:
            return error.args[0] + 100
    return -1


def failing_return(x):
    try:
        return checked(x)
    except ValueError:
        return -100


def checked(x):
    if x > 1:
        raise ValueError("checked", x)
    return x * 2


def an_op_that_fails(x):
    try:
        y = rt.gather(rt.constant([10, 20, 30]), x)
    except rt.errors.InvalidArgumentError:
        y = -1
    return y


def an_op_whose_result_nobody_wants(x):
    try:
        rt.gather(rt.constant([10, 20, 30]), x)
    except ValueError:
        return -1
    return 1


def an_assertion(x):
    try:
        assert x < 2, "large"
    except AssertionError as error:
        return len(str(error))
    return 0


def an_unbound_variable(x):
    if x > 0:
        y = x
    try:
        return y + 1
    except UnboundLocalError:
        return 0


def three_deep(x):
    log = 0
    try:
        log += 1
        try:
            log += 10
            try:
                if x > 2:
                    raise KeyError(x)
                if x > 1:
                    raise IndexError(x)
                if x > 0:
                    raise ValueError(x)
            except KeyError:
                log += 100
                raise
            finally:
                log += 1000
        except IndexError:
            log += 10_000
    except (KeyError, ValueError):
        log += 100_000
    return log


def dtypes_join(x):
    y = 1
    try:
        if x > 0:
            raise ValueError("early")
        y = 1.5
        if x < 0:
            raise ValueError("late")
    except ValueError:
        return y * 2.0
    return y * 1.0


def bound_before_it_failed(x):
    try:
        if x > 0:
            raise ValueError("early")
        y = x * 2
        if x < 0:
            raise ValueError("late")
    except ValueError:
        return y
    return 0


def the_exception_name_is_deleted(x):
    error = 1
    try:
        if x > 0:
            raise ValueError("v")
    except ValueError as error:  # noqa: F841
        pass
    return error


def stored_in_a_list(x):
    log = [0]
    try:
        log[0] = x + 1
        if x > 0:
            raise ValueError("v")
        log[0] = 50
    except ValueError:
        return log[0] * 100
    return log[0]


class Box:
    def __init__(self, value):
        self.value = value


def stored_in_an_attribute(x):
    box = Box(0)
    try:
        box.value = x + 1
        if x > 0:
            raise ValueError("v")
        box.value = 50
    except ValueError:
        box.value += 1000
    return box.value


FUNCTIONS = [value for value in list(vars().values()) if getattr(value, "__code__", None)]
FUNCTIONS = [each for each in FUNCTIONS if each not in (checked,)]
