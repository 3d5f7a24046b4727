include: "workflow/Snakefile"


workflow.default_target = "all"  # Snakemake forgets the default target of a file that is included.
