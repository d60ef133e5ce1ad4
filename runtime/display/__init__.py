"""The HTML forms of values in a notebook: `_repr_html_` of tensors, graphs, datasets and models."""
