"""Tables of keys and values: the namespace `rt.lookup`."""

from types import SimpleNamespace as _SimpleNamespace
from typing import TYPE_CHECKING as _TYPE_CHECKING

from runtime.core.lazy_imports import missing_names as _missing_names
from runtime.state.tables import DenseHashTable as DenseHashTable
from runtime.state.tables import KeyValueTensorInitializer as KeyValueTensorInitializer
from runtime.state.tables import MutableHashTable as MutableHashTable
from runtime.state.tables import StaticHashTable as StaticHashTable
from runtime.state.tables import StaticVocabularyTable as StaticVocabularyTable
from runtime.state.tables import TextFileIndex as TextFileIndex
from runtime.state.tables import TextFileInitializer as TextFileInitializer

experimental = _SimpleNamespace(DenseHashTable=DenseHashTable, MutableHashTable=MutableHashTable)
del _SimpleNamespace

if not _TYPE_CHECKING:
    __getattr__ = _missing_names(__name__)

del _TYPE_CHECKING, _missing_names
