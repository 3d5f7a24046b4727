"""Builds corpora and shows the forecast of each beside what its run took, step by step.

    python bench forecast [--data FOLDER] [CRAWL …]

FOLDER holds the crawls as crawl/<name>.warc.gz ($CORPUSPREP_DATA or ../shared/data). Each corpus is built on one core,
with a process per step, as a large corpus is. The forecast is made after the run, from its own sample.
"""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

import running

from corpusprep.forecast import plan

#: Crawl -> its language: software documentation with many duplicates, news pages of many sites, and Polish news.
CRAWLS = {"docs-0": "en", "en-l3s-gn1": "en", "news-polish": "pl"}


def main(prog: str, arguments: Sequence[str]) -> None:
    """Prints a table per crawl."""
    parser = running.parser(prog, __doc__)
    running.add_data(parser)
    parser.add_argument("crawls", nargs="*", default=list(CRAWLS), help="names of crawls")
    parser.add_argument("--sample", type=float, default=0.05, help="share of the archives' bytes that is sampled")
    options = parser.parse_args(arguments)
    archives = running.crawl_archives(options.data, options.crawls)
    for name, archive in zip(options.crawls, archives, strict=True):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            corpus = {"language": CRAWLS.get(name, "en"), "archives": [str(archive)]}
            config = {"results": str(folder / "results"), "corpora": {name: corpus}}
            (folder / "my.json").write_text(json.dumps(config), encoding="utf-8")
            running.run_workflow(folder, ["--cores", "1"])
            settings, made = plan.read_config(folder / "my.json")
            print("\n".join(plan.plan(settings[name], made, options.sample, 1, compared=True)) + "\n", flush=True)
