"""A persistent tape computes gradients of several results, by sources in a dict; not all are
used."""

import runtime as rt

STAGES = ("cond",)
CASES = [(2.0, 3.0), (-2.0, 3.0), (0.0, 0.0)]


def gradients_of_a_persistent_tape(a, b):
    sources = {"a": rt.convert_to_tensor(a), "b": rt.convert_to_tensor(b)}
    with rt.GradientTape(persistent=True) as tape:
        tape.watch(sources)
        product = sources["a"] * sources["b"]
        if product > 0:
            root = rt.sqrt(product)
        else:
            root = sources["a"]
    of_root = tape.gradient(root, sources)
    of_b = tape.gradient(sources["a"] * 2.0, sources["b"], unconnected_gradients="zero")
    return tape.gradient(product, sources), of_root["a"], of_b
