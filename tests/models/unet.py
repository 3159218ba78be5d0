"""A small diffusion model of digits: a UNet, its training and its sampling (DDPM)."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F

TIMES = 50


class Block(nn.Module):
    """Two convolutions with group norms; the time is added between them."""

    def __init__(self, inside: int, outside: int, time_width: int) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.GroupNorm(4, inside), nn.GroupNorm(4, outside)
        self.conv1 = nn.Conv2d(inside, outside, 3, padding=1)
        self.conv2 = nn.Conv2d(outside, outside, 3, padding=1)
        self.time = nn.Linear(time_width, outside)
        same = inside == outside
        self.skip = nn.Identity() if same else nn.Conv2d(inside, outside, 1)

    def forward(self, x: Tensor, time: Tensor) -> Tensor:
        y = self.conv1(F.silu(self.norm1(x)))
        y = y + self.time(F.silu(time))[:, :, None, None]
        return self.skip(x) + self.conv2(F.silu(self.norm2(y)))


class Attention(nn.Module):
    """Attention between all pixels."""

    def __init__(self, width: int, heads: int = 4) -> None:
        super().__init__()
        self.norm, self.heads = nn.GroupNorm(4, width), heads
        self.inputs, self.output = (
            nn.Conv2d(width, 3 * width, 1),
            nn.Conv2d(width, width, 1),
        )

    def forward(self, x: Tensor) -> Tensor:
        rows, width, height, length = x.shape
        parts = self.inputs(self.norm(x)).view(
            rows, 3, self.heads, width // self.heads, height * length
        )
        query, key, value = parts.transpose(-1, -2).unbind(1)
        scores = query @ key.transpose(-1, -2) / math.sqrt(width / self.heads)
        mixed = scores.softmax(dim=-1) @ value
        return x + self.output(mixed.transpose(-1, -2).reshape(x.shape))


class UNet(nn.Module):
    """Tells the noise in an image (rows, 1, side, side) at a time (rows,)."""

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        self.width = width
        time_width = 4 * width
        self.time = nn.Sequential(
            nn.Linear(width, time_width), nn.SiLU(), nn.Linear(time_width, time_width)
        )
        self.first = nn.Conv2d(1, width, 3, padding=1)
        self.down = Block(width, width, time_width)
        self.shrink = nn.Conv2d(width, 2 * width, 3, stride=2, padding=1)
        self.middle = Block(2 * width, 2 * width, time_width)
        self.attention = Attention(2 * width)
        self.grow = nn.ConvTranspose2d(2 * width, width, 2, stride=2)
        self.up = Block(2 * width, width, time_width)
        self.last = nn.Conv2d(width, 1, 3, padding=1)

    def forward(self, x: Tensor, time: Tensor) -> Tensor:
        half = self.width // 2
        speeds = torch.arange(half, device=x.device) * (-math.log(1e4) / half)
        angles = time[:, None] * speeds.exp()[None, :]
        waves = self.time(torch.cat([angles.sin(), angles.cos()], dim=1))
        wide = self.down(self.first(x), waves)
        deep = self.attention(self.middle(self.shrink(wide), waves))
        return self.last(self.up(torch.cat([self.grow(deep), wide], dim=1), waves))


def kept(device: torch.device) -> Tensor:
    """How much of the image's variance is left after each time."""
    noise = torch.linspace(1e-3, 0.2, TIMES, device=device)
    return (1 - noise).cumprod(dim=0)


def diffusion_loss(module: nn.Module, batch: dict[str, Tensor]) -> Tensor:
    """Mean square error of the noise; times and noise are drawn on the device."""
    images = batch["images"] * 2 - 1
    time = torch.randint(0, TIMES, (len(images),), device=images.device)
    share = kept(images.device)[time][:, None, None, None]
    noise = torch.randn_like(images)
    noisy = share.sqrt() * images + (1 - share).sqrt() * noise
    return F.mse_loss(module(noisy, time), noise)


def noise_of(module: nn.Module, batch: dict[str, Tensor]) -> Tensor:
    """What the model takes for noise in clean images."""
    images = batch["images"]
    time = torch.zeros(len(images), dtype=torch.long, device=images.device)
    return module(images, time)


def sample(module: nn.Module, batch: dict[str, Tensor]) -> Tensor:
    """Four images out of noise, every fifth time."""
    x = torch.randn_like(batch["images"][:4])
    shares = kept(x.device)
    for now in range(TIMES - 1, 4, -5):
        time = torch.full((len(x),), now, device=x.device)
        noise = module(x, time)
        clean = (x - (1 - shares[now]).sqrt() * noise) / shares[now].sqrt()
        before = shares[now - 5]
        fresh = torch.randn_like(x)
        x = before.sqrt() * clean.clamp(-1, 1) + (1 - before).sqrt() * (
            0.8 * noise + 0.6 * fresh
        )
    return x
