"""The SavedModel format: directories that `tf.saved_model.load` and TensorFlow Serving read."""
