rule documents:
    input:
        **inputs("documents"),
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
