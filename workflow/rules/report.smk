rule report:
    input:
        samples=each_batch("{folder}/samples/{batch}.parquet"),
        tables=expand("{{folder}}/statistics/{table}.tsv", table=STATISTICS),
    output:
        page="{folder}/report.html",
        times="{folder}/times/report/page.tsv",
    log:
        "{folder}/logs/report.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=global_memory_mb,
        runtime=global_runtime,
    params:
        name=lambda wildcards: CORPORA[wildcards.folder].name,
        language=lambda wildcards: language_code(CORPORA[wildcards.folder].language),
    message:
        "Report of {wildcards.folder}"
    shell:
        "corpusprep --times {output.times} report --corpus-dir {wildcards.folder:q} --name {params.name:q}"
        " --language {params.language:q} --output {output.page} 2> {log}"
