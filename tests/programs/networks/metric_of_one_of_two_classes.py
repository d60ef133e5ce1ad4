"""A metric is made on each path of a conditional, of one class here and another there."""

import runtime as rt

CASES = [([1.0, 3.0],), ([10.0, 30.0],)]
STAGES = ("cond",)


def metric_of_one_of_two_classes(x):
    if rt.reduce_sum(x) > 10.0:
        metric = rt.nn.metrics.Mean()
    else:
        metric = rt.nn.metrics.Sum()
    metric.update_state(x)
    metric.update_state(x)
    return metric.result()
