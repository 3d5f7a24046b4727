rule report:
    input:
        **inputs("report"),
    output:
        **outputs("report"),
    log:
        log_of("report"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("report"),
    params:
        **params_of("report"),
        language=lambda wildcards: language_code(CORPORA[wildcards.folder].language),
    message:
        message_of("report")
    shell:
        command("report")
