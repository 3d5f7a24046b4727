"""Every table and figure of every source on one page: `snakemake --cores all --keep-going studies`."""
# `snakemake --lint` remarks that the folder of results is a param: the page shows what is in it.
from studies.schaefer_2017.vectors import stored as stored_vectors


localrules:
    studies,


rule studies:
    input:
        f"{RESULTS}/studies/index.html",


rule studies_page:
    input:
        f"{RESULTS}/evaluation/report.html",
        f"{RESULTS}/texrex/report.html" if stored_vectors(Path(GOLD_DATA)) else [],
        f"{RESULTS}/lecture_reuse/detected.tsv" if archives("clough-stevenson") else [],
        f"{RESULTS}/languages/encodings.tsv" if len(archives("langid-dev", "cleaneval")) == 2 else [],
        expand("{folder}/experiments/report.html", folder=FOLDERS),
    output:
        f"{RESULTS}/studies/index.html",
    log:
        f"{RESULTS}/studies/logs/page.log",
    conda:
        ENVIRONMENT
    params:
        results=RESULTS,
    message:
        "Published tables and figures, measured again"
    shell:
        "corpusprep studies page --results {params.results:q} --output {output:q} > {log:q} 2>&1"
