"""The profile itself, and each symbol that it calls required."""

import inspect
from pathlib import Path

import pytest
import torch
from api_gaps import compare, profile, surface

PROFILE = profile.load_profile(Path(__file__).with_name("api_profile.json"))
REQUIRED = sorted(
    name
    for name, entry in PROFILE.symbols.items()
    if entry.classification == "required"
)
# Parameters of torch.cuda that a required symbol may lack, and why.
NOT_COMMON = {
    ("Stream", "kwargs"): "names are checked by test_stream.py",
    ("ExternalStream", "kwargs"): "names are checked by test_stream.py",
}
POSITIONAL = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
)


@pytest.fixture(scope="module")
def names():
    return surface.collect_surface(PROFILE.reference)


def test_every_symbol_of_this_pytorch_is_classified(names):
    if not torch.__version__.startswith(PROFILE.pytorch):
        pytest.skip(f"the profile is of PyTorch {PROFILE.pytorch}")
    assert sorted(names.keys() - PROFILE.symbols.keys()) == []
    assert sorted(PROFILE.symbols.keys() - names.keys()) == []


def test_symbols_stand_in_order():
    assert list(PROFILE.symbols) == sorted(PROFILE.symbols)


def test_required_and_planned_are_70_percent_of_the_public_callables(names):
    report = compare.build_report(PROFILE, names, object())
    calls = compare.summarise(report)["public_callables"]
    assert 100 * calls["required_or_planned"] >= 70 * calls["total"]


def test_excluded_symbols_have_a_reason():
    excluded = [e for e in PROFILE.symbols.values() if e.classification == "excluded"]
    assert excluded
    assert all(entry.reason for entry in excluded)


@pytest.mark.parametrize("name", REQUIRED)
def test_required_symbol_exists(infini, names, name):
    value = compare.resolve(torch, f"infini.{PROFILE.candidate_name(name)}")
    assert value is not compare.MISSING, f"torch.infini.{name} is missing"
    if names[name] == "class":
        assert inspect.isclass(value)
    if names[name] == "function":
        assert callable(value)


@pytest.mark.parametrize("name", sorted(PROFILE.additions))
def test_addition_exists(infini, name):
    assert callable(compare.resolve(torch, f"infini.{name}"))


def signature_or_none(value):
    try:
        return inspect.signature(value)
    except ValueError:
        return None


def comparable():
    """Required symbols of which torch.cuda tells the parameters."""
    for name in REQUIRED:
        value = compare.resolve(torch.cuda, name)
        if value is compare.MISSING or not callable(value):
            continue
        if signature_or_none(value) is not None:
            yield name


@pytest.mark.parametrize("name", list(comparable()))
def test_required_symbol_accepts_what_cuda_accepts(infini, name):
    reference = signature_or_none(compare.resolve(torch.cuda, name)).parameters
    value = compare.resolve(torch, f"infini.{PROFILE.candidate_name(name)}")
    found = signature_or_none(value)
    if found is None:
        generic = getattr(torch, name.replace("External", "").partition(".")[0], None)
        leaf = name.rpartition(".")[2]
        inherited = getattr(generic, leaf, None) is value and value is not None
        takes_nothing = not set(reference) - {"self"}
        assert inherited or takes_nothing, f"torch.infini.{name} tells no signature"
        return
    parameters = found.parameters
    takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    leaf = name.rpartition(".")[2]
    wanted = [p for p in reference if (leaf, p) not in NOT_COMMON]
    if not takes_any:
        assert [p for p in wanted if p not in parameters] == []
    order = [p for p, v in parameters.items() if v.kind in POSITIONAL]
    common = [p for p in wanted if p in order]
    assert order[: len(common)] == common
    needed = {
        p
        for p, v in parameters.items()
        if v.default is v.empty and v.kind in (*POSITIONAL, v.KEYWORD_ONLY)
    }
    asked = {p for p, v in reference.items() if v.default is v.empty}
    assert needed <= asked
