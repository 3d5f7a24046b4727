"""The pages of algorithms, of the features they read, and of languages."""

import re
from typing import Any

from corpusprep.cleaners import registry
from corpusprep.cleaners.interface import Registration
from corpusprep.cleaners.victor import victor_models
from corpusprep.languages import descriptions
from corpusprep.pages import features
from reference_pages import REPOSITORY
from reference_pages.markdown import code, plain, table
from studies.schaefer_2017 import perceptrons


def _type_name(kind: Any) -> str:
    """Returns the name of a type, or those of a union joined by "or"."""
    return getattr(kind, "__name__", None) or str(kind).replace(" | ", " or ")


def feature_reference() -> str:
    """Returns the page of the features of blocks that learned algorithms read."""
    rows, own = (
        [[code(one.name), plain(one.unit), plain(one.source)] for one in described]
        for described in (features.feature_descriptions(), victor_models.victor_features()[len(victor_models.SHARED) :])
    )
    measured = [[code(name), plain(unit)] for name, unit in perceptrons.FEATURES.items()]
    return (
        "\n\n".join(
            [
                "# Features of blocks",
                "What the algorithm `content` reads of a block. Each is a whole number from 0 to 255, and depends on"
                " the block's page alone. `corpusprep extract --explain` names those that moved the score of a block"
                " most; a model reads some of them.",
                "Shares are 255 a / b, rounded down, and 0 where b is 0. Steps are exact up to 31; from there on, each"
                " doubling has 16 values. Counts end at 255. *Running text* is the words outside links of blocks with"
                " at least 12 words and less than 0.4 of them in links. A *container* is a block-level element,"
                " `<body>` or the root; the first container of a block is the innermost one. A word is a sequence"
                " without white space; in scripts without spaces, a Chinese or Japanese character counts as 0.6 words"
                " and one of South-East Asia as 0.25.",
                table(["feature", "unit", "source"], rows),
                "Victor (`victor`) reads some of them, and these of the text of a block and of its page:",
                table(["feature", "unit", "source"], own),
                "Of the features above, it reads " + ", ".join(code(name) for name in victor_models.SHARED) + ".",
                "texrex (`texrex`) cuts blocks from the markup of a page, and measures these 37 features of them"
                " (Schäfer 2016, table 1):",
                table(["feature", "value"], measured),
                "Kinds of blocks: " + ", ".join(code(kind) for kind in features.KINDS) + ".",
                "Types of blocks: " + ", ".join(code(name) for name in features.TYPES) + ".",
            ]
        )
        + "\n"
    )


def _source(found: Registration) -> str:
    """Returns the source of an algorithm, and whether it is one of the studies."""
    of_studies = " An algorithm of the studies." if found.name not in registry.KIND.built_in else ""
    return f"Source: {plain(found.source)}.{of_studies}"


def algorithm_reference() -> str:
    """Returns the page of the boilerplate algorithms: what each keeps, its source and its parameters."""
    parts = [
        "# Boilerplate algorithms",
        "Names for `boilerplate: {algorithm: …}` in the config, `--algorithm` of `corpusprep extract`, and the"
        " argument `algorithm` of [`extract`](library.md). How well they do on gold data:"
        " [evaluation](../measurements/evaluation.md). To use your own: [an own cleaner](../how-to/own-cleaner.md)."
        " Algorithms of published studies come with the package `studies` ([plugins](../how-to/plugins.md)).",
    ]
    for found in registry.registrations():
        parts += [
            f"## {found.name}",
            plain(found.description),
            _source(found),
        ]
        rows = [
            [code(one.name), _type_name(one.type), code(one.default), plain(one.description)]
            for one in found.described_parameters()
        ]
        if rows:
            parts.append(table(["parameter", "type", "default", "meaning"], rows))
        if found.presets:
            names = [row[0].strip("`") for row in rows]
            presets = [[name, *(code(getattr(values, one)) for one in names)] for name, values in found.presets.items()]
            parts += ["Presets:", table(["preset", *map(code, names)], presets)]
    return "\n\n".join(parts) + "\n"


def language_reference() -> str:
    """Returns the page of the languages: the list, then what is to be known about codes and encodings."""
    rows = [
        [
            code(found.code),
            found.name + (" (weak)" if descriptions.weakness(found.code) else ""),
            " ".join(found.aliases),
            " ".join(found.encodings),
            str(found.threshold),
            " ".join(found.rivals),
        ]
        for found in map(descriptions.describe, descriptions.known())
    ]
    text = (REPOSITORY / "config" / "languages" / "README.md").read_text(encoding="utf-8").partition("\n## ")
    return "\n\n".join(
        [
            "# Languages",
            f"{len(rows)} languages come with corpusprep, as rows of the table."
            " The words of those marked as weak were counted in little text; a run says so. For them, and for any"
            " other language, [make a model from a sample](../how-to/new-language.md).",
            table(["code", "language", "other codes", "encodings beside UTF-8", "threshold", "rivals"], rows),
            "## " + re.sub(r"\[([^]]+)\]\(\.\./\.\./docs/", r"[\1](../", text[2]),
        ]
    )
