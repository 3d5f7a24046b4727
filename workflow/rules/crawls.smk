"""Crawls of several languages: the steps on pages run once for all of them, then their tables are divided by language.

From there on each language is a corpus.
"""


# Also of a corpus whose language has no model.
rule crawl_models:
    """Gather the models of all languages that pages may be in, in one folder, as with rivals."""
    input:
        known_models,
    output:
        directory("{folder}/models"),
    log:
        "{folder}/logs/crawl_models.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        folder=OF_ARCHIVES,
    message:
        "Languages that pages of {wildcards.folder} may be in"
    shell:
        "(mkdir -- {output:q} && cp -- {input:q} {output:q}) 2> {log:q}"


rule languages_split:
    """Find the language of each page of a batch, and divide its tables by language."""
    input:
        encoding="{folder}/encoding/{batch}.parquet",
        pages="{folder}/pages/{batch}.parquet",
        boilerplate="{folder}/boilerplate/{batch}.parquet",
        models="{folder}/models",
    output:
        found="{folder}/found/{batch}.parquet",
        parts=directory("{folder}/parts/{batch}"),
        times="{folder}/times/language/split-{batch}.tsv",
    log:
        "{folder}/logs/languages_split/{batch}.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        folder=OF_CRAWLS,
    resources:
        mem_mb=split_memory_mb,
        runtime=batch_runtime,
        places=places,
    params:
        languages=lambda wildcards: SPLIT_OPTIONS[wildcards.folder],
    message:
        "Languages of {wildcards.folder}, batch {wildcards.batch}"
    shell:
        advised(
            "corpusprep --times {output.times:q} step languages split"
            " --batch {wildcards.batch:q} --models {input.models:q} {params.languages} -- {wildcards.folder:q} 2> {log:q}",
            "batch_bytes",
        )


# How many batches each language has depends on its pages: jobs of the languages are planned when this one is done.
checkpoint languages_divide:
    """Plan the batches of each language of a crawl."""
    input:
        plan="{folder}/batches.tsv",
        found=each_batch("{folder}/found/{batch}.parquet"),
    output:
        division="{folder}/division.tsv",
    log:
        "{folder}/logs/languages_divide.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        folder=OF_CRAWLS,
    resources:
        mem_mb=jobs.LEAST_MEMORY_MB,
        places=places,
    params:
        options=lambda wildcards: flags(
            {
                "language": sorted(CRAWLS[wildcards.folder].languages),
                "batch_bytes": CORPORA[wildcards.folder].batch_bytes,
                **least_words(wildcards),
            }
        ),
    message:
        "Batches of the languages of {wildcards.folder}"
    shell:
        advised("corpusprep step languages divide {params.options} -- {wildcards.folder:q} 2> {log:q}")


rule languages_batches:
    """Write the batches of a language of a crawl."""
    input:
        division=lambda wildcards: f"{crawl_of(wildcards)}/division.tsv",
    output:
        plan="{folder}/batches.tsv",
        bundles="{folder}/bundles.tsv",
    log:
        "{folder}/logs/batches.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        folder=OF_LANGUAGES,
    params:
        crawl=crawl_of,
        language=lambda wildcards: Path(wildcards.folder).name,
    message:
        "Batches of {wildcards.folder}"
    shell:
        "corpusprep step languages batches --language {params.language:q}"
        " -- {params.crawl:q} {wildcards.folder:q} 2> {log:q}"


rule languages_gather:
    """Gather the tables of a batch of a language from the divided tables of the crawl."""
    input:
        parts_of_batch,
    output:
        encoding="{folder}/encoding/{batch}.parquet",
        pages="{folder}/pages/{batch}.parquet",
        boilerplate="{folder}/boilerplate/{batch}.parquet",
        times="{folder}/times/language/gather-{batch}.tsv",
    log:
        "{folder}/logs/languages_gather/{batch}.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        folder=OF_LANGUAGES,
    resources:
        mem_mb=batch_memory_mb,
        runtime=batch_runtime,
        places=places,
    params:
        crawl=crawl_of,
        parts=lambda wildcards: flags({"part": PARTS[wildcards.folder][wildcards.batch]}),
        language=lambda wildcards: Path(wildcards.folder).name,
    message:
        "Pages of {wildcards.folder}, batch {wildcards.batch}"
    shell:
        advised(
            "corpusprep --times {output.times:q} step languages gather --batch {wildcards.batch:q}"
            " --language {params.language:q} {params.parts} -- {params.crawl:q} {wildcards.folder:q} 2> {log:q}",
            "batch_bytes",
        )


# The tables of the batches are implied by the tables of the languages.
rule crawl_report:
    """Put all languages of a crawl on one page."""
    input:
        division="{folder}/division.tsv",
        sizes=each_language("{folder}/statistics/corpus_size.tsv"),
        ledgers=each_language("{folder}/statistics/ledger.tsv"),
    output:
        languages="{folder}/languages.tsv",
        ledger="{folder}/ledger.tsv",
        page="{folder}/report.html",
    log:
        "{folder}/logs/crawl_report.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        folder=OF_CRAWLS,
    params:
        languages=lambda wildcards: flags({"language": built_languages(wildcards.folder)}),
    message:
        "Languages of {wildcards.folder} side by side"
    shell:
        "corpusprep step languages table {params.languages} -- {wildcards.folder:q} 2> {log:q}"


rule crawl_summary:
    """Summarise a crawl; fails if the corpora of all languages are empty, so that the run does."""
    input:
        "{folder}/languages.tsv",
    output:
        "{folder}/summary.txt",
    log:
        "{folder}/logs/summary.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        folder=OF_CRAWLS,
    message:
        "Summary of {wildcards.folder}"
    shell:
        f"corpusprep show {EXPORTED} -- {{wildcards.folder:q}} > {{output:q}} 2> {{log:q}}"
