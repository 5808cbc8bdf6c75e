"""A process and the machine as they are now: functions of resource-tracker, those of 0.1 for one process from /proc(5). There one
that is gone has 0 of all, and no children; one that may not be looked at is a PermissionError, but for its get_pid_proc_io(),
which has None. All others are a call of rtrack-collect --once: docs/info.md."""
import contextlib, glob, json, os
from . import _run

def get_process_stats(pid, children=True):
    """What the process, and its descendants, use now and have used so far; RtrackError: it is gone."""
    return json.loads(_run("rtrack-collect", "--once", f"--pid={pid}", *["--no-children"] * (not children)))["process"]

def get_system_stats():
    """The same of the machine since it was started, with each of its disks and local file systems."""
    stats = json.loads(_run("rtrack-collect", "--once"))["system"]
    for path, space in stats["disk_spaces"].items():
        with contextlib.suppress(OSError):
            whole = os.statvfs(path)
            space["total"] = whole.f_blocks * whole.f_frsize
    return stats

def get_pid_stats(pid, children=True):
    """get_process_stats() as in 0.1: times are clock ticks, and its memory is called pss."""
    stats = get_process_stats(pid, children)
    ticks = {name: round(stats[name] * os.sysconf("SC_CLK_TCK")) for name in ("utime", "stime")}
    return {**{"pss" if name == "memory" else name: value for name, value in stats.items()}, **ticks}

def is_partition(disk_name):
    """Whether this block device is a partition, as sysfs(5) says."""
    return os.path.exists(f"/sys/class/block/{disk_name}/partition")

def _read(pid, name):
    try:
        with open(f"/proc/{pid}/{name}", encoding="utf-8", errors="replace") as file:
            return file.read()
    except (FileNotFoundError, ProcessLookupError):
        return ""

def _kb(pid, name, key):
    return next((int(line.split()[1]) for line in _read(pid, name).splitlines() if line.startswith(key + ":")), 0)

def get_pid_children(pid):
    """The process IDs of all descendants, of each thread's children: a set."""
    children = {int(child) for task in glob.glob(f"/proc/{pid}/task/*/children")
                for child in _read(pid, task.split("/", 3)[3]).split()}
    return children.union(*map(get_pid_children, children))

def get_pid_rss(pid):
    """Resident set size in kB."""
    return _kb(pid, "status", "VmRSS")

def get_pid_pss_rollup(pid):
    """Proportional set size in kB."""
    return _kb(pid, "smaps_rollup", "Pss")

def get_pid_proc_times(pid, children=True):
    """CPU time in clock ticks, with that of children that were waited for: {"utime": …, "stime": …}."""
    values = [int(value) for value in _read(pid, "stat").rpartition(")")[2].split()[11:15]] or [0] * 4
    return {"utime": values[0] + values[2] * bool(children), "stime": values[1] + values[3] * bool(children)}

def get_pid_proc_io(pid):
    """What /proc/PID/io says: read_bytes and write_bytes of storage, and more."""
    try:
        lines = [line.split(": ") for line in _read(pid, "io").splitlines()]
    except PermissionError:
        return {"read_bytes": None, "write_bytes": None}
    return {"read_bytes": 0, "write_bytes": 0, **{name: int(value) for name, value in lines}}
