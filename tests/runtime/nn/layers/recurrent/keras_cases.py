"""Recurrent layers, and Keras's results of the same weights and sequences.

The numbers are those of Keras 3 with TensorFlow 2.21. The weights of a layer are
`wave(*shape, start=k)` for the k-th of them. `outputs` are all outputs one after the other;
`gradients` is, for the gradient of the inputs and each weight, the sum of it times cos(0), cos(1),
... where what is differentiated is the sum over outputs of their squares times 0, 1, ...
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.nn import layers as L


def wave(*shape: int, start: float = 0.0) -> np.ndarray:
    return (0.8 * np.sin(start + 1.7 * np.arange(np.prod(shape)))).reshape(shape).astype("f")


def path_of(weight: Any) -> str:
    """The name of a weight with those of the layers around it."""
    return str(getattr(weight, "path", weight.name)).removesuffix(":0")


X = wave(2, 4, 3)
MASK = np.array([[True, False, True, True], [False, True, True, False]])
STATE = [wave(2, 2, start=0.5), wave(2, 2, start=2.0)]


@dataclass(frozen=True)
class Case:
    """A layer, the options of its call beside `X`, and Keras's numbers."""

    name: str
    make: Callable[[], Any]
    options: dict[str, Any]
    outputs: str
    gradients: str


CASES = [
    Case(
        "simple",
        lambda: L.SimpleRNN(2),
        {},
        "0.846059 0.541541 0.975734 0.090434",
        "-0.117 0.5209 0.7844 0.7964",
    ),
    Case(
        "simple sequences relu",
        lambda: L.SimpleRNN(2, activation="relu", return_sequences=True),
        {},
        "0.484444 0 1.22525 0 1.92504 0.356182 1.86229 0.927706 0.437891 0 0.693216 0 1.23493 "
        "0 1.91864 0.099298",
        "-9.2517 -95.4732 232.851 322.294",
    ),
    Case(
        "lstm",
        lambda: L.LSTM(2),
        {},
        "0.077398 -0.163158 0.240214 -0.351769",
        "-0.139 -0.6582 0.0709 0.0529",
    ),
    Case(
        "lstm everything",
        lambda: L.LSTM(2, return_sequences=True, return_state=True),
        {},
        "0.156044 -0.182007 0.235912 -0.35336 0.192825 -0.393851 0.077398 -0.163158 0.073386 "
        "0.098654 0.152088 -0.033384 0.22035 -0.251008 0.240214 -0.351769 0.077398 -0.163158 "
        "0.240214 -0.351769 0.147544 -0.33022 0.520052 -0.455296",
        "-2.1349 -8.2392 0.2629 0.2013",
    ),
    Case(
        "lstm backwards",
        lambda: L.LSTM(2, return_sequences=True, go_backwards=True),
        {},
        "-0.020588 -0.078553 0.027146 -0.233372 0.189972 -0.363131 0.170444 -0.268506 "
        "0.123241 -0.149475 0.202251 -0.315806 0.167407 -0.110798 0.173575 0.086549",
        "-1.3682 -1.4795 1.0627 1.4479",
    ),
    Case(
        "lstm unrolled",
        lambda: L.LSTM(2, unroll=True),
        {},
        "0.077398 -0.163158 0.240214 -0.351769",
        "-0.139 -0.6582 0.0709 0.0529",
    ),
    Case(
        "lstm other activations",
        lambda: L.LSTM(2, activation="softsign", recurrent_activation="hard_sigmoid"),
        {},
        "0.046935 -0.121874 0.135177 -0.199862",
        "-0.0429 -0.1171 0.0166 0.009",
    ),
    Case(
        "lstm without bias",
        lambda: L.LSTM(2, use_bias=False),
        {},
        "-0.088425 0.039107 0.114846 -0.134751",
        "-0.0892 -0.0863 -0.0285",
    ),
    Case(
        "lstm from a state",
        lambda: L.LSTM(2, return_state=True),
        {"initial_state": STATE},
        "0.066208 -0.186934 0.241556 -0.257012 0.066208 -0.186934 0.241556 -0.257012 0.124225 "
        "-0.399347 0.531724 -0.316504",
        "-1.2893 -0.4191 -0.0513 -0.5868",
    ),
    Case(
        "lstm masked",
        lambda: L.LSTM(2, return_sequences=True, return_state=True),
        {"mask": MASK},
        "0.156044 -0.182007 0.156044 -0.182007 0.179435 -0.311629 0.073034 -0.146157 0 0 "
        "0.140067 -0.080973 0.216641 -0.294282 0.216641 -0.294282 0.073034 -0.146157 0.216641 "
        "-0.294282 0.139849 -0.284727 0.730328 -0.373116",
        "2.9634 -9.9486 0.7217 0.8097",
    ),
    Case(
        "lstm masked with zeros",
        lambda: L.LSTM(2, return_sequences=True, zero_output_for_mask=True),
        {"mask": MASK},
        "0.156044 -0.182007 0 0 0.179435 -0.311629 0.073034 -0.146157 0 0 0.140067 -0.080973 "
        "0.216641 -0.294282 0 0",
        "1.0147 -4.2938 0.3285 0.4087",
    ),
    Case(
        "lstm masked from a state",
        lambda: L.LSTM(2, return_sequences=True),
        {"mask": MASK, "initial_state": STATE},
        "0.150656 -0.456608 0.150656 -0.456608 0.217606 -0.456638 0.085657 -0.179886 0 0 "
        "-0.053384 0.160462 0.191392 0.019085 0.191392 0.019085",
        "-0.0872 0.6682 -1.002 0.6774",
    ),
    Case(
        "lstm masked backwards",
        lambda: L.LSTM(2, go_backwards=True),
        {"mask": MASK},
        "0.152452 -0.242605 0.164605 -0.104791",
        "0.0222 -0.2666 0.0808 -0.0208",
    ),
    Case(
        "lstm masked last zeros",
        lambda: L.LSTM(2, zero_output_for_mask=True),
        {"mask": MASK},
        "0.073034 -0.146157 0 0",
        "0.0465 0.0464 0.0211 -0.019",
    ),
    Case(
        "gru",
        lambda: L.GRU(2, return_sequences=True, return_state=True),
        {},
        "-0.117751 -0.157555 0.028968 -0.559166 0.149889 -0.674386 0.284976 -0.538023 "
        "0.183782 0.090582 -0.018185 0.028702 0.028124 -0.412015 0.156224 -0.64586 0.284976 "
        "-0.538023 0.156224 -0.64586",
        "-1.3349 -0.2454 1.2034 -20.9881",
    ),
    Case(
        "gru reset before",
        lambda: L.GRU(2, reset_after=False, return_sequences=True),
        {},
        "-0.130914 -0.417904 0.000608 -0.837493 0.090251 -0.9097 0.200912 -0.754672 0.136164 "
        "0.075581 -0.059282 -0.180948 -0.001964 -0.739732 0.094554 -0.902768",
        "-0.0923 -3.5251 2.4106 -12.8281",
    ),
    Case(
        "gru without bias",
        lambda: L.GRU(2, use_bias=False),
        {},
        "0.126536 -0.289502 -0.298503 -0.56635",
        "-0.0704 0.5871 0.155",
    ),
    Case(
        "gru other activations",
        lambda: L.GRU(2, activation="elu", recurrent_activation="hard_sigmoid"),
        {},
        "0.568877 -0.41883 0.282631 -0.51166",
        "-0.0195 -0.1275 0.048 -1.9861",
    ),
    Case(
        "gru masked",
        lambda: L.GRU(2, return_sequences=True),
        {"mask": MASK},
        "-0.117751 -0.157555 -0.117751 -0.157555 0.079775 -0.441963 0.25673 -0.363455 0 0 "
        "-0.12666 -0.028036 -0.044249 -0.445506 -0.044249 -0.445506",
        "-3.1056 1.6167 0.5676 -4.9352",
    ),
    Case(
        "gru backwards",
        lambda: L.GRU(2, go_backwards=True, return_sequences=True),
        {},
        "0.255871 -0.027799 0.363004 -0.345784 0.380048 -0.635737 0.24586 -0.547267 0.170243 "
        "-0.422139 0.184704 -0.636597 0.097892 -0.437855 0.246056 -0.237414",
        "-1.175 -0.5457 -0.9446 -25.1301",
    ),
    Case(
        "simple masked",
        lambda: L.SimpleRNN(2, return_sequences=True),
        {"mask": MASK},
        "0.449796 -0.8151 0.449796 -0.8151 0.965653 0.206808 0.869291 0.552141 0 0 0.378612 "
        "-0.768336 0.922874 -0.681843 0.922874 -0.681843",
        "-1.4867 22.7302 -10.8631 2.6796",
    ),
    Case(
        "stacked",
        lambda: L.RNN([L.LSTMCell(2), L.GRUCell(2)], return_sequences=True, return_state=True),
        {},
        "-0.382971 0.000223 -0.510371 -0.05806 -0.558246 -0.041865 -0.495083 0.058567 "
        "-0.271951 0.09413 -0.361663 0.058455 -0.464909 -0.023362 -0.534925 -0.057603 "
        "0.077398 -0.163158 0.240214 -0.351769 0.147544 -0.33022 0.520052 -0.455296 -0.495083 "
        "0.058567 -0.534925 -0.057603",
        "-2.0485 -7.5384 -0.0401 -0.8035 -1.7598 -2.4623 22.2443",
    ),
    Case(
        "stacked masked",
        lambda: L.RNN([L.GRUCell(2), L.SimpleRNNCell(2)], return_sequences=True),
        {"mask": MASK},
        "-0.661302 0.287487 -0.661302 0.287487 -0.189934 0.27463 -0.429758 -0.009715 0 0 "
        "-0.655027 0.382894 -0.140862 0.379879 -0.140862 0.379879",
        "-1.0268 7.091 -0.602 20.4059 6.1061 -6.7985 -6.9579",
    ),
    Case(
        "both ways",
        lambda: L.Bidirectional(L.LSTM(2, return_sequences=True)),
        {},
        "0.156044 -0.182007 -0.231407 0.17085 0.235912 -0.35336 -0.123385 0.096663 0.192825 "
        "-0.393851 -0.044137 0.110015 0.077398 -0.163158 0.004492 0.083516 0.073386 0.098654 "
        "-0.170601 0.090138 0.152088 -0.033384 -0.252745 0.178229 0.22035 -0.251008 -0.149601 "
        "0.112014 0.240214 -0.351769 -0.057962 0.094785",
        "-1.3689 -14.4957 0.6558 2.1379 -2.3987 -1.4111 10.689",
    ),
    Case(
        "both ways summed",
        lambda: L.Bidirectional(L.GRU(2), merge_mode="sum"),
        {},
        "0.104356 -0.194536 0.007661 -1.13135",
        "1.1033 0.2299 0.1544 -1.3745 -1.2144 0.0411 -4.2081",
    ),
    Case(
        "both ways multiplied",
        lambda: L.Bidirectional(L.SimpleRNN(2), merge_mode="mul"),
        {},
        "0.184322 0.488909 0.00481 0.023438",
        "-0.067 0.5254 0.0913 0.3223 -0.0377 -0.0933 0.0401",
    ),
    Case(
        "both ways averaged masked",
        lambda: L.Bidirectional(L.GRU(2, return_sequences=True), merge_mode="ave"),
        {"mask": MASK},
        "-0.251551 0.055958 0 0 -0.325365 -0.105638 -0.134068 -0.311994 0 0 -0.060862 "
        "0.019791 -0.09904 -0.065244 0 0",
        "-1.7072 0.5455 -0.1592 2.3914 0.7473 -0.1197 0.5198",
    ),
    Case(
        "both ways apart with states",
        lambda: L.Bidirectional(L.GRU(2, return_state=True), merge_mode=None),
        {"initial_state": STATE},
        "0.352905 -0.443623 0.084153 -0.704187 -0.182104 0.340038 -0.149477 -0.482453 "
        "0.352905 -0.443623 0.084153 -0.704187 -0.182104 0.340038 -0.149477 -0.482453",
        "0.1829 0.1391 0.1231 -2.2745 -0.8292 -0.0225 -2.0057",
    ),
    Case(
        "each step",
        lambda: L.TimeDistributed(L.Dense(2, activation="tanh")),
        {},
        "0.405474 -0.359462 0.688382 -0.129665 0.780233 0.606291 0.654592 0.795856 0.365855 "
        "0.496151 0.331202 -0.245371 0.613188 -0.298796 0.775128 0.415998",
        "0.2659 5.6726 43.3712",
    ),
]
