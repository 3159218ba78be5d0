"""Which files tools/run_clang_tidy.py looks at."""

import importlib.util
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "run_clang_tidy.py"
spec = importlib.util.spec_from_file_location("run_clang_tidy", TOOL)
run_clang_tidy = importlib.util.module_from_spec(spec)
spec.loader.exec_module(run_clang_tidy)

SOURCES = dict.fromkeys(["csrc/a.cpp", "csrc/b.cpp", "embedded/rt/a.cpp"], Path("x"))


def test_all_when_the_previous_commit_is_unknown():
    assert run_clang_tidy.select(SOURCES, None) == sorted(SOURCES)


def test_all_when_the_checks_change():
    assert run_clang_tidy.select(SOURCES, {".clang-tidy"}) == sorted(SOURCES)


def test_changed_sources():
    changed = {"csrc/b.cpp", "python/x.py", "csrc/gone.cpp"}
    assert run_clang_tidy.select(SOURCES, changed) == ["csrc/b.cpp"]


def test_a_header_stands_for_its_source():
    assert run_clang_tidy.select(SOURCES, {"csrc/a.h"}) == ["csrc/a.cpp"]


def test_nothing_changed():
    assert run_clang_tidy.select(SOURCES, set()) == []
