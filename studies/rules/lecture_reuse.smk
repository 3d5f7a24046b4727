"""The sources of reused texts (Suchomel 2015): `snakemake lecture_reuse`. No corpus needs them."""
# As in evaluation.smk, `snakemake --lint` remarks that the folder of a gold set is a param: the command takes a folder.
LECTURE_REUSE = f"{RESULTS}/lecture_reuse"


localrules:
    lecture_reuse,


rule lecture_reuse:
    input:
        f"{LECTURE_REUSE}/detected.tsv",


rule lecture_reuse_detected:
    input:
        archives("clough-stevenson"),
    output:
        f"{LECTURE_REUSE}/detected.tsv",
    log:
        f"{LECTURE_REUSE}/logs/detected.log",
    conda:
        ENVIRONMENT
    params:
        data=GOLD_DATA,
    message:
        "Sources of reused texts"
    shell:
        "corpusprep studies reuse --data {params.data:q} --output {output:q} 2> {log:q}"
