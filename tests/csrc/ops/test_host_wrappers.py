"""The generated wrappers: what they cover, aliasing, lists, errors, lifetimes."""

import gc
import re
import threading

import pytest
import torch

from csrc.fake_runtime import on_fake


def kernels(state):
    """Names of aten operators whose PrivateUse1 kernel is in this state."""
    found = []
    for name in torch._C._dispatch_get_all_op_names():
        if name.startswith("aten::"):
            dump = torch._C._dispatch_dump(name)
            line = re.search(r"^PrivateUse1: (.*)$", dump, re.MULTILINE)
            if line and line[1].endswith(f"[ {state} ]"):
                found.append(name)
    return found


def test_most_cpu_kernels_are_called_unboxed():
    torch.infini.init()
    unboxed = set(kernels("boxed unboxed"))
    assert len(unboxed) > 950
    assert {"aten::mul.Tensor", "aten::mul_.Tensor", "aten::mul.out"} <= unboxed
    assert {"aten::native_layer_norm", "aten::cat", "aten::_foreach_add.List"} & unboxed
    assert "aten::view" in unboxed  # by hand


def test_calls_are_counted():
    x = torch.ones(3, device="infini")

    def calls():
        counts = torch.infini.provider_counts()
        return sum(n for op, _, n in counts if op == "aten::mul.Tensor")

    before = calls()
    for _ in range(5):
        x = x * x
    assert calls() == before + 5


def test_what_infiniops_does_not_serve_of_add_takes_the_wrapper():
    x = torch.ones(3, device="infini")

    def calls():
        counts = torch.infini.provider_counts()
        return {p: n for op, p, n in counts if op == "aten::add.Tensor"}

    before = calls().get("native", 0)
    assert (x + 1).tolist() == [2, 2, 2]
    # Small operators are in front of the wrapper, and of nothing else.
    assert calls()["native"] == before + 1
    before = calls().get("host", 0)
    large = torch.ones(100, device="infini")
    assert torch.equal((large + 1.5).cpu(), torch.full((100,), 2.5))
    assert torch.equal(torch.add(large, large, alpha=3).cpu(), torch.full((100,), 4.0))
    assert calls()["host"] == before + 2


class TestAliasing:
    def test_the_same_tensor_twice(self, device):
        x = torch.tensor([1.0, 2.0], device=device)
        assert (x * x).tolist() == [1, 4]
        assert x.mul_(x) is x
        assert torch.mul(x, x, out=x) is x
        assert x.tolist() == [1, 16]

    def test_views_of_one_storage(self, device):
        x = torch.arange(6.0, device=device)
        assert torch.mul(x[:3], x[3:]).tolist() == [0, 4, 10]
        x[:3].mul_(x[3:])
        assert x.tolist() == [0, 4, 10, 3, 4, 5]
        with pytest.raises(RuntimeError, match=r"single memory location|overlap"):
            torch.mul(x[:3], 2, out=x[1:4])

    def test_conjugates_and_negatives(self, device):
        x = torch.tensor([1 + 2j, 3 - 4j], device=device)
        assert torch.mul(x.conj(), x).tolist() == [5, 25]
        assert (x.imag * x.conj().imag).tolist() == [-4, -16]

    def test_results_may_share_a_storage(self, device):
        x = torch.arange(4.0, device=device)
        for part in torch.ops.aten.unsafe_split(x, 2):
            assert part.device == x.device
        values, indices = torch.sort(x, descending=True)
        assert values.tolist() == [3, 2, 1, 0]
        assert indices.tolist() == [3, 2, 1, 0]

    def test_an_argument_as_result(self, device):
        x = torch.ones(3, device=device)
        assert x.relu_() is x
        assert torch.add(x, x, out=x) is x
        out = torch.empty(0, device=device)
        assert torch.cat([x, x], out=out) is out
        assert out.tolist() == [2] * 6

    def test_out_grows_and_keeps_its_storage(self, device):
        out = torch.empty(2, 3, device=device)
        view = out.view(6)
        storage = out.untyped_storage()
        with pytest.warns(UserWarning, match="resized"):
            torch.mul(torch.ones(9, device=device), 2, out=out)
        assert out.shape == (9,)
        assert out.untyped_storage().data_ptr() == storage.data_ptr()
        assert storage.nbytes() == 36
        assert view.tolist() == [2] * 6


class TestLists:
    @pytest.mark.parametrize("count", [1, 31, 32, 33, 100, 1000])
    def test_foreach(self, device, count):
        xs = [torch.full((2,), float(i), device=device) for i in range(count)]
        ys = torch._foreach_add(xs, xs)
        assert [y[0].item() for y in ys] == [2.0 * i for i in range(count)]
        torch._foreach_mul_(xs, 3)
        assert [x[1].item() for x in xs] == [3.0 * i for i in range(count)]

    def test_parts_of_one_tensor(self, device):
        x = torch.arange(200.0, device=device)
        torch._foreach_mul_(list(x.split(2)), 2)
        assert torch.equal(x.cpu(), torch.arange(200.0) * 2)

    def test_one_tensor_many_times(self, device):
        x = torch.ones(2, device=device)
        assert torch.cat([x] * 100).shape == (200,)
        assert torch.stack([x, x, x]).sum().item() == 6

    def test_indices_may_be_on_the_cpu(self, device):
        x = torch.arange(5.0, device=device)
        assert x[torch.tensor([3, 1])].tolist() == [3, 1]
        x[torch.tensor([True, False, False, False, True])] = 7
        assert x.tolist() == [7, 1, 2, 3, 7]


class TestMixedDevices:
    MESSAGE = (
        r"Expected all tensors to be on the same device, but found at least two "
        r"devices, infini:0 and cpu! \(when checking argument '{}' in {}\)"
    )
    ROWS = (
        ("other", "aten::mul.Tensor", lambda x, c: x * c),
        ("self", "aten::mul.Tensor", lambda x, c: c * x),
        ("other", "aten::mul_.Tensor", lambda x, c: x.mul_(c)),
        ("out", "aten::mul.out", lambda x, c: torch.mul(x, x, out=c)),
        ("tensors", "aten::cat", lambda x, c: torch.cat([x, c])),
        ("tensors", "aten::cat", lambda x, c: torch.cat([c, x])),
        ("mat2", "aten::mm", lambda x, c: torch.mm(x.view(1, 3), c.view(3, 1))),
    )

    @pytest.mark.parametrize(("argument", "name", "call"), ROWS)
    def test_is_refused_by_name(self, argument, name, call):
        x, c = torch.ones(3, device="infini"), torch.ones(3)
        message = self.MESSAGE.format(argument, re.escape(name))
        with pytest.raises(RuntimeError, match=message):
            call(x, c)
        assert (x + x).tolist() == [2, 2, 2]

    def test_scalars_may_come_from_the_cpu(self):
        x, c = torch.ones(3, device="infini"), torch.tensor(2.0)
        assert (x * c).tolist() == [2, 2, 2]
        assert (c * x).device.type == "infini"
        message = self.MESSAGE.format("self", "aten::mul_.Tensor")
        with pytest.raises(RuntimeError, match=message):
            c.mul_(x[0])

    @on_fake()
    def test_two_devices(self, fake):
        x, y = (torch.ones(2, device=f"infini:{i}") for i in range(2))
        with pytest.raises(RuntimeError, match="infini:1 and infini:0!"):
            y * x
        assert (y * y).device.index == 1
        assert torch.infini.current_device() == 0


class TestLifetimes:
    def test_an_error_in_a_kernel_leaves_nothing_behind(self, device):
        x = torch.ones(3, device=device)
        for _ in range(200):
            with pytest.raises(RuntimeError):
                torch.mm(x.view(1, 3), x.view(1, 3))
        assert (x * 2).tolist() == [2, 2, 2]

    def test_an_alias_that_a_kernel_keeps_outlives_its_tensor(self):
        kept = []
        library = torch.library.Library("infini_test_keep", "DEF")
        library.define("keep(Tensor x) -> Tensor")

        def keep(x):
            kept.append((x, x[1:]))
            return x * 2

        library.impl("keep", keep, "CPU")
        for value in range(5):
            x = torch.full((1000,), float(value), device="infini")
            assert torch.ops.infini_test_keep.keep(x)[0].item() == 2 * value
            del x
        gc.collect()
        others = [torch.full((1000,), 9.0, device="infini") for _ in range(20)]
        for value, (whole, part) in enumerate(kept):
            assert whole.device.type == "cpu"
            assert bool((whole == value).all())
            assert bool((part == value).all())
        del others
        library._destroy()

    @pytest.mark.parametrize("how", ["resize_", "storage", "out", "none"])
    def test_what_a_kernel_keeps_stays_when_its_tensor_is_resized(self, how):
        kept = []
        library = torch.library.Library("infini_test_resized", "DEF")
        library.define("keep(Tensor x) -> ()")
        library.impl("keep", lambda x: kept.append(x), "CPU")
        x = torch.full((50000,), 3.0, device="infini")
        torch.ops.infini_test_resized.keep(x)
        if how == "resize_":
            x.resize_(500000)
        elif how == "storage":
            x.untyped_storage().resize_(0)
        elif how == "out":
            out = torch.add(torch.ones(90000, device="infini"), 1, out=x.resize_(0))
            assert out is x
        torch.infini.empty_cache()
        others = [torch.full((50000,), 9.0, device="infini") for _ in range(3)]
        if how != "out":  # as large as before, so written in place
            assert bool((kept[0] == 3).all())
        kept[0].fill_(7)
        assert all(bool((y == 9).all()) for y in others)
        before = torch.infini.memory_allocated()
        kept.clear()
        released = 0 if how == "none" else 200000
        assert before - torch.infini.memory_allocated() in (0, released)
        library._destroy()

    def test_a_result_that_a_kernel_keeps_stays_what_it_is(self, device):
        kept = []
        library = torch.library.Library("infini_test_result", "DEF")
        library.define("make(Tensor x) -> Tensor")
        library.define("both(Tensor x) -> (Tensor, Tensor)")
        library.define("many(Tensor x) -> Tensor[]")

        def make(x):
            kept.append(x + 1)
            return kept[-1]

        def both(x):
            y = x + 1
            return y, y

        library.impl("make", make, "CPU")
        library.impl("both", both, "CPU")
        library.impl("many", lambda x: [x + 1, make(x), x], "CPU")
        x = torch.zeros(3, device=device)
        y = torch.ops.infini_test_result.make(x)
        first, second = torch.ops.infini_test_result.both(x)
        many = torch.ops.infini_test_result.many(x)
        assert many[2] is x or many[2].data_ptr() == x.data_ptr()
        for result in (y, first, second, *many[:2]):
            assert result.device == x.device
            assert result.tolist() == [1, 1, 1]
        first.add_(1)
        assert second.tolist() == [2, 2, 2]
        for each in kept:
            assert each.device.type == each.untyped_storage().device.type == "cpu"
            assert each.cpu().tolist() == [1, 1, 1]
            assert each.sum().item() == 3
        library._destroy()

    def test_calls_inside_of_calls(self):
        library = torch.library.Library("infini_test_nested", "DEF")
        library.define("nested(Tensor x, int depth) -> Tensor")
        ones = torch.ones(2, device="infini")

        def nested(x, depth):
            if depth == 0:
                return x + 1
            inner = torch.ops.infini_test_nested.nested(ones * depth, depth - 1)
            return x + inner.cpu()

        library.impl("nested", nested, "CPU")
        x = torch.ones(2, device="infini")
        assert torch.ops.infini_test_nested.nested(x, 3).tolist() == [8, 8]
        library._destroy()

    def test_threads_have_their_own(self, device):
        failures = []

        def work(value):
            x = torch.full((100,), float(value), device=device)
            for _ in range(200):
                y = torch.addcmul(x, x, x)
                if not bool((y == value + value * value).all()):
                    failures.append(value)

        for _ in range(3):
            threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        assert failures == []

    def test_memory_comes_back(self):
        x = torch.ones(1 << 16, device="infini")
        before = torch.infini.memory_allocated()
        for _ in range(10):
            y = (x * 2).exp().sum()
        del y
        assert torch.infini.memory_allocated() == before

    def test_no_memory(self, device):
        x = torch.ones(4, device=device)
        x.untyped_storage().resize_(0)
        if device == "infini":
            with pytest.raises(RuntimeError, match="has no memory"):
                x * 2
        empty = torch.ones(0, device=device)
        assert (empty * 2).shape == (0,)


class TestRandom:
    def test_generators(self):
        x = torch.empty(5, device="infini")
        torch.manual_seed(3)
        drawn = [x.normal_().clone().cpu(), x.bernoulli_(0.3).clone().cpu()]
        torch.manual_seed(3)
        y = torch.empty(5)
        assert torch.equal(drawn[0], y.normal_())
        assert torch.equal(drawn[1], y.bernoulli_(0.3))
        with pytest.raises(RuntimeError, match="device type for generator"):
            x.normal_(generator=torch.Generator())
