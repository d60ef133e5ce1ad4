"""Character models: they are trained in graphs and generate text."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import autograph as ag
import runtime as rt
from runtime.nn.losses import SparseCategoricalCrossentropy
from runtime.nn.optimizers import Adam

TEXT = (
    "the loop goes on while there is more to read, and each step gives its state to the next. "
    "what is read stays a while in the state, and what is not needed is forgotten. "
    "in the end the last state has seen all of the text, and says which letter comes next. "
)
LETTERS = "".join(sorted(set(TEXT)))
CODES = np.array([LETTERS.index(letter) for letter in TEXT], np.int32)
LENGTH = 24
WINDOWS = np.stack([CODES[at : at + LENGTH + 1] for at in range(0, len(CODES) - LENGTH, 7)])
UNITS, EPOCHS = 32, 120
WORDS = set(TEXT.split())


def perplexity(loss: Any) -> float:
    return math.exp(float(loss))


def check_words(codes: Any) -> None:
    """Check that nearly all words written are words of the text, of which there are many."""
    words = "".join(LETTERS[code] for code in codes).split()[1:-1]
    assert len(words) > 20
    assert sum(word in WORDS for word in words) > 0.75 * len(words)
    assert len(set(words)) > 10


class Model(rt.nn.Model):
    """An embedding, an LSTM and scores for the next letter."""

    def __init__(self) -> None:
        super().__init__()
        self.letters = rt.nn.layers.Embedding(len(LETTERS), 16, "normal")
        self.lstm = rt.nn.layers.LSTM(UNITS, return_sequences=True, return_state=True)
        self.scores = rt.nn.layers.Dense(len(LETTERS))

    def call(self, codes: Any, states: Any = None) -> Any:
        outputs, *states = self.lstm(self.letters(codes), initial_state=states)
        return self.scores(outputs), states


def test_a_model_of_layers_learns_a_text_and_writes() -> None:
    rt.random.set_seed(3)
    model, optimizer = Model(), Adam(0.02)
    compute_loss = SparseCategoricalCrossentropy(from_logits=True)
    model(WINDOWS[:1, :-1])
    traces = []

    @ag.function(input_signature=[rt.TensorSpec((None, None), rt.int32)])
    def train(windows: Any) -> Any:
        traces.append(1)
        loss, first = 0.0, 0.0
        for epoch in rt.range(EPOCHS):
            with rt.GradientTape() as tape:
                logits, _ = model(windows[:, :-1])
                loss = compute_loss(windows[:, 1:], logits)
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
            if epoch == 0:
                first = loss
        return first, loss

    first, last = train(WINDOWS)
    assert 1 == len(traces)
    assert EPOCHS == int(optimizer.iterations)
    assert perplexity(first) > 20 > 1.3 > perplexity(last)

    @ag.function
    def write(code: Any, length: Any) -> Any:
        states = [rt.zeros((1, UNITS)), rt.zeros((1, UNITS))]
        found = rt.TensorArray(rt.int32, size=length)
        for at in rt.range(length):
            logits, states = model(rt.reshape(code, (1, 1)), states)
            code = rt.argmax(logits[0, 0], output_type=rt.int32)
            found = found.write(at, code)
        return found.stack()

    check_words(write(rt.constant(LETTERS.index("t")), rt.constant(160)).numpy())


def lstm_step(weights: Any, hot: Any, state: Any, carry: Any) -> Any:
    """One step as a user writes it."""
    kernel, recurrent, bias = weights
    z = rt.matmul(hot, kernel) + rt.matmul(state, recurrent) + bias
    i, f, g, o = rt.split(z, 4, axis=1)
    carry = rt.sigmoid(f + 1.0) * carry + rt.sigmoid(i) * rt.tanh(g)
    return rt.sigmoid(o) * rt.tanh(carry), carry


def dynamic_rnn(weights: Any, rows: Any, state: Any, carry: Any) -> Any:
    """All steps as a user writes them: a loop of Python's over a tensor."""
    rows = rt.transpose(rows, (1, 0, 2))
    outputs = rt.TensorArray(rt.float32, size=rt.shape(rows)[0])
    at = 0
    for row in rows:
        state, carry = lstm_step(weights, row, state, carry)
        outputs = outputs.write(at, state)
        at += 1
    return rt.transpose(outputs.stack(), (1, 0, 2)), state, carry


def test_a_loop_of_the_users_learns_a_text_and_writes() -> None:
    rng = np.random.default_rng(7)

    def variable(*shape: int) -> Any:
        return rt.Variable(rng.normal(0, 0.15, shape).astype("f"))

    size = len(LETTERS)
    weights = [variable(size, 4 * UNITS), variable(UNITS, 4 * UNITS), variable(4 * UNITS)]
    scores = variable(UNITS, size)
    variables = [*weights, scores]
    optimizer = Adam(0.02)

    def logits_of(codes: Any, state: Any, carry: Any) -> Any:
        outputs, state, carry = dynamic_rnn(weights, rt.one_hot(codes, size), state, carry)
        return rt.tensordot(outputs, scores, 1), state, carry

    @ag.function(input_signature=[rt.TensorSpec((None, None), rt.int32)])
    def train_step(windows: Any) -> Any:
        zeros = rt.zeros((rt.shape(windows)[0], UNITS))
        with rt.GradientTape() as tape:
            logits, _, _ = logits_of(windows[:, :-1], zeros, zeros)
            losses = rt.nn.sparse_softmax_cross_entropy_with_logits(windows[:, 1:], logits)
            loss = rt.reduce_mean(losses)
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    found = [perplexity(train_step(WINDOWS)) for _ in range(EPOCHS)]
    assert found[0] > 20 > 1.3 > found[-1]

    @ag.function
    def write(code: Any, length: Any) -> Any:
        state = carry = rt.zeros((1, UNITS))
        codes = []
        while len(codes) < length:
            logits, state, carry = logits_of(rt.reshape(code, (1, 1)), state, carry)
            code = rt.argmax(logits[0, 0], output_type=rt.int32)
            codes.append(code)
        return rt.stack(codes)

    check_words(write(rt.constant(LETTERS.index("t")), rt.constant(160)).numpy())
