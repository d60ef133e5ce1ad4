"""Operators that few programs use on symbolic tensors, imported on first use."""

from __future__ import annotations

from runtime.core.lazy_imports import late

compared = late("autograph.backends.graph.containers.comparison", "compared")
compares_parts = late("autograph.backends.graph.containers.comparison", "compares_parts")
repeated = late("autograph.backends.graph.containers.staged_list", "repeated")
staged_and = late("autograph.backends.graph.control.boolean_operators", "staged_and")
staged_or = late("autograph.backends.graph.control.boolean_operators", "staged_or")
raised_value = late("autograph.backends.graph.exceptions.raise_statement", "raised_value")
contains = late("autograph.backends.graph.functions.membership", "contains")
addend_of_array = late("autograph.backends.graph.program.array_elements", "addend_of_array")
asked_of_array = late("autograph.backends.graph.program.array_elements", "asked_of_array")
get_item = late("autograph.backends.graph.functions.membership", "get_item")
assigned = late("autograph.backends.graph.functions.membership", "assigned")
set_item = late("autograph.backends.graph.functions.membership", "set_item")
kind_of = late("autograph.backends.graph.match_subjects", "kind_of")
parts_of = late("autograph.backends.graph.match_subjects", "parts_of")
run_apart = late("autograph.backends.graph.match_subjects", "run_apart")
