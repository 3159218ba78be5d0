"""Contract of the current device: selection, contexts, indices, properties."""

import pytest
import torch

INDEX_ERRORS = (RuntimeError, ValueError, AssertionError)


class Boom(Exception):
    pass


def out_of_range(backend):
    """Indices that no device has, those that wrap to 0 in a byte or word included."""
    count = backend.api.device_count()
    return [count, 255 + count, 256, 2**31, 2**32, 2**40, 2**63, 2**70]


def test_is_available_and_device_count_agree(backend):
    available, count = backend.api.is_available(), backend.api.device_count()
    assert available is True
    assert type(count) is int
    assert count >= 1


def test_init_is_idempotent_and_marks_initialized(backend):
    backend.api.init()
    backend.api.init()
    assert backend.api.is_initialized() is True


def test_current_device_is_an_index_in_range(backend):
    current = backend.api.current_device()
    assert type(current) is int
    assert 0 <= current < backend.api.device_count()


def test_device_string_without_index_means_the_current_device(backend):
    assert torch.empty(1, device=backend.name).device == backend.device(0)
    assert torch.empty(1, device=f"{backend.name}:0").device == backend.device(0)
    assert torch.empty(1, device=torch.device(backend.name)).device.index == 0


@pytest.mark.parametrize("spell", ["index", "string", "device"])
def test_set_device_accepts_every_spelling(backend, spell):
    last = backend.api.device_count() - 1
    text = f"{backend.name}:{last}"
    value = {"index": last, "string": text, "device": torch.device(text)}[spell]
    backend.api.set_device(value)
    assert backend.api.current_device() == last
    assert torch.empty(1, device=backend.name).device.index == last


def test_set_device_out_of_range_raises_and_changes_nothing(backend):
    for index in out_of_range(backend):
        expected = INDEX_ERRORS if backend.is_infini else Exception
        with pytest.raises(expected) as caught:
            backend.api.set_device(index)
        if backend.is_infini:
            assert str(index) in str(caught.value)
        assert backend.api.current_device() == 0
    torch.testing.assert_close(backend.tensor([1.0]).cpu(), torch.tensor([1.0]))


def test_index_in_a_string_never_wraps(infini):
    for index in (infini.api.device_count(), 256, 2**32, 2**40):
        for call in (infini.api.set_device, infini.api.synchronize):
            with pytest.raises((RuntimeError, ValueError), match=str(index)):
                call(f"infini:{index}")
    assert infini.api.current_device() == 0


def outcome_of(function, *arguments):
    """What a call returned or raised."""
    try:
        return function(*arguments)
    except Exception as error:
        return error


def test_negative_index_never_selects_a_device(backend):
    """torch.cuda ignores it; an error that names it would do as well."""
    for index in (-1, -2, -256, -(2**40)):
        outcome = outcome_of(backend.api.set_device, index)
        if backend.is_infini and outcome is not None:
            assert isinstance(outcome, INDEX_ERRORS)
            assert str(index) in str(outcome)
        assert backend.api.current_device() == 0


@pytest.mark.parametrize(
    "call",
    [
        "synchronize",
        "current_stream",
        "default_stream",
        "get_device_name",
        "get_device_properties",
        "get_device_capability",
        "mem_get_info",
        "Stream",
    ],
)
def test_calls_with_an_index_out_of_range_raise_and_name_it(backend, call):
    for index in out_of_range(backend):
        expected = INDEX_ERRORS if backend.is_infini else Exception
        with pytest.raises(expected) as caught:
            getattr(backend.api, call)(index)
        if backend.is_infini:
            assert str(index) in str(caught.value)
        assert backend.api.current_device() == 0
    backend.api.synchronize()


def test_device_context_out_of_range_raises_and_changes_nothing(backend):
    for index in out_of_range(backend):
        expected = INDEX_ERRORS if backend.is_infini else Exception
        with pytest.raises(expected), backend.api.device(index):
            pytest.fail("the context was entered")
        assert backend.api.current_device() == 0


def test_tensor_on_a_device_out_of_range_raises(backend):
    count = backend.api.device_count()
    with pytest.raises(RuntimeError) as caught:
        torch.empty(1, device=f"{backend.name}:{count}")
    if backend.is_infini:
        assert str(count) in str(caught.value)
    assert backend.api.current_device() == 0
    assert torch.empty(1, device=backend.name).device.index == 0


@pytest.mark.parametrize("value", ["cpu", "cpu:0", "meta", torch.device("cpu")])
def test_device_of_another_type_is_refused(backend, value):
    with pytest.raises((ValueError, RuntimeError)) as caught:
        backend.api.set_device(value)
    assert str(value).split(":")[0] in str(caught.value)
    with pytest.raises((ValueError, RuntimeError)):
        backend.api.synchronize(value)
    assert backend.api.current_device() == 0


@pytest.mark.parametrize("value", [object(), [0], 0.5, b"0"])
def test_value_that_is_no_device_is_refused(backend, value):
    with pytest.raises((TypeError, ValueError, RuntimeError)):
        backend.api.set_device(value)
    assert backend.api.current_device() == 0


@pytest.mark.parametrize("spell", ["none", "minus", "current"])
def test_device_context_that_changes_nothing(backend, spell):
    value = {"none": None, "minus": -1, "current": 0}[spell]
    with backend.api.device(value):
        assert backend.api.current_device() == 0
    assert backend.api.current_device() == 0


def raise_inside(context):
    with context:
        raise Boom


def test_device_context_restores_after_an_exception(backend):
    last = backend.api.device_count() - 1
    with pytest.raises(Boom):
        raise_inside(backend.api.device(last))
    assert backend.api.current_device() == 0


def test_device_context_is_reusable_and_nests(backend):
    last = backend.api.device_count() - 1
    context = backend.api.device(f"{backend.name}:{last}")
    for _ in range(3):
        with context:
            assert backend.api.current_device() == last
            with backend.api.device(0):
                assert backend.api.current_device() == 0
            assert backend.api.current_device() == last
        assert backend.api.current_device() == 0


def test_device_context_restores_after_set_device_inside(two_devices):
    api = two_devices.api
    with api.device(0):
        api.set_device(1)
        assert api.current_device() == 1
    assert api.current_device() == 0


def test_device_contexts_select_where_tensors_live(two_devices):
    with two_devices.api.device(1):
        inner = torch.empty(1, device=two_devices.name)
        with two_devices.api.device(0):
            innermost = torch.empty(1, device=two_devices.name)
    assert (inner.device.index, innermost.device.index) == (1, 0)


def test_device_of_follows_a_tensor(backend):
    last = backend.api.device_count() - 1
    there = torch.empty(1, device=backend.device(last))
    with backend.api.device_of(there):
        assert backend.api.current_device() == last
    assert backend.api.current_device() == 0
    with backend.api.device_of(torch.empty(1)):
        assert backend.api.current_device() == 0


def test_properties_name_and_capability_agree(backend):
    for device in (None, 0, f"{backend.name}:0", backend.device(0), backend.name):
        properties = backend.api.get_device_properties(device)
        assert properties.name == backend.api.get_device_name(device)
        assert properties.name
        assert properties.total_memory > 0
        capability = backend.api.get_device_capability(device)
        assert [type(part) for part in capability] == [int, int]
        assert capability == (properties.major, properties.minor)


def test_mem_get_info_is_free_and_total(backend):
    free, total = backend.api.mem_get_info()
    assert 0 <= free <= total
    assert total > 0


def test_empty_cache_keeps_what_lives(backend):
    live = backend.tensor([1.0, 2.0])
    torch.empty(1 << 16, device=backend.name)
    assert backend.api.empty_cache() is None
    torch.testing.assert_close(live.cpu(), torch.tensor([1.0, 2.0]))


def test_can_device_access_peer_answers_or_raises(backend):
    last = backend.api.device_count() - 1
    assert type(backend.api.can_device_access_peer(0, last)) is bool
    for pair in ((0, last + 1), (last + 1, 0), (0, 256 + last)):
        with pytest.raises(INDEX_ERRORS):
            backend.api.can_device_access_peer(*pair)


def test_synchronize_accepts_every_spelling(backend):
    for device in (None, 0, f"{backend.name}:0", backend.device(0), backend.name):
        assert backend.api.synchronize(device) is None
    assert backend.api.current_device() == 0


def test_synchronize_makes_work_visible(backend):
    pinned = torch.zeros(1 << 16).pin_memory(backend.name)
    there = backend.tensor(range(1 << 16))
    pinned.copy_(there, non_blocking=True)
    backend.api.synchronize()
    assert torch.equal(pinned, torch.arange(1 << 16, dtype=torch.float32))
