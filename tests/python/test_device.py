"""torch.infini's devices: selection, indices that never wrap, properties."""

import threading

import numpy as np
import pytest
import torch
import torch_infini  # noqa: F401

infini = torch.infini
COUNT = infini.device_count()

VALID = [
    0,
    np.int64(0),
    np.uint8(0),
    "infini",
    "infini:0",
    torch.device("infini"),
    torch.device("infini", 0),
    infini.device(0),
]
# One past the last, and numbers whose low bits are a valid index.
NO_SUCH_DEVICE = [COUNT, 127, 128, 255, 256, 65536, 2**32, 2**40, 2**63, 2**64, 2**100]
QUERIES = [
    infini.synchronize,
    infini.current_stream,
    infini.default_stream,
    infini.Stream,
    infini.device,
    infini.set_device,
    infini.get_device_name,
    infini.get_device_properties,
    infini.get_device_capability,
    infini.mem_get_info,
    infini.memory_stats,
    infini.memory_allocated,
    infini.reset_peak_memory_stats,
    infini.get_rng_state,
    lambda device: infini.can_device_access_peer(0, device),
]
QUERY_IDS = [getattr(query, "__name__", "peer") for query in QUERIES]


@pytest.fixture(autouse=True)
def on_device_0():
    infini.set_device(0)
    yield
    infini.set_device(0)


class TestIndices:
    # An object's repr has an address, which is another one in each process.
    @pytest.mark.parametrize("device", VALID, ids=lambda x: repr(x).split(" at ")[0])
    def test_ways_to_name_a_device(self, device):
        assert infini.get_device_name(device) == infini.get_device_name(0)
        infini.synchronize(device)
        assert infini.current_stream(device).device_index == 0

    @pytest.mark.parametrize("query", QUERIES, ids=QUERY_IDS)
    @pytest.mark.parametrize("index", NO_SUCH_DEVICE)
    def test_no_such_device(self, query, index):
        with pytest.raises(
            RuntimeError, match=f"index {index} is out of range.*{COUNT}"
        ):
            query(index)
        assert infini.current_device() == 0

    @pytest.mark.parametrize("index", [256, 257, 65536])
    def test_index_in_a_string_is_not_narrowed(self, index):
        # torch.device("infini:256") itself is infini:0, which the string is not.
        with pytest.raises(RuntimeError, match=f"index {index} is out of range"):
            infini.set_device(f"infini:{index}")

    @pytest.mark.parametrize("query", QUERIES, ids=QUERY_IDS)
    @pytest.mark.parametrize(
        "device", [True, False, 1.0, 0.0, [], {}, object(), 1j, torch.tensor(0)]
    )
    def test_other_types_are_refused(self, query, device):
        with pytest.raises(TypeError, match="Expected an infini device"):
            query(device)

    @pytest.mark.parametrize("query", QUERIES, ids=QUERY_IDS)
    @pytest.mark.parametrize("device", ["cpu", "cuda:0", torch.device("meta")])
    def test_other_device_types_are_refused(self, query, device):
        with pytest.raises(ValueError, match="Expected an infini device, but got"):
            query(device)

    @pytest.mark.parametrize("text", ["infini:", "infini:-1", "infini:x", "", "bogus"])
    def test_malformed_strings(self, text):
        with pytest.raises(RuntimeError, match=r"(?i)device"):
            infini.set_device(text)

    @pytest.mark.parametrize("index", [-1, -2, -128, -256, -(2**40)])
    def test_negative_means_current_or_nothing(self, index):
        infini.set_device(index)
        infini.synchronize(index)
        assert infini.current_stream(index) == infini.current_stream(0)
        assert infini.Stream(index).device_index == 0
        with infini.device(index):
            assert infini.current_device() == 0

    @pytest.mark.parametrize(
        "query", [infini.get_device_properties, infini.mem_get_info]
    )
    def test_negative_is_refused_where_a_device_is_described(self, query):
        with pytest.raises(RuntimeError, match="index -1 is out of range"):
            query(-1)

    @pytest.mark.parametrize("device", [None, "infini", torch.device("infini")])
    def test_set_device_wants_an_index(self, device):
        with pytest.raises(ValueError, match="specified index"):
            infini.set_device(device)


class TestCurrentDevice:
    def test_count_and_availability(self):
        assert infini.is_available() is True
        assert infini.device_count() == torch.accelerator.device_count() >= 1

    def test_no_device_in_context(self):
        with infini.device(None), infini.device(-1):
            assert infini.current_device() == 0

    def test_device_of(self):
        with infini.device_of(torch.empty(1)):
            assert infini.current_device() == 0
        tensor = torch.empty(1, device="infini:0")
        for holder in (tensor, tensor.untyped_storage()):
            with infini.device_of(holder) as entered:
                assert entered is None
                assert infini.current_device() == 0

    def test_context_does_not_hide_exceptions(self):
        with pytest.raises(KeyError), infini.device(0):
            raise KeyError

    @pytest.mark.needs("two-devices")
    def test_context_switches_and_nests(self):
        tensor = torch.empty(1, device="infini:1")
        with infini.device(1):
            assert infini.current_device() == 1
            assert torch.empty(1, device="infini").device.index == 1
            with infini.device(0):
                assert infini.current_device() == 0
            assert infini.current_device() == 1
        assert infini.current_device() == 0
        with infini.device_of(tensor):
            assert infini.current_device() == 1
        assert infini.current_device() == 0

    @pytest.mark.needs("two-devices")
    def test_current_device_belongs_to_the_thread(self):
        seen = []
        infini.set_device(1)
        thread = threading.Thread(target=lambda: seen.append(infini.current_device()))
        thread.start()
        thread.join()
        assert seen == [0]

    def test_exchange(self):
        assert infini._exchange_device(0) == 0
        assert infini._maybe_exchange_device(-1) == 0
        for index in NO_SUCH_DEVICE[:8]:
            with pytest.raises((RuntimeError, TypeError)):
                infini._exchange_device(index)
        assert infini.current_device() == 0


class TestProperties:
    def test_properties(self):
        properties = infini.get_device_properties()
        assert properties.name == infini.get_device_name() != ""
        assert properties.total_memory > 1 << 20
        assert properties.multi_processor_count >= 1
        assert infini.get_device_capability() == (properties.major, properties.minor)
        assert properties.name in repr(properties)

    def test_memory_info(self):
        free, total = infini.mem_get_info()
        assert 0 < free <= total
        assert infini.mem_get_info(0)[1] == infini.mem_get_info("infini")[1] == total

    def test_peers(self):
        assert infini.can_device_access_peer(0, 0) is False

    def test_supported_types(self):
        assert infini.is_bf16_supported()
        assert not infini.is_bf16_supported(including_emulation=False)
        assert torch.bfloat16 in infini.get_amp_supported_dtype()
        with torch.autocast("infini", dtype=torch.bfloat16):
            assert torch.is_autocast_enabled("infini")

    def test_capability_of_the_accelerator(self):
        supported = torch.accelerator.get_device_capability()["supported_dtypes"]
        assert {torch.float32, torch.bfloat16, torch.bool} <= supported


class TestFromOutside:
    """What users do beside torch.infini's own functions."""

    def test_accelerator_follows(self):
        assert torch.accelerator.current_accelerator().type == "infini"
        assert torch.accelerator.current_device_index() == infini.current_device()
        torch.accelerator.set_device_index(0)
        with torch.accelerator.device_index(0):
            assert infini.current_device() == 0
        torch.accelerator.synchronize()

    @pytest.mark.parametrize("index", [COUNT, 100])
    def test_factories_refuse_a_device_that_is_not_there(self, index):
        with pytest.raises(RuntimeError, match=str(index)):
            torch.empty(2, device=f"infini:{index}")
        with pytest.raises(RuntimeError, match=str(index)):
            torch.ones(2).to(f"infini:{index}")
        assert infini.current_device() == 0
        assert torch.ones(2, device="infini").sum().item() == 2

    def test_many_threads_first_use(self, run_python):
        code = """
import threading, torch, torch_infini
torch.manual_seed(5)
barrier, values = threading.Barrier(8), []
def work():
    barrier.wait()
    values.append(torch.infini.current_device())
    values.append(torch.infini.initial_seed())
threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert sorted(values) == [0] * 8 + [5] * 8, values
"""
        run_python(code)
