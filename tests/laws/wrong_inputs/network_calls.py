"""Right calls of layers, models and optimizers, and of settings that no docstring gives."""

from __future__ import annotations

# Read as the examples of a docstring are: each call in it is one that the law makes wrong.
EXAMPLES = """
>>> x, y = np.ones([4, 3], np.float32), np.ones([4, 1], np.float32)
>>> layer = rt.nn.layers.Dense(2)
>>> result = layer(x)
>>> layer.set_weights([np.ones([3, 2]), np.ones([2])])
>>> layer.add_weight([2, 3], "ones", "float32", True)
>>> layer.add_weight(shape=[2], initializer="zeros", regularizer="l2", constraint="non_neg")
>>> layer.build([None, 3])
>>> layer.compute_output_shape([None, 3])
>>> layer.add_loss(rt.constant(1.0))
>>> layer.from_config({"units": 3})
>>> rt.nn.layers.Dense(2, activation="relu", use_bias=True, name="d", dtype="float32")
>>> model = rt.nn.Sequential([rt.nn.layers.Dense(2, input_shape=(3,)), rt.nn.layers.Dense(1)])
>>> model.get_layer(index=0)
>>> model.build([None, 3])
>>> model.save_weights("x.npz")
>>> model.load_weights("x.npz")
>>> model.save("x.keras")
>>> rt.nn.models.load_model("x.keras")
>>> model.summary(line_length=60, print_fn=lambda x: None)
>>> model(x, training=False)
>>> model.compile("sgd", "mse", metrics=["mae"], run_eagerly=False)
>>> class Stop(rt.nn.callbacks.Callback):
...     def on_epoch_end(self, epoch, logs=None):
...         self.model.stop_training = True
>>> model.fit(x, y, batch_size=2, epochs=1, verbose=0, callbacks=[Stop()])
>>> model.evaluate(x, y, batch_size=2, verbose=0)
>>> model.predict(x, batch_size=2, verbose=0)
>>> model.train_on_batch(x, y)
>>> model.test_on_batch(x, y)
>>> model.predict_on_batch(x)
>>> variable = rt.Variable([1.0, 2.0])
>>> optimizer = rt.nn.optimizers.Adam(0.1)
>>> optimizer.build([variable])
>>> optimizer.apply_gradients([(rt.constant([1.0, 2.0]), variable)])
>>> optimizer.minimize(lambda: variable * variable, [variable])
>>> rt.nn.Module(name="a")
>>> rt.vectorized_map(lambda x: x, rt.constant([1, 2]))
>>> rt.foldr(lambda x, y: x + y, rt.constant([1, 2]))
>>> rt.case([(rt.constant(True), lambda: 1)], default=lambda: 2, exclusive=True)
>>> rt.linalg.diag([1, 2], k=1, num_rows=3, num_cols=3, padding_value=7)
>>> rt.linalg.diag_part([[1, 2], [3, 4]], k=0, padding_value=7, align="LEFT_RIGHT")
>>> rt.linalg.set_diag([[1, 2], [3, 4]], [1, 2])
>>> rt.tensordot([1, 2], [3, 4], [[0], [0]])
>>> rt.constant(3, shape=[2])
"""
