"""Runs rtrack-collect and rtrack-report, and no more than that: docs/python.md. ResourceTracker, SystemTracker,
ProcessTracker, get_server_info and get_cloud_info have the interface of resource-tracker; Tracker, SubTracker and
sub_track that of gpu_tracker."""
import contextlib, fcntl, functools, gzip, json, os, re, shutil, signal, subprocess
import sys, sysconfig, tempfile, threading, time, types, warnings, weakref
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

def program(name):
    """The path of rtrack-collect or rtrack-report: where pip puts scripts, else on PATH."""
    with _lock:  # sysconfig fails in two threads at once
        places = [sysconfig.get_path("scripts"), os.path.dirname(sys.executable),
                  sysconfig.get_path("scripts", "posix_user"), __path__[0] + "/../bin"]  # pip --target
    path = shutil.which(name, path=os.pathsep.join(places)) or shutil.which(name)
    if not path: raise RtrackError(f"{name} is not found: neither in {places[0]} nor on PATH")
    return path

def _sentence(errors):
    text = re.sub(r"(?m)^rtrack-\w+: ", "", errors.decode("utf-8", "replace"))
    return "; ".join(text.splitlines())

@contextlib.contextmanager
def _one_error(what):
    try:
        yield
    except OSError as why:
        raise RtrackError(f"{what}: {why.strerror}" + f": {why.filename}" * bool(why.filename)) from None

def _run(name, *arguments):
    with _one_error(f"{name} cannot be run"):
        done = subprocess.run([program(name), *arguments], stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode: raise RtrackError(_sentence(done.stderr) or f"{name} ended with {done.returncode}")
    return done.stdout.decode("utf-8")

def _pipe():
    for end, mode in zip(os.pipe(), ("rb", "wb")):
        with open(end, mode):  # where a standard stream is closed, this may be its number
            yield open(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 3), mode, buffering=0)

def _release(files, status=b""):
    if not _set_mark(_marks.remove, files.fifo): return False
    with contextlib.suppress(OSError):  # the recorder was killed
        files.end.write(status)
    files.end.close()
    return True

def _end(files):
    if os.getpid() == files.owner:  # a forked child leaves its parent's recorder and files alone
        _release(files)
        if files.recorder:
            files.recorder.kill()
            files.recorder.wait()
        for stream in files.end, files.errors, files.recorder and files.recorder.stdout:
            stream and stream.close()
        shutil.rmtree(files.folder, ignore_errors=True)

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
    _files = None

    def _open(self):
        with _one_error("no temporary folder for the recording"):
            at = tempfile.mkdtemp(prefix="rtrack-py-")
        self._files = types.SimpleNamespace(
            owner=os.getpid(), folder=at, recorder=None, fifo="", end=None, errors=None)
        self._files.close = weakref.finalize(self, _end, self._files)
        self.file, self._journal = at + "/run.json.gz", at + "/run.json.gz.partial"
        return self._files

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
        self.running or self._stop()

    running = property(lambda self: bool(
        self._files and self._files.recorder and self._files.recorder.poll() is None))

    def _stop(self, status=None):
        files = self._files  # status: how the job ended, as of wait(2), if that is known
        if not files or files.owner != os.getpid(): return
        if not _release(files, b"" if status is None else b"%d" % status): return
        with contextlib.suppress(subprocess.TimeoutExpired):
            files.recorder.wait(0 if status is None else 1)  # a forked child may keep the pipe open
        files.recorder.terminate()
        code = files.recorder.wait()
        if os.path.exists(self.file): return files.errors.close()
        try:
            self.file = self._recovered()
        except RtrackError as why:
            raise RtrackError(_said(files, str(why))) from None
        warnings.warn(f"rtrack-collect ended with {code}; what it had recorded was recovered")

    def __exit__(self, kind, error, _trace):
        try:
            self._stop(_status(error))
        except RtrackError as why:
            if not kind: raise
            warnings.warn(str(why))  # the block has an error of its own

    def _recovered(self):
        with _one_error("the recording cannot be copied"):
            now = tempfile.mkdtemp(dir=self._files.folder)
            copy = shutil.copy(self._journal, now)
        _run("rtrack-collect", "-q", "--recover", copy)
        return now + "/run.json.gz"

    def _ask(self, *options, history=()):  # what rtrack-report prints about it, as it is now
        if not self._files:
            raise RtrackError("Nothing is recorded: the tracker was not started.")
        now = self.file if os.path.exists(self.file) else self._journal
        earlier = [os.fspath(getattr(item, "file", item)) for item in history]
        return _run("rtrack-report", *options, f"-n{len(earlier) or 1}", "-c", now, "--", now, *earlier)

    def _model(self, *options, history=()):
        return json.loads(self._ask("--json", "-", *options or ["--offline"], history=history))

    def snapshot(self):
        """The recording as a dictionary; of one that runs, as it is now."""
        with gzip.open(self.file if os.path.exists(self.file) else self._recovered()) as stream:
            return json.load(stream)

    def sub_track(self, name):
        return SubTracker(name, fifo=self._files and self._files.fifo)

    phases = property(lambda self: self._model()["phases"].get("rows", []))

    def _repr_html_(self):  # a notebook shows this: without asking for prices, and never an exception
        try:
            return Text(self._ask("-o", "-", "--offline"))._repr_html_()
        except RtrackError as why:
            return sentence("Nothing is recorded yet." if "holds no samples" in str(why) else str(why))

class SubTracker(contextlib.ContextDecorator):
    """Marks a phase: of the recording that was started last, or that this process runs in."""
    _inside = []

    def __init__(self, code_block_name=None, code_block_attribute=None, *_files, fifo=None, **_more):
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

def sub_track(code_block_name=None, code_block_attribute=None, **_more):
    return lambda f: SubTracker(code_block_name or f.__code__.co_filename + ":" + (
        code_block_attribute or f.__name__))(f)

_FILTERS = "vendor", "region", "country", "compliance", "arch", "cpu_allocation", "currency", "spot", "offline"

class Stats(dict): """Statistics that know the file of their recording, so that they can stand for it in a history."""

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
        self.pid, self.interval = pid or os.getpid(), interval
        wanted = {"process": track_processes, "system": track_system, "children": children,
                  "discover-server": discover_server, "discover-cloud": discover_cloud}
        self._options = [*_free(options), *("--no-" + what for what in wanted if not wanted[what])]
        autostart and self.start()

    def start(self):
        script = os.path.basename((getattr(sys, "argv", None) or [""])[0]) if self.pid == os.getpid() else ""
        name = ["--name", script] if script not in ("", "-c", "-m") else []
        self._start("--pid", self.pid, "-i", self.interval, *name, *self._options)

    def stop(self):
        self._stop()

    def cleanup(self):
        """Ends the recorder, and removes the recording."""
        self._files = self._files and self._files.close()

    def __enter__(self):
        self.running or self.start()
        return self

    def get_combined_metrics(self, bytes=False, human_names=False, system_prefix=None, process_prefix=None, offset=0):
        """The samples of process and machine, joined by time, without the first offset; [] while there are none."""
        options = ["--bytes"] * bytes + ["--human-names"] * human_names
        for of, prefix in ("system", system_prefix), ("process", process_prefix):
            options += [f"--{of}-prefix={prefix}"] * (prefix is not None)
        try:
            table = TinyDataFrame(columns_of(self._ask("--offline", "--csv", "-", *options)))[offset:]
        except RtrackError as why:
            if "holds no samples" not in str(why): raise
            return []
        return table if len(table) else []

    def _metrics(self, of):
        table = self.get_combined_metrics() or {}
        part = {name[len(of):]: column for name, column in dict(table).items() if name.startswith(of)}
        return TinyDataFrame({"timestamp": table["timestamp"], **part}) if part else []

    process_metrics = property(lambda self: self._metrics("process_"))
    system_metrics = property(lambda self: self._metrics("system_"))
    n_samples = property(lambda self: len(self.get_combined_metrics()))
    server_info = property(lambda self: self.snapshot()["server_info"])
    cloud_info = property(lambda self: self.snapshot()["cloud_info"])

    def wait_for_samples(self, n=1, timeout=5):
        end = time.monotonic() + timeout
        while self.n_samples < n:
            if not self.running or time.monotonic() > end:
                raise RtrackError(f"{n} samples were waited for in vain")
            time.sleep(0.05)

    def dumps(self): return json.dumps(self.snapshot())

    def dump(self, file):
        with gzip.open(file, "wt") as stream: stream.write(self.dumps())

    @classmethod
    def from_snapshot(cls, snapshot):
        known = snapshot["metadata"]
        tracker = cls(known.get("pid"), interval=known.get("interval"), autostart=False)
        tracker._open()
        with gzip.open(tracker.file, "wt") as stream:
            json.dump(snapshot, stream)
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
        if specs is None:
            stats = Stats(self._model()["statistics"]["now"])
        else:
            stats = Stats(TinyDataFrame(self.get_combined_metrics()).stats(specs))
            if stats.get("timestamp", {}).get("duration") is not None:
                stats["timestamp"]["duration"] += self.interval
        stats.file = self.file
        return stats

    def recommend_resources(self, historical_stats=()):
        """historical_stats: trackers, their stats(), or files that dump() or rtrack-collect wrote."""
        advice = self._model(history=historical_stats)["advice"]
        zero = dict.fromkeys(("cpu", "memory", "gpu", "vram"), 0)  # without GPUs none is proposed
        items = {item["id"]: item["value"] for item in advice["items"] if item["id"] in zero}
        return {**zero, **items, **advice["resource_tracker"]}

    def recommend_server(self, historical_stats=(), **filters):
        """filters: options of rtrack-report, such as vendor="aws", or their names in the Keeper API."""
        options = ["--servers=1"]
        for name, value in filters.items():
            option = {"compliance_framework": "compliance", "architecture": "arch", "countries": "country",
                      "regions": "region"}.get(name.replace("_id", ""), name.replace("_id", ""))
            if option not in _FILTERS:
                raise TypeError(f"recommend_server: {name} is none of the filters: {', '.join(_FILTERS)}")
            if value is None or value is False: continue
            value = value if isinstance(value, (str, int)) else ",".join(map(str, value))
            option = "--" + option.replace("_", "-")
            options.append(option if value is True else f"{option}={value}")
        prices = self._model(*options, history=historical_stats)["prices"]
        if not prices.get("servers"):
            raise RtrackError(prices["why"] or "no server fits")
        best = prices["servers"][0]
        names = {"cpus": "vcpus", "gpus": "gpu_count", "price_ondemand": "min_price_ondemand",
                 "price_spot": "min_price_spot"}
        return {"vendor_id": best["vendor"], "server_id": best.get("server_id"), "name": best["server"],
                "api_reference": best.get("api_reference"), "cpu_architecture": best["arch"],
                **{theirs: best[ours]["value"] for ours, theirs in names.items()},
                "memory_amount": best["memory"]["value"] // 2**20, "currency": prices["currency"]}

    def report(self, integration="standalone", historical_stats=(), status_failed=False, offline=False):
        """The page; .save(path) writes it to a file, .browse() shows it. offline: without prices."""
        more = ["--status=failed"] * status_failed + ["--offline"] * offline
        return Text(self._ask("-o", "-", "--integration", integration, *more, history=historical_stats))

class _Rows:
    """Writes rows of CSV, one each interval, until an exception such as KeyboardInterrupt ends it."""
    def __init__(self, options, start_time, interval, autostart, output_file):
        self._options, self.start_time, self.interval = options, start_time, interval
        self.status, self.cycle, self._since = "running", 0, None
        if autostart:
            time.sleep(max((start_time or 0) - time.time(), 0))
            self.start_tracking(output_file)
        else:
            self._since = self._record(3600)

    @contextlib.contextmanager
    def _recorder(self, recording):
        files = recording._files
        try:
            yield files.recorder
            if files.recorder.wait() and files.close.alive:
                raise RtrackError(_said(files, f"rtrack-collect ended with {files.recorder.returncode}"))
        except ValueError:
            if files.close.alive: raise  # else Python exits, and has closed the files of this thread
        finally:
            files.close()

    def _record(self, interval):
        recording = _Recording()
        recording._start("-i", interval, *self._options, stdout=subprocess.PIPE)
        _set_mark(_marks.remove, recording._files.fifo)  # phases are not for it
        return recording

    def start_tracking(self, output_file=None, print_header=True):
        with contextlib.ExitStack() as files:
            out = files.enter_context(open(output_file, "w")) if output_file else sys.stdout
            recorder = files.enter_context(self._recorder(self._record(self.interval)))
            for number, line in enumerate(recorder.stdout):
                self.cycle += 1
                if number or print_header:
                    out.write(line.decode())
                    out.flush()
        self.status = "exited"

    def diff_stats(self):
        """What was used since the last call, or since this object was made."""
        with self._recorder(self._since or self._record(3600)) as recorder:
            recorder.terminate()
            rows = TinyDataFrame(columns_of(recorder.stdout.read().decode()))
        self._since, self.cycle = self._record(3600), self.cycle + 1
        return rows[-1]

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

PidTracker = ProcessTracker  # its old name

def get_server_info():
    info = json.loads(_run("rtrack-collect", "--info=json", "--no-discover-cloud"))
    names, memory = [gpu["name"] for gpu in info["gpus"]], info["server"]["memory_bytes"] / 2**20
    vram = sum(gpu["memory_bytes"] or 0 for gpu in info["gpus"]) / 2**20
    return {"os": info["server"]["os"], "vcpus": info["server"]["cpus"],
            "memory_mb": round(memory, 2), "memory_mib": round(memory, 2), "gpu_count": len(names), "gpu_names": names,
            "gpu_name": max(names, key=names.count, default=""), "gpu_memory_mb": vram, "gpu_memory_mib": vram}

@functools.lru_cache(None)
def get_cloud_info():
    began = time.monotonic()
    cloud = json.loads(_run("rtrack-collect", "--info=json", "--no-discover-server"))["cloud"]
    return {**{name: cloud[name] or "unknown" for name in ("vendor", "instance_type", "region")},
            "discovery_time": time.monotonic() - began}

class Tracker(_Recording):
    """What was used, as gpu_tracker's dictionary and as its text."""
    def __init__(self, sleep_time=1.0, ram_unit="gigabytes", gpu_ram_unit="gigabytes", time_unit="hours",
                 n_expected_cores=None, gpu_uuids=None, disable_logs=False, process_id=None, *_more, **_others):
        memory, times = "bytes kilobytes megabytes gigabytes terabytes".split(), "seconds minutes hours days".split()
        for unit, valid in (ram_unit, memory), (gpu_ram_unit, memory), (time_unit, times):
            if unit not in valid:
                raise ValueError(f'"{unit}" is not a valid unit. Valid values are {", ".join(valid)}')
        if gpu_uuids is not None and not gpu_uuids:
            raise ValueError("gpu_uuids is empty")
        gpus = ["--gpu=" + ",".join(gpu_uuids or [])] * (gpu_uuids is not None)
        cores = [f"--expected-cores={n_expected_cores}"] * (n_expected_cores is not None)
        units = f"--ram-unit={ram_unit}", f"--gpu-ram-unit={gpu_ram_unit}", f"--time-unit={time_unit}"
        self._collect = ["--pid", process_id or os.getpid(), "-i", sleep_time, *gpus]
        self._report = ["--offline", *units, *cores, *gpus]

    def start(self):
        self._start(*self._collect)
        return self

    __enter__ = start

    def __exit__(self, *error):
        if not self._files or self._files.fifo not in _marks:
            raise RtrackError(f"Cannot stop: it has {'already stopped' if self._files else 'not started'}.")
        super().__exit__(*error)

    def stop(self): self.__exit__(None, None, None)

    def to_json(self): return json.loads(self._ask("--template", "@gpu_tracker.json", *self._report))

    def __str__(self): return self._ask("--template", "@gpu_tracker.txt", *self._report)

    def save(self, file, format="text"):
        Text(json.dumps(self.to_json(), indent=1) if format == "json" else str(self)).save(file)

    resource_usage = property(lambda self: self._files and json.loads(
        json.dumps(self.to_json()), object_hook=lambda part: types.SimpleNamespace(**part)))

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

from .tracked import track  # it needs what is above
