"""Data that lie in the installation: digits, English text, and tones made here.

The images are the 1,797 handwritten digits of scikit-learn. The text is the prose that
describes scikit-learn's data sets (`sklearn/datasets/descr/*.rst`, about 43 KB); its
bytes are the tokens. Nothing is downloaded. No recording of speech comes with Python,
so the audio is made of tones, and the text to learn names them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import sklearn.datasets
import torch
from torch import Tensor

VOCABULARY = 256
# Bytes that the text does not hold.
PADDING, MASK, START, END = 0, 1, 2, 3


@cache
def digits() -> tuple[Tensor, Tensor]:
    """Images (1797, 1, 8, 8) in [0, 1], and labels."""
    loaded = sklearn.datasets.load_digits()
    images = torch.from_numpy(loaded.images).float().unsqueeze(1) / 16
    return images, torch.from_numpy(loaded.target).long()


def digits_of(step: int, count: int) -> tuple[Tensor, Tensor]:
    """The digits of a step; steps go through the data and begin again."""
    images, labels = digits()
    first = step * count % (len(labels) - count)
    return images[first : first + count], labels[first : first + count]


def large_digits(step: int, count: int, size: int) -> tuple[Tensor, Tensor]:
    """The same, enlarged to `size` x `size`."""
    images, labels = digits_of(step, count)
    return torch.nn.functional.interpolate(images, size=(size, size)), labels


@cache
def text() -> Tensor:
    """The prose as one row of bytes."""
    folder = Path(sklearn.datasets.__file__).with_name("descr")
    pages = [path.read_bytes() for path in sorted(folder.glob("*.rst"))]
    return torch.tensor(list(b"\n".join(pages)), dtype=torch.long)


def passages(step: int, count: int, length: int) -> Tensor:
    """Rows of text (count, length) for a step; each row follows the one before."""
    source = text()
    first = step * count * length
    positions = torch.arange(first, first + count * length) % len(source)
    return source[positions].view(count, length)


def tones(step: int, count: int, bands: int, frames: int) -> tuple[Tensor, Tensor]:
    """Log spectrograms (count, bands, frames) of rising tones, and their numbers."""
    starts = (torch.arange(count) + step * count) % bands
    centres = starts[:, None] + torch.linspace(0, bands / 4, frames)[None, :]
    distance = torch.arange(bands)[None, :, None] - centres[:, None, :] % bands
    return (-distance.square() / 2).clamp_min(-8) / 4 + 1, starts
