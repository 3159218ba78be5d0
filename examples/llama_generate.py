"""Trains a small Llama on English text on infini and lets it write.

    python examples/llama_generate.py [--steps 200] [--device infini] [--tokens 200]

The model is transformers' own, with random weights; nothing is downloaded. The text is
what describes the data sets that scikit-learn ships, and its bytes are the tokens. The
script is what one would write for "cuda", with another device name.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import sklearn.datasets
import torch
import torch_infini  # noqa: F401  makes the device "infini"
from torch import Tensor
from transformers import LlamaConfig, LlamaForCausalLM

ROWS, LENGTH = 8, 64


def load_text() -> Tensor:
    """Return about 43,000 bytes of prose as one row of tokens."""
    folder = Path(sklearn.datasets.__file__).with_name("descr")
    pages = [path.read_bytes() for path in sorted(folder.glob("*.rst"))]
    return torch.tensor(list(b"\n".join(pages)), dtype=torch.long)


def make_model() -> LlamaForCausalLM:
    """Return a Llama of 0.4 million parameters with random weights."""
    config = LlamaConfig(
        vocab_size=256,
        hidden_size=128,
        intermediate_size=256,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        pad_token_id=0,
        bos_token_id=2,
        eos_token_id=3,
    )
    return LlamaForCausalLM(config)


def train(model: LlamaForCausalLM, text: Tensor, steps: int, device: str) -> float:
    """Train on random pieces of the text and return the last loss."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    choose = torch.Generator().manual_seed(0)
    begin, value = time.perf_counter(), float("nan")
    for step in range(1, steps + 1):
        starts = torch.randint(len(text) - LENGTH, (ROWS,), generator=choose)
        tokens = torch.stack([text[at : at + LENGTH] for at in starts]).to(device)
        optimizer.zero_grad()
        loss = model(input_ids=tokens, labels=tokens).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 25 == 0 or step == steps:
            value = loss.item()
            rate = step / (time.perf_counter() - begin)
            print(f"step {step:4}  loss {value:.4f}  {rate:.1f} steps/s", flush=True)
    return value


def write(model: LlamaForCausalLM, start: str, count: int, device: str) -> str:
    """Return `start`, continued by `count` sampled bytes; keys and values are kept."""
    model.eval()
    prompt = torch.tensor([list(start.encode())], device=device)
    tokens = model.generate(
        prompt,
        attention_mask=torch.ones_like(prompt),
        max_new_tokens=count,
        min_new_tokens=count,
        do_sample=True,
        temperature=0.7,
        top_k=40,
    )
    return bytes(tokens[0].tolist()).decode(errors="replace")


def main() -> None:
    """Train, write, and say how fast."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="infini")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--tokens", type=int, default=200)
    options = parser.parse_args()
    torch.manual_seed(0)
    model = make_model().to(options.device)
    train(model, load_text(), options.steps, options.device)
    begin = time.perf_counter()
    text = write(model, "The data set ", options.tokens, options.device)
    seconds = time.perf_counter() - begin
    print(f"\n{text}\n\n{options.tokens / seconds:.0f} tokens/s on {options.device}")


if __name__ == "__main__":
    main()
