"""The guided tour: five small programs, and what becomes of them."""

from __future__ import annotations
