"""The page of the models that come with the package: their cards."""

from collections.abc import Iterator, Mapping
from typing import Any

from corpusprep.cleaners import model_files
from reference_pages import REPOSITORY
from reference_pages.markdown import code, table
from studies.schaefer_2017 import perceptrons


def model_reference() -> str:
    """Returns the cards of the models of learned cleaners that come with the package."""
    lines = [
        "# Models of learned cleaners",
        "",
        "What each model that comes with the package was trained from, and how good it is. The models hold numbers "
        "only: no page and no text. The licences are those of the annotations; the pages belong to their publishers. "
        "[Train your own](../how-to/train.md).",
        "",
    ]
    for path in sorted((REPOSITORY / "config" / "models").glob("*.model")):
        # `content-permissive` is a model of `content`.
        header = model_files.read(path, path.stem.partition("-")[0]).header
        if header["algorithm"] == perceptrons.ALGORITHM:
            lines += _perceptron_card(header["card"], path.stat().st_size)
            continue
        lines += _model_card(
            header["card"], header.get("thresholds", {"most likely sequence": 500}), path.stat().st_size
        )
    return "\n".join(lines)


def _perceptron_card(card: Mapping[str, Any], size: int) -> Iterator[str]:
    """Yields the card of a model of texrex, which is trained on blocks and judged by them."""
    yield f"## `{card['name']}`\n"
    yield f"Made by {card['made_by']}; {size / 1000:.0f} kB.\n"
    rows = [
        [
            code(one["name"]),
            one["language"] or "several",
            one["licence"],
            f"{one['blocks']:,}",
            f"{one['main_content']:,}",
        ]
        for one in card["sets"]
    ]
    yield table(["trained on", "language", "licence", "blocks", "main content"], rows)
    scores = card["scores"]
    yield (
        f"Blocks called boilerplate at the threshold 0.5, by models of the other parts in {scores['folds']} parts: "
        f"precision {scores['precision']:.3f}, recall {scores['recall']:.3f}, F1 {scores['f1']:.3f}; "
        f"{scores['correct']:.3f} of all decisions are right, {scores['baseline']:.3f} if all blocks are called "
        "boilerplate.\n"
    )


def _model_card(card: Mapping[str, Any], thresholds: Mapping[str, int], size: int) -> Iterator[str]:
    named = ", ".join(f"`{name}` {value / 1000:g}" for name, value in thresholds.items())
    yield f"## `{card['name']}`\n\nMade by {card['made_by']}, {size / 1000:.0f} kB. Thresholds: {named}.\n"
    rows = [
        [
            one["title"],
            one["licence"],
            f"{one['pages']:,}",
            "; ".join(f"{n} {why}" for why, n in one["left_out"].items()),
        ]
        for one in card["sets"]
    ]
    yield table(["trained on", "licence", "pages", "left out"], rows)
    if card["made_pages"]:
        yield f"Beside these, {card['made_pages']:,} pages that training made from them.\n"
    for title, key in (("Pages per language", "languages"), ("Pages per kind", "kinds")):
        yield f"{title}: {', '.join(f'{name} {count:,}' for name, count in card[key].items())}.\n"
    rows = [
        [
            one["set"],
            one["measure"],
            one["protocol"],
            f"{one['f1']:.2f}",
            "{} to {}".format(*one["interval"]),
            f"{one['mean']:.2f}",
        ]
        for one in card["scores"]
    ]
    at = "balanced" if "balanced" in thresholds else next(iter(thresholds))
    yield f"F1 in percent at the threshold `{at}`: of all words of a set, and the mean over its pages.\n"
    yield table(["set", "measure", "protocol", "F1", "95 %", "mean over pages"], rows)
    yield "Weak at:\n"
    yield "".join(f"* {line}\n" for line in card["weak_at"])
