"""The GraphDef format: a graph as TensorFlow's nodes and function library."""
