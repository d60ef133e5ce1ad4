"""Summaries: data for TensorBoard, in event files that this project writes itself.

writer = rt.summary.create_file_writer("logs")
with writer.as_default():
    rt.summary.scalar("loss", loss, step=step)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from runtime.summary import experimental as experimental
    from runtime.summary.summaries import audio as audio
    from runtime.summary.summaries import flush as flush
    from runtime.summary.summaries import histogram as histogram
    from runtime.summary.summaries import image as image
    from runtime.summary.summaries import scalar as scalar
    from runtime.summary.summaries import text as text
    from runtime.summary.summaries import write as write
    from runtime.summary.tracing import graph as graph
    from runtime.summary.tracing import trace_export as trace_export
    from runtime.summary.tracing import trace_off as trace_off
    from runtime.summary.tracing import trace_on as trace_on
    from runtime.summary.writer import SummaryWriter as SummaryWriter
    from runtime.summary.writer import create_file_writer as create_file_writer
    from runtime.summary.writer import create_noop_writer as create_noop_writer
    from runtime.summary.writer import record_if as record_if
    from runtime.summary.writer import should_record_summaries as should_record_summaries
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "runtime.summary": "experimental",
            "runtime.summary.tracing": "graph trace_export trace_off trace_on",
            "runtime.summary.writer": (
                "SummaryWriter create_file_writer create_noop_writer record_if "
                "should_record_summaries"
            ),
            "runtime.summary.summaries": "audio flush histogram image scalar text write",
        },
    )
