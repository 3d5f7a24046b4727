"""The rules that are no steps of a corpus: language models, exports, pages for readers."""


rule language_model:
    """Write the model of a language: built in, or made from samples (`languages` in the config)."""
    input:
        lambda wildcards: samples(wildcards.code),
    output:
        "{results}/languages/{code}.model",
    log:
        "{results}/languages/logs/{code}.log",
    conda:
        ENVIRONMENT
    params:
        sample=lambda wildcards: sample_options(wildcards.code),
        # A model of another version or description is made again.
        made_by=lambda wildcards: languages.fingerprint(wildcards.code),
    message:
        "Language model of {wildcards.code}"
    shell:
        "corpusprep language make {wildcards.code:q} {params.sample} --output {output:q} 2> {log:q}"


# A language without a model learns it from the crawl.
rule language_texts:
    """Find texts of a batch in a language of which there is no model."""
    input:
        encoding="{folder}/encoding/{batch}.parquet",
        # Of a language of a crawl, which has the text of its pages already; it numbers them in its own way.
        blocks=lambda wildcards: (
            path_of("boilerplate").format(**wildcards) if wildcards.folder in FROM_CRAWLS else []
        ),
    output:
        "{folder}/learned/{batch}.parquet",
    log:
        "{folder}/logs/language_texts/{batch}.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        folder=WITHOUT_MODEL,
    resources:
        mem_mb=naming_memory_mb,
        runtime=batch_runtime,
        places=places,
    params:
        language=language_option,
        options=lambda wildcards: learning_options(wildcards, "method", "threshold", "margin", "learn_pages", "code"),
        source=lambda wildcards: "--from-blocks" if wildcards.folder in FROM_CRAWLS else "",
    message:
        "Texts in the language of {wildcards.folder}, batch {wildcards.batch}"
    shell:
        advised(
            "corpusprep step languages texts --batch {wildcards.batch:q} --language {params.language:q} {params.options}"
            " {params.source} -- {wildcards.folder:q} 2> {log:q}",
            "batch_bytes",
        )


rule own_model:
    """Make the model of a language from the texts of the crawl that are in it."""
    input:
        plan=path_of("plan"),
        texts=each_batch("{folder}/learned/{batch}.parquet"),
    output:
        "{folder}/language.model",
    log:
        "{folder}/logs/language_model.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        folder=WITHOUT_MODEL,
    resources:
        mem_mb=jobs.LEAST_MEMORY_MB * 2,
        runtime=jobs.LEAST_MINUTES,
        places=places,
    params:
        language=language_option,
        options=lambda wildcards: learning_options(wildcards, "method", "learn_pages"),
        made_by=languages.VERSION,
    message:
        "Language model of {wildcards.folder}"
    shell:
        advised(
            "corpusprep step languages learn --language {params.language:q} {params.options}"
            " -- {wildcards.folder:q} 2> {log:q}"
        )


# Otherwise Snakemake would compare the files of each of a thousand batches with each of some hundred parts.
rule complete:
    """Wait for files of all batches, bundles or parts, which each of many jobs reads."""
    input:
        files_of_all,
    output:
        temp("{folder}/complete/{name}"),
    log:
        "{folder}/logs/complete/{name}.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        folder=OF_CORPORA,
        name="[a-z_]+",
    message:
        "All files {wildcards.name} of {wildcards.folder}"
    shell:
        "touch -- {output:q} 2> {log:q}"


# One folder: as separate inputs of each of a thousand batches, the models would make planning a tenth longer.
rule rivals:
    """Gather the models of the rival languages of a corpus in one folder."""
    input:
        rival_models,
    output:
        directory("{folder}/rivals"),
    log:
        "{folder}/logs/rivals.log",
    conda:
        ENVIRONMENT
    message:
        "Rivals of the language of {wildcards.folder}"
    shell:
        "(mkdir -- {output:q} && cp -- {input:q} {output:q}) 2> {log:q}"


rule overview:
    """Put all corpora of the config side by side."""
    input:
        tables=of_built(*(f"{{folder}}/statistics/{table}.tsv" for table in pipeline.OVERVIEW)),
        reports=of_built("{folder}/report.html"),
    output:
        page=report(f"{RESULTS}/report.html", caption="../report/overview.rst", category="All corpora"),
        table=report(f"{RESULTS}/corpora.tsv", caption="../report/overview.rst", category="All corpora"),
    log:
        f"{RESULTS}/logs/overview.log",
    conda:
        ENVIRONMENT
    params:
        corpora=corpora_options,
    message:
        "Corpora side by side"
    shell:
        "corpusprep step overview --output {output.page:q} --table {output.table:q} {params.corpora} 2> {log:q}"


rule join:
    """Make the folder of a corpus from finished corpora (`from`): links to their files of the steps on pages."""
    input:
        source_files,
    output:
        plan=path_of("plan"),
        bundles=path_of("bundles"),
    log:
        "{folder}/logs/join.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        folder=OF_JOINED,
    resources:
        mem_mb=jobs.LEAST_MEMORY_MB,
        runtime=text_runtime,
        places=places,
    params:
        sources=source_options,
        settings=page_settings,
        planned=lambda wildcards: batches.batch_name(BATCHES[wildcards.folder]),
    message:
        "Batches of {wildcards.folder}, from finished corpora"
    shell:
        advised("corpusprep step join {params.sources} {params.settings} -- {wildcards.folder:q} 2> {log:q}")


# Last: it is there if the corpus is finished.
rule settings:
    """Write the settings that decided the pages of a corpus, for corpora that are made from it."""
    input:
        report=path_of("report"),
        sources=source_files,
        **page_file_inputs(),
    output:
        f"{{folder}}/{finished.NAME}",
    log:
        "{folder}/logs/settings.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        folder=OF_CORPORA,
    params:
        sources=source_options,
        settings=page_settings,
        files=page_file_options,
    message:
        "Settings of {wildcards.folder}"
    shell:
        "corpusprep step settings {params.sources} {params.settings} {params.files} -- {wildcards.folder:q} 2> {log:q}"


rule summary:
    """Summarise a corpus; fails for an empty one, so that the run does."""
    input:
        corpus_size=path_of("corpus_size"),
        encoding=each_batch("{folder}/encoding/{batch}.parquet"),
        export=[] if SHARDS == "batches" else "{folder}/export",
    output:
        "{folder}/summary.txt",
    log:
        "{folder}/logs/summary.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        folder=OF_CORPORA,
    message:
        "Summary of {wildcards.folder}"
    shell:
        f"corpusprep show {EXPORTED} -- {{wildcards.folder:q}} > {{output:q}} 2> {{log:q}}"


if SHARDS == "batches":

    rule digests:
        """Write the digests of the files of a corpus, when all are there."""
        input:
            plan=path_of("plan"),
            files=lambda wildcards: corpus_files(wildcards.folder),
        output:
            f"{{folder}}/corpus/{digests.NAME}",
        log:
            "{folder}/logs/digests.log",
        conda:
            ENVIRONMENT
        wildcard_constraints:
            folder=OF_CORPORA,
        resources:
            mem_mb=jobs.LEAST_MEMORY_MB,
            runtime=text_runtime,
            places=places,
        params:
            options=lambda wildcards: flags(format_options()),
        message:
            "Digests of {wildcards.folder}"
        shell:
            advised("corpusprep step digests {params.options} -- {wildcards.folder:q} 2> {log:q}")


# One process reads all batches in order, so that documents are in the order of the archives.
rule export:
    """Write the corpus as one file per format, or as files of a given size (`corpus.shards`)."""
    input:
        **files_of(("plan", *pipeline.STEPS["corpus"].reads), pipeline.Scope.CORPUS),
        **described_inputs(),
        code=format_code,
        tokenizer=tokenizer_file,
        key=key_file,
    output:
        directory("{folder}/export"),
    log:
        "{folder}/logs/export.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=export_memory_mb,
        runtime=export_runtime,
        places=places,
    params:
        options=export_options,
    message:
        "Export of {wildcards.folder}"
    shell:
        advised("corpusprep export {params.options} -- {wildcards.folder:q} 2> {log:q}", "batch_bytes")


if DESCRIBING and SHARDS == "batches":

    rule describe:
        """Write what goes with the whole corpus: registry, scripts, data card, frequency list."""
        input:
            plan=path_of("plan"),
            **described_inputs(),
        output:
            described_files(),
        log:
            "{folder}/logs/describe.log",
        conda:
            ENVIRONMENT
        resources:
            mem_mb=global_memory_mb,
            runtime=describe_runtime,
            places=places,
        params:
            options=describe_options,
        message:
            "Description of {wildcards.folder}"
        shell:
            advised("corpusprep step describe {params.options} -- {wildcards.folder:q} > {log:q} 2>&1")


# Thesis, figure 1.1 and appendix A. No corpus needs them.
localrules:
    concordances,


rule concordances:
    """Write concordances before and after cleaning of every corpus."""
    input:
        of_built("{folder}/concordances.html"),


rule concordances_page:
    """Write concordances before and after cleaning of a corpus as a page."""
    input:
        words=path_of("removed_words"),
        corpus=each_batch(path_of("corpus_vertical")),
    output:
        "{folder}/concordances.html",
    log:
        "{folder}/logs/concordances.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=global_memory_mb,
        runtime=text_runtime,
        places=places,
    message:
        "Concordances of {wildcards.folder}"
    shell:
        advised("corpusprep search --page {output:q} -- {wildcards.folder:q} 2> {log:q}")
