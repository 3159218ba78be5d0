"""A device whose memory the host cannot address: copies, views, errors, the fallback.

There a stray host access to device memory ends the process.
"""

import re
import warnings

import pytest
import torch

from csrc.fake_runtime import fake_environment, on_fake

DISCRETE = {
    "FAKE_RT_CAPABILITIES": "async_memcpy,host_allocation,events",
    "FAKE_RT_DELAY_US": 500,
}
VALUES = torch.arange(24.0).view(2, 3, 4)
SOURCES = {
    "transposed": lambda x: x.transpose(0, 2),
    "rows": lambda x: x[:, 1:],
    "every second": lambda x: x[..., ::2],
    "column": lambda x: x[1, :, 2],
    "expanded": lambda x: x[:, :1].expand(2, 3, 4),
    "windows": lambda x: x.unfold(2, 2, 1),
    "permuted": lambda x: x.permute(2, 0, 1)[1:3],
}
DESTINATIONS = ["transposed", "rows", "every second", "column", "permuted"]
OPERATORS = {
    "aten::mul": lambda x: x * 2,
    "aten::sin": lambda x: x.sin(),
    "aten::mm": lambda x: x @ x,
    "aten::sum": lambda x: x.sum(),
    "aten::fill_": lambda x: x.fill_(1),
    "aten::convolution": lambda x: torch.conv1d(x[None], x[:, :, None]),
}


@on_fake(**DISCRETE)
def test_the_host_provider_is_off(fake):
    assert "host_access" not in torch.infini.runtime_backend()["capabilities"]
    assert torch.infini.get_fallback() == "off"


class TestCopies:
    @on_fake(**DISCRETE)
    @pytest.mark.parametrize("shape", [(), (1,), (0,), (0, 64), (3, 4), (2, 3, 4)])
    def test_shapes(self, fake, shape):
        x = torch.randn(shape)
        assert torch.equal(x.to("infini").cpu(), x)
        assert torch.equal(x.to("infini").clone().cpu(), x)

    @on_fake(**DISCRETE)
    @pytest.mark.parametrize("view", SOURCES)
    def test_strided(self, fake, view):
        view = SOURCES[view]
        x = VALUES.to("infini")
        expected = view(VALUES)
        assert torch.equal(view(x).cpu(), expected)
        assert torch.equal(view(x).contiguous().cpu(), expected)
        assert torch.equal(view(x).double().cpu(), expected.double())

    @on_fake(**DISCRETE)
    @pytest.mark.parametrize("view", DESTINATIONS)
    @pytest.mark.parametrize("of", ["cpu", "infini:0", "infini:1"])
    def test_strided_destination_keeps_its_gaps(self, fake, view, of):
        view = SOURCES[view]
        x = VALUES.to("infini:0")
        expected = VALUES.clone()
        source = torch.randn(view(expected).shape)
        view(expected).copy_(source)
        view(x).copy_(source.to(of))
        assert torch.equal(x.cpu(), expected)
        view(x).copy_(source.half().to(of), non_blocking=True)
        view(expected).copy_(source.half())
        assert torch.equal(x.cpu(), expected)

    @on_fake(**DISCRETE)
    def test_conversion_and_broadcasting(self, fake):
        x = torch.empty(3, 4, dtype=torch.bfloat16, device="infini")
        x.copy_(torch.arange(4))
        assert x.float().cpu().tolist() == [[0, 1, 2, 3]] * 3
        x.copy_(torch.tensor(2.5, device="infini"))
        assert x.cpu().float().sum() == 30

    @on_fake(**DISCRETE)
    def test_bits(self, fake):
        z = torch.tensor([1 + 2j, 3 - 4j])
        d = z.to("infini")
        assert torch.equal(d.conj().cpu(), z.conj())
        assert torch.equal(d.conj().imag.cpu(), z.conj().imag)
        assert torch.equal(torch._neg_view(d).cpu(), -z)
        assert torch.equal(d.conj().clone().cpu(), z.conj())
        d.conj().copy_(z)
        assert torch.equal(d.cpu(), z.conj().resolve_conj())
        assert torch.equal(z.conj().to("infini").cpu(), z.conj())
        assert d.conj()[0].item() == 1 + 2j

    @on_fake(**DISCRETE)
    def test_contiguous_data_is_moved_without_the_cpu(self, fake):
        x = torch.ones(1000, device="cpu").to("infini")
        before = fake.calls("MemcpyAsync"), fake.calls("Memcpy")
        y = x.clone()
        assert fake.calls("MemcpyAsync") == before[0] + 1
        assert fake.calls("Memcpy") == before[1]
        y.cpu()
        assert fake.calls("Memcpy") == before[1] + 1

    @on_fake(**DISCRETE)
    def test_across_devices(self, fake):
        x = VALUES.to("infini:0")
        y = x.to("infini:1")
        assert y.device.index == 1
        assert torch.equal(y.cpu(), VALUES)
        assert torch.equal(
            x.transpose(0, 1).to("infini:1").cpu(), VALUES.transpose(0, 1)
        )

    @on_fake(**DISCRETE)
    def test_wrong_shapes(self, fake):
        x = torch.empty(3, device="infini")
        for source in (torch.ones(4), torch.ones(4).to("infini")):
            with pytest.raises(RuntimeError, match="must match the size"):
                x.copy_(source)
        with pytest.raises(RuntimeError, match="must match the size"):
            torch.empty(0, device="infini").copy_(torch.ones(2))
        assert torch.equal(x.copy_(torch.ones(3)).cpu(), torch.ones(3))

    @on_fake(**DISCRETE)
    def test_pinned(self, fake):
        host = torch.arange(1 << 16).pin_memory()
        x = host.to("infini", non_blocking=True)
        back = torch.empty_like(host, pin_memory=True)
        back.copy_(x, non_blocking=True)
        del x
        torch.infini.synchronize()
        assert torch.equal(back, host)

    @on_fake(**DISCRETE)
    def test_storages(self, fake):
        import io

        x = VALUES.to("infini")
        x.untyped_storage().resize_(200)
        assert x.untyped_storage().nbytes() == 200
        assert torch.equal(x.cpu(), VALUES)
        assert x.untyped_storage().cpu().nbytes() == 200
        buffer = io.BytesIO()
        torch.save(x, buffer)
        buffer.seek(0)
        y = torch.load(buffer)
        assert y.device == x.device
        assert torch.equal(y.cpu(), VALUES)
        x.resize_(3, 30)
        assert torch.equal(x.flatten()[:24].cpu(), VALUES.flatten())


class TestViews:
    @on_fake(**DISCRETE)
    def test_they_alias(self, fake):
        x = torch.zeros(4, 6).to("infini")
        ones = torch.ones(())
        views = {
            "view": x.view(2, 12)[0],
            "as_strided": x.as_strided((2,), (7,), 3),
            "unfold": x.unfold(1, 2, 2)[3],
            "transpose": x.t()[5],
            "slice": x[1:3, ::2],
            "select": x[2],
            "narrow": x.narrow(1, 1, 2),
            "diagonal": x.diagonal(),
            "squeeze": x.unsqueeze(0).squeeze(0)[0],
            "reshape": x.reshape(24)[20:],
            "split": x.split(2)[1],
            "detach": x.detach()[1],
            "alias": torch.ops.aten.alias(x)[0],
        }
        for name, view in views.items():
            expected = torch.zeros(4, 6)
            x.copy_(expected)
            view.copy_(ones)
            expected.as_strided(
                view.size(), view.stride(), view.storage_offset()
            ).fill_(1)
            assert torch.equal(x.cpu(), expected), name

    @on_fake(**DISCRETE)
    def test_complex(self, fake):
        z = torch.zeros(3, dtype=torch.complex64).to("infini")
        torch.view_as_real(z)[:, 1].copy_(torch.ones(3))
        z.real.copy_(torch.full((3,), 2.0))
        assert z.cpu().tolist() == [2 + 1j] * 3
        x = torch.zeros(3, 2).to("infini")
        torch.view_as_complex(x).copy_(torch.tensor(1 + 2j))
        assert x.cpu().tolist() == [[1, 2]] * 3
        x.view(torch.int32).copy_(torch.zeros(()))
        assert x.cpu().sum() == 0


class TestOtherOperators:
    @on_fake(**DISCRETE)
    @pytest.mark.parametrize("name", OPERATORS)
    def test_the_error_names_operator_device_and_switch(self, fake, name):
        x = torch.ones(3, 3).to("infini")
        with pytest.raises(NotImplementedError) as error:
            OPERATORS[name](x)
        text = str(error.value)
        assert re.search(rf"Could not run '{name}", text)
        assert "infini" in text
        assert "set_fallback" in text
        assert "INFINI_FALLBACK" in text
        assert torch.equal(x.cpu(), torch.ones(3, 3))

    @on_fake(**DISCRETE)
    def test_item_and_tolist(self, fake):
        x = VALUES.to("infini")
        assert x[1, 2, 3].item() == 23
        assert float(x[0, 0, 1]) == 1
        assert x.tolist() == VALUES.tolist()
        assert bool(x[0, 0, 1])

    @on_fake(**DISCRETE)
    def test_printing_needs_operators_but_prints_the_rest(self, fake):
        """PyTorch formats with abs, ne and others on the tensor's own device."""
        x = VALUES.to("infini")
        with pytest.raises(NotImplementedError, match=r"'aten::abs.*set_fallback"):
            repr(x)
        assert repr(x.cpu()) == repr(VALUES)
        assert "device='infini:0'" in repr(x[:0])


class TestFallback:
    @on_fake(**DISCRETE, INFINI_FALLBACK="warn")
    def test_warn_warns_once_and_counts(self, fake):
        x = torch.tensor([1.0, 2.0]).to("infini")
        assert torch.infini.get_fallback() == "warn"
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for _ in range(3):
                y = x.sin()
            z = x.cos()
        assert torch.equal(y.cpu(), torch.tensor([1.0, 2.0]).sin())
        assert torch.equal(z.cpu(), torch.tensor([1.0, 2.0]).cos())
        assert y.device == x.device
        texts = [str(w.message) for w in caught]
        assert sum("aten::sin" in text for text in texts) == 1
        assert sum("aten::cos" in text for text in texts) == 1

    @on_fake(**DISCRETE, INFINI_FALLBACK="on")
    def test_on_is_silent(self, fake):
        x = torch.tensor([[1.0, 2.0], [3.0, 4.0]]).to("infini")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert ((x @ x).softmax(-1).sum()).item() == pytest.approx(2)
            x.mul_(2)
            assert x.cpu().tolist() == [[2, 4], [6, 8]]
            x[:, 0].add_(1)
            assert x.cpu().tolist() == [[3, 4], [7, 8]]
            out = torch.empty(2, 2).to("infini")
            assert torch.exp(x, out=out) is out
            assert torch.equal(out.cpu(), x.cpu().exp())
            assert x[x > 3.5].cpu().tolist() == [4, 7, 8]

    @on_fake(**DISCRETE, INFINI_FALLBACK="on")
    def test_printing(self, fake):
        for values in (VALUES, VALUES[0].t(), torch.tensor([1 + 2j]), VALUES > 3):
            moved = repr(values.to("infini"))
            device = ", device='infini:0'"
            text = re.sub(r",\s+device='infini:0'", device, moved)
            assert text.replace(device, "") == repr(values)

    @on_fake(**DISCRETE, INFINI_FALLBACK="on")
    def test_training(self, fake):
        torch.manual_seed(0)
        model = torch.nn.Sequential(
            torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1)
        )
        x = torch.randn(5, 4)
        model(x).sum().backward()
        expected = [p.grad.clone() for p in model.parameters()]
        model.zero_grad()
        model.to("infini")
        model(x.to("infini")).sum().backward()
        for p, gradient in zip(model.parameters(), expected, strict=True):
            assert torch.equal(p.grad.cpu(), gradient)

    @on_fake(**DISCRETE)
    def test_the_switch(self, fake):
        x = torch.ones(2).to("infini")
        torch.infini.set_fallback("on")
        try:
            assert x.tan().cpu()[0].item() == pytest.approx(1.5574077)
        finally:
            torch.infini.set_fallback("off")
        with pytest.raises(NotImplementedError, match="set_fallback"):
            x.tan()
        for wrong in ("", "On", "yes", "ON"):
            with pytest.raises(ValueError, match=r"off.*warn.*on"):
                torch.infini.set_fallback(wrong)
        assert torch.infini.get_fallback() == "off"

    @on_fake(**DISCRETE, INFINI_FALLBACK="on")
    def test_counts(self, fake):
        x = torch.ones(2).to("infini")
        for _ in range(3):
            x.asinh()
        assert torch.infini.fallback_counts()["aten::asinh"] == 3


@pytest.mark.parametrize("variable", ["INFINI_FALLBACK", "INFINI_BACKEND"])
def test_wrong_environment(run_python, variable):
    code = """
import torch, torch_infini
torch.infini.get_fallback()
torch.ones(2, device="infini").sin()
"""
    environment = fake_environment(**{variable: "sometimes"})
    result = run_python(code, check=False, **environment)
    assert result.returncode == 1
    assert f"{variable} is 'sometimes'" in result.stderr


def test_the_only_backend_may_be_named(run_python):
    code = """
import torch, torch_infini
print(torch.infini.runtime_backend()["name"], torch.infini.device_count())
"""
    result = run_python(code, **fake_environment(INFINI_BACKEND="cpu"))
    assert result.stdout.split() == ["cpu", "2"]


def test_a_named_backend_without_a_device(run_python):
    code = "import torch, torch_infini; torch.infini.init()"
    environment = fake_environment(INFINI_BACKEND="cpu", FAKE_RT_DEVICES=0)
    result = run_python(code, check=False, **environment)
    assert result.returncode == 1
    assert (
        "INFINI_BACKEND is 'cpu', but that backend reports no device" in result.stderr
    )
