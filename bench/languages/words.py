"""Measures what divides scripts without spaces into words, and annotators, on a treebank.

    bench words --language ja ja_gsd-ud-test.conllu
    bench words --language en --annotator spacy --model en_core_web_sm en_pud-ud-test.conllu

Prints F1 of the words of each divider that is installed, for the languages that it knows, and its CPU seconds; then of
each annotator that is installed the CPU seconds of its start (a document of one sentence) and the tokens per CPU second
after it. An annotator with a model is measured where --annotator names it.
"""

import resource
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import running

from corpusprep.annotation import built_in, settings
from corpusprep.errors import ConfigError, LanguageError
from corpusprep.languages.descriptions import describe
from corpusprep.text import vertical
from corpusprep.text.tokenizer import escape_token
from corpusprep.text.word_dividers import DIVIDERS, Divide, divider_of
from studies.treebanks.reading import Sentence, read


def main(prog: str, arguments: Sequence[str]) -> None:
    """Runs the measurement."""
    parser = running.parser(prog, __doc__)
    parser.add_argument("--language", required=True, help="code of the language")
    parser.add_argument("--annotator", action="append", default=[], help="an annotator that takes a model")
    parser.add_argument("--model", default="", help="its model")
    parser.add_argument("treebank", type=Path)
    options = parser.parse_args(arguments)
    code = describe(options.language).code
    sentences = list(read(options.treebank))
    for name in DIVIDERS:
        try:
            divider = divider_of(name, code)
        except LanguageError as error:
            print(f"{name:<12}{error}")
            continue
        if divider is not None:
            score, seconds = divided(divider.make(code), sentences)
            print(f"{name:<12}F1 {score:.2f}; {seconds:.2f} CPU s")
    for name in built_in.KIND.built_in:
        model = options.model if name in options.annotator else ""
        section: dict[str, Any] = {"annotator": name, "command": "", "columns": [], "model": model, "threads": 1}
        try:
            settings.check(settings.settled(section), code)
        except ConfigError as error:
            print(f"{name:<12}{error}")
            continue
        start, rate = annotated(name, model, code, sentences)
        print(f"{name:<12}start {start:.2f} CPU s; then {rate:,.0f} tokens per CPU s")


def divided(divide: Divide, sentences: Sequence[Sentence]) -> tuple[float, float]:
    """Returns F1 of words in per cent, and the CPU seconds."""
    right = ours = theirs = 0
    start = time.process_time()
    for sentence in sentences:
        place, found = 0, set()
        for word in divide(sentence.text):
            if word.strip():
                place = sentence.text.index(word, place)  # some leave white space out
                found.add((place, place + len(word)))
                place += len(word)
        right += len(found.intersection(sentence.tokens))
        ours, theirs = ours + len(found), theirs + len(sentence.tokens)
    return 200 * right / max(1, ours + theirs), time.process_time() - start


def annotated(name: str, model: str, code: str, sentences: Sequence[Sentence]) -> tuple[float, float]:
    """Returns the CPU seconds of an annotator's start, and the tokens per CPU second after it."""
    command = built_in.command(name, ".", model)
    (first, short), (tokens, long) = (_spent(command, code, part) for part in (sentences[:1], sentences))
    return short, (tokens - first) / max(0.01, long - short)


def _spent(command: Sequence[str], code: str, sentences: Sequence[Sentence]) -> tuple[int, float]:
    """Returns the number of tokens, and the CPU seconds of a command on a vertical of them."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, input=_vertical(code, sentences), capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise ConfigError(f"{command[3]}: {done.stderr.decode(errors='replace').strip()[-200:]}")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return sum(len(sentence.tokens) for sentence in sentences), seconds


def _vertical(code: str, sentences: Sequence[Sentence]) -> bytes:
    """Returns a document of these sentences."""
    lines = [f'<doc id="1" lang="{code}">\n<p heading="0" block="0">\n'.encode()]
    for sentence in sentences:
        lines.append(b"<s>\n")
        for number, (start, end) in enumerate(sentence.tokens):
            if number and start == sentence.tokens[number - 1][1]:
                lines.append(vertical.GLUE)
            lines.append(f"{escape_token(sentence.text[start:end])}\n".encode())
        lines.append(b"</s>\n")
    return b"".join([*lines, b"</p>\n", vertical.DOCUMENT_END])
