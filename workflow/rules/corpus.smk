# Applies the verdicts on blocks, writes the corpus, and counts what the batch adds to the statistics, in one job: they
# have the same inputs, and every job per batch makes planning longer.
rule corpus:
    input:
        **inputs("corpus"),
        annotated=annotated_vertical,
        forget=forget_list,
    output:
        **outputs("corpus"),
    log:
        log_of("corpus"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("corpus"),
    params:
        **params_of("corpus"),
    message:
        message_of("corpus")
    shell:
        command("corpus")
