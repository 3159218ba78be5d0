"""Language models of transformers, with random weights, on bytes of English text."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor, nn
from transformers import (
    BertConfig,
    BertForMaskedLM,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    MambaConfig,
    MambaForCausalLM,
    MixtralConfig,
    MixtralForCausalLM,
    Qwen2Config,
    Qwen2ForCausalLM,
    Qwen3Config,
    Qwen3ForCausalLM,
    T5Config,
    T5ForConditionalGeneration,
)

from tests.models import data
from tests.models.model import Batch, Generation, Model, adamw, sgd

# Width, layers, heads, width of the feed-forward part, rows, tokens in a row.
SIZES = {
    "small": (64, 2, 4, 128, 4, 48),
    "large": (256, 2, 8, 1024, 8, 256),
}
TOKENS = {
    "pad_token_id": data.PADDING,
    "bos_token_id": data.START,
    "eos_token_id": data.END,
}
PROMPT = 16


def _generation(**options) -> Generation:
    """Continues the first tokens of two rows by 12 tokens."""

    def generate(module: nn.Module, batch: Batch) -> Tensor:
        prompt = batch["input_ids"][:2, :PROMPT]
        settings = {"max_new_tokens": 12, "min_new_tokens": 12, "do_sample": False}
        mask = torch.ones_like(prompt)
        return module.generate(prompt, attention_mask=mask, **(settings | options))

    return generate


GREEDY = {
    "greedy": _generation(),
    "no cache": _generation(use_cache=False),
}
SAMPLED = {"sampled": _generation(do_sample=True, temperature=0.9, top_k=40, top_p=0.9)}
STATIC = {"static cache": _generation(cache_implementation="static")}
BEAMS = {"beams": _generation(num_beams=3)}


def _causal_batch(rows: int, length: int, step: int) -> Batch:
    tokens = data.passages(step, rows, length)
    return {"input_ids": tokens, "labels": tokens}


def _masked_batch(rows: int, length: int, step: int) -> Batch:
    """Every seventh byte is hidden and is to be told."""
    tokens = data.passages(step, rows, length)
    hidden = (torch.arange(length) + step) % 7 == 0
    labels = tokens.masked_fill(~hidden, -100)
    return {"input_ids": tokens.masked_fill(hidden, data.MASK), "labels": labels}


def _next_batch(rows: int, length: int, step: int) -> Batch:
    """From one half of a row the other is to be told; the last bytes are padding."""
    tokens = data.passages(step, rows, length)
    source, target = (half.clone() for half in tokens.chunk(2, dim=1))
    mask = torch.ones_like(source)
    mask[::2, -3:] = 0
    return {"input_ids": source, "attention_mask": mask, "labels": target}


def _loss(module: nn.Module, batch: Batch) -> Tensor:
    return module(**batch).loss


def _logits(module: nn.Module, batch: Batch) -> Tensor:
    return module(**batch).logits


def _text_model(
    name: str,
    make: Callable[[], nn.Module],
    size: str,
    batch: Callable[[int, int, int], Batch] = _causal_batch,
    **options,
) -> Model:
    rows, length = SIZES[size][4:]
    return Model(
        name=name,
        make=make,
        batch=partial(batch, rows, length),
        loss=_loss,
        evaluate=_logits,
        **({"optimizer": adamw(foreach=True)} | options),
    )


def _common(size: str) -> dict:
    width, layers, heads, inner, _, _ = SIZES[size]
    return {
        "vocab_size": data.VOCABULARY,
        "hidden_size": width,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "intermediate_size": inner,
        **TOKENS,
    }


def llama(size: str, attention: str) -> Model:
    """Llama with grouped queries, trained by the fused AdamW."""
    config = LlamaConfig(
        **_common(size), num_key_value_heads=2, attn_implementation=attention
    )
    return _text_model(
        "Llama",
        lambda: LlamaForCausalLM(config),
        size,
        optimizer=adamw(fused=True),
        generations=GREEDY | SAMPLED | STATIC | BEAMS,
    )


def qwen2(size: str, attention: str) -> Model:
    """Qwen2, whose projections have biases."""
    config = Qwen2Config(
        **_common(size), num_key_value_heads=2, attn_implementation=attention
    )
    return _text_model(
        "Qwen2", lambda: Qwen2ForCausalLM(config), size, generations=GREEDY | SAMPLED
    )


def qwen3(size: str, attention: str) -> Model:
    """Qwen3, which normalizes queries and keys; tied embeddings."""
    config = Qwen3Config(
        **_common(size),
        num_key_value_heads=2,
        head_dim=16,
        tie_word_embeddings=True,
        attn_implementation=attention,
    )
    return _text_model(
        "Qwen3",
        lambda: Qwen3ForCausalLM(config),
        size,
        optimizer=adamw(foreach=False),
        generations=GREEDY | STATIC,
    )


def gpt2(size: str, attention: str) -> Model:
    """GPT-2 with dropout; tied embeddings."""
    width, layers, heads, _, _, length = SIZES[size]
    config = GPT2Config(
        vocab_size=data.VOCABULARY,
        n_embd=width,
        n_layer=layers,
        n_head=heads,
        n_positions=length,
        attn_implementation=attention,
        **TOKENS,
    )
    return _text_model(
        "GPT-2", lambda: GPT2LMHeadModel(config), size, generations=GREEDY | SAMPLED
    )


def bert(size: str, attention: str) -> Model:
    """BERT that tells hidden bytes, with dropout."""
    config = BertConfig(
        **_common(size),
        max_position_embeddings=SIZES[size][5],
        attn_implementation=attention,
    )
    return _text_model(
        "BERT",
        lambda: BertForMaskedLM(config),
        size,
        _masked_batch,
        optimizer=sgd(foreach=True),
    )


def t5(size: str, attention: str) -> Model:
    """T5, an encoder and a decoder, with padding and dropout."""
    width, layers, heads, inner, _, _ = SIZES[size]
    config = T5Config(
        vocab_size=data.VOCABULARY,
        d_model=width,
        d_kv=width // heads,
        d_ff=inner,
        num_layers=layers,
        num_heads=heads,
        decoder_start_token_id=data.START,
        feed_forward_proj="gated-gelu",
        attn_implementation=attention,
        **TOKENS,
    )
    return _text_model(
        "T5",
        lambda: T5ForConditionalGeneration(config),
        size,
        _next_batch,
        generations=GREEDY | BEAMS,
    )


def mixtral(size: str, attention: str) -> Model:
    """Mixtral: four experts, two for each token."""
    config = MixtralConfig(
        **_common(size),
        num_key_value_heads=2,
        num_local_experts=4,
        output_router_logits=True,
        attn_implementation=attention,
    )
    return _text_model(
        "Mixtral", lambda: MixtralForCausalLM(config), size, generations=GREEDY
    )


def mamba(size: str, attention: str) -> Model:
    """Mamba, a state space model; it has no attention."""
    del attention
    width, layers, *_ = SIZES[size]
    config = MambaConfig(
        vocab_size=data.VOCABULARY,
        hidden_size=width,
        num_hidden_layers=layers,
        state_size=8,
        **TOKENS,
    )
    return _text_model(
        "Mamba", lambda: MambaForCausalLM(config), size, generations=GREEDY | SAMPLED
    )
