"""The first snippet of the README and a few lines more, for an installed package.

Run by tools/run_matrix.py and tests/packaging in environments that hold nothing but
PyTorch and torch-infini. Exits with an error unless everything is as it should be.
"""

import torch
import torch_infini


def main() -> None:
    src = torch.arange(16, dtype=torch.float32).reshape(4, 4)
    x = torch.empty(src.shape, dtype=src.dtype, device="infini:0")
    x.copy_(src)
    y = torch.add(x, x)
    out = torch.empty_like(src)
    out.copy_(y)
    torch.testing.assert_close(out, src + src, rtol=0, atol=0)

    assert y.device == torch.device("infini", 0), y.device
    assert torch.infini.is_available()
    assert torch.infini.device_count() >= 1
    with torch.infini.stream(torch.infini.Stream()):
        z = (x + 1).sum()
    torch.infini.synchronize()
    assert z.item() == src.add(1).sum().item(), z

    weight = torch.ones(4, 2, device="infini", requires_grad=True)
    (x @ weight).sum().backward()
    expected = src.sum(0)[:, None].expand(4, 2)
    torch.testing.assert_close(weight.grad.cpu(), expected, rtol=0, atol=0)
    print(f"torch_infini {torch_infini.__version__} on torch {torch.__version__}: ok")


if __name__ == "__main__":
    main()
