rule language_model:
    output:
        "{results}/languages/{code}.model",
    log:
        "{results}/languages/logs/{code}.log",
    conda:
        ENVIRONMENT
    message:
        "Language model of {wildcards.code}"
    shell:
        "corpusprep language make {wildcards.code} --output {output} 2> {log}"
