"""`CSVLogger`: a file with a line for each epoch."""

from __future__ import annotations

from pathlib import Path

from runtime.nn.callbacks import CSVLogger


def test_a_csv_log_has_a_line_for_each_epoch(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    for number in range(2):
        logger = CSVLogger(path, append=number > 0)
        logger.on_train_begin()
        logger.on_epoch_end(number, {"loss": 0.5, "accuracy": number})
        logger.on_train_end()
    assert "epoch,accuracy,loss\n0,0,0.5\n1,1,0.5\n" == path.read_text()
