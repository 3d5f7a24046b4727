"""Options of the jobs that divide a crawl by language."""

from collections.abc import Mapping

from corpusprep.config.settings import CorpusSettings, CrawlSettings
from corpusprep.jobs import resources as jobs
from corpusprep.pipeline import STEPS

#: Megabytes of a language's model and filter, with its rivals: 46 languages took 285 MB together.
MB_PER_LANGUAGE = 10


def boilerplate_options(crawl: CrawlSettings, corpora: Mapping[str, CorpusSettings]) -> str:
    """Returns the settings of `boilerplate` as options: the crawl's, and each language's own.

    Args:
        crawl: the crawl.
        corpora: by folder.
    """
    shared = crawl.settings.sections["boilerplate"]
    own = {code: section for code, section in _sections(crawl, corpora, "boilerplate").items() if section != shared}
    options = jobs.step_settings(STEPS["boilerplate"], crawl.settings)
    return f"{options} {jobs.flags({'by_language': own})}" if own else options


def split_options(crawl: CrawlSettings, corpora: Mapping[str, CorpusSettings]) -> str:
    """Returns the languages and the settings of their filters as an option of `languages split`."""
    deciding = ("threshold", "margin", "rivals", "method", "code")
    asked = {
        code: {key: section[key] for key in deciding if key in section}
        for code, section in _sections(crawl, corpora, "language").items()
    }
    # The default is left out: a crawl that was divided without the setting is not divided again.
    return jobs.flags({"languages": asked, **({"mixed": crawl.mixed} if crawl.mixed != "main" else {})})


def known_languages(crawl: CrawlSettings) -> int:
    """Returns the number of languages that pages are told to be in, without rivals."""
    return len(crawl.languages) + len(crawl.others)


def _sections(
    crawl: CrawlSettings, corpora: Mapping[str, CorpusSettings], name: str
) -> dict[str, Mapping[str, object]]:
    return {code: corpora[f"{crawl.settings.folder}/{code}"].sections[name] for code in crawl.languages}
