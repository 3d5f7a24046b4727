"""The command lines of the steps of `ngrams` and `blocks` for two batches."""

from pathlib import Path

NAMES = ("b00000", "b00001")


Step = tuple[str, list[str], list[str]]  # name; arguments, with {source} and {target} for folders; output


def steps() -> list[Step]:
    """All steps for two batches, in the order of the workflow."""
    many = ["--batches", "{source}/batches.tsv"]
    keys, lexicon = ["--ngrams", "{source}/duplicates.keys"], ["--lexicon", "{source}/corpus.lex"]
    threshold, candidates = ["--threshold", "0.5"], ["--candidates", "{source}/candidates"]
    per_batch: dict[str, list[Step]] = {"words": [], "runs": [], "match": [], "apply": []}
    for name in NAMES:
        tables = {
            key: [f"--{key}", f"{{source}}/{name}.{key}.parquet"] for key in ("documents", "boilerplate", "tokens")
        }
        vertical, model = ["--vertical", f"{{source}}/{name}.vert.zst"], ["--model", "en", "--count-stopwords"]
        everything = [*tables["documents"], *tables["boilerplate"], *tables["tokens"]]
        arguments = {
            "words": ["ngrams", "words", *vertical, *tables["documents"], *model, "--n", "3"],
            "runs": ["ngrams", "runs", "--tokens", f"{{source}}/{name}.tokens", *lexicon, *candidates, "--n", "3"],
            "match": ["blocks", "match", *vertical, *everything, *keys, *model],
            "apply": ["blocks", "apply", *everything, "--matches", f"{{source}}/{name}.matches"],
        }
        for option in ("output", "tokens", "keys"):
            suffix = {"output": "words"}.get(option, option)
            arguments["words"] += [f"--{option}", f"{{target}}/{name}.{suffix}"]
        arguments["runs"] += ["--output", f"{{target}}/{name}.runs"]
        arguments["match"] += ["--output", f"{{target}}/{name}.matches"]
        arguments["apply"] += ["--verdicts", f"{{source}}/{name}.verdicts", "--output", f"{{target}}/{name}.parquet"]
        for step, suffix in (("words", "words"), ("runs", "runs"), ("match", "matches"), ("apply", "parquet")):
            more = [f"{name}.tokens", f"{name}.keys"] if step == "words" else []
            per_batch[step].append((f"{step}-{name}", arguments[step], [f"{name}.{suffix}", *more]))
    source, lexicon_file = "{source}", ["--output", "{target}/corpus.lex"]
    joint: dict[str, Step] = {
        "lexicon": ("lexicon", ["ngrams", "lexicon", *many, "--words", source, *lexicon_file], ["corpus.lex"]),
        "candidates": (
            "candidates",
            ["ngrams", "candidates", *many, "--keys", source, "--output", "{target}/candidates"],
            ["candidates"],
        ),
        "merge": (
            "merge",
            ["ngrams", "merge", *many, "--runs", source, *lexicon, "--output", "{target}/duplicates.keys"],
            ["duplicates.keys"],
        ),
        "verdicts": (
            "verdicts",
            ["blocks", "verdicts", *many, "--matches", source, *keys, *threshold, "--output", "{target}"],
            [f"{name}.verdicts" for name in NAMES],
        ),
    }
    return [
        *per_batch["words"], joint["lexicon"], joint["candidates"], *per_batch["runs"], joint["merge"],
        *per_batch["match"], joint["verdicts"], *per_batch["apply"],
    ]  # fmt: skip


STEPS = {name: (arguments, outputs) for name, arguments, outputs in steps()}


def filled(arguments: list[str], source: Path, target: Path) -> list[str]:
    """The arguments with the names of the folders."""
    return [argument.format(source=source, target=target) for argument in arguments]
