"""Results of a call: containers, objects and exceptions that the graph gives or makes."""
