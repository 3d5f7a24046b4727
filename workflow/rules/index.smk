# Where the corpus has several parts, two rules do most of the work of `index`.
rule urls_sort:
    input:
        **inputs("urls_sort"),
    output:
        **outputs("urls_sort"),
    log:
        log_of("urls_sort"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("urls_sort"),
    params:
        **params_of("urls_sort"),
    message:
        message_of("urls_sort")
    shell:
        command("urls_sort")


rule urls_part:
    input:
        **inputs("urls_part"),
    output:
        **outputs("urls_part"),
    log:
        log_of("urls_part"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("urls_part"),
    params:
        **params_of("urls_part"),
    message:
        message_of("urls_part")
    shell:
        command("urls_part")


rule index:
    input:
        **inputs("index"),
    output:
        **outputs("index"),
    log:
        log_of("index"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("index"),
    params:
        **params_of("index"),
    message:
        message_of("index")
    shell:
        command("index")
