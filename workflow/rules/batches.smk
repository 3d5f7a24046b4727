rule batches:
    input:
        archives=lambda wildcards: [str(path) for batch in BATCHES[wildcards.folder].values() for path in batch.archives],
    output:
        **outputs("batches"),
    log:
        log_of("batches"),
    conda:
        ENVIRONMENT
    wildcard_constraints:
        folder=OF_ARCHIVES,
    resources:
        **resources_of("batches"),
    params:
        **params_of("batches"),
        archives=lambda wildcards: flags({"archive": CORPORA[wildcards.folder].archives}),
        # An archive may be replaced by one with an older date, such as a copy that was kept: its batch has another name.
        planned=lambda wildcards: batches.batch_name(BATCHES[wildcards.folder]),
    message:
        message_of("batches")
    shell:
        command("batches")
