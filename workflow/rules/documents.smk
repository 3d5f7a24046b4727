# Where the corpus has several parts, three rules do most of the work of `documents`.
rule exact_sort:
    input:
        **inputs("exact_sort"),
        forget=forget_list,
    output:
        **outputs("exact_sort"),
    log:
        log_of("exact_sort"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("exact_sort"),
    params:
        **params_of("exact_sort"),
    message:
        message_of("exact_sort")
    shell:
        command("exact_sort")


rule exact_part:
    input:
        **inputs("exact_part"),
    output:
        **outputs("exact_part"),
    log:
        log_of("exact_part"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("exact_part"),
    params:
        **params_of("exact_part"),
    message:
        message_of("exact_part")
    shell:
        command("exact_part")


rule exact_gather:
    input:
        **inputs("exact_gather"),
        forget=forget_list,
    output:
        **outputs("exact_gather"),
    log:
        log_of("exact_gather"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("exact_gather"),
    params:
        **params_of("exact_gather"),
    message:
        message_of("exact_gather")
    shell:
        command("exact_gather")


rule documents:
    input:
        **inputs("documents"),
        forget=forget_list,
    output:
        **outputs("documents"),
    log:
        log_of("documents"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("documents"),
    params:
        **params_of("documents"),
    message:
        message_of("documents")
    shell:
        command("documents")
