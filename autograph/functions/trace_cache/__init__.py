"""The cache of traces: how a call finds its trace, and the reasons for a second one."""
