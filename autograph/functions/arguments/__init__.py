"""Arguments of a call: signatures, trace keys, and casts to the specs of a trace."""
