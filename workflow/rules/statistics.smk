# The 10-grams of all tokens, before and after block de-duplication: the thesis measures duplication by them (3.6.4).
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
        **params_of("all_ngrams_runs"),
    message:
        message_of("all_ngrams_runs")
    shell:
        command("all_ngrams_runs")


rule all_ngrams_merge_part_before:
    input:
        **inputs("all_ngrams_merge_part_before"),
    output:
        **outputs("all_ngrams_merge_part_before"),
    log:
        log_of("all_ngrams_merge_part_before"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("all_ngrams_merge_part_before"),
    params:
        **params_of("all_ngrams_merge_part_before"),
    message:
        message_of("all_ngrams_merge_part_before")
    shell:
        command("all_ngrams_merge_part_before")


rule all_ngrams_merge_before:
    input:
        **inputs("all_ngrams_merge_before"),
    output:
        **outputs("all_ngrams_merge_before"),
    log:
        log_of("all_ngrams_merge_before"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("all_ngrams_merge_before"),
    params:
        **params_of("all_ngrams_merge_before"),
    message:
        message_of("all_ngrams_merge_before")
    shell:
        command("all_ngrams_merge_before")


rule all_ngrams_merge_part_after:
    input:
        **inputs("all_ngrams_merge_part_after"),
    output:
        **outputs("all_ngrams_merge_part_after"),
    log:
        log_of("all_ngrams_merge_part_after"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("all_ngrams_merge_part_after"),
    params:
        **params_of("all_ngrams_merge_part_after"),
    message:
        message_of("all_ngrams_merge_part_after")
    shell:
        command("all_ngrams_merge_part_after")


rule all_ngrams_merge_after:
    input:
        **inputs("all_ngrams_merge_after"),
    output:
        **outputs("all_ngrams_merge_after"),
    log:
        log_of("all_ngrams_merge_after"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("all_ngrams_merge_after"),
    params:
        **params_of("all_ngrams_merge_after"),
    message:
        message_of("all_ngrams_merge_after")
    shell:
        command("all_ngrams_merge_after")


# Where the corpus has several parts: most of the work of the next rule.
rule statistics_tables_part:
    input:
        **inputs("statistics_tables_part"),
    output:
        **outputs("statistics_tables_part"),
    log:
        log_of("statistics_tables_part"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("statistics_tables_part"),
    params:
        **params_of("statistics_tables_part"),
    message:
        message_of("statistics_tables_part")
    shell:
        command("statistics_tables_part")


rule statistics:
    input:
        **inputs("statistics"),
        forget=forget_list,
    output:
        **outputs("statistics"),
    log:
        log_of("statistics"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("statistics"),
    params:
        **params_of("statistics"),
    message:
        message_of("statistics")
    shell:
        command("statistics")
