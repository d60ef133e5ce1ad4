"""`close`, `throw` and `finally` in a generator; the log is in Python's order."""

PYTHON_ONLY = "it keeps a log"
CASES = [(1,), (0,)]


def guarded(log, flag):
    try:
        while True:
            try:
                log.append((yield len(log)))
            except KeyError as error:
                if not flag:
                    raise
                log.append(error.args)
    finally:
        log.append("end")


def closed_and_thrown_into(flag):
    log = []
    generator = guarded(log, flag)
    log.append(next(generator))
    log.append(generator.send("sent"))
    try:
        generator.throw(KeyError("thrown"))
    except KeyError:
        log.append("out")
    generator.close()
    return log, list(generator)
