"""Each statement of the README's scope is shown by tests, none missing or skipped.

Runs after the other files of this folder and looks at what they did; the tests that
this session did not run are run in a session of their own.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import OUTCOMES, OUTCOMES_VARIABLE, ROOT

SCOPE = Path(__file__).with_name("scope.json")


def unique(pairs):
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), f"a key appears twice: {keys}"
    return dict(pairs)


def load_items():
    data = json.loads(SCOPE.read_text(encoding="utf-8"), object_pairs_hook=unique)
    assert data.keys() == {"version", "items"}
    assert data["version"] == 1
    return data["items"]


ITEMS = load_items()


def test_scope_is_well_formed():
    texts = [item["text"] for item in ITEMS]
    assert len(texts) == len(set(texts))
    for item in ITEMS:
        assert item.keys() == {"text", "tests"}
        assert item["text"].strip()
        assert item["tests"], f"no test shows: {item['text']}"
        assert len(item["tests"]) == len(set(item["tests"]))
        assert all(name.startswith("tests/") for name in item["tests"])
        assert not [name for name in item["tests"] if "/test_scope.py" in name]


def matching(name, outcomes):
    """The outcomes that an id stands for: all that begin so if it ends in `*]`."""
    if name.endswith("*]"):
        return {r: how for r, how in outcomes.items() if r.startswith(name[:-2])}
    return {name: outcomes[name]} if name in outcomes else {}


def run_apart(files, target):
    """Outcomes of whole test files, run by a pytest of their own, and its output.

    Files, not ids: an id that does not exist would keep pytest from running any.
    """
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    # Named for the sake of this folder's conftest.py, which records the outcomes.
    recorder = "tests/conformance/test_scope.py::test_scope_is_well_formed"
    done = subprocess.run(
        [
            *command,
            "--continue-on-collection-errors",
            "--rootdir",
            str(ROOT),
            recorder,
            *files,
        ],
        cwd=ROOT,
        env={**os.environ, OUTCOMES_VARIABLE: str(target)},
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    ran = json.loads(target.read_text(encoding="utf-8")) if target.exists() else {}
    return ran, done.stdout + done.stderr


@pytest.fixture(scope="module")
def shown(request, tmp_path_factory):
    """All outcomes: this session's, and those of what it did not run, run once."""
    here = request.config.stash[OUTCOMES].by_id
    named = {name for item in ITEMS for name in item["tests"]}
    left = {name.partition("::")[0] for name in named if not matching(name, here)}
    files = sorted(name for name in left if (ROOT / name).is_file())
    if not files:
        return here, ""
    target = tmp_path_factory.mktemp("scope") / "outcomes.json"
    ran, printed = run_apart(files, target)
    return {**ran, **here}, printed


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item["text"][:60])
def test_scope_item_is_shown(item, shown):
    outcomes, printed = shown
    for name in item["tests"]:
        found = matching(name, outcomes)
        assert found, f"there is no test {name}\n{printed[-2000:]}"
        bad = {ran: how for ran, how in found.items() if how != "passed"}
        assert not bad, f"not passed: {bad}"
