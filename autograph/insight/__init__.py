"""Looking at a trace while it is made: which lines run, what they stage, and why."""
