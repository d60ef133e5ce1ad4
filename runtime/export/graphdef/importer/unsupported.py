"""Ops of TensorFlow that an import refuses, with the reasons."""

from __future__ import annotations

from types import MappingProxyType

_PYTHON = "it calls a Python function of the process that wrote the file"
_FRAMES = "loops of TensorFlow 1 are made of such nodes; TensorFlow 2 writes While and If"
_FILES = "it reads or writes files: load the variables, and call a function without it"
_DATASETS = "datasets are not supported"
_NUMBERS = "random numbers of this distribution are not supported"
_DEVICES = "it needs other devices or processes"

UNSUPPORTED = MappingProxyType(
    {
        **dict.fromkeys(("PyFunc", "PyFuncStateless", "EagerPyFunc"), _PYTHON),
        **dict.fromkeys(("Switch", "Merge", "Enter", "Exit", "NextIteration", "LoopCond"), _FRAMES),
        **dict.fromkeys(("RefSwitch", "RefMerge", "RefEnter", "RefExit"), _FRAMES),
        **dict.fromkeys(("SaveV2", "RestoreV2", "MergeV2Checkpoints", "ShardedFilename"), _FILES),
        **dict.fromkeys(("MatchingFiles", "Save", "Restore"), _FILES),
        **dict.fromkeys(("IteratorV2", "IteratorGetNext", "TensorSliceDataset"), _DATASETS),
        **dict.fromkeys(("MapDataset", "BatchDatasetV2", "OneShotIterator"), _DATASETS),
        **dict.fromkeys(
            ("RandomGamma", "RandomPoissonV2", "ParameterizedTruncatedNormal"), _NUMBERS
        ),
        **dict.fromkeys(("CollectiveReduceV2", "RemoteCall", "TPUReplicate"), _DEVICES),
        "XlaCallModule": "it runs a program of another compiler, which is not read",
        "ParseTensor": "it reads a tensor of a string of bytes",
        "DecodeProtoV2": "it reads descriptions of messages from files",
    }
)
