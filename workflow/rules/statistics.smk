# The 10-grams of all tokens, before and after block de-duplication: what the thesis measures duplication by (3.6.4).
# Before it, the exact duplicates in the vertical are left out.
rule all_ngrams_runs:
    input:
        tokens=of_bundle("{folder}/tokens/{batch}.vert.zst"),
        documents=rules.documents.output.tables,
        corpus=of_bundle("{folder}/corpus/{batch}.vert.zst"),
        lexicon=rules.ngrams_lexicon.output.lexicon,
    output:
        before=temp("{folder}/ngrams/before/{bundle}.runs"),
        after=temp("{folder}/ngrams/after/{bundle}.runs"),
        times_before="{folder}/times/statistics/runs-before-{bundle}.tsv",
        times_after="{folder}/times/statistics/runs-after-{bundle}.tsv",
    log:
        "{folder}/logs/statistics/runs-{bundle}.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=global_memory_mb,
        runtime=bundle_runtime,
    params:
        before=lambda wildcards, input: text_options(wildcards, input.tokens, input.documents),
        after=lambda wildcards, input: text_options(wildcards, input.corpus),
        options="--n 10 --count-punctuation --count-stopwords",
        memory=memory,
    message:
        "10-grams before and after de-duplication of {wildcards.folder}, bundle {wildcards.bundle}"
    shell:
        "(corpusprep --times {output.times_before} ngrams runs {params.before} --lexicon {input.lexicon}"
        " {params.options} --memory {params.memory:q} --output {output.before}"
        " && corpusprep --times {output.times_after} ngrams runs {params.after} --lexicon {input.lexicon}"
        " {params.options} --memory {params.memory:q} --output {output.after}"
        " && true) 2> {log}"


rule all_ngrams_merge:
    input:
        runs=each_bundle("{folder}/ngrams/{measured}/{bundle}.runs"),
        lexicon=rules.ngrams_lexicon.output.lexicon,
        plan=rules.batches.output.bundles,
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
        counts=each_batch("{folder}/counts/{batch}.parquet"),
        plan=rules.batches.output.plan,
        ngrams=expand("{{folder}}/ngrams/{set}/duplicates.keys", set=["counted", "before", "after"]),
    output:
        expand("{{folder}}/statistics/{table}.tsv", table=STATISTICS),
        times="{folder}/times/statistics/tables.tsv",
    log:
        "{folder}/logs/statistics/tables.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=global_memory_mb,
        runtime=global_runtime,
    params:
        boilerplate=lambda wildcards: flags(section(wildcards, "boilerplate")),
    message:
        "Statistics of {wildcards.folder}"
    shell:
        "corpusprep --times {output.times} statistics tables --corpus-dir {wildcards.folder:q}"
        " {params.boilerplate} --output {wildcards.folder:q}/statistics 2> {log}"
