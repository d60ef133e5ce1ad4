"""The ONNX format: graphs as models that onnxruntime and other engines run."""
