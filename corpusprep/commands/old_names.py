"""The command lines of version 0.2, which version 0.3 still takes, with a note."""

from collections.abc import Collection, Sequence
from itertools import takewhile

#: Commands that have moved.
COMMANDS = {
    **{
        name: f"step {name}"
        for name in (
            "batches encoding boilerplate tokens annotate documents exact ngrams blocks corpus index urls statistics"
            " report references robots templates languages overview describe"
        ).split()
    },
    "concordance": "search",
    "concordances": "search",
    "evaluation": "studies evaluation",
    "experiments": "studies experiments",
    "language table": "studies languages",
    "pack": "archive pack",
    "references sort": "archive sites",
    "reuse": "check reuse",
    "seeds queries": "archive queries",
    "seeds urls": "archive urls",
    "seeds": "archive",
    "texrex": "studies texrex",
    "train texrex": "studies texrex train",
    "treebanks": "studies treebanks",
    "vrt": "check vertical",
    "yield": "archive yield",
}

#: What options have become, one name per value of the option: an argument if the name is empty.
_Options = dict[str, tuple[str, ...]]
_OPTIONS: dict[str, _Options] = {
    "audit sample": {"--corpus": ("",)},
    "concordance": {"--corpus": ("",)},
    "concordances": {"--corpus-dir": ("",), "--word": ("",), "--output": ("--page",), "--lines": ("--limit",)},
    "languages": {"--crawl": ("",), "--corpus-dir": ("",)},
    "overview": {"--corpus": ("", "--language")},
    "plan": {"--config": ("",), "--corpus": ("--only",)},
    "survey": {"--corpus": ("--only",)},
    "why": {"--corpus": ("",)},
}
_FLAGS = {"--before": ["--stage", "crawl"], "--after": ["--stage", "corpus"]}  # of concordance
_OF_OTHERS: _Options = {"--corpus-dir": ("",)}
#: Groups of commands that may be groups themselves: their old arguments were words of the command.
_NESTED = ("step ", "studies ")
#: Commands whose options have the same names for something else.
_UNCHANGED = {"build", "step", "studies"}


def translated(words: Sequence[str], commands: Collection[str]) -> list[str] | None:
    """Returns a command line with the names of this version; None if it has no other names.

    Args:
        words: those behind `corpusprep`.
        commands: the commands and groups of this version.

    >>> translated(["concordance", "ferry", "--corpus", "results/news", "--limit=5"], ["search"])
    ['search', 'results/news', 'ferry', '--limit=5']
    """
    first = 2 * (words[:1] == ["--times"]) or sum(word.startswith("--times=") for word in words[:1])
    before, rest = list(words[:first]), list(words[first:])
    if not rest or rest[0] in _UNCHANGED:
        return None
    names = " ".join(rest[:2])
    if rest[0] == "language" and rest[1:2] and rest[1].startswith("--") and rest[1] != "--help":
        old, new = "language", "step language"
    elif (old := names if names in COMMANDS else rest[0]) in COMMANDS:
        new = COMMANDS[old]
    elif rest[0] in commands:
        old = new = names if names in _OPTIONS else rest[0]
    else:
        return None
    tail = rest[len(old.split()) :]
    inner = list(takewhile(lambda word: not word.startswith("-"), tail)) if new.startswith(_NESTED) else []
    arguments, others = _renamed(tail[len(inner) :], _OPTIONS.get(old, _OF_OTHERS))
    if new == "search":
        others = [word for old_word in others for word in _FLAGS.get(old_word, [old_word])]
    line = [*before, *new.split(), *inner, *arguments, *others]
    return None if line == list(words) else line


def _renamed(words: Sequence[str], options: _Options) -> tuple[list[str], list[str]]:
    """Returns what were options and are arguments now, in the order of `options`, and all other words."""
    arguments: list[tuple[int, str]] = []
    others: list[str] = []
    waiting = iter(words)
    for word in waiting:
        if word == "--":
            others += [word, *waiting]
            break
        name, equals, value = word.partition("=")
        for number, target in enumerate(options.get(name, ())):
            text = value if equals and not number else next(waiting, None)
            if text is None:
                return [], list(words)  # the value is missing
            if target:
                others += [target, text]
            else:
                arguments.append((list(options).index(name), text))
        if name not in options:
            others.append(word)
    return [value for _, value in sorted(arguments, key=lambda pair: pair[0])], others
