"""Random operators draw the CPU's numbers from the device's own generator."""

import pytest
import torch
from torch.nn import functional as F

P = torch.tensor([0.1, 0.2, 0.3, 0.4])

DRAWS = {
    "rand": lambda d: torch.rand(5, 3, device=d),
    "randn": lambda d: torch.randn(40, device=d),
    "randint": lambda d: torch.randint(-5, 9, (20,), device=d),
    "randperm": lambda d: torch.randperm(20, device=d),
    "rand_like": lambda d: torch.rand_like(P.to(d)),
    "randn_like": lambda d: torch.randn_like(P.to(d)),
    "normal": lambda d: torch.normal(P.to(d), 2.0),
    "normal_tensors": lambda d: torch.normal(P.to(d), P.to(d)),
    "normal_numbers": lambda d: torch.normal(1.0, 2.0, (7,), device=d),
    "normal_": lambda d: torch.empty(7, device=d).normal_(),
    "uniform_": lambda d: torch.empty(7, device=d).uniform_(-1, 2),
    "bernoulli": lambda d: torch.bernoulli(P.to(d)),
    "bernoulli_": lambda d: torch.empty(30, device=d).bernoulli_(0.3),
    "cauchy_": lambda d: torch.empty(7, device=d).cauchy_(),
    "exponential_": lambda d: torch.empty(7, device=d).exponential_(),
    "geometric_": lambda d: torch.empty(7, device=d).geometric_(0.4),
    "log_normal_": lambda d: torch.empty(7, device=d).log_normal_(),
    "random_": lambda d: torch.empty(7, device=d).random_(10),
    "multinomial": lambda d: torch.multinomial(P.to(d), 9, True),
    "multinomial_once": lambda d: torch.multinomial(P.to(d), 3),
    "poisson": lambda d: torch.poisson(P.to(d) * 9),
    "binomial": lambda d: torch.binomial(P.to(d) * 0 + 9, P.to(d)),
    "gamma": lambda d: torch._standard_gamma(P.to(d)),
    "dirichlet": lambda d: torch._sample_dirichlet(P.to(d)),
    "dropout": lambda d: F.dropout(torch.ones(30, device=d)),
    "alpha_dropout": lambda d: F.alpha_dropout(torch.ones(30, device=d), training=True),
    "feature_dropout": lambda d: F.dropout2d(torch.ones(2, 5, 2, 2, device=d)),
    "native_dropout": lambda d: torch.native_dropout(
        torch.ones(30, device=d), 0.5, True
    )[0],
    "rrelu": lambda d: F.rrelu(-torch.ones(9, device=d), training=True),
    "gumbel": lambda d: F.gumbel_softmax(P.to(d)),
    "fractional_pool": lambda d: F.fractional_max_pool2d(
        torch.rand(1, 2, 6, 6, device=d), 2, (3, 3)
    ),
    "attention": lambda d: F.scaled_dot_product_attention(
        *[torch.ones(1, 2, 3, 4, device=d)] * 3, dropout_p=0.5
    ),
    "lowrank": lambda d: torch.svd_lowrank(torch.ones(5, 4, device=d), 2)[1],
    "cdist_init": lambda d: torch.nn.init.kaiming_uniform_(torch.empty(4, 3, device=d)),
    "trunc_normal": lambda d: torch.nn.init.trunc_normal_(torch.empty(9, device=d)),
    "orthogonal": lambda d: torch.nn.init.orthogonal_(torch.empty(3, 3, device=d)),
    "categorical": lambda d: torch.distributions.Categorical(P.to(d)).sample((5,)),
    "beta": lambda d: torch.distributions.Beta(P.to(d), P.to(d)).sample(),
}


@pytest.mark.parametrize("name", DRAWS)
def test_same_numbers_as_the_cpu(device, same, name):
    torch.manual_seed(5)
    got = DRAWS[name](device)
    again = DRAWS[name](device)
    torch.manual_seed(5)
    same(got, DRAWS[name]("cpu"))
    same(again, DRAWS[name]("cpu"))


@pytest.mark.parametrize("name", DRAWS)
def test_the_cpu_generator_stays(name):
    import torch_infini  # noqa: F401

    DRAWS[name]("infini")
    before = torch.get_rng_state()
    DRAWS[name]("infini")
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("name", DRAWS)
def test_the_device_generator_is_restored(device, name):
    module = torch.get_device_module(device)
    torch.manual_seed(1)
    state = torch.get_rng_state() if device == "cpu" else module.get_rng_state()
    first = DRAWS[name](device)
    (torch.set_rng_state if device == "cpu" else module.set_rng_state)(state)
    assert torch.equal(DRAWS[name](device), first)


def test_drawing_on_the_cpu_leaves_the_device(device):
    torch.manual_seed(0)
    expected = torch.rand(3, device=device).cpu()
    torch.manual_seed(0)
    if device != "cpu":
        torch.rand(100)
    assert torch.equal(torch.rand(3, device=device).cpu(), expected)


def test_generator_of_another_device_is_refused():
    import torch_infini  # noqa: F401

    with pytest.raises(
        RuntimeError, match="Expected a 'infini' device type for generator"
    ):
        torch.rand(3, device="infini", generator=torch.Generator())


def test_dropout_gradient(agree):
    agree(lambda x: F.dropout(x, 0.3), torch.ones(50).requires_grad_(), seed=4)


@pytest.mark.parametrize("p", [0.04, 0.15, 0.42, 0.71, 0.97, 0.0, 1.0])
def test_dropout_scales_as_on_the_cpu(agree, p):
    """The last bit of the scale depends on how it is computed."""
    x = torch.linspace(-3, 3, 60).view(4, 15)
    agree(lambda x: F.dropout(x, p), x.requires_grad_(), seed=4)
    agree(lambda x: F.dropout(x.t() * 1, p), x, seed=4)
    agree(lambda x: F.dropout(x, p, inplace=True), x.detach(), seed=4)
    agree(lambda x: F.dropout(x, p), x.detach().bfloat16(), seed=4)


def test_dropout_refuses_what_is_no_probability(device):
    with pytest.raises(RuntimeError, match="has to be between 0 and 1, but got 2"):
        torch.dropout(torch.ones(3, device=device), 2, True)


def test_dropout_without_training_draws_nothing(device):
    torch.manual_seed(0)
    expected = torch.rand(3, device=device).cpu()
    torch.manual_seed(0)
    F.dropout(torch.ones(3, device=device), training=False)
    assert torch.equal(torch.rand(3, device=device).cpu(), expected)


def test_a_failing_draw_leaves_both_generators_usable(device):
    before = torch.get_rng_state()
    with pytest.raises(RuntimeError):
        torch.multinomial(torch.tensor([-1.0, 2.0], device=device), 1)
    assert torch.equal(torch.get_rng_state(), before)
    assert torch.rand(3, device=device).shape == (3,)


@pytest.mark.parametrize("kernel", ["bernoulli_", "random_", "cauchy_"])
def test_into_a_strided_view(agree, kernel):
    arguments = (9,) if kernel == "random_" else ()

    def function(x):
        getattr(x[:, ::2], kernel)(*arguments)
        return x

    agree(function, torch.zeros(4, 6), seed=9)
