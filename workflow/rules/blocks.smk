# A job works on a bundle with one process per batch, so that its memory does not grow with the bundle.
rule blocks_match:
    input:
        **inputs("blocks_match"),
        model=model_path,
    output:
        **outputs("blocks_match"),
    log:
        log_of("blocks_match"),
    conda:
        ENVIRONMENT
    threads: BUNDLE_THREADS
    resources:
        **resources_of("blocks_match"),
    params:
        **params_of("blocks_match"),
    message:
        message_of("blocks_match")
    shell:
        command("blocks_match")


# The sequential pass: one job per corpus.
rule blocks_verdicts:
    input:
        **inputs("blocks_verdicts"),
    output:
        **outputs("blocks_verdicts"),
    log:
        log_of("blocks_verdicts"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("blocks_verdicts"),
    params:
        **params_of("blocks_verdicts"),
    message:
        message_of("blocks_verdicts")
    shell:
        command("blocks_verdicts")
