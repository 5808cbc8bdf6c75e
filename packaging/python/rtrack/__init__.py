"""Runs rtrack-collect and rtrack-report, and no more than that: docs/python.md. ResourceTracker, SystemTracker,
ProcessTracker, get_server_info and get_cloud_info have the interface of resource-tracker; SubTracker, sub_track and
.gpu_tracker that of gpu_tracker."""
import contextlib, fcntl, functools, gzip, json, os, re, shutil, signal, subprocess
import sys, sysconfig, tempfile, threading, time, types, warnings, weakref
from .helpers import aggregate_stats, recording_of, render_csv_row, round_memory, server, warn
from .page import Text, sentence
from .tiny_data_frame import StatSpec, TinyDataFrame, columns_of

MARK = "RTRACK_MARK"  # where rtrack-collect --mark, in our children too, finds the recorder
_marks, _lock = [os.environ.get(MARK)], threading.RLock()  # of the recordings that run, the newest last
os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)

def _set_mark(change, fifo):
    """Calls change(fifo) of _marks. False: it is not there (any more)."""
    with _lock, contextlib.suppress(ValueError):
        change(fifo)
        os.environ.pop(MARK, None)
        os.environ.update({MARK: _marks[-1]} if _marks[-1] else {})
        return True
    return False

class RtrackError(RuntimeError): """What one of the programs said when it failed."""

class _Refused(RtrackError, ValueError): """A program said that what it was asked for cannot be."""

class _NoSamples(RtrackError): """Nothing is recorded, or nothing yet."""

def __getattr__(name):
    """__version__: that of the programs."""
    if name != "__version__": raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        globals()[name] = _run("rtrack-report", "--version").split()[1]
    except RtrackError as why:
        raise AttributeError(f"{name}: {why}") from None
    return globals()[name]

def program(name):
    """The path of rtrack-collect or rtrack-report: where pip puts scripts, else on PATH."""
    with _lock:  # sysconfig fails in two threads at once
        places = [sysconfig.get_path("scripts"), os.path.dirname(sys.executable),
                  sysconfig.get_path("scripts", "posix_user"), __path__[0] + "/../bin"]  # pip --target
    path = shutil.which(name, path=os.pathsep.join(places)) or shutil.which(name)
    if not path: raise RtrackError(f"{name} is not found: neither in {places[0]} nor on PATH")
    return os.path.abspath(path)  # it is run in another folder

def _sentence(errors):
    text = re.sub(r"(?m)^rtrack-\w+: ", "", errors.decode("utf-8", "replace"))
    return "; ".join(text.splitlines())

@contextlib.contextmanager
def _written(content):
    """A file for as long as a program reads it."""
    with _one_error("no temporary folder for the recording"):
        folder = tempfile.TemporaryDirectory(prefix="rtrack-py-")
    with folder as at:
        with _one_error("the recording cannot be copied"), open(at + "/run.json.gz", "wb") as stream: stream.write(content)
        yield at + "/run.json.gz"

@contextlib.contextmanager
def _one_error(what):
    try:
        yield
    except OSError as why:
        raise RtrackError(f"{what}: {why.strerror}" + f": {why.filename}" * bool(why.filename)) from None

def _run(name, *arguments):
    with _one_error(f"{name} cannot be run"):
        done = subprocess.run([program(name), *arguments], stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode:
        error = _Refused if done.returncode == 2 else RtrackError
        raise error(_sentence(done.stderr) or f"{name} ended with {done.returncode}")
    return done.stdout.decode("utf-8")

def _pipe():
    for end, mode in zip(os.pipe(), ("rb", "wb")):
        with open(end, mode):  # where a standard stream is closed, this may be its number
            yield open(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 3), mode, buffering=0)

def _end(files):
    if os.getpid() == files.owner:  # a forked child leaves its parent's recorder and files alone
        _set_mark(_marks.remove, files.fifo)
        if files.recorder:
            files.recorder.kill()
            files.recorder.wait()
        for stream in files.end, files.errors, files.recorder and files.recorder.stdout:
            stream and stream.close()
        files.kept or shutil.rmtree(files.folder, ignore_errors=True)

def _worker_exit():
    """Of multiprocessing, in a process that it started: it ends without what Python does when it exits."""
    process = sys.modules.get("multiprocessing.process")
    return process and process.parent_process() and sys.modules.get("multiprocessing.util")

def _said(files, otherwise):
    os.set_blocking(files.errors.fileno(), False)  # what the recorder started may have it open
    return _sentence(files.errors.read() or b"") or otherwise

def _status(error):
    """The end of a block as wait(2) would give it: that of Python, if it ended with this exception."""
    code = getattr(error, "code", None) if isinstance(error, SystemExit) else int(error is not None)
    if isinstance(error, KeyboardInterrupt): return int(signal.SIGINT)
    if isinstance(error, GeneratorExit): return 0  # nobody wants more of it
    return (code % 256 if isinstance(code, int) else int(code is not None)) << 8

class _Recording:
    """Its files are in a folder of its own, which goes with the object, or when Python exits."""
    _files = _held = _numbers = None  # _held: the recording, where there is no such folder
    _quiet = False  # no warnings

    def _open(self):
        with _one_error("no temporary folder for the recording"):
            at = tempfile.mkdtemp(prefix="rtrack-py-")
        self._files = types.SimpleNamespace(
            owner=os.getpid(), folder=at, recorder=None, fifo="", end=None, errors=None, kept=False)
        self._files.close = weakref.finalize(self, _end, self._files)
        if _worker_exit():
            _worker_exit().Finalize(self, self._files.close, exitpriority=0)
        self.file, self._journal = at + "/run.json.gz", at + "/run.json.gz.partial"
        return self._files

    def _hold(self, content):
        """Goes on without a folder: content is the recording."""
        self._held = content
        if self._files: self._files.close()
        self._files = self._files or types.SimpleNamespace(owner=os.getpid(), recorder=None, fifo="", close=lambda: None)

    def _start(self, *options, stdout=subprocess.DEVNULL):
        if self._files:
            raise RtrackError("Cannot start tracking when tracking has already started or stopped.")
        command = [program("rtrack-collect"), "-q", "-o", "run.json.gz", *map(str, options)]
        files = self._open()
        try:
            self._spawn(files, command, stdout)
        except BaseException:
            self._files = files.close()
            raise

    def _spawn(self, files, command, stdout):
        with _one_error("rtrack-collect cannot be run"):
            ours, files.end = _pipe()  # the recorder ends with us, whichever process it follows
            files.errors, theirs = _pipe()  # not a file, as the disk may be full
            with ours, theirs:
                files.recorder = subprocess.Popen(  # in a session of its own: Ctrl-C is not for it
                    [*command, "--end-fd", str(ours.fileno())], cwd=files.folder, stdin=subprocess.DEVNULL,
                    stdout=stdout, stderr=theirs, pass_fds=[ours.fileno()], start_new_session=True)
        while not os.path.exists(self._journal) and self.running:
            time.sleep(0.002)
        files.fifo = f"{files.folder}/.rtrack-mark-{files.recorder.pid}"
        _set_mark(_marks.append, files.fifo)
        self.running or self._finish()

    _ended = property(lambda self: bool(self._held is not None or self._files and os.path.exists(self.file)))
    running = property(lambda self: bool(
        self._files and self._files.recorder and self._files.recorder.poll() is None))

    def _finish(self, status=None):
        """Ends the recording. status: how the job ended, as of wait(2); None: that is not known."""
        files = self._files
        if not files or files.owner != os.getpid() or not _set_mark(_marks.remove, files.fifo): return
        self.stop_time = time.time()
        if status is None:  # before the pipe closes, which would say that the process has ended
            files.recorder.terminate()
            files.recorder.wait()
        with contextlib.suppress(OSError):  # the recorder was killed
            files.end.write(b"" if status is None else b"%d" % status)
        files.end.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            files.recorder.wait(1)  # a forked child may keep the pipe open
        files.recorder.terminate()
        code = files.recorder.wait()
        if os.path.exists(self.file):
            files.errors.close()
        else:
            try:
                self.file = self._recovered()
            except RtrackError as why:
                raise RtrackError(_said(files, str(why))) from None
            self._quiet or warn(f"rtrack-collect ended with {code}; what it had recorded was recovered")
        if _worker_exit():  # which may be killed, as by Pool.terminate(), with its work done
            with open(self.file, "rb") as stream: self._hold(stream.read())

    def _stop(self, status=None):
        """The same, but with a warning of what goes wrong: the job comes first."""
        try:
            self._finish(status)
        except Exception as why:
            self._keep(str(why))

    def _keep(self, why, kept=""):
        """Warns of what went wrong after the job, and says where its recording is, which stays there."""
        with contextlib.suppress(Exception):  # there is no place for it
            kept = kept or self._kept()
        self._quiet or warn(f"{why}; the recording is {kept}" if kept else f"{why}; there is no recording")

    def _kept(self):
        if self._held is not None:
            path = tempfile.mkdtemp(prefix="rtrack-py-") + "/run.json.gz"
            with open(path, "wb") as stream: stream.write(self._held)
            return path
        try:
            self._ask("--offline", "--csv", os.devnull)
        except _NoSamples:
            return ""
        except RtrackError:
            pass  # nobody knows
        self._files.kept = True
        return next(filter(os.path.exists, (self.file, self._journal)), "")

    def __exit__(self, kind, error, _trace):
        self._stop(_status(error))

    def _recovered(self):
        with _one_error("the recording cannot be copied"):
            now = tempfile.mkdtemp(dir=self._files.folder)
            copy = shutil.copy(self._journal, now)
        _run("rtrack-collect", "-q", "--recover", copy)
        return now + "/run.json.gz"

    @contextlib.contextmanager
    def _path(self):
        """A file of the recording as it is now."""
        if not self._files: raise _NoSamples("Nothing is recorded: the tracker was not started.")
        if self._held is None:
            yield self.file if os.path.exists(self.file) else self._journal
        else:
            with _written(self._held) as path: yield path

    def _earlier(self, item):
        """A file of an item of historical_stats."""
        if isinstance(item, _Recording): return item._path()
        if not isinstance(item, dict): return contextlib.nullcontext(os.fspath(item))
        name = ((self._read().get("rtrack") or {}).get("job") or {}).get("name") or ""
        return _written(gzip.compress(recording_of(item, name).encode()))

    def _ask(self, *options, history=()):  # what rtrack-report prints about it, as it is now
        if isinstance(history, (dict, str)): raise TypeError("historical_stats is a list of what stats() returned")
        with contextlib.ExitStack() as files:
            now = files.enter_context(self._path())
            earlier = [files.enter_context(self._earlier(item)) for item in history or ()]
            try:
                return _run("rtrack-report", *options, f"-n{len(earlier) or 1}", "-c", now, "--", now, *earlier)
            except RtrackError as why:
                if "holds no samples" not in str(why) or earlier and now not in str(why): raise
        raise _NoSamples("Nothing is recorded yet.")

    def _model(self, *options, history=()):
        return json.loads(self._ask("--json", "-", *options or ["--offline"], history=history))

    def _content(self):
        """The file of the recording as it is now."""
        if self._held is not None: return self._held
        if not self._files: raise _NoSamples("Nothing is recorded: the tracker was not started.")
        now = self.file if os.path.exists(self.file) else self._recovered()
        with _one_error("the recording cannot be read"), open(now, "rb") as stream: content = stream.read()
        if now != self.file: shutil.rmtree(os.path.dirname(now), ignore_errors=True)
        return content

    def _read(self): return json.loads(gzip.decompress(self._content()))

    def snapshot(self):
        """The recording as a dictionary, its metrics as lists of rows; of one that runs, as it is now."""
        snapshot = self._read()
        for block in "process_metrics", "system_metrics":
            if isinstance(snapshot.get(block), dict):
                snapshot[block] = [dict(zip(snapshot[block], cells)) for cells in zip(*snapshot[block].values())]
        if snapshot["metadata"].get("children") is False:  # they were not counted
            for row in snapshot["process_metrics"] or (): row["children"] = None
        return snapshot

    def __repr__(self):
        """With the three numbers of a recording that has ended: its time, mean cores and peak memory."""
        if not self._numbers and self._files and not self.running:
            with contextlib.suppress(RtrackError):
                model = self._model()
                text = {row["id"]: row["now"]["text"] for row in model["usage"]["rows"] if row["now"]}
                self._numbers = (f"{model['run']['duration']['text']}, {text.get('process_cpu_usage.mean', 'unknown cores')} "
                                 f"on average, peak memory {text.get('process_memory.max', 'unknown')}")
        about = "recording" if self.running else self._numbers or "nothing is recorded"
        return f"<{type(self).__name__}: {about}>"

    def sub_track(self, name):
        return SubTracker(name, fifo=self._files and self._files.fifo)

    phases = property(lambda self: self._model()["phases"].get("rows", []))

    def _repr_html_(self):  # a notebook shows this: without asking for prices, and never an exception
        try:
            return Text(self._ask("-o", "-", "--offline"))._repr_html_()
        except RtrackError as why:
            return sentence(str(why))

class SubTracker(contextlib.ContextDecorator):
    """Marks a phase: of the recording that was started last, or that this process runs in."""
    _inside = []

    def __init__(self, code_block_name=None, code_block_attribute=None, sub_tracking_file=None, overwrite=False, *,
                 fifo=None):
        here = sys._getframe(1)
        place = here.f_code.co_filename
        with contextlib.suppress(OSError):  # the current folder was removed
            place = os.path.relpath(place)
        place += f":{code_block_attribute or here.f_lineno}"
        self.code_block_name, self._fifo = code_block_name or place, fifo

    def _mark(self, name, end=b"\n"):
        with contextlib.suppress(OSError):  # nothing is recorded, or no longer
            fifo = os.open(self._fifo or os.environ.get(MARK, ""), os.O_WRONLY | os.O_NONBLOCK)
            with open(fifo, "wb", buffering=0) as stream:
                stream.write(" ".join(name.split()).encode("utf-8", "replace")[:500] + end)

    def __enter__(self):
        self._inside.append(self.code_block_name)
        self._mark(self.code_block_name)
        return self

    def __exit__(self, *_error):
        self._mark(self._inside.pop(), b" end\n")
        for outer in self._inside[-1:]:  # the phase around this one goes on
            self._mark(outer)

def sub_track(code_block_name=None, code_block_attribute=None, sub_tracking_file=None, overwrite=False):
    return lambda f: SubTracker(code_block_name or f.__code__.co_filename + ":" + (
        code_block_attribute or f.__name__))(f)

_FILTERS = "vendor", "region", "country", "compliance", "arch", "cpu_allocation", "currency", "spot", "offline"
_OF_KEEPER = {"compliance_framework": "compliance", "architecture": "arch", "countries": "country", "regions": "region",
              "vendor_regions": "region", "limit": "servers"}  # without "_id"
_WHERE = ("vcpus_min", "vcpus_max", "memory_min", "gpu_min", "gpu_memory_min", "gpu_memory_total", "storage_size", "storage_type",
          "cpu_manufacturer", "cpu_family", "gpu_manufacturer", "gpu_family", "gpu_model")  # as --keeper-filter has them

def _filters(filters):
    """The options of rtrack-report for filters of servers."""
    for name, value in filters.items():
        option = name.replace("_id", "")
        option = _OF_KEEPER.get(option, option)
        if option == "best_price_allocation":
            if value not in (None, "ANY", "ONDEMAND_ONLY", "SPOT_ONLY"):
                raise ValueError(f"recommend_server: {name} is ONDEMAND_ONLY or SPOT_ONLY, not {value!r}")
            option, value = "spot", value == "SPOT_ONLY"
        if option not in (*_FILTERS, *_WHERE, "servers") or name == "servers":
            raise TypeError(f"recommend_server: {name} is none of the filters: {', '.join((*_FILTERS, *_WHERE))}, limit, or their "
                            "names in the Keeper API")
        if value is None or value is False: continue
        if option in _WHERE:
            values = value if hasattr(value, "__iter__") and not isinstance(value, str) else [value]
            yield from (f"--keeper-filter={option}={each}" for each in values)
            continue
        value = value if isinstance(value, (str, int)) else ",".join(map(str, value))
        option = "--" + option.replace("_", "-")
        yield option if value is True else f"{option}={value}"

def _free(options):
    """The options, if none of them is for the module to set."""
    if isinstance(options, str): raise TypeError("options is a list, such as ['--tag', 'batch=32']")
    for option in map(str, options):
        name = re.match(r"--([a-z-]+)|-[qv]*([opihV])", option)
        if name and any(own.startswith(name[1] or name[2]) for own in (
                "output", "pid", "interval", "end-fd", "csv", "csv-file", "help", "version", "Version", "list-metrics")):
            raise ValueError(f"options: {option} is not possible: the tracker itself says what to record, and where")
    return list(options)

class ResourceTracker(_Recording):
    """Records a process, by default this one, and the machine. options: more of rtrack-collect's."""
    def __init__(self, pid=None, children=True, interval=1, method=None, autostart=True, track_processes=True,
                 track_system=True, discover_server=True, discover_cloud=True, *, options=()):
        if method not in (None, "fork", "spawn", "forkserver"):
            raise ValueError(f"cannot find context for {method!r}")
        self.pid, self.children, self.interval, self.method = pid or os.getpid(), children, interval, method
        self.autostart, self.discover_server, self.discover_cloud = autostart, discover_server, discover_cloud
        self.trackers = ["process_tracker"] * bool(track_processes) + ["system_tracker"] * bool(track_system)
        self.start_time = self.stop_time = None
        wanted = {"process": track_processes, "system": track_system, "children": children,
                  "discover-server": discover_server, "discover-cloud": discover_cloud}
        self._options = [*_free(options), *("--no-" + what for what in wanted if not wanted[what])]
        autostart and self.start()

    def start(self):
        # The recorder names this process by its command line; a worker that multiprocessing spawned has none of its own.
        script = (getattr(sys, "argv", None) or [""])[0] if self.pid == os.getpid() and _worker_exit() else ""
        script = "/".join(script.split("/")[-2:]) if os.path.isabs(script) else script
        name = ["--name", script] if script not in ("", "-c", "-m") else []
        began = time.time()
        self._start("--pid", self.pid, "-i", self.interval, *name, *self._options)
        self.start_time = began

    def stop(self):
        self._stop()

    def cleanup(self):
        """Ends the recorder, and removes the recording."""
        if self._files:
            self._files.kept = False
            self._files.close()
        self._files = self._held = self._numbers = None

    def __enter__(self):
        self.running or self.start()
        return self

    def get_combined_metrics(self, bytes=False, human_names=False, system_prefix=None, process_prefix=None, offset=0):
        """The samples of process and machine, joined by time, without the first offset; an empty table while there are none."""
        options = ["--bytes"] * bytes + ["--human-names"] * human_names
        for of, prefix in ("system", system_prefix), ("process", process_prefix):
            options += [f"--{of}-prefix={prefix}"] * (prefix is not None)
        try:
            table = TinyDataFrame(columns_of(self._ask("--offline", "--csv", "-", *options)))[offset:]
        except _NoSamples:
            return TinyDataFrame([])
        return table if len(table) else TinyDataFrame([])

    def _metrics(self, of):
        table = self.get_combined_metrics()
        part = {name[len(of):]: column for name, column in dict(table).items() if name.startswith(of)}
        if "children" in part and not self.children: part["children"] = [None] * len(table)  # they were not counted
        return TinyDataFrame({"timestamp": table["timestamp"], **part} if part else [])

    def _known(self, block, discovered):
        """A block of the recording; None before there is one, and where it was not to be found out."""
        try:
            return self._read()[block] if discovered and self._files else None
        except RtrackError as why:
            if "no complete sample" not in str(why): raise
            return None

    process_metrics = property(lambda self: self._metrics("process_"))
    system_metrics = property(lambda self: self._metrics("system_"))
    n_samples = property(lambda self: len(self.get_combined_metrics()))
    server_info = property(lambda self: self._known("server_info", self.discover_server))
    cloud_info = property(lambda self: self._known("cloud_info", self.discover_cloud))

    def wait_for_samples(self, n=1, timeout=5):
        end = time.monotonic() + timeout
        while self.n_samples < n:
            if not self.running or time.monotonic() > end:
                raise RtrackError(f"{n} samples were waited for in vain")
            time.sleep(0.05)

    def dumps(self): return json.dumps(self.snapshot())

    def dump(self, file):
        content = self._content()
        with open(file, "wb") as stream: stream.write(content)

    @classmethod
    def from_snapshot(cls, snapshot):
        known = snapshot["metadata"]
        named = "children", "method", "track_processes", "track_system", "discover_server", "discover_cloud"
        tracker = cls(known.get("pid"), interval=known.get("interval"), autostart=False,
                      **{name: known[name] for name in named if known.get(name) is not None})
        tracker.start_time, tracker.stop_time = known.get("start_time"), known.get("stop_time")
        tracker._hold(gzip.compress(json.dumps(snapshot).encode()))
        return tracker

    @classmethod
    def loads(cls, s): return cls.from_snapshot(json.loads(s))

    @classmethod
    def load(cls, file):
        with gzip.open(file) as stream:
            return cls.loads(stream.read())

    def stats(self, specs=None):
        """specs: instead of the usual statistics, what they say of get_combined_metrics(); with the interval added to a
        duration of the timestamps, as these are the ends of intervals."""
        try:
            if specs is None: return self._model()["statistics"]["now"]
            table = self.get_combined_metrics()
            if not len(table): raise _NoSamples
        except _NoSamples:
            raise RtrackError("No metrics collected yet") from None
        stats = table.stats(specs)
        if stats.get("timestamp", {}).get("duration") is not None:
            stats["timestamp"]["duration"] += self.interval
        return stats

    def _advised(self, rules, history, *options):
        """The model with the advice of these rules."""
        if rules not in ("resource-tracker", "rtrack"):
            raise ValueError(f'rules are "resource-tracker" or "rtrack", not {rules!r}')
        self._first_sample()
        model = self._model(f"--rules={rules}", *options, history=history)
        if not model["advice"]["known"]: raise RtrackError(f"nothing can be recommended: {model['advice']['basis']}")
        for run in model["history"]:
            if not run["used"]: warn(f"historical_stats: {run['file']} is not used: {run['why']}")
        return model

    def _first_sample(self):
        if self.running: self.wait_for_samples(1, self.interval * 5)

    def recommend_resources(self, historical_stats=(), rules="resource-tracker"):
        """historical_stats: what stats() returned, trackers, or files that dump() or rtrack-collect wrote. rules: "rtrack":
        what the page recommends."""
        items = self._advised(rules, historical_stats, "--offline")["advice"]["items"]
        zero = dict.fromkeys(("cpu", "memory", "gpu", "vram"), 0)  # without GPUs none is proposed
        return {**zero, **{item["id"]: item["value"] for item in items if item["id"] in zero}}

    def recommend_server(self, historical_stats=(), rules="resource-tracker", **filters):
        """The price service's record of the cheapest server that has what recommend_resources() says. filters: options of
        rtrack-report, such as vendor="aws", or parameters of the Keeper API, such as cpu_manufacturer="AMD"."""
        options = ["--servers=1", "--keeper-records", *_filters(filters)]
        prices = self._advised(rules, historical_stats, *options)["prices"]
        if not prices.get("servers"):
            raise RtrackError(prices["why"] or "no server fits")
        return server(prices["servers"][0], prices["currency"])

    def report(self, integration="standalone", historical_stats=(), status_failed=False, offline=False):
        """The page; .save(path) writes it to a file, .browse() shows it. status_failed: the job failed, whatever the recording
        says. offline: without prices."""
        self._first_sample()
        run = self._without_exit() if status_failed else self
        more = ["--status=failed"] * status_failed + ["--offline"] * offline
        return Text(run._ask("-o", "-", "--integration", integration, *more, history=historical_stats))

    def _without_exit(self):
        """The same, but that its recording does not say how it ended: then rtrack-report believes its --status."""
        snapshot = self.snapshot()
        (snapshot.get("rtrack") or {}).pop("exit", None)
        return self.from_snapshot(snapshot)

class _Rows:
    """Writes rows of CSV, one each interval, until an exception such as KeyboardInterrupt ends it."""
    def __init__(self, options, start_time, interval, autostart, output_file):
        self._options, self.start_time, self.interval = options, start_time or time.time(), interval
        self.status, self.cycle, self._since = "running", 0, None
        if autostart:
            time.sleep(max(self.start_time - time.time(), 0))
            self.start_tracking(output_file)
        else:
            self._since = self._record(3600)

    def __call__(self): """Does nothing."""

    @contextlib.contextmanager
    def _recorder(self, recording):
        files = recording._files
        try:
            yield files.recorder
            if files.recorder.wait() not in (0, 1) and files.close.alive:  # 1: no place for a recording
                raise RtrackError(_said(files, f"rtrack-collect ended with {files.recorder.returncode}"))
        except ValueError:
            if files.close.alive: raise  # else Python exits, and has closed the files of this thread
        finally:
            files.close()

    def _record(self, interval):
        recording = _Recording()
        recording._start("-i", interval, *self._options, stdout=subprocess.PIPE)
        _set_mark(_marks.remove, recording._files.fifo)  # phases are not for it
        shutil.rmtree(recording._files.folder)  # only the rows are wanted, and Python may be killed
        return recording

    def start_tracking(self, output_file=None, print_header=True):
        with contextlib.ExitStack() as files:
            out = files.enter_context(open(output_file, "w")) if output_file else sys.stdout
            recorder = files.enter_context(self._recorder(self._record(self.interval)))
            for number, line in enumerate(recorder.stdout):
                self.cycle += 1
                if number or print_header:
                    out.write(line.decode().replace("\n", "\r\n"))
                    out.flush()
        self.status = "exited"

    def diff_stats(self):
        """What was used since the last call, or since this object was made."""
        with self._recorder(self._since or self._record(3600)) as recorder:
            recorder.terminate()
            rows = TinyDataFrame(columns_of(recorder.stdout.read().decode()))
        self._since, self.cycle = self._record(3600), self.cycle + 1
        return {**rows[-1], **({} if getattr(self, "children", True) else {"children": None})}

class SystemTracker(_Rows):
    __doc__ = _Rows.__doc__
    def __init__(self, start_time=None, interval=1, autostart=True, output_file=None):
        options = ["--pid", os.getpid(), "--no-process", "--csv=system"]
        super().__init__(options, start_time, interval, autostart, output_file)

class ProcessTracker(_Rows):
    __doc__ = _Rows.__doc__
    def __init__(self, pid=None, start_time=None, interval=1, children=True, autostart=True, output_file=None):
        self.pid, self.children = pid or os.getpid(), children
        options = ["--pid", self.pid, "--no-system", "--csv=process", *["--no-children"] * (not children)]
        super().__init__(options, start_time, interval, autostart, output_file)

class PidTracker(ProcessTracker):
    """Its old name."""
    @functools.wraps(ProcessTracker.__init__)
    def __init__(self, *arguments, **named):
        warnings.warn("PidTracker is deprecated; use ProcessTracker", DeprecationWarning, stacklevel=2)
        super().__init__(*arguments, **named)

def get_server_info():
    info = json.loads(_run("rtrack-collect", "--info=json", "--no-discover-cloud"))
    names, memory = [gpu["name"] for gpu in info["gpus"]], info["server"]["memory_bytes"] / 2**20
    vram = sum(gpu["memory_bytes"] or 0 for gpu in info["gpus"]) / 2**20
    return {"os": info["server"]["os"], "vcpus": info["server"]["cpus"],
            "memory_mb": memory, "memory_mib": memory, "gpu_count": len(names), "gpu_names": names,
            "gpu_name": max(names, key=names.count, default=""), "gpu_memory_mb": vram, "gpu_memory_mib": vram}

@functools.lru_cache(None)
def get_cloud_info():
    began = time.monotonic()
    cloud = json.loads(_run("rtrack-collect", "--info=json", "--no-discover-server"))["cloud"]
    return {**{name: cloud[name] or "unknown" for name in ("vendor", "instance_type", "region")},
            "discovery_time": time.monotonic() - began}

class Samples(TinyDataFrame):
    """What load() returns. model: what is known about the recording, as in docs/model.md."""
    model = functools.cached_property(lambda self: json.loads(_run(
        "rtrack-report", "--offline", "--json", "-", "--", self.path)))

def load(path):
    """The samples of a recording, or of whatever else rtrack-report reads: the columns of --list-metrics in schema 1, each in
    bytes, seconds or cores. A cell that was not measured is None; .to_numpy() and .to_pandas() make it NaN."""
    path = os.fspath(path)
    columns = columns_of(_run("rtrack-report", "--offline", "--csv", "-", "--bytes", "--schema=1", "--", path))
    table = Samples({re.sub("_gb$", "", name): cells for name, cells in columns.items()})
    table.path = path
    return table

from .gpu_tracker import Tracker  # these need what is above
from .tracked import track
