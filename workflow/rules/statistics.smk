# The 10-grams of all tokens, before and after block de-duplication: what the thesis measures duplication by (3.6.4).
rule all_ngrams_runs:
    input:
        vertical=measured_vertical,
        documents=measured_documents,
        lexicon="{folder}/ngrams/lexicon.lex",
    output:
        runs=temp("{folder}/ngrams/{measured}/{batch}.runs"),
        times="{folder}/times/statistics/runs-{measured}-{batch}.tsv",
    log:
        "{folder}/logs/statistics/runs-{measured}-{batch}.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=global_memory_mb,
        runtime=batch_runtime,
    params:
        documents=documents_option,
        memory=memory,
    message:
        "10-grams {wildcards.measured} de-duplication of {wildcards.folder}, batch {wildcards.batch}"
    shell:
        "corpusprep --times {output.times} ngrams runs --vertical {input.vertical} {params.documents}"
        " --lexicon {input.lexicon} --n 10 --count-punctuation --count-stopwords"
        " --memory {params.memory:q} --output {output.runs} 2> {log}"


rule all_ngrams_merge:
    input:
        runs=each_batch("{folder}/ngrams/{measured}/{batch}.runs"),
        lexicon="{folder}/ngrams/lexicon.lex",
        plan=ancient("{folder}/batches.tsv"),
    output:
        duplicates="{folder}/ngrams/{measured}/duplicates.keys",
        times="{folder}/times/statistics/merge-{measured}.tsv",
    log:
        "{folder}/logs/statistics/merge-{measured}.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=global_memory_mb,
        runtime=global_runtime,
    params:
        runs=lambda wildcards: f"{wildcards.folder}/ngrams/{wildcards.measured}",
        memory=memory,
    message:
        "Duplicate 10-grams {wildcards.measured} de-duplication of {wildcards.folder}"
    shell:
        "corpusprep --times {output.times} ngrams merge --batches {input.plan} --runs {params.runs}"
        " --lexicon {input.lexicon} --memory {params.memory:q} --output {output.duplicates} 2> {log}"


rule statistics:
    input:
        corpus=each_batch("{folder}/corpus/{batch}.parquet"),  # made last, of all the tables that are read
        plan="{folder}/batches.tsv",
        ngrams=expand("{{folder}}/ngrams/{set}/duplicates.keys", set=["counted", "before", "after"]),
    output:
        expand("{{folder}}/statistics/{table}.tsv", table=STATISTICS),
        times="{folder}/times/statistics/tables.tsv",
    log:
        "{folder}/logs/statistics/tables.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=corpus_memory_mb,
        runtime=global_runtime,
    params:
        boilerplate=lambda wildcards: flags(section(wildcards, "boilerplate")),
    message:
        "Statistics of {wildcards.folder}"
    shell:
        "corpusprep --times {output.times} statistics --corpus-dir {wildcards.folder:q}"
        " {params.boilerplate} --output {wildcards.folder:q}/statistics 2> {log}"
