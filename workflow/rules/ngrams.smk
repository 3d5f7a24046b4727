# Short steps whose files are temporary: a job works on a bundle of batches.
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
        **params_of("ngrams_words"),
    message:
        message_of("ngrams_words")
    shell:
        command("ngrams_words")


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
        **params_of("ngrams_lexicon"),
    message:
        message_of("ngrams_lexicon")
    shell:
        command("ngrams_lexicon")


# For the method hash: the n-grams that could be duplicates.
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
        **params_of("ngrams_candidates"),
    message:
        message_of("ngrams_candidates")
    shell:
        command("ngrams_candidates")


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
        **params_of("ngrams_runs"),
    message:
        message_of("ngrams_runs")
    shell:
        command("ngrams_runs")


# Where the corpus has several parts: most of the work of the next rule.
rule ngrams_merge_part:
    input:
        **inputs("ngrams_merge_part"),
    output:
        **outputs("ngrams_merge_part"),
    log:
        log_of("ngrams_merge_part"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("ngrams_merge_part"),
    params:
        **params_of("ngrams_merge_part"),
    message:
        message_of("ngrams_merge_part")
    shell:
        command("ngrams_merge_part")


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
        **params_of("ngrams_merge"),
    message:
        message_of("ngrams_merge")
    shell:
        command("ngrams_merge")
