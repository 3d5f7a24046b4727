# Adds columns to the vertical of a batch, for corpora with an annotator. Slow taggers may need more than the time that is
# asked for by the bytes of the archives: --set-resources annotate:runtime=600.
rule annotate:
    input:
        **inputs("annotate"),
        code=annotator_files,
    output:
        **outputs("annotate"),
    log:
        log_of("annotate"),
    conda:
        ENVIRONMENT
    threads: annotator_threads
    resources:
        **resources_of("annotate"),
    params:
        **params_of("annotate"),
    message:
        message_of("annotate")
    shell:
        command("annotate")
