"""Runs entries in worker processes and yields a report for each.

A worker that dies or hangs costs one entry at most: the report says where it was, and
the next worker goes on. If it was at the CPU's turn, the entry is run again without
that mode, since there is nothing to compare with.
"""

import json
import os
import queue
import selectors
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.operators.judge import FAILED

ROOT = Path(__file__).resolve().parents[2]
WORKER = ("-m", "tests.operators.worker")
# Seconds an entry may take; the slowest takes less than a tenth of this.
PATIENCE = 600
# Entries after which a worker is replaced, so that memory does not pile up.
LIFE = 1500


@dataclass
class Totals:
    """What the workers told when they ended."""

    called: dict = field(default_factory=dict)
    fallbacks: Counter = field(default_factory=Counter)

    def add(self, end):
        for provider, counts in end["called"].items():
            self.called.setdefault(provider, Counter()).update(counts)
        self.fallbacks.update(dict(end["fallbacks"]))

    def end(self):
        """The same as one worker would tell it."""
        return {"called": self.called, "fallbacks": self.fallbacks}


class Died(Exception):
    """A worker ended or hung while it had a task."""


class Worker:
    """One process; `ask` gives it a task and waits for the report."""

    def __init__(self, limit, patience, command=WORKER):
        self.patience = patience
        self.tasks = 0
        self.place = tempfile.NamedTemporaryFile("r")  # noqa: SIM115 - see close()
        self.errors = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115
        arguments = [f"--place={self.place.name}", f"--limit={limit}"]
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        self.process = subprocess.Popen(
            [sys.executable, "-X", "faulthandler", *command, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            env={**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"},
            cwd=ROOT,
        )
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)

    def ask(self, task):
        self.tasks += 1
        self._send(json.dumps(task))
        return self._answer()

    def end(self):
        """What the worker counted; nothing is left of the process."""
        self._send("")
        end = self._answer()
        self.close()
        return end

    def where(self):
        """Mode, case and side of what the worker was doing last."""
        self.place.seek(0)
        mode, place, side, *_ = [*self.place.read().strip().split("\t"), "", "", ""]
        return mode, place, side

    def close(self):
        self.process.kill()
        self.process.wait()
        for file in (self.process.stdin, self.process.stdout, self.place, self.errors):
            file.close()
        self.selector.close()

    def _send(self, line):
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            raise Died(self._post_mortem()) from None

    def _answer(self):
        if not self.selector.select(self.patience):
            raise Died(f"no answer within {self.patience} s")
        line = self.process.stdout.readline()
        if not line.endswith(b"\n"):
            raise Died(self._post_mortem())
        return json.loads(line)

    def _post_mortem(self):
        status = self.process.wait()
        self.errors.seek(0)
        return f"the process ended with {status}: {self.errors.read()[-1500:]}"


def dead_report(entry, worker, death):
    """The report of an entry whose worker died on infini."""
    mode, place, side = worker.where()
    return entry.task() | {
        "cases": {mode or "harness": {FAILED: 1}},
        "details": [(FAILED, f"{mode} {place}", f"on {side or 'start'}: {death}")],
        "samples": 0,
        "comparisons": 0,
        "seconds": 0.0,
    }


class Runner:
    """Spreads entries over `jobs` workers; `reports()` yields as they complete."""

    def __init__(self, entries, jobs, limit, patience=PATIENCE, command=WORKER):
        self.totals = Totals()
        self._todo = queue.SimpleQueue()
        self._done = queue.SimpleQueue()
        self._settings = (limit, patience, command)
        self._count = len(entries)
        for entry in entries:
            self._todo.put(entry)
        self._threads = [
            threading.Thread(target=self._serve, daemon=True)
            for _ in range(min(jobs, self._count))
        ]

    def reports(self):
        for thread in self._threads:
            thread.start()
        for _ in range(self._count):
            report = self._done.get()
            if isinstance(report, BaseException):
                raise report
            yield report
        for thread in self._threads:
            thread.join()

    def _serve(self):
        worker = None
        try:
            while True:
                try:
                    entry = self._todo.get_nowait()
                except queue.Empty:
                    break
                worker, report = self._judge(worker, entry)
                self._done.put(report)
            if worker is not None:
                self.totals.add(worker.end())
        except BaseException as error:  # to the thread that reads the reports
            self._done.put(error)

    def _judge(self, worker, entry):
        skip = []
        while True:
            if worker is not None and worker.tasks >= LIFE:
                self.totals.add(worker.end())
                worker = None
            worker = worker or Worker(*self._settings)
            try:
                return worker, worker.ask(entry.task() | {"skip": skip})
            except Died as death:
                mode, _, side = worker.where()
                report = dead_report(entry, worker, str(death))
                worker.close()
                worker = None
                if side != "cpu" or mode in skip:
                    return None, report
                skip.append(mode)


def progress(reports, total, every=20.0):
    """Passes reports on and prints how far they are."""
    start = last = time.monotonic()
    for number, report in enumerate(reports, 1):
        yield report
        now = time.monotonic()
        if now - last >= every or number == total:
            last = now
            name = f"{report['database']} {report['name']} {report['dtype']}"
            print(f"[{now - start:6.0f} s] {number}/{total} {name}", flush=True)
