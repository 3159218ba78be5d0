"""Compares infini with the CPU for PyTorch's databases of operators.

    python -m tests.operators [--resume] [--failed] [--databases op_db ...]
        [--dtypes float32 ...] [--match REGEX] [--limit 8] [--jobs N] [--out FOLDER]

Prints one table; writes each report to FOLDER/reports.jsonl as it comes, and all of
them to FOLDER/report.json. The exit status is 1 if anything failed.
"""

import argparse
import json
import os
import re
import sys
from pathlib import Path

from tests.operators import databases, summary
from tests.operators.runner import ROOT, Runner, Totals, progress


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--databases", nargs="+", default=databases.NAMES)
    parser.add_argument("--dtypes", nargs="+")
    parser.add_argument("--match", default="", help="of the entry's name")
    parser.add_argument("--limit", type=int, default=8, help="samples; 0: all")
    parser.add_argument("--jobs", type=int, default=0, help="default: MAX_JOBS")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "operators")
    parser.add_argument("--resume", action="store_true", help="go on with a run")
    parser.add_argument(
        "--failed", action="store_true", help="of a run, what failed once more"
    )
    return parser.parse_args()


def key(report):
    return f"{report['database']} {report['name']} {report['dtype']}"


def earlier(path, limit, failed_again):
    """The reports of the run before, by entry, and what its workers counted."""
    found, totals = {}, Totals()
    for line in path.read_text().splitlines() if path.exists() else ():
        report = json.loads(line)
        if "called" in report:
            totals.add(report)
        elif report["limit"] == limit:
            found[key(report)] = report
    if failed_again:
        found = {k: r for k, r in found.items() if summary.status_of(r) != "failed"}
    return found, totals


def run(todo, options, done):
    """Judges the entries into `done` and returns what the workers counted."""
    jobs = options.jobs or int(os.environ.get("MAX_JOBS") or os.cpu_count() or 1)
    runner = Runner(todo, jobs, options.limit)
    path = options.out / "reports.jsonl"
    with path.open("a" if done else "w") as file:
        for report in progress(runner.reports(), len(todo)):
            report["limit"] = options.limit
            done[key(report)] = report
            file.write(json.dumps(report) + "\n")
            file.flush()
        file.write(json.dumps(runner.totals.end()) + "\n")
    return runner.totals


def main():
    options = parse()
    options.out.mkdir(parents=True, exist_ok=True)
    wanted = [
        entry
        for entry in databases.entries(options.databases, options.dtypes)
        if re.search(options.match, entry.name)
    ]
    done, totals = {}, Totals()
    if options.resume or options.failed:
        path = options.out / "reports.jsonl"
        done, totals = earlier(path, options.limit, options.failed)
    todo = [entry for entry in wanted if entry.key() not in done]
    if done:
        print(f"{len(wanted) - len(todo)} of {len(wanted)} entries were judged before")
    totals.add(run(todo, options, done).end())
    reports = [done[entry.key()] for entry in wanted]
    called, fallbacks = totals.called, totals.fallbacks
    result = {"reports": reports, **totals.end()}
    (options.out / "report.json").write_text(json.dumps(result, indent=1))
    print(summary.text(reports, called, fallbacks))
    failed = any(summary.status_of(report) == "failed" for report in reports)
    return 1 if failed or fallbacks else 0


if __name__ == "__main__":
    sys.exit(main())
