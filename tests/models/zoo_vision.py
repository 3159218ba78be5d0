"""Models of images: MLP, CNN, ViT, a diffusion UNet, all on handwritten digits."""

from __future__ import annotations

from functools import partial

from torch import Tensor, nn
from torch.nn import functional as F
from transformers import ViTConfig, ViTForImageClassification

from tests.models import data, unet
from tests.models.model import Batch, Model, adamw, sgd

ROWS = {"small": 32, "large": 64}
SIDE = {"small": 8, "large": 32}


class Residual(nn.Module):
    """Adds what its layers make of the input to the input."""

    def __init__(self, *layers: nn.Module) -> None:
        super().__init__()
        self.layers = nn.Sequential(*layers)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.layers(x)


def _batch(size: str, step: int, times: int = 1) -> Batch:
    images, labels = data.large_digits(step, times * ROWS[size], SIDE[size])
    return {"images": images, "labels": labels}


def _loss(module: nn.Module, batch: Batch) -> Tensor:
    return F.cross_entropy(module(batch["images"]), batch["labels"])


def _scores(module: nn.Module, batch: Batch) -> Tensor:
    return module(batch["images"])


def mlp(size: str, attention: str) -> Model:
    """Three linear layers, layer norm, GELU and dropout."""
    del attention
    inside = SIDE[size] ** 2
    width, times = {"small": (128, 1), "large": (2048, 16)}[size]

    def make() -> nn.Module:
        return nn.Sequential(
            nn.Flatten(),
            nn.Linear(inside, width),
            nn.LayerNorm(width),
            nn.GELU(),
            nn.Dropout(0.1),
            nn.Linear(width, width),
            nn.ReLU(),
            nn.Linear(width, 10),
        )

    batch = partial(_batch, size, times=times)
    return Model("MLP", make, batch, _loss, _scores, sgd(foreach=True))


def cnn(size: str, attention: str) -> Model:
    """Convolutions with batch norm, residuals and pooling; SGD without foreach."""
    del attention
    width = {"small": 16, "large": 32}[size]

    def make() -> nn.Module:
        return nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            Residual(
                nn.Conv2d(width, width, 3, padding=1, groups=4),
                nn.BatchNorm2d(width),
                nn.ReLU(),
            ),
            nn.MaxPool2d(2),
            nn.Conv2d(width, 2 * width, 3, padding=1),
            nn.SiLU(),
            nn.Dropout2d(0.1),
            nn.AdaptiveAvgPool2d(2),
            nn.Flatten(),
            nn.Linear(8 * width, 10),
        )

    return Model("CNN", make, partial(_batch, size), _loss, _scores, sgd(foreach=False))


def vit(size: str, attention: str) -> Model:
    """ViT of transformers, with dropout."""
    width, patch = {"small": (64, 2), "large": (192, 4)}[size]
    config = ViTConfig(
        hidden_size=width,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=2 * width,
        image_size=SIDE[size],
        patch_size=patch,
        num_channels=1,
        num_labels=10,
        hidden_dropout_prob=0.1,
        attn_implementation=attention,
    )

    def loss(module: nn.Module, batch: Batch) -> Tensor:
        return module(pixel_values=batch["images"], labels=batch["labels"]).loss

    def scores(module: nn.Module, batch: Batch) -> Tensor:
        return module(pixel_values=batch["images"]).logits

    return Model(
        "ViT",
        lambda: ViTForImageClassification(config),
        partial(_batch, size),
        loss,
        scores,
        adamw(foreach=True),
    )


def diffusion(size: str, attention: str) -> Model:
    """A UNet that learns to take noise from digits; noise comes from the device."""
    del attention
    width = {"small": 16, "large": 32}[size]
    return Model(
        "UNet",
        lambda: unet.UNet(width),
        partial(_batch, size),
        unet.diffusion_loss,
        unet.noise_of,
        adamw(foreach=True),
        generations={"images": unet.sample},
    )
