"""The ops: one declaration each, in families."""
