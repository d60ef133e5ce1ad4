"""Saves and loads objects with variables and traced functions; the files have no code.

ag.saved_model.save(model, "model")
ag.saved_model.load("model")(x)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.core.lazy_imports import lazy_attributes

if TYPE_CHECKING:
    from autograph.saved_model.archive_writing import save_archive as save_archive
    from autograph.saved_model.loading import contains_saved_model as contains_saved_model
    from autograph.saved_model.loading import load as load
    from autograph.saved_model.saving import save as save
    from runtime.state.asset import Asset as Asset
else:
    __getattr__, __dir__, __all__ = lazy_attributes(
        __name__,
        {
            "autograph.saved_model.archive_writing": "save_archive",
            "autograph.saved_model.loading": "contains_saved_model load",
            "autograph.saved_model.saving": "save",
            "runtime.state.asset": "Asset",
        },
    )
