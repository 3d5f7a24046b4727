# The 10-grams of all tokens, before and after block de-duplication: what the thesis measures duplication by (3.6.4).
# Before it, the exact duplicates in the vertical are left out.
rule all_ngrams_runs:
    input:
        **inputs("all_ngrams_runs"),
    output:
        **outputs("all_ngrams_runs"),
    log:
        log_of("all_ngrams_runs"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("all_ngrams_runs"),
    params:
        before=lambda wildcards, input: text_options(wildcards, input.vertical, input.documents),
        after=lambda wildcards, input: text_options(wildcards, input.corpus_vertical),
        options="--n 10 --count-punctuation --count-stopwords",
        memory=memory,
    message:
        message_of("all_ngrams_runs")
    shell:
        "(corpusprep --times {output.times_statistics_runs_before} ngrams runs {params.before} --lexicon {input.lexicon}"
        " {params.options} --memory {params.memory:q} --output {output.runs_before}"
        " && corpusprep --times {output.times_statistics_runs_after} ngrams runs {params.after} --lexicon {input.lexicon}"
        " {params.options} --memory {params.memory:q} --output {output.runs_after}"
        " && true) 2> {log}"


for measured in ("before", "after"):

    rule:
        name:
            f"all_ngrams_merge_{measured}"
        input:
            **inputs(f"all_ngrams_merge_{measured}"),
        output:
            **outputs(f"all_ngrams_merge_{measured}"),
        log:
            log_of(f"all_ngrams_merge_{measured}"),
        conda:
            ENVIRONMENT
        resources:
            **resources_of(f"all_ngrams_merge_{measured}"),
        params:
            measured=measured,
            runs=lambda wildcards, measured=measured: f"{wildcards.folder}/ngrams/{measured}",
            memory=memory,
        message:
            message_of(f"all_ngrams_merge_{measured}")
        shell:
            "corpusprep --times {output[1]} ngrams merge --batches {input.bundles} --runs {params.runs}"
            " --lexicon {input.lexicon} --memory {params.memory:q} --output {output[0]} 2> {log}"


rule statistics:
    input:
        **inputs("statistics"),
    output:
        **outputs("statistics"),
    log:
        log_of("statistics"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("statistics"),
    params:
        boilerplate=lambda wildcards: flags(section(wildcards, "boilerplate")),
    message:
        message_of("statistics")
    shell:
        "corpusprep --times {output.times_statistics_tables} statistics tables --corpus-dir {wildcards.folder:q}"
        " {params.boilerplate} --output {wildcards.folder:q}/statistics 2> {log}"
