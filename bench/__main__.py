"""Benchmarks of corpusprep: `python bench TOOL …`, from any working directory; bench/README.md describes the tools."""

import argparse
import importlib
import sys

from running import CommandError

from corpusprep.errors import CorpusprepError

#: Tool -> its module and what it does.
TOOLS = {
    "speed": ("speed.table", "speed of each stage beside other tools (make bench)"),
    "parsers": ("speed.parsers", "parsers beside libxml2: speed, and pages with the same blocks"),
    "scale": ("scale.measure", "cost of every step at four corpus sizes (make scale)"),
    "month": ("scale.month", "a month of Common Crawl: what each step takes, in which batches, on how many cores"),
    "forecast": ("forecasts", "forecasts beside what runs took, step by step"),
    "table-3-2": ("deduplication.table_3_2", "table 3.2 of the thesis on made corpora (make table-3-2)"),
    "inspection": ("inspection.measure", "speed of the index of URLs and of concordances (make bench)"),
    "peers": ("peers.table", "extraction and de-duplication beside other tools: speed and quality"),
    "near-duplicates": ("peers.near_duplicates", "clusters of near-duplicates beside MinHash"),
    "filters": ("peers.filters", "filters by quality beside those of datatrove: decisions and speed"),
    "filter-cost": ("quality.cost", "CPU time of signals, filter and personal data, as whole steps"),
    "personal": ("personal.measure", "personal data in made texts beside other tools: precision and recall"),
    "quality": ("quality.page", "tables of cleaners in docs/measurements from the results of `snakemake evaluation`"),
    "language-model": ("quality.language_model", "what cleaning does to a language model: perplexity after each stage"),
    "documentation": ("peers.documentation", "extraction from pages of software documentation beside other tools"),
    "templates": ("speed.templates", "what removing templates of sites gains, on gold pages"),
    "failures": ("failures.simulation", "a run on SLURM that loses nodes and jobs beside one left alone"),
    "make-corpus": ("deduplication.made_corpus", "make a corpus of any size from a real one"),
    "make-documents": ("deduplication.made_documents", "make the tables that the stage documents reads"),
    "ngrams": ("deduplication.ngrams", "measure the steps of ngrams on a corpus"),
    "one-crawl": ("languages.one_crawl", "one pass for many languages beside one for each"),
    "words": ("languages.words", "what divides scripts without spaces into words, and annotators, on a treebank"),
    "treebanks": ("languages.treebanks", "table of tokens and sentences on treebanks in docs/measurements"),
    "parts": ("parts.measure", "steps over the whole corpus in one process and in parts"),
    "independence": ("parts.independence", "documents whose verdicts do not wait for others"),
    "blocks": ("deduplication.blocks", "measure the steps of blocks on a corpus"),
}


def main() -> None:
    """Runs the tool that the first argument names."""
    parser = argparse.ArgumentParser(
        prog="bench",
        description="\n".join(f"{name:<15} {about}" for name, (_, about) in TOOLS.items()),
        epilog="bench TOOL --help shows a tool's options.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("tool", choices=TOOLS, metavar="TOOL")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="…")
    options = parser.parse_args()
    try:
        module = importlib.import_module(TOOLS[options.tool][0])
        module.main(f"bench {options.tool}", options.arguments)
    except ModuleNotFoundError as error:
        sys.exit(f"Error: {error}; install what benchmarks compare with: pip install '.[bench]'")
    except (CommandError, CorpusprepError) as error:
        sys.exit(f"Error: {error}")


if __name__ == "__main__":
    main()
