"""The speed table: results are checked, processes alternate, and limits are reported."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from tools.bench import __main__
from tools.bench.rows import (
    bars,
    data,
    plain,
    report,
    side_ours,
    sources,
    speed,
    weights,
    worker,
    worker_processes,
)
from tools.bench.rows.measurements import Figure, Figures, geometric_mean
from tools.bench.rows.timed import Timed, difference

FAST = ("get_mse", "simple_relu", "dispatch_1", "one_op_100", "newton", "chain_100", "logreg_step")


@pytest.mark.parametrize("mode", ["graph", "eager", "interpreter"])
@pytest.mark.parametrize("row", [*FAST, "power", "seq_model", "mlp_step", "grad_while"])
def test_our_rows_agree_with_numpy(row: str, mode: str) -> None:
    found = side_ours.MODES[mode][row]()()
    assert None is difference(row, plain.EXPECTED[row]()(), found)


@pytest.mark.parametrize(
    "row", ["dataset_loop", "train_keras", "seq_keras", "lstm", "collatz", "newton_64"]
)
def test_longer_rows_find_it_as_graphs(row: str) -> None:
    assert None is difference(row, plain.EXPECTED[row]()(), side_ours.MODES["graph"][row]()())


@pytest.mark.parametrize("row", ["compile_500", "nested_10"])
def test_cold_rows_time_themselves(row: str) -> None:
    found = side_ours.MODES["graph"][row]()()
    assert isinstance(found, Timed) and found.seconds > 0
    assert None is difference(row, plain.EXPECTED[row]()(), found)


def test_every_row_has_data_and_a_result_to_compare_with() -> None:
    for row in plain.EXPECTED:
        assert data.generator_arrays(row)
        assert row in side_ours.MODES["graph"]


def test_differences_are_described() -> None:
    assert None is difference("power", (1.0, [2.0]), [1.0, np.float32(2)])
    assert "found 1 results, not 2" == difference("power", (1.0, 2.0), 1.0)
    assert "found the shape (2,), not ()" == difference("power", 1.0, np.zeros(2))
    assert "found 1.5, not 1.0" == difference("power", 1.0, 1.5)
    assert None is not difference("power", 1.0, float("nan"))


def test_fresh_functions_have_different_code() -> None:
    one, other = (sources.fresh(sources.nested_source(2), "nested", rt) for _ in range(2))
    assert one.__code__ != other.__code__
    assert one(3) == other(3) == int(ag.function(one)(rt.constant(3)))


def test_a_wrong_result_is_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    side = worker.Side("side_ours")
    wrong = {"graph": {"power": lambda: lambda: np.eye(10), "get_mse": lambda: [].pop}}
    monkeypatch.setattr(side.module, "MODES", wrong)
    assert "found " in str(side.prepare("power", ["graph"])["graph"])
    assert "IndexError" in str(side.prepare("get_mse", ["graph"])["graph"])
    with pytest.raises(KeyError):
        side.round("graph", 0.001)


def test_a_round_returns_the_seconds_of_one_call() -> None:
    side = worker.Side("side_ours")
    assert {"plain": None} == side.prepare("power", ["plain"])
    found = side.round("plain", 0.005)
    assert 1e-6 < found["cpu"] < 0.1 and found["wall"] > 0


def test_a_process_that_cannot_start_is_reported() -> None:
    with pytest.raises(worker_processes.TalkError, match="no_such_side"):
        worker_processes.Talk("no_such_side")
    with pytest.raises(worker_processes.TalkError, match="no Python"):
        worker_processes.peers_found(["/nowhere/python"], ["jax"])
    assert [] == worker_processes.peers_found([], ["jax"])
    assert [] == worker_processes.peers_found([sys.executable], [])


def _figures(**seconds: float) -> Figures:
    """Return figures of one row, `newton`."""
    return Figures({"newton": {mode: Figure([value]) for mode, value in seconds.items()}})


def _verdict(figures: Figures, what: str) -> bars.Verdict:
    return next(each for each in bars.verdicts(figures) if each.bar.what == what)


@pytest.mark.parametrize(
    ("seconds", "word"),
    [(1.0, bars.KEPT), (1.3, bars.KEPT), (1.42, bars.TIE), (1.5, bars.MISSED)],
)
def test_a_bar_is_kept_missed_or_a_tie(seconds: float, word: str) -> None:
    figures = _figures(graph=seconds, plain=1.0)
    assert word == _verdict(figures, "newton over Python numbers").word
    assert bars.UNKNOWN == _verdict(figures, "collatz over Python numbers").word


def test_rows_have_a_bar_against_tensorflow_where_it_was_measured() -> None:
    found = bars.verdicts(_figures(graph=1.0, tf=20.0, eager=2.0))
    texts = {each.bar.what: each.word for each in found}
    assert bars.KEPT == texts["newton over TensorFlow's graph"]
    assert bars.KEPT == texts["geometric mean over TensorFlow's graph"]
    without = bars.verdicts(_figures(graph=1.0, eager=0.5))
    assert all("newton over TensorFlow" not in each.bar.what for each in without)
    assert bars.MISSED == next(x.word for x in without if x.bar.what == "newton over eager")


def test_medians_and_means() -> None:
    assert 2.0 == Figure([3.0, 1.0, 2.0]).median
    assert None is Figure().median
    assert 2.0 == pytest.approx(geometric_mean([1.0, 4.0]))
    figures = _figures(graph=1.0, plain=4.0)
    assert 0.25 == figures.mean_ratio("graph", "plain")
    assert None is figures.mean_ratio("graph", "tf")
    figures.rows["newton_64"] = {"graph": Figure([1.0]), "plain": Figure([1.0])}
    assert 0.25 == figures.mean_ratio("graph", "plain")  # It says more of `newton`.


def test_an_import_is_weighed() -> None:
    for program in ("import json", weights.FIRST_USES["autograph"]):
        found = weights.import_weight(sys.executable, program, worker_processes.environment())
        assert 0 < found.seconds < 30 and 1e6 < found.size < 1e9
    assert {"autograph", "numpy", *worker_processes.PEERS.values()} == set(weights.FIRST_USES)
    size = weights.disk_size(sys.executable, "numpy", worker_processes.environment())
    assert (
        1e7 < size < weights.disk_size(sys.executable, "autograph", worker_processes.environment())
    )


def test_the_table_is_measured_and_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["speed", "--quick", "--rounds", "1", "--rows", "get_mse,one_op_100"]
    files = ["--json", str(tmp_path / "f.json"), "--page", str(tmp_path / "f.md")]
    assert __main__.main([*words, *files]) in (0, 1)
    printed = capsys.readouterr().out
    assert "get_mse" in printed and "one_op_100, beyond the NumPy call" in printed
    told = printed.splitlines()[-1]
    assert told.startswith("bars not measured: ") and "newton over Python numbers" in told
    assert "one_op_100, beyond" not in told
    written: dict[str, Any] = json.loads((tmp_path / "f.json").read_text(encoding="utf-8"))
    assert ["get_mse", "one_op_100"] == list(written["rows"])
    for mode in ("graph", "eager", "interpreter", "plain"):
        assert 1 == len(written["rows"]["get_mse"][mode]["rounds"])
    assert {"machine", "versions", "date", "bars"} <= set(written)
    page = (tmp_path / "f.md").read_text(encoding="utf-8")
    assert "| `get_mse` |" in page and "## Bars" in page and np.__version__ in page


def test_a_plot_needs_its_library(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(report.importlib.util, "find_spec", lambda name: None)
    assert 2 == __main__.main(["speed", "--plot", str(tmp_path / "f.svg")])
    assert "bench: --plot needs matplotlib: pip install matplotlib\n" == capsys.readouterr().err


def test_a_plot_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    report.write_plot(tmp_path / "f.svg", _figures(graph=1.0, plain=2.0))
    assert "<svg" in (tmp_path / "f.svg").read_text(encoding="utf-8")


def test_an_unknown_row_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        __main__.main(["speed", "--rows", "nothing"])
    assert "there is no row nothing" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        __main__.main(["speed", "--only", "theano"])
    assert "theano cannot be measured" in capsys.readouterr().err
    assert set(speed.ROWS) > set(plain.EXPECTED)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--rounds", "0"], "--rounds must be at least 1"),
        (["--rows", ""], "there is no row ''"),
        (["--only", ""], "'' cannot be measured"),
        (["--json", "no/such/folder/x.json"], "there is no folder no/such/folder"),
        (["--page", "tests"], "tests is a folder"),
    ],
)
def test_invalid_options_are_refused_before_measuring(
    capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    with pytest.raises(SystemExit) as refused:
        __main__.main(["speed", *words])
    assert 2 == refused.value.code
    assert message in capsys.readouterr().err
