"""The beginning and the end of a run: what shows it, what killed jobs have left, workers; the rules of one job."""


def job_rules():
    """The names of the rules that this process runs as a job of a cluster; None in the process that plans the run.

    Also None for a workflow that takes this one as a module: there, rules may have other names.
    """
    if not (workflow.remote_exec and "--allowed-rules" in sys.argv and workflow.modifier.is_main_snakefile()):
        return None
    after = sys.argv[sys.argv.index("--allowed-rules") + 1 :]
    return {*itertools.takewhile(lambda word: not word.startswith("-"), after)}


JOB_RULES = job_rules()
if JOB_RULES is not None:
    # SLURM's plugin would run the jobs of a group one after another, each in a Snakemake of its own (1.6 s of CPU time).
    # This one runs them itself, on the cores that it has.
    workflow.localrules(*JOB_RULES)
    workflow.global_resources["_nodes"] = None
_RULE = re.compile(r"^ *(?:rule|checkpoint) (\w+):", re.MULTILINE)


def is_needed(path):
    """Whether a file of rules is read: all of them to plan a run, for a job those with its rules.

    With all of them, Snakemake plans for each job what its inputs are made of. Behind the steps on the whole corpus,
    that is everything: of a corpus of 1,000 batches 3,200 jobs, in 4.6 s of CPU time in place of 1.6. A checkpoint is
    asked by the inputs of other rules.
    """
    if JOB_RULES is None or path.stem == "steps":  # which makes the rules that are needed
        return True
    text = path.read_text(encoding="utf-8")
    return "\ncheckpoint " in text or not JOB_RULES.isdisjoint(_RULE.findall(text))


def filter_notes(folder):
    """Yields what rules on quality say nothing about the language of a corpus."""
    corpus = CORPORA[folder]
    wanted = {name: value for name, value in corpus.sections["filter"].items() if name != "signals"}
    if any(wanted.values()) and not lacks_model(corpus.language) and corpus.language not in MADE:
        from corpusprep.quality import rules, signals  # with polars, which other runs plan without

        language = languages.get(corpus.language)
        for reason, texts in rules.applicable(rules.rules(**wanted), signals.lacking(language))[1].items():
            yield f"{folder}: filter: {reason}: not applied: {', '.join(texts)}"


def weak_languages():
    """What is uncertain about the languages of the corpora, by the name of the language."""
    weak = {spec: note for corpus in CORPORA.values() if (note := languages.weakness(spec := corpus.language))}
    return {languages.describe(spec).name: note for spec, note in sorted(weak.items())}


def begin():
    """Tells what shows the run which jobs it has; removes what earlier runs have left. Called before the first job."""
    if workflow.local_exec:
        try:
            memory_limits.require_address_space("the jobs")
        except CorpusprepError as error:
            raise WorkflowError(f"corpusprep: error: {error}") from None
        sizes = [size for folder in FROM_ARCHIVES for size in BATCH_BYTES[folder].values()]
        most = max((parse_size(corpus.memory) for corpus in CORPORA.values()), default=0)
        for line in [
            *(line for results, left in bytes_to_read().items() for line in room.disk_notes(left, Path(results))),
            *room.memory_notes(sizes, most),
            *(f"{name}: {weak}" for name, weak in weak_languages().items()),
            *itertools.chain.from_iterable(map(filter_notes, FOLDERS)),
        ]:
            logger.warning(f"corpusprep: note: {line}")
    works = planned_works()
    stored = sum(STORED[folder] for folder in FROM_ARCHIVES)
    run = run_progress.Run(
        works,
        cores=CORES if workflow.local_exec else workflow.nodes,
        stored=stored,
        queued=not workflow.local_exec,
        planned=planned_works,
    )
    run.watch_signals(logger)
    retries.Retries(lambda: workflow.scheduler.running).watch(logger)
    logger.info(f"{len(works)} jobs", extra={"run": run})
    lock_folders()
    # Experiments measure the memory and the time of their own processes.
    measuring = any(job.rule.name.startswith("experiments") for job in workflow.dag.needrun_jobs())
    if workflow.local_exec and works and not measuring and workers.suit(stored, LEAST_MEMORY, OWN_CODE):
        atexit.register(workers.start(CORES))
    remove_partials()
    remove_unfiltered()
    remove_settings()


def remove_settings():
    """Removes what says that corpora are finished, of those that are not until the run has ended."""
    names = {job.name for job in pipeline.JOBS.values() if job.taken_over} | {"join", "settings"}
    for job in workflow.dag.needrun_jobs():
        if job.rule.name in names and job.wildcards.folder in FOLDERS:
            Path(job.wildcards.folder, finished.NAME).unlink(missing_ok=True)


def remove_unfiltered():
    """Removes what an earlier filter by quality has decided, of corpora without one: later steps would go by it."""
    for folder, corpus in CORPORA.items():
        if not pipeline.STEPS["quality"].runs(corpus):
            leftovers.remove_quality(Path(folder))


def lock_folders():
    """Locks the folders of the corpora that the run works on; fails if another run works on one of them."""
    worked_on = {getattr(job.wildcards, "folder", None) for job in workflow.dag.needrun_jobs()} & CORPORA.keys()
    crawls_of = {folder: CORPORA[folder].crawl.settings.folder for folder in FROM_CRAWLS}
    for folder in sorted({crawls_of.get(folder, folder) for folder in worked_on}):
        if not folder_locks.lock(Path(folder)):
            process = folder_locks.owner(Path(folder))
            named = f" (process {process})" if process else ""
            raise WorkflowError(
                f"corpusprep: error: another run{named} works on {folder}; wait until it has ended, or stop it, and run"
                " the same command again"
            )


def end():
    """Removes what jobs that were killed have left, and files of earlier settings. Called when all jobs are done."""
    remove_partials()
    dag = workflow.dag
    chosen = dag.untilrules or dag.untilfiles or dag.omitrules or dag.omitfiles
    if not workflow.touch and not chosen and {target.name for target in dag.targetrules} == {"all"} and not dag.targetfiles:
        remove_old_files()


def remove_old_files():
    """Removes files of corpora that the run has worked on, in formats or shards that the config does not name any more.

    Only after whole runs: after others, files of the present formats may be missing, or verticals still be needed.
    """
    with_verticals = not workflow.storage_settings.notemp
    jobs_run = workflow.dag.needrun_jobs(exclude_finished=False)
    for folder in sorted({getattr(job.wildcards, "folder", None) for job in jobs_run} & CORPORA.keys()):
        removed = leftovers.remove_leftovers(
            Path(folder), FORMATS, sharded=SHARDS != "batches", with_verticals=with_verticals, code=CODE
        )
        if removed:
            places = " and ".join(sorted({path.parent.name for path in removed}))
            number = f"{len(removed)} file{'s' * (len(removed) != 1)}"
            logger.warning(f"{folder}: removed {number} from {places}: the config has other formats or shards now")


def remove_partials():
    """Removes what killed jobs have left: before the first job, and at the end, because a killed job is tried again."""
    folders = {Path(folder) for folder in CORPORA} | {Path(corpus.results) / "languages" for corpus in CORPORA.values()}
    # The results folder itself has the page and the table of all corpora.
    if removed := partials.clear(sorted(folders)) + partials.clear([Path(RESULTS)], below=False):
        logger.info(f"Removed {removed} temporary files of jobs that were killed.")


def planned_works():
    """The jobs of the run that are known, by their numbers; those of languages come when their crawl is divided."""
    works = {}
    # By the names that a workflow which takes this one as a module gives them.
    names = {proxy.rule.name: name for name, proxy in rules._rules.items()}
    for job in workflow.dag.needrun_jobs():
        folder = getattr(job.wildcards, "folder", "")
        sizes = [BATCH_BYTES[folder][name] for name in job_batches(job.wildcards)] if folder in BATCH_BYTES else []
        if hasattr(job.wildcards, "part"):
            sizes = [size // number_of_parts(job.wildcards) for size in sizes]
        name = names.get(job.rule.name, job.rule.name)
        works[workflow.dag.jobid(job)] = run_progress.work(name, folder, sizes, CORPORA.get(folder))
    return works
