"""Programs as TensorFlow Lite models, which LiteRT runs on phones."""
