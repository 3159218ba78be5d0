"""All models of the suite by name.

A builder takes a size, "small" (the tests) or "large" (activations of 1 to 64 MB, for
timing), and the attention of transformers' models, "eager" or "sdpa".
"""

from __future__ import annotations

import os
from collections.abc import Callable

# Before transformers is imported: no model of the suite asks a hub for anything.
os.environ.setdefault("HF_HUB_OFFLINE", "1")

from tests.models import zoo_sequence, zoo_text, zoo_vision
from tests.models.model import Model

Builder = Callable[[str, str], Model]

BUILDERS: dict[str, Builder] = {
    "mlp": zoo_vision.mlp,
    "cnn": zoo_vision.cnn,
    "vit": zoo_vision.vit,
    "unet": zoo_vision.diffusion,
    "lstm": zoo_sequence.lstm,
    "lstm-both-ways": zoo_sequence.lstm_both_ways,
    "gru": zoo_sequence.gru,
    "transformer": zoo_sequence.transformer,
    "whisper": zoo_sequence.whisper,
    "llama": zoo_text.llama,
    "qwen2": zoo_text.qwen2,
    "qwen3": zoo_text.qwen3,
    "gpt2": zoo_text.gpt2,
    "bert": zoo_text.bert,
    "t5": zoo_text.t5,
    "mixtral": zoo_text.mixtral,
    "mamba": zoo_text.mamba,
}
# Those whose attention can be PyTorch's scaled_dot_product_attention.
ATTENTIVE = [
    "vit",
    "whisper",
    "llama",
    "qwen2",
    "qwen3",
    "gpt2",
    "bert",
    "t5",
    "mixtral",
]


def build(name: str, size: str = "small", attention: str = "eager") -> Model:
    """Return the model called `name`."""
    return BUILDERS[name](size, attention)
