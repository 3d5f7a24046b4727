# The corpus as one file per format, or as files of a given size, if `corpus.shards` says so. One process reads all
# batches in order, so that documents are in the order of the archives.
rule export:
    input:
        **files_of(("plan", *pipeline.STEPS["corpus"].reads), pipeline.Scope.CORPUS),
        **described_inputs(),
        code=format_code,
    output:
        directory("{folder}/export"),
    log:
        "{folder}/logs/export.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=largest_batch_memory_mb,
        runtime=export_runtime,
        places=places,
    params:
        options=export_options,
    message:
        "Export of {wildcards.folder}"
    shell:
        advised("corpusprep export {params.options} -- {wildcards.folder:q} 2> {log:q}", "batch_bytes")


# What goes with the corpus as a whole: registry, scripts, data card, frequency list, if `corpus.formats` says so.
if DESCRIBING and SHARDS == "batches":

    rule describe:
        input:
            plan=path_of("plan"),
            **described_inputs(),
        output:
            described_files(),
        log:
            "{folder}/logs/describe.log",
        conda:
            ENVIRONMENT
        resources:
            mem_mb=global_memory_mb,
            runtime=describe_runtime,
            places=places,
        params:
            options=describe_options,
        message:
            "Description of {wildcards.folder}"
        shell:
            advised("corpusprep step describe {params.options} -- {wildcards.folder:q} > {log:q} 2>&1")
