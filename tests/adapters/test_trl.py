"""TRL's own trainer takes `TextEnv` as it is: a tiny random model that says what a script says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
from trl import GRPOConfig, GRPOTrainer
from trl.chat_template_utils import qwen3_chat_template

from salet.env.adapters.trl import task_dataset
from salet.env.text import TextEnv
from salet.env.text.tasks import task_rows

pytestmark = pytest.mark.filterwarnings("default")

SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<tool_call>", "</tool_call>"]
WORDS = ("salet", "xyzzy", "crane")


def byte_tokenizer() -> PreTrainedTokenizerFast:
    """A tokenizer of single bytes: nothing is downloaded."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    core = Tokenizer(models.BPE({sign: n for n, sign in enumerate(alphabet)}, []))
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    core.add_special_tokens(SPECIAL[:3])
    core.add_tokens(SPECIAL[3:])
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=core, eos_token="<|im_end|>", pad_token="<|endoftext|>"
    )
    tokenizer.chat_template = qwen3_chat_template
    return tokenizer


class Scripted(Qwen3ForCausalLM):
    """A tiny random network whose replies are written beforehand; it is trained on them."""

    tokenizer: PreTrainedTokenizerFast
    prompts: list[str]

    def generate(self, input_ids=None, **_):
        replies = []
        for row in input_ids:
            text = self.tokenizer.decode(row)
            self.prompts.append(text)
            made = text.count("</tool_response>")
            if made < len(WORDS):
                call = json.dumps({"name": "guess", "arguments": {"word": WORDS[made]}})
                reply = f"<tool_call>\n{call}\n</tool_call><|im_end|>"
            else:
                reply = "That was all.<|im_end|>"
            replies.append(self.tokenizer.encode(reply))
        longest = max(map(len, replies))
        pad = self.tokenizer.pad_token_id
        padded = [reply + [pad] * (longest - len(reply)) for reply in replies]
        return torch.cat([input_ids, torch.tensor(padded)], dim=1)


def tiny_model(tokenizer: PreTrainedTokenizerFast) -> Scripted:
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=len(tokenizer), hidden_size=16, intermediate_size=16, num_hidden_layers=1,
        num_attention_heads=2, num_key_value_heads=1, head_dim=8, max_position_embeddings=8192,
        pad_token_id=tokenizer.pad_token_id, eos_token_id=tokenizer.eos_token_id,
    )  # fmt: skip
    model = Scripted(config)
    model.tokenizer, model.prompts = tokenizer, []
    return model


def test_the_trainer_plays_and_learns_from_the_reward(tmp_path: Path) -> None:
    tokenizer = byte_tokenizer()
    model = tiny_model(tokenizer)
    dataset = task_dataset("original", "train", reward="regret", illegal="turn").select(range(2))
    environments: list[TextEnv] = []

    def factory() -> TextEnv:
        environments.append(TextEnv())
        return environments[-1]

    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        args=GRPOConfig(
            output_dir=str(tmp_path), per_device_train_batch_size=2, num_generations=2,
            max_completion_length=1500, max_steps=1, report_to=[], use_cpu=True, logging_steps=1,
            save_strategy="no", max_tool_calling_iterations=8, disable_tqdm=True,
        ),
        train_dataset=dataset,
        environment_factory=factory,
    )  # fmt: skip
    trainer.train()
    log = trainer.state.log_history[0]
    played = [env for env in environments if env.transcript]
    assert len(played) == 2
    for env in played:
        secret = env.dialogue.answer
        assert [word for word, _ in env.dialogue.state.turns][:1] == ["salet"]
        assert env.dialogue.illegal_count == 1 and env.reward < -1
        asked = [prompt for prompt in model.prompts if "Find the secret word" in prompt]
        assert len(asked) == len(model.prompts)
        assert not any(re.search(rf"\b{secret}\b", prompt) for prompt in asked)
    assert log["rewards/TextEnv/mean"] == pytest.approx(sum(e.reward for e in played) / 2, abs=1e-4)
    assert any("'xyzzy' is not in the list" in prompt for prompt in model.prompts)


def test_the_dataset_has_every_answer_of_the_split() -> None:
    rows = task_dataset("nyt-hard", "validation", reward="win")
    assert rows["answer"] == [row["answer"] for row in task_rows("nyt-hard", "validation")]
    assert rows[0]["prompt"] == [{"role": "user", "content": ""}]
    env = TextEnv()
    assert "Hard mode" in env.reset(**rows[0])
    assert env.task.reward == "win"
