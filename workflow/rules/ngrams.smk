# These steps take seconds a batch, and their files go: a job takes a bundle of batches.
rule ngrams_words:
    input:
        **inputs("ngrams_words"),
        model=model_path,
    output:
        **outputs("ngrams_words"),
    log:
        log_of("ngrams_words"),
    conda:
        ENVIRONMENT
    threads: BUNDLE_THREADS
    resources:
        **resources_of("ngrams_words"),
    params:
        texts=lambda wildcards, input: text_options(wildcards, input.vertical, input.documents),
        n=lambda wildcards: section(wildcards, "ngrams")["n"],
        counting=lambda wildcards: counting(section(wildcards, "ngrams")),
        ngram_keys=lambda wildcards, output: flags({"keys": [output.ngram_keys] if by_hash(wildcards) else []}),
        memory=memory,
    message:
        message_of("ngrams_words")
    shell:
        "corpusprep --times {output.times_ngrams_words} ngrams words {params.texts} --model {input.model} --n {params.n}"
        " {params.counting} --memory {params.memory:q} --threads {threads} --output {output.words}"
        " --tokens {output.counted_tokens} {params.ngram_keys} 2> {log}"
        " && touch {output.ngram_keys}"


rule ngrams_lexicon:
    input:
        **inputs("ngrams_lexicon"),
    output:
        **outputs("ngrams_lexicon"),
    log:
        log_of("ngrams_lexicon"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("ngrams_lexicon"),
    params:
        words=lambda wildcards: f"{wildcards.folder}/ngrams/words",
        memory=memory,
    message:
        message_of("ngrams_lexicon")
    shell:
        "corpusprep --times {output.times_ngrams_lexicon} ngrams lexicon --batches {input.bundles} --words {params.words}"
        " --memory {params.memory:q} --output {output.lexicon} 2> {log}"


# Method hash: which n-grams could be duplicates.
rule ngrams_candidates:
    input:
        **inputs("ngrams_candidates"),
    output:
        **outputs("ngrams_candidates"),
    log:
        log_of("ngrams_candidates"),
    conda:
        ENVIRONMENT
    threads: GLOBAL_THREADS
    resources:
        **resources_of("ngrams_candidates"),
    params:
        ngram_keys=lambda wildcards: f"{wildcards.folder}/ngrams/words",
        memory=memory,
    message:
        message_of("ngrams_candidates")
    shell:
        "corpusprep --times {output.times_ngrams_candidates} ngrams candidates --batches {input.bundles} --keys {params.ngram_keys}"
        " --memory {params.memory:q} --threads {threads} --output {output.candidates} 2> {log}"


rule ngrams_runs:
    input:
        **inputs("ngrams_runs"),
        candidates=candidates,
    output:
        **outputs("ngrams_runs"),
    log:
        log_of("ngrams_runs"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("ngrams_runs"),
    params:
        n=lambda wildcards: section(wildcards, "ngrams")["n"],
        candidates=lambda wildcards, input: flags({"candidates": input.candidates}),
        memory=memory,
    message:
        message_of("ngrams_runs")
    shell:
        "corpusprep --times {output.times_ngrams_runs} ngrams runs --tokens {input.counted_tokens} {params.candidates}"
        " --lexicon {input.lexicon} --n {params.n} --memory {params.memory:q} --output {output.runs} 2> {log}"


rule ngrams_merge:
    input:
        **inputs("ngrams_merge"),
    output:
        **outputs("ngrams_merge"),
    log:
        log_of("ngrams_merge"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("ngrams_merge"),
    params:
        runs=lambda wildcards: f"{wildcards.folder}/ngrams/counted",
        memory=memory,
    message:
        message_of("ngrams_merge")
    shell:
        "corpusprep --times {output.times_ngrams_merge} ngrams merge --batches {input.bundles} --runs {params.runs}"
        " --lexicon {input.lexicon} --memory {params.memory:q} --output {output.duplicates} 2> {log}"
