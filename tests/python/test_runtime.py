"""What serves the device, and the operator layer's switches."""

import os
from pathlib import Path

import pytest
import torch
import torch_infini  # noqa: F401

infini = torch.infini


class TestBackend:
    def test_names_libraries_that_this_process_has_loaded(self):
        backend = infini.runtime_backend()
        maps = Path("/proc/self/maps").read_text()
        for part, stem in (("runtime", "libinfinirt"), ("operators", "libinfiniops")):
            path = Path(backend[part]["path"])
            assert path.name.startswith(stem)
            assert path.is_absolute()
            assert os.path.realpath(path) in maps
            assert backend[part]["library"]

    def test_other_entries(self):
        backend = infini.runtime_backend()
        assert backend["name"] == "cpu" or infini.get_device_name()
        assert isinstance(backend["embedded"], bool)
        assert backend["device_count"] == infini.device_count()
        known = {
            "async_memcpy",
            "host_allocation",
            "async_allocation",
            "events",
            "host_access",
            "inline_streams",
        }
        assert set(backend["capabilities"]) <= known

    def test_is_a_copy(self):
        infini.runtime_backend()["name"] = "x"
        assert infini.runtime_backend()["name"] != "x"

    @pytest.mark.parametrize("name", ["CPU ", "cpu,nvidia"])
    def test_wrong_backend_in_the_environment(self, run_python, name):
        code = """
import torch, torch_infini
torch.ones(2, device="infini")
"""
        result = run_python(code, check=False, INFINI_BACKEND=name)
        assert result.returncode == 1
        assert "INFINI_BACKEND" in result.stderr
        assert name in result.stderr
        assert "cpu" in result.stderr

    def test_chosen_backend_in_the_environment(self, run_python):
        code = """
import torch, torch_infini
assert torch.infini.runtime_backend()["name"] == "cpu"
"""
        run_python(code, INFINI_BACKEND="cpu")


class TestOperators:
    def test_tells_name_and_provider(self):
        table = infini.operators()
        assert len(table) > 100
        providers = dict(table)
        assert set(providers.values()) <= {"native", "infiniops", "host", "composite"}
        assert providers["aten::add.Tensor"] == "infiniops"
        assert providers["aten::empty.memory_format"] == "native"
        assert [name for name, _ in table] == sorted(providers)

    def test_counts_calls_by_provider(self):
        def calls(name, provider):
            counts = {(n, p): c for n, p, c in infini.provider_counts()}
            return counts.get((name, provider), 0)

        x = torch.ones(4, device="infini")
        added = calls("aten::add.Tensor", "infiniops")
        for _ in range(3):
            y = x + x
        assert calls("aten::add.Tensor", "infiniops") == added + 3
        inverted = sum(calls(f"aten::erfinv{kind}", "host") for kind in ("", ".out"))
        torch.erfinv(y / 8)
        after = sum(calls(f"aten::erfinv{kind}", "host") for kind in ("", ".out"))
        assert after == inverted + 1


SWITCHES = [
    ("fallback", ["off", "warn", "on"], "INFINI_FALLBACK"),
    ("numerics", ["exact", "fast"], "INFINI_NUMERICS"),
]


@pytest.mark.parametrize(("name", "modes"), [switch[:2] for switch in SWITCHES])
class TestSwitches:
    @pytest.fixture(autouse=True)
    def restored(self, name):
        before = getattr(infini, f"get_{name}")()
        yield
        getattr(infini, f"set_{name}")(before)

    def test_set_and_get(self, name, modes):
        for mode in modes:
            getattr(infini, f"set_{name}")(mode)
            assert getattr(infini, f"get_{name}")() == mode

    @pytest.mark.parametrize("mode", ["ON", "", "maybe", None, 1, True])
    def test_other_modes_are_refused(self, name, modes, mode):
        before = getattr(infini, f"get_{name}")()
        if isinstance(mode, str):
            with pytest.raises(ValueError, match=", ".join(modes)):
                getattr(infini, f"set_{name}")(mode)
        else:
            with pytest.raises(TypeError):
                getattr(infini, f"set_{name}")(mode)
        assert getattr(infini, f"get_{name}")() == before


class TestEnvironment:
    PRINT = """
import torch, torch_infini
print(torch.infini.get_fallback(), torch.infini.get_numerics())
"""

    @pytest.mark.parametrize(
        ("fallback", "numerics", "expected"),
        [
            ("<unset>", "<unset>", "off exact"),
            ("warn", "fast", "warn fast"),
            ("on", "exact", "on exact"),
            ("", "", "off exact"),
        ],
    )
    def test_modes_to_start_with(self, run_python, fallback, numerics, expected):
        result = run_python(
            self.PRINT, INFINI_FALLBACK=fallback, INFINI_NUMERICS=numerics
        )
        assert result.stdout.strip() == expected

    @pytest.mark.parametrize(("name", "modes", "variable"), SWITCHES)
    def test_wrong_mode(self, run_python, name, modes, variable):
        result = run_python(self.PRINT, check=False, **{variable: "bogus"})
        assert result.returncode == 1
        assert variable in result.stderr
        assert "bogus" in result.stderr
        for mode in modes:
            assert mode in result.stderr


def test_fallback_counts_are_numbers_by_operator():
    counts = infini.fallback_counts()
    assert isinstance(counts, dict)
    assert all(isinstance(count, int) for count in counts.values())
