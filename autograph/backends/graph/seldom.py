"""Words that few programs use on symbolic tensors: imported when the first one does."""

from __future__ import annotations

from runtime.loading import late

compared = late("autograph.backends.graph.containers.ordering", "compared")
compares_parts = late("autograph.backends.graph.containers.ordering", "compares_parts")
staged_and = late("autograph.backends.graph.control.logic", "staged_and")
staged_or = late("autograph.backends.graph.control.logic", "staged_or")
contains = late("autograph.backends.graph.functions.membership", "contains")
stored = late("autograph.backends.graph.functions.membership", "stored")
get_item = late("autograph.backends.graph.functions.membership", "get_item")
set_item = late("autograph.backends.graph.functions.membership", "set_item")
kind_of = late("autograph.backends.graph.subjects", "kind_of")
parts_of = late("autograph.backends.graph.subjects", "parts_of")
run_apart = late("autograph.backends.graph.subjects", "run_apart")
