"""Networks that draw random numbers."""

from __future__ import annotations

from typing import Any

from tests.autograph.compat.random_programs.program import one, program


@program
def layers_leave_the_counter_alone(tf: Any) -> Any:
    tf.random.set_seed(3)
    layer = tf.keras.layers.Dense(3)
    layer.build((None, 2))
    model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(2), layer])
    model(tf.ones([1, 2]))
    tf.keras.layers.Dropout(0.5)(tf.ones([4]), training=True)
    tf.keras.initializers.GlorotUniform()((2, 2))
    return one(tf), tf.random.normal([2])


@program
def a_seed_for_all(tf: Any) -> Any:
    tf.keras.utils.set_random_seed(3)
    layer = tf.keras.layers.Dense(3)
    layer.build((None, 2))
    dropout = tf.keras.layers.Dropout(0.5)
    drop = tf.function(lambda x: dropout(x, training=True))
    plain = tf.function(lambda x: tf.nn.dropout(x, 0.5))
    ones = tf.ones([6])
    return layer.kernel, one(tf), dropout(ones, training=True), drop(ones), plain(ones), plain(ones)


@program
def initializers_with_seeds(tf: Any) -> Any:
    made = tf.keras.initializers
    return (
        made.GlorotUniform(seed=4)((2, 2)),
        made.HeNormal(seed=4)((2, 2)),
        made.RandomNormal(seed=4)((3,)),
        made.RandomUniform(seed=4)((3,)),
        tf.function(lambda: made.GlorotUniform(seed=4)((2, 2)))(),
    )


@program
def shuffled_datasets_in_training(tf: Any) -> Any:
    tf.keras.utils.set_random_seed(7)
    seen: list[float] = []

    class Losses(tf.keras.callbacks.Callback):  # type: ignore[misc, name-defined]
        def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
            seen.append(logs["loss"])

        def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
            seen.append(logs["loss"])

    model = tf.keras.Sequential(
        [tf.keras.Input((1,)), tf.keras.layers.Dense(1, kernel_initializer="zeros")]
    )
    model.compile(tf.keras.optimizers.SGD(0.0), "mse")
    rows = tf.reshape(tf.range(16.0), [16, 1])
    data = tf.data.Dataset.from_tensor_slices((rows, rows))
    known = data.shuffle(16).batch(4)
    unknown = data.filter(lambda x, y: x[0] > 3.0).shuffle(16, seed=3).batch(4)
    model.fit(known, epochs=3, verbose=0, callbacks=[Losses()], validation_data=known)
    model.fit(unknown, epochs=3, verbose=0, callbacks=[Losses()], validation_data=unknown)
    model.fit(known, epochs=5, steps_per_epoch=2, verbose=0, callbacks=[Losses()])
    model.evaluate(known, verbose=0, callbacks=[Losses()])
    model.predict(known, verbose=0)
    return [*seen, *(float(x[0, 0]) for x, y in known)]
