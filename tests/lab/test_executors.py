"""Work on a cluster: a real scheduler and workers on loopback give what this process would."""

import importlib
import os
import shutil
import socket
import subprocess
import sys
import time
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import irattn
import irattn.lab.executors.dask
from irattn.binary.manifest import sha256
from irattn.cli import main
from irattn.compiling.artifact import artifacts_in
from irattn.compiling.compiler import DiagnosticsError, compile_installed
from irattn.core.errors import ExecutorError, UsageError
from irattn.lab.executors import Local, executor_of, using
from irattn.lab.tuning import read_tuning
from irattn.targets import get as get_target
from support.here import Here

pytestmark = pytest.mark.slow

distributed = pytest.importorskip("distributed")

NAMES = ["causal_mask_tiny", "scale_scores_tiny", "softmax_tiny", "soft_cap_scores_tiny"]
CHECKOUT = Path(irattn.__file__).parents[1]


@contextmanager
def process(module, *arguments, code=CHECKOUT):
    """A process of dask's, with the irattn of a checkout; killed at the end."""
    command = [sys.executable, "-m", f"distributed.cli.{module}", *map(str, arguments)]
    path = os.pathsep.join([str(code), os.environ.get("PYTHONPATH", "")])
    child = subprocess.Popen(
        [*command, "--no-dashboard"],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
    )
    try:
        yield child
    finally:
        child.kill()
        child.wait()


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory):
    file = tmp_path_factory.mktemp("cluster") / "scheduler.json"
    with process("dask_scheduler", "--host=127.0.0.1", "--port=0", f"--scheduler-file={file}"):
        while not file.exists():
            time.sleep(0.05)
        with distributed.Client(scheduler_file=str(file), set_as_default=False) as client:
            yield client


@contextmanager
def workers(scheduler, count, code=CHECKOUT):
    """So many more workers, of one thread each, that have arrived; all have left at the end."""
    address, before = scheduler.scheduler.address, len(scheduler.nthreads())
    started = [
        process("dask_worker", address, "--nthreads=1", "--no-nanny", code=code)
        for _ in range(count)
    ]
    children = [one.__enter__() for one in started]
    try:
        scheduler.wait_for_workers(before + count, timeout=120)
        yield children
    finally:
        for one in started:
            one.__exit__(None, None, None)
        while scheduler.nthreads():
            time.sleep(0.05)


def words_of(scheduler):
    return scheduler.scheduler.address.replace("tcp://", "dask://")


def run(*arguments):
    return CliRunner().invoke(main, [*map(str, arguments)])


def bytes_below(folder):
    return {
        path.relative_to(folder): path.read_bytes()
        for artifact in artifacts_in(folder)
        for path in artifact.path.iterdir()
    }


def slowly(seconds, result):
    time.sleep(seconds)
    return result


@pytest.mark.parametrize(
    "words",
    [
        *("local", "local:0", "local:-1", "local:two", "local:100000", "ssh://host", ""),
        *("dask", "dask://", "dask://host", "dask://host:", "dask://host:0", "dask://host:65536"),
        *("dask://host:port", "dask://host:8786/", "dask://tcp://host:8786", "dask://h st:8786"),
        2,
    ],
)
def test_other_words_are_refused(words):
    with pytest.raises(UsageError, match=r"expected local:N or dask://HOST:PORT"):
        executor_of(words)


def test_jobs_and_executor_are_one_thing():
    result = run("compile", NAMES[0], "--target=cpu", "--jobs=2", "--executor=local:2")
    assert result.exit_code == 2
    assert "--jobs N is short for --executor local:N" in result.output


def test_processes_of_this_machine_verify_the_same():
    alone, several = (
        run("verify", *NAMES[:2], "--json", *more) for more in ([], ["--executor", "local:2"])
    )
    assert several.exit_code == 0, several.output
    assert several.stdout == alone.stdout


def test_processes_end_with_the_one_that_started_them():
    """Also where it has no time to tell them, as at a Ctrl-C that other work outlasts."""
    code = """
import os
from irattn.lab.executors.local import Local
if __name__ == "__main__":
    print(Local(1).submit("pid", os.getpid).result(), flush=True)
    os._exit(130)
"""
    # The pipe has an end as soon as nobody has it any more.
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, timeout=60)
    assert done.returncode == 130
    assert int(done.stdout) > 0


def test_a_process_that_dies_takes_no_other_task_along(tmp_path):
    """Its task is begun again, and told by name when that does not help."""
    kill = "os.kill(os.getpid(), 9)"
    once = f"import os; p = {str(tmp_path / 'once')!r}; os.path.exists(p) or (os.mkdir(p), {kill})"
    with using(Local(1)) as executor:
        unlucky = executor.submit("unlucky", exec, once)
        fatal = executor.submit("fatal", exec, f"import os; {kill}")
        other = executor.submit("other", divmod, 7, 2)
        assert unlucky.result() is None
        with pytest.raises(ExecutorError, match="fatal: the process that worked on it died"):
            fatal.result()
        assert other.result() == (3, 1)


def test_processes_that_begin_say_nothing_at_ctrl_c():
    """Python has a handler of its own long before a process is told how to end."""
    code = """
import os, signal, time
from irattn.lab.executors.local import Local
if __name__ == "__main__":
    signal.signal(signal.SIGINT, lambda *_: None)
    task = Local(1).submit("long", time.sleep, 600)
    for _ in range(12):
        time.sleep(0.1)
        os.killpg(0, signal.SIGINT)
    os._exit(130)
"""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, stderr=subprocess.PIPE, start_new_session=True, timeout=60)
    assert done.returncode == 130
    assert b"KeyboardInterrupt" not in done.stderr


def test_what_a_task_raises_arrives():
    with using(Local(1)) as executor, pytest.raises(ZeroDivisionError):
        executor.submit("wrong", divmod, 1, 0).result()


def test_nothing_waits_for_what_was_given_up():
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt), using(Local(1)) as executor:  # noqa: PT012
        executor.submit("short", slowly, 0, None).result()
        executor.submit("long", slowly, 600, None)
        raise KeyboardInterrupt
    assert time.monotonic() - start < 300


def test_a_cluster_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setattr(irattn.lab.executors.dask, "_ANSWER_SECONDS", 0.5)
    with pytest.raises(ExecutorError, match="no scheduler answers; `dask scheduler` starts one"):
        executor_of("dask://127.0.0.1:9")


def test_what_listens_but_is_no_scheduler_is_not_waited_for(monkeypatch):
    """A dashboard, say, whose port stands beside the scheduler's."""
    monkeypatch.setattr(irattn.lab.executors.dask, "_ANSWER_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        words = f"dask://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(ExecutorError, match=f"{words}: no scheduler answers"):
            executor_of(words)


def test_tasks_of_a_scheduler_that_is_lost_are_named():
    """Those under way, which dask cancels, and those that come after it has given up."""

    class Client:
        status = "connecting"

        def submit(self, *task, **how):
            return self

        def add_done_callback(self, settle):
            settle(self)

        def result(self):
            raise distributed.client.FutureCancelledError("key", "scheduler-connection-lost")

    there = object.__new__(irattn.lab.executors.dask.Dask)
    there._address, there._client, there._lost = "host:1", Client(), distributed.KilledWorker
    for status in ("connecting", "closed"):
        there._client.status = status
        task = there.submit("sum", divmod, 7, 2)
        with pytest.raises(ExecutorError, match="sum: the scheduler at dask://host:1 was lost"):
            task.result(0)


def test_what_did_not_arrive_as_it_was_is_refused(monkeypatch):
    there = object.__new__(irattn.lab.executors.dask.Dask)
    arrived = Future()
    arrived.set_result((b"vmfx", sha256(b"vmfb")))
    monkeypatch.setattr(there, "submit", lambda *task: arrived)
    with pytest.raises(ExecutorError, match="did not arrive as it was"):
        there.compile("text", ())


class _Unlucky(Here):
    """Loses what it compiles for one target."""

    def compile(self, text, flags, *, timeout=None):
        if "gfx942" in str(flags):
            raise ExecutorError("compile: every worker that began it was lost")
        return super().compile(text, flags)


def test_a_sweep_goes_on_after_a_failure_and_tells_how_to_repeat_it(monkeypatch, capsys):
    sys.path.insert(0, str(CHECKOUT / "tools"))
    sweep = importlib.import_module("sweep")
    monkeypatch.setattr(sweep, "executor_of", lambda words: _Unlucky())
    words = ["softmax_tiny", "--targets", "gfx942,gfx1100", "--set", "q_len=8"]
    monkeypatch.setattr(sys, "argv", ["sweep.py", *words])
    assert sweep.main() == 1
    said = capsys.readouterr()
    assert "FAILED: compile: every worker that began it was lost" in said.out
    assert "2 compilations, 1 with spills or failures" in said.out
    (repeat,) = said.err.splitlines()
    assert repeat.startswith(
        "again: python tools/sweep.py softmax_tiny --targets gfx942 --set q_len=8"
    )


def test_a_scheduler_without_workers_is_named(scheduler):
    with pytest.raises(ExecutorError, match="the scheduler has no workers; `dask worker tcp://"):
        executor_of(words_of(scheduler))


def test_a_worker_that_is_lost_costs_nothing_but_time(scheduler, tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    for name in NAMES:
        irattn.compile(name, target="gfx1100", out=here)
    with workers(scheduler, 2) as children:
        command = ["irattn", "compile", *NAMES, "--target", "gfx1100", "--store", str(there)]
        command += ["--executor", words_of(scheduler)]
        with subprocess.Popen(
            [sys.executable, "-m", *command], stdout=subprocess.PIPE, text=True, cwd=CHECKOUT
        ) as child:
            first = child.stdout.readline()
            children[0].kill()
            rest = child.stdout.read()
    assert child.returncode == 0
    assert (first + rest).count("compiled  ") == len(NAMES)
    assert bytes_below(there) == bytes_below(here)


def test_a_worker_of_other_versions_is_refused(scheduler, tmp_path):
    """It has the same version of irattn, and one line more in a template."""
    for folder in ("irattn", "templates"):
        shutil.copytree(CHECKOUT / folder, tmp_path / folder)
    with (tmp_path / "templates" / "linalg" / "softmax.mlir.j2").open("a") as template:
        template.write("\n")
    refusal = r"this worker has files [0-9a-f]{12} instead of [0-9a-f]{12}"
    with workers(scheduler, 1, code=tmp_path), pytest.raises(ExecutorError, match=refusal):
        executor_of(words_of(scheduler))


def test_a_worker_of_other_versions_that_comes_later_is_refused(scheduler, tmp_path):
    shutil.copytree(CHECKOUT / "irattn", tmp_path / "irattn")
    shutil.copytree(CHECKOUT / "templates", tmp_path / "templates")
    (tmp_path / "irattn" / "more.py").write_text("")
    with (
        workers(scheduler, 1) as children,
        using(executor_of(words_of(scheduler))) as executor,
        workers(scheduler, 1, code=tmp_path),
    ):
        children[0].kill()
        with pytest.raises(ExecutorError, match="a worker was refused: it has files"):
            executor.submit("late", divmod, 7, 2).result()


@pytest.fixture(scope="module")
def with_a_worker(scheduler):
    """The words of a scheduler with one worker; no test after these counts how many there are."""
    with workers(scheduler, 1):
        yield words_of(scheduler)


def test_an_error_ends_only_its_own_task(with_a_worker):
    text, flags = irattn.render(NAMES[0], target="gfx1100"), get_target("gfx1100").flags
    with using(executor_of(with_a_worker)) as executor:
        with pytest.raises(DiagnosticsError) as error:
            executor.compile("func.func @f(", flags)
        assert error.value.first_error
        assert error.value.line == 1
        assert executor.compile(text, flags) == compile_installed(text, flags)
        assert executor.submit("again", divmod, 7, 2).result() == (3, 1)


def test_what_means_this_machine_is_not_sent_to_another(with_a_worker, tmp_path):
    where = ("--executor", with_a_worker)
    compiled = run("compile", NAMES[0], "--target", "cpu", *where)
    verified = run("verify", NAMES[0], "--store", tmp_path, *where)
    assert (compiled.exit_code, verified.exit_code) == (2, 2)
    assert "name a processor, as x86-64-v3" in compiled.output
    assert "lie on this machine" in verified.output


def test_tiles_tried_by_workers_have_the_same_figures(with_a_worker, tmp_path, monkeypatch):
    there, here = tmp_path / "there.json", tmp_path / "here.json"
    words = ("tune", "gqa_decode_tiny", "--target", "gfx1100", "--budget", "1", "--store", tmp_path)
    result = run(*words, "-o", there, "--executor", with_a_worker)
    assert result.exit_code == 0, result.output
    monkeypatch.setattr("irattn.api.figures.executor_of", lambda words: Here())
    (found,) = irattn.tune(words[1], here, target="gfx1100", budget=1, out=tmp_path)
    assert replace(read_tuning(there).entries[0], command=found.command) == found
