"""`CallbackList`: calls the callbacks of a training."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core.argument_checks import call_advice, flag, listed, shown
from runtime.errors import ArgumentValueError, DTypeError
from runtime.nn.callbacks.callback import Callback, History
from runtime.nn.callbacks.progress_bar import ProgbarLogger
from runtime.nn.training.logs import Logs, as_numbers

VERBOSE = {0: 0, 1: 1, 2: 2, "auto": 1, "0": 0, "1": 1, "2": 2}


class CallbackList:
    """Calls callbacks, in their order.

    Args:
        callbacks: the user's and our own.
        model: the model for `set_model`.
        params: the parameters for `set_params`.

    Example:
        >>> import autograph.runtime as rt
        >>> history = rt.nn.callbacks.History()
        >>> callbacks = CallbackList([history])
        >>> callbacks.on_train_begin()
        >>> callbacks.on_epoch_end(0, {"loss": 0.5})
        >>> history.history
        {'loss': [0.5]}
    """

    def __init__(
        self,
        callbacks: Sequence[Any] | None = None,
        add_history: bool = False,
        add_progbar: bool = False,
        model: Any = None,
        **params: Any,
    ) -> None:
        self.callbacks = [] if callbacks is None else listed(callbacks, "callbacks")
        for each in self.callbacks:
            if not hasattr(each, "set_params") or not hasattr(each, "set_model"):
                raise DTypeError(f"callbacks must be a list of callbacks, not of {shown(each)}")
        if flag(add_progbar, "add_progbar") and not any(
            isinstance(each, ProgbarLogger) for each in self.callbacks
        ):
            self.callbacks.append(ProgbarLogger())
        if flag(add_history, "add_history") and not any(
            isinstance(each, History) for each in self.callbacks
        ):
            self.callbacks.append(History())
        for each in self.callbacks:
            each.set_params(params)
            each.set_model(model)
        # Logs are computed from tensors only for callbacks that use them.
        self._of_batches = {
            name: [each for each in self.callbacks if _overrides(each, name)]
            for name in (f"on_{kind}_batch_{when}" for kind in _KINDS for when in ("begin", "end"))
        }

        self._of_users = {
            kind: any(
                not isinstance(each, ProgbarLogger)
                for when in ("begin", "end")
                for each in self._of_batches[f"on_{kind}_batch_{when}"]
            )
            for kind in _KINDS
        }

    @classmethod
    def of(
        cls, callbacks: Any, model: Any, verbose: object, with_history: bool = False, **params: Any
    ) -> CallbackList:
        """Return the list of callbacks that loops call; a CallbackList is returned unchanged.

        Raises:
            ArgumentValueError: an item is not a callback, or `verbose` is unknown.
        """
        if isinstance(callbacks, CallbackList):
            return callbacks
        given = callbacks if isinstance(callbacks, (list, tuple)) else [callbacks]
        given = [each for each in given if each is not None]
        for each in given:
            if isinstance(each, type) or not hasattr(each, "on_epoch_end"):
                raise ArgumentValueError(
                    "callbacks must be a list of callbacks, not of "
                    f"{shown(each)}{call_advice(each)}"
                )
        if not isinstance(verbose, (int, str)) or verbose not in VERBOSE:
            raise ArgumentValueError(f"verbose must be 0, 1, 2 or 'auto', not {verbose!r}")
        level = VERBOSE[verbose]
        return cls(given, with_history, level > 0, model, verbose=level, **params)

    @property
    def history(self) -> Any:
        """The History among them, or None."""
        return next((each for each in self.callbacks if isinstance(each, History)), None)

    def append(self, callback: Any) -> None:
        """Add a callback."""
        self.callbacks.append(callback)

    def may_change(self, kind: str) -> bool:
        """Return whether user code is called for batches of a kind, and may change anything."""
        return self._of_users[kind]

    def on_batch_begin(self, kind: str, batch: int) -> None:
        """Call the callbacks before a batch of a kind: train, test or predict."""
        for each in self._of_batches[f"on_{kind}_batch_begin"]:
            getattr(each, f"on_{kind}_batch_begin")(batch, {})

    def on_batch_end(self, kind: str, batch: int, found: Any) -> None:
        """Call the callbacks after a batch, with its logs."""
        listening = self._of_batches[f"on_{kind}_batch_end"]
        if listening:
            logs = found if kind == "predict" else as_numbers(found)
            for each in listening:
                getattr(each, f"on_{kind}_batch_end")(batch, logs)

    def on_epoch_begin(self, epoch: int, logs: Logs | None = None) -> None:
        """Call `on_epoch_begin` of each callback."""
        for each in self.callbacks:
            each.on_epoch_begin(epoch, logs or {})

    def on_epoch_end(self, epoch: int, logs: Logs) -> None:
        """Call `on_epoch_end` of each callback."""
        for each in self.callbacks:
            each.on_epoch_end(epoch, logs)

    def on_train_begin(self, logs: Logs | None = None) -> None:
        """Call `on_train_begin` of each callback."""
        self._notify("on_train_begin", logs)

    def on_train_end(self, logs: Logs | None = None) -> None:
        """Call `on_train_end` of each callback."""
        self._notify("on_train_end", logs)

    def on_test_begin(self, logs: Logs | None = None) -> None:
        """Call `on_test_begin` of each callback."""
        self._notify("on_test_begin", logs)

    def on_test_end(self, logs: Logs | None = None) -> None:
        """Call `on_test_end` of each callback."""
        self._notify("on_test_end", logs)

    def on_predict_begin(self, logs: Logs | None = None) -> None:
        """Call `on_predict_begin` of each callback."""
        self._notify("on_predict_begin", logs)

    def on_predict_end(self, logs: Logs | None = None) -> None:
        """Call `on_predict_end` of each callback."""
        self._notify("on_predict_end", logs)

    def _notify(self, name: str, logs: Logs | None) -> None:
        for each in self.callbacks:
            getattr(each, name)({} if logs is None else logs)


_KINDS = ("train", "test", "predict")


def _overrides(callback: Any, name: str) -> bool:
    """Return whether a callback defines a method for a batch."""
    names = [name]
    if "train" in name:
        names.append(name.replace("train_", ""))
    return any(
        getattr(getattr(callback, each, None), "__func__", None) is not getattr(Callback, each)
        for each in names
        if hasattr(callback, each)
    )
