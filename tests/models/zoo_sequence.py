"""torch.nn's own sequence models on text, and Whisper on tones."""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel
from transformers import WhisperConfig, WhisperForConditionalGeneration

from tests.models import data
from tests.models.model import Batch, Model, adamw, sgd

# Width, rows, tokens in a row.
SIZES = {"small": (48, 6, 24), "large": (256, 32, 64)}


class Recurrent(nn.Module):
    """Tells the next byte from a recurrent network, in two layers both ways or one."""

    def __init__(self, kind: type[nn.RNNBase], width: int, **options) -> None:
        super().__init__()
        self.embedding = nn.Embedding(data.VOCABULARY, width)
        self.network = kind(width, width, num_layers=2, batch_first=True, **options)
        inside = 2 * width if self.network.bidirectional else width
        self.head = nn.Linear(inside, data.VOCABULARY)

    def forward(self, tokens: Tensor) -> Tensor:
        return self.head(self.network(self.embedding(tokens))[0])

    def continue_text(self, tokens: Tensor, count: int) -> Tensor:
        """The likeliest `count` bytes, the state carried from one to the next."""
        outputs, state = self.network(self.embedding(tokens))
        made = []
        for _ in range(count):
            made.append(self.head(outputs[:, -1:]).argmax(dim=-1))
            outputs, state = self.network(self.embedding(made[-1]), state)
        return torch.cat(made, dim=1)


class Translator(nn.Module):
    """nn.Transformer from one half of a row to the other, with padding and masks."""

    def __init__(self, width: int, attention: str) -> None:
        super().__init__()
        self.kernels = [SDPBackend.MATH]
        if attention == "sdpa":
            self.kernels += [SDPBackend.FLASH_ATTENTION, SDPBackend.OVERRIDEABLE]
        self.embedding = nn.Embedding(data.VOCABULARY, width)
        self.positions = nn.Parameter(torch.randn(512, width) * 0.02)
        options = {"dim_feedforward": 2 * width, "batch_first": True}
        # Nested tensors, to which an encoder turns padded rows when it evaluates,
        # do not exist on infini.
        encoder = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(width, 4, **options),
            2,
            nn.LayerNorm(width),
            enable_nested_tensor=False,
        )
        self.network = nn.Transformer(
            width, 4, num_decoder_layers=2, custom_encoder=encoder, **options
        )
        self.head = nn.Linear(width, data.VOCABULARY)

    def embed(self, tokens: Tensor) -> Tensor:
        return self.embedding(tokens) + self.positions[: tokens.shape[1]]

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        length = target.shape[1]
        ahead = torch.ones(length, length, dtype=torch.bool, device=target.device)
        with sdpa_kernel(self.kernels):
            hidden = self.network(
                self.embed(source),
                self.embed(target),
                tgt_mask=ahead.triu(1),
                src_key_padding_mask=source == data.PADDING,
                memory_key_padding_mask=source == data.PADDING,
            )
        return self.head(hidden)

    def translate(self, source: Tensor, count: int) -> Tensor:
        target = torch.full_like(source[:, :1], data.START)
        for _ in range(count):
            best = self(source, target)[:, -1:].argmax(dim=-1)
            target = torch.cat([target, best], dim=1)
        return target


def _batch(rows: int, length: int, step: int) -> Batch:
    tokens = data.passages(step, rows, length + 1)
    return {"tokens": tokens[:, :-1].contiguous(), "labels": tokens[:, 1:].contiguous()}


def _loss(module: nn.Module, batch: Batch) -> Tensor:
    return F.cross_entropy(
        module(batch["tokens"]).flatten(0, 1), batch["labels"].flatten()
    )


def _scores(module: nn.Module, batch: Batch) -> Tensor:
    return module(batch["tokens"])


def _recurrent(name: str, kind: type[nn.RNNBase], size: str, **options) -> Model:
    width, rows, length = SIZES[size]
    one_way = not options.get("bidirectional", False)

    def text(module: nn.Module, batch: Batch) -> Tensor:
        return module.continue_text(batch["tokens"], 12)

    return Model(
        name,
        lambda: Recurrent(kind, width, **options),
        partial(_batch, rows, length),
        _loss,
        _scores,
        adamw(foreach=True),
        generations={"text": text} if one_way else {},
    )


def lstm(size: str, attention: str) -> Model:
    """nn.LSTM, two layers with dropout between them."""
    del attention
    return _recurrent("LSTM", nn.LSTM, size, dropout=0.1)


def lstm_both_ways(size: str, attention: str) -> Model:
    """nn.LSTM that reads from both ends."""
    del attention
    return _recurrent("LSTM, bidirectional", nn.LSTM, size, bidirectional=True)


def gru(size: str, attention: str) -> Model:
    """nn.GRU, two layers with dropout between them."""
    del attention
    return _recurrent("GRU", nn.GRU, size, dropout=0.1)


def transformer(size: str, attention: str) -> Model:
    """nn.Transformer; "eager" attention is PyTorch's own made of operators."""
    width, rows, length = SIZES[size]

    def batch(step: int) -> Batch:
        tokens = data.passages(step, rows, 2 * length)
        source = tokens[:, :length].clone()
        source[::2, -3:] = data.PADDING
        return {"source": source, "target": tokens[:, length:].contiguous()}

    def loss(module: nn.Module, batch: Batch) -> Tensor:
        scores = module(batch["source"], batch["target"][:, :-1])
        return F.cross_entropy(scores.flatten(0, 1), batch["target"][:, 1:].flatten())

    return Model(
        "nn.Transformer",
        lambda: Translator(width, attention),
        batch,
        loss,
        lambda module, batch: module(batch["source"], batch["target"]),
        sgd(foreach=True),
        generations={"greedy": lambda m, batch: m.translate(batch["source"], 8)},
    )


def whisper(size: str, attention: str) -> Model:
    """Whisper, which names tones that it hears."""
    width, rows, _ = {"small": (64, 4, 0), "large": (192, 8, 0)}[size]
    bands, frames = 16, {"small": 48, "large": 512}[size]
    config = WhisperConfig(
        vocab_size=data.VOCABULARY,
        num_mel_bins=bands,
        d_model=width,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=2 * width,
        decoder_ffn_dim=2 * width,
        max_source_positions=frames // 2,
        max_target_positions=32,
        dropout=0.0,  # its encoder also draws on the CPU, see docs/models.md
        pad_token_id=data.PADDING,
        bos_token_id=data.START,
        eos_token_id=data.END,
        decoder_start_token_id=data.START,
        suppress_tokens=None,
        begin_suppress_tokens=None,
        attn_implementation=attention,
    )

    def batch(step: int) -> Batch:
        heard, numbers = data.tones(step, rows, bands, frames)
        names = [list(f"tone {number:02d} rises".encode()) for number in numbers]
        return {"input_features": heard, "labels": torch.tensor(names)}

    def words(module: nn.Module, batch: Batch) -> Tensor:
        return module.generate(
            batch["input_features"][:2], max_new_tokens=12, min_new_tokens=12
        )

    return Model(
        "Whisper",
        lambda: WhisperForConditionalGeneration(config),
        batch,
        lambda module, batch: module(**batch).loss,
        lambda module, batch: module(**batch).logits,
        adamw(foreach=True),
        generations={"greedy": words},
    )
