"""The command `launch`: ranks, their output, and the ways in which a run ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
# A run that is waited for longer has hung.
LIMIT = 60.0

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")


def _command(program: Path, count: int, *arguments: str) -> list[str]:
    words = ["launch", "-n", str(count), str(program), *arguments]
    return [sys.executable, "-m", "autograph", *words]


def _environment() -> dict[str, str]:
    others = {name: text for name, text in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return {**others, "PYTHONPATH": str(ROOT)}


def launched(
    folder: Path, text: str, count: int, *arguments: str
) -> subprocess.CompletedProcess[str]:
    """Run a program, of which the text is given, in several processes."""
    program = folder / "program.py"
    program.write_text(text, encoding="utf-8")
    return subprocess.run(
        _command(program, count, *arguments),
        env=_environment(),
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"


PLACES = """\
import os, sys
names = "JAX_PROCESS_ID JAX_NUM_PROCESSES RANK WORLD_SIZE LOCAL_RANK JAX_LOCAL_DEVICE_IDS".split()
print([os.environ[name] for name in names], os.environ["JAX_COORDINATOR_ADDRESS"], sys.argv[1:])
print("to the other stream", file=sys.stderr)
"""


def test_each_process_knows_its_place_and_the_arguments(tmp_path: Path) -> None:
    ended = launched(tmp_path, PLACES, 3, "-n", "7", "--rate", "-1e-3", "x")
    assert 0 == ended.returncode
    lines = sorted(ended.stdout.splitlines())
    assert 3 == len(lines)
    addresses = set()
    for rank, line in enumerate(lines):
        place = f"[{rank}] {[str(rank), '3', str(rank), '3', str(rank), str(rank)]} "
        assert line.startswith(place)
        address, _, arguments = line.removeprefix(place).partition(" ")
        addresses.add(address)
        assert str(["-n", "7", "--rate", "-1e-3", "x"]) == arguments
    (address,) = addresses
    assert address.startswith("127.0.0.1:") and 1024 < int(address.partition(":")[2])
    expected = {f"[{rank}] to the other stream" for rank in range(3)}
    assert expected == set(ended.stderr.splitlines())


def test_a_module_is_launched_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "part.py").write_text("import sys; print(__name__, sys.argv[1:])")
    words = [sys.executable, "-m", "autograph", "launch", "-n", "2", "-m", "part", "-m", "1"]
    ended = subprocess.run(
        words, env=_environment(), cwd=tmp_path, capture_output=True, text=True, timeout=LIMIT
    )
    expected = [f"[{rank}] __main__ ['-m', '1']" for rank in range(2)]
    assert expected == sorted(ended.stdout.splitlines())


FAILS = """\
import os, sys, time
print(os.getpid())
if os.environ["RANK"] == "1":
    time.sleep(float(sys.argv[1]))
    def step(): raise ValueError("no such batch")
    step()
time.sleep(600)
"""


def _pids(text: str) -> list[int]:
    return [int(line.split()[-1]) for line in text.splitlines()]


def test_a_failing_rank_ends_the_run_with_its_error(tmp_path: Path) -> None:
    ended = launched(tmp_path, FAILS, 3, "0.5")
    assert 1 == ended.returncode
    assert [
        "autograph: rank 1 has failed with exit status 1: ValueError: no such batch",
        "autograph: all other processes have been ended",
    ] == [line for line in ended.stderr.splitlines() if not line.startswith("[")]
    assert '[1]     def step(): raise ValueError("no such batch")' in ended.stderr.splitlines()
    pids = _pids(ended.stdout)
    assert 3 == len(pids)
    assert [] == [pid for pid in pids if _is_alive(pid)]


KILLED = """\
import os, signal, sys, time
if os.environ["RANK"] == "0":
    print("about to end")
    os.kill(os.getpid(), signal.SIGKILL)
print("still here")
time.sleep(600)
"""


def test_a_killed_rank_ends_the_run(tmp_path: Path) -> None:
    ended = launched(tmp_path, KILLED, 2)
    assert 128 + signal.SIGKILL == ended.returncode
    assert "[0] about to end" in ended.stdout.splitlines()
    assert "autograph: rank 0 has failed with signal SIGKILL" == ended.stderr.splitlines()[0]


def test_a_killed_rank_is_the_cause_of_errors_that_arrive_before_its_end(tmp_path: Path) -> None:
    text = """\
import os, signal, sys, time
if os.environ["RANK"] == "1":
    time.sleep(0.4)
    os.kill(os.getpid(), signal.SIGKILL)
sys.exit("the other one has gone")
"""
    ended = launched(tmp_path, text, 2)
    assert 128 + signal.SIGKILL == ended.returncode
    assert "autograph: rank 1 has failed with signal SIGKILL" in ended.stderr
    assert "rank 0 has failed" not in ended.stderr


def test_the_status_is_that_of_the_first_failure(tmp_path: Path) -> None:
    text = """\
import os, sys, time
try:
    time.sleep(0.2 if os.environ["RANK"] == "1" else 600)
finally:
    sys.exit(40 + int(os.environ["RANK"]))
"""
    ended = launched(tmp_path, text, 3)
    assert 41 == ended.returncode
    assert "autograph: rank 1 has failed with exit status 41" in ended.stderr


DEAF = """\
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
open(sys.argv[1] + os.environ["RANK"], "w").write(str(os.getpid()))
while not all(os.path.exists(sys.argv[1] + rank) for rank in "01"):
    time.sleep(0.05)
if os.environ["RANK"] == "0":
    sys.exit(3)
time.sleep(600)
"""


IMPATIENT = """\
import sys
from autograph.__main__ import main
from autograph.cli import launch
launch._GRACE = 0.5
sys.exit(main(sys.argv[1:]))
"""


def test_a_process_that_ignores_signals_is_killed(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(DEAF, encoding="utf-8")
    words = _command(program, 2, str(tmp_path / "pid"))[3:]
    ended = subprocess.run(
        [sys.executable, "-c", IMPATIENT, *words], env=_environment(), timeout=LIMIT
    )
    assert 3 == ended.returncode
    assert not _is_alive(int((tmp_path / "pid1").read_text()))


def test_the_output_of_a_child_that_stays_is_not_waited_for(tmp_path: Path) -> None:
    text = """\
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"])
print(child.pid)
"""
    ended = launched(tmp_path, text, 1)
    assert 0 == ended.returncode
    (pid,) = _pids(ended.stdout)
    assert _is_alive(pid)
    os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_reaches_all_ranks_once(tmp_path: Path, number: int) -> None:
    text = f"""\
import os, signal, time
def told(number, frame):
    print("told", number)
    raise SystemExit(9)
signal.signal({int(number)}, told)
print("ready")
time.sleep(600)
"""
    program = tmp_path / "program.py"
    program.write_text(text)
    launcher = subprocess.Popen(
        _command(program, 2),
        env=_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    for _ in range(2):
        assert "ready" in launcher.stdout.readline()
    launcher.send_signal(number)
    out, err = launcher.communicate(timeout=LIMIT)
    assert 128 + number == launcher.returncode
    assert [f"[{rank}] told {int(number)}" for rank in range(2)] == sorted(out.splitlines())
    assert f"autograph: ended by {signal.Signals(number).name}, as all processes are\n" == err


def test_lines_arrive_while_the_processes_run(tmp_path: Path) -> None:
    text = """\
import os, sys, time
print("first")
sys.stdout.write("no end of line, \\xe4, ")
time.sleep(float(sys.argv[1]))
print("last")
"""
    program = tmp_path / "program.py"
    program.write_text(text, encoding="utf-8")
    launcher = subprocess.Popen(
        _command(program, 1, "2"),
        env={**_environment(), "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert "[0] first\n" == launcher.stdout.readline()
    first = time.monotonic()
    assert "[0] no end of line, \xe4, last\n" == launcher.communicate(timeout=LIMIT)[0]
    assert 1.0 < time.monotonic() - first


@pytest.mark.parametrize(
    "words, message",
    [
        (["-n", "0", "x.py"], "-n, the number of processes, must be at least 1, not 0"),
        (["-n", "2", "missing.py"], "there is no file 'missing.py'"),
        (["-n", "many", "x.py"], "invalid int value: 'many'"),
        (["x.py"], "the following arguments are required: -n"),
    ],
)
def test_a_wrong_command_starts_nothing(words: list[str], message: str, tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "autograph", "launch", *words],
        env=_environment(),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert (2, "") == (ended.returncode, ended.stdout)
    assert message in ended.stderr and 1 == len(ended.stderr.splitlines())
