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
