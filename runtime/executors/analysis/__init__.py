"""Analyses of plans and nodes: liveness, facts about slots, costs. They change no plan."""
