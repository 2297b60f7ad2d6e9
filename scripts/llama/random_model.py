"""Write a small Llama of random weights, for model.py on machines where no model is.

    python scripts/llama/random_model.py OUT.gguf [--seed N]

It needs NumPy and the PyPI package `gguf`. Every byte is a token, so any text can be its prompt;
what it says has no meaning. The weights are F16, 13 MB in all.
"""

import argparse
import pathlib

import gguf
import numpy as np

LAYERS, WIDTH, HEADS, KEY_HEADS, INNER, CONTEXT = 8, 256, 4, 2, 768, 512
SPECIAL = ("<unk>", "<s>", "</s>")
SHARPNESS = 8.0  # of the logits: their differences are larger than errors of rounding


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    writer = gguf.GGUFWriter(options.out, "llama")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KEY_HEADS)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    vocabulary = add_vocabulary(writer)

    def matrix(name: str, rows: int, columns: int, size: float = 1.0) -> None:
        values = random.standard_normal((rows, columns)) * size / np.sqrt(columns)
        writer.add_tensor(f"{name}.weight", values.astype(np.float16))

    def norm(name: str) -> None:
        values = 1 + 0.1 * random.standard_normal(WIDTH)
        writer.add_tensor(f"{name}.weight", values.astype(np.float32))

    matrix("token_embd", vocabulary, WIDTH, np.sqrt(WIDTH))
    for k in range(LAYERS):
        keys = WIDTH // HEADS * KEY_HEADS
        norm(f"blk.{k}.attn_norm")
        matrix(f"blk.{k}.attn_q", WIDTH, WIDTH)
        matrix(f"blk.{k}.attn_k", keys, WIDTH)
        matrix(f"blk.{k}.attn_v", keys, WIDTH)
        matrix(f"blk.{k}.attn_output", WIDTH, WIDTH)
        norm(f"blk.{k}.ffn_norm")
        matrix(f"blk.{k}.ffn_gate", INNER, WIDTH)
        matrix(f"blk.{k}.ffn_up", INNER, WIDTH)
        matrix(f"blk.{k}.ffn_down", WIDTH, INNER)
    norm("output_norm")
    matrix("output", vocabulary, WIDTH, SHARPNESS)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    print(f"{options.out}: {options.out.stat().st_size:,} bytes")


def add_vocabulary(writer: gguf.GGUFWriter) -> int:
    """A token for every byte; gives how many tokens there are."""
    tokens = [*SPECIAL, *(f"<0x{byte:02X}>" for byte in range(256)), "\u2581"]
    kinds = [gguf.TokenType.UNKNOWN] + 2 * [gguf.TokenType.CONTROL]
    kinds += 256 * [gguf.TokenType.BYTE] + [gguf.TokenType.NORMAL]
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types(kinds)
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    return len(tokens)


if __name__ == "__main__":
    main()
