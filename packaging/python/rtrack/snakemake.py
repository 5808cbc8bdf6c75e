"""Records each shell command of Snakemake: "import rtrack.snakemake" in a Snakefile. docs/recipes.md"""
import importlib, os, subprocess, sys, time, types
from . import program

_shell = importlib.import_module("snakemake.shell")  # snakemake.shell is a class of this module
_collect = program("rtrack-collect")
# In the environment, so that they hold for what Snakemake starts, too: itself, for some jobs.
os.environ.setdefault("RTRACK_RUNS", os.path.abspath("rtrack"))
os.environ.setdefault("RTRACK_WORKFLOW_RUN", time.strftime("snakemake/%Y%m%d-%H%M%S"))

def _about(job):
    """The environment that says what the job of a rule is, and what it asks for."""
    asked = job["resources"].get
    return {
        "SNAKEMAKE_RULE": job["rule"],
        "SNAKEMAKE_JOBID": str(job["jobid"]),
        "SNAKEMAKE_WILDCARDS": ",".join(f"{name}={value}" for name, value in job["wildcards"].items()),
        "RTRACK_ASKED": f"cpus={job['threads']},memory={asked('mem_mb') or 0}MB,time={asked('runtime') or 0}m",
        "RTRACK_INPUT": ":".join(job["input"]),
    }

def _popen(command, *, executable=None, shell, env, **more):
    frame = sys._getframe(1)  # of shell(); somewhere below it are that of a rule, and that of Snakemake which called it
    while frame and not frame.f_locals.get(_shell.RULEFUNC_CONTEXT_MARKER):
        frame = frame.f_back
    job, runs = frame.f_back.f_locals if frame else {}, os.environ["RTRACK_RUNS"]
    os.makedirs(runs, exist_ok=True)
    output = runs.replace("%", "%%") + "/%n-%h-%p-%t.json.gz"
    recorder = [_collect, "-q", "-o", output, "--name", job.get("rule", "shell"), "--"]
    return subprocess.Popen([*recorder, executable or "/bin/sh", "-c", command], env={**env, **(_about(job) if job else {})}, **more)

_shell.sp = types.SimpleNamespace(**{**vars(subprocess), "Popen": _popen})
