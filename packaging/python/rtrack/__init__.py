"""Runs rtrack-collect and rtrack-report, and no more than that: docs/python.md. ResourceTracker and track have
the interface of resource-tracker; Tracker, SubTracker and sub_track that of gpu_tracker."""
import contextlib, csv, functools, gzip, inspect, json, os, re, shutil, subprocess, sys, sysconfig
import tempfile, threading, time, types, warnings, weakref, webbrowser

MARK = "RTRACK_MARK"  # where rtrack-collect --mark, in our children too, finds the recorder
_marks, _lock = [os.environ.get(MARK)], threading.RLock()  # of the recordings that run, the newest last

def _set_mark(change, fifo):
    with _lock:
        change(fifo)
        os.environ.pop(MARK, None)
        os.environ.update({MARK: _marks[-1]} if _marks[-1] else {})

class RtrackError(RuntimeError): """What one of the programs said when it failed."""

def program(name):
    """The path of rtrack-collect or rtrack-report: where pip puts scripts, else on PATH."""
    places = [sysconfig.get_path("scripts"), os.path.dirname(sys.executable),
              sysconfig.get_path("scripts", "posix_user"), __path__[0] + "/../bin"]  # pip --target
    path = shutil.which(name, path=os.pathsep.join(places)) or shutil.which(name)
    if not path: raise RtrackError(f"{name} is not found: neither in {places[0]} nor on PATH")
    return path

def _sentence(errors):
    text = re.sub(r"(?m)^rtrack-\w+: ", "", errors.decode("utf-8", "replace"))
    return "; ".join(text.splitlines()) or "the program said nothing"

def _run(name, *arguments):
    done = subprocess.run([program(name), *arguments], stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode: raise RtrackError(_sentence(done.stderr))
    return done.stdout.decode("utf-8")

class Text(str):
    def save(self, filepath):
        with open(filepath, "w", encoding="utf-8") as file:
            file.write(self)
        return self

    def browse(self):
        with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False, encoding="utf-8") as file:
            file.write(self)
        webbrowser.open("file://" + file.name)
        return self

class TinyDataFrame(dict):
    """table["name"] is a column, table[0] a row, table[1:3] a table. len() is the number of rows."""
    columns = property(list)

    def __len__(self): return len(next(iter(self.values()), []))

    def __getitem__(self, key):
        if isinstance(key, str): return super().__getitem__(key)
        part = {name: column[key] for name, column in self.items()}
        return TinyDataFrame(part) if isinstance(key, slice) else part

    def tail(self, n=5): return self[max(len(self) - n, 0):]

    def to_csv(self, csv_file_path=None):
        lines = [",".join("" if cell is None else json.dumps(cell) for cell in row)
                 for row in [self.columns, *zip(*self.values())]]
        return Text("\n".join(lines) + "\n").save(csv_file_path or os.devnull)

    def __repr__(self):
        first = f". First row as a dict: {self[0]}" if len(self) else ""
        return f"TinyDataFrame with {len(self)} rows and {len(self.columns)} columns{first}"

def _release(files, status=b""):
    _set_mark(_marks.remove, files.fifo)
    with contextlib.suppress(OSError):  # the recorder was killed
        os.write(files.end_fd, status)
    os.close(files.end_fd)

def _end(files):
    if os.getpid() == files.owner:  # a forked child leaves its parent's recorder and files alone
        if files.fifo in _marks:
            _release(files)
        if files.recorder:
            files.recorder.kill()
            files.recorder.wait()
        shutil.rmtree(files.folder, ignore_errors=True)

class _Recording:
    """Its files are in a folder of its own, which goes with the object, or when Python exits."""
    _files = None

    def _open(self):
        if self._files:
            self._files.close()
        at = tempfile.mkdtemp(prefix="rtrack-py-")
        self._files = types.SimpleNamespace(owner=os.getpid(), folder=at, recorder=None, fifo="")
        self._files.close = weakref.finalize(self, _end, self._files)
        self.file, self._journal = at + "/run.json.gz", at + "/run.json.gz.partial"
        return self._files

    def _start(self, *options):
        if self.running:
            raise RtrackError("Cannot start tracking when tracking has already started.")
        command = [program("rtrack-collect"), "-q", "-o", "run.json.gz", *map(str, options)]
        files = self._open()
        ours, files.end_fd = os.pipe()  # the recorder ends with us, whichever process it follows
        with open(files.folder + "/errors", "wb") as errors, open(ours, "rb"):
            files.recorder = subprocess.Popen(  # in a session of its own: Ctrl-C is not for it
                [*command, "--end-fd", str(ours)], cwd=files.folder, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=errors, pass_fds=[ours], start_new_session=True)
        while not os.path.exists(self._journal) and self.running:
            time.sleep(0.002)
        files.fifo = f"{files.folder}/.rtrack-mark-{files.recorder.pid}"
        _set_mark(_marks.append, files.fifo)
        self.running or self._stop()

    running = property(lambda self: bool(
        self._files and self._files.recorder and self._files.recorder.poll() is None))

    def _stop(self, status=None):
        files = self._files  # status: how the job ended, as of wait(2), if that is known
        if not files or files.fifo not in _marks or files.owner != os.getpid(): return
        _release(files, b"" if status is None else b"%d" % status)
        with contextlib.suppress(subprocess.TimeoutExpired):
            files.recorder.wait(0 if status is None else 1)  # a forked child may keep the pipe open
        files.recorder.terminate()
        code = files.recorder.wait()
        if not os.path.exists(self.file):
            with open(files.folder + "/errors", "rb") as errors:
                if not os.path.exists(self._journal):
                    raise RtrackError(_sentence(errors.read()))
            self.file = self._recovered()
            warnings.warn(f"rtrack-collect ended with {code}; what it had recorded was recovered")

    def __exit__(self, kind, _error, _trace):
        try:
            self._stop(1 << 8 if kind else 0)
        except RtrackError as why:
            if not kind: raise
            warnings.warn(str(why))  # the block has an error of its own

    def _recovered(self):
        now = tempfile.mkdtemp(dir=self._files.folder)
        _run("rtrack-collect", "-q", "--recover", shutil.copy(self._journal, now))
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
        return SubTracker(name, fifo=self._files.fifo)

    phases = property(lambda self: self._model()["phases"].get("rows", []))

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

class Stats(dict): """Statistics that know the file of their recording, so that they can stand for it in a history."""

class ResourceTracker(_Recording):
    """Records a process, by default this one, and the machine. options: more of rtrack-collect's."""
    def __init__(self, pid=None, children=True, interval=1, method=None, autostart=True, track_processes=True,
                 track_system=True, discover_server=True, discover_cloud=True, *, options=()):
        self.pid, self.interval = pid or os.getpid(), interval
        wanted = {"process": track_processes, "system": track_system, "children": children,
                  "discover-server": discover_server, "discover-cloud": discover_cloud}
        self._options = [*options, *("--no-" + what for what in wanted if not wanted[what])]
        autostart and self.start()

    def start(self):
        script = os.path.basename(sys.argv[0]) if self.pid == os.getpid() else ""
        name = ["--name", script] if script not in ("", "-c", "-m") else []
        self._start("--pid", self.pid, "-i", self.interval, *name, *self._options)

    def stop(self): self._stop()

    def __enter__(self):
        self.running or self.start()
        return self

    def get_combined_metrics(self, bytes=False, human_names=False, system_prefix=None, process_prefix=None):
        """The samples of process and machine, joined by time; [] while there are none."""
        options = ["--bytes"] * bytes + ["--human-names"] * human_names
        for of, prefix in ("system", system_prefix), ("process", process_prefix):
            options += [f"--{of}-prefix={prefix}"] * (prefix is not None)
        try:
            names, *rows = csv.reader(self._ask("--offline", "--csv", "-", *options).splitlines())
        except RtrackError as why:
            if "holds no samples" not in str(why): raise
            return []
        rows = [[json.loads(cell or "null") for cell in row] for row in rows]
        return TinyDataFrame(zip(names, map(list, zip(*rows))))

    def _metrics(self, of):
        table = self.get_combined_metrics() or {}
        part = {name[len(of):]: table[name] for name in table if name.startswith(of)}
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

    def stats(self):
        stats = Stats(self._model()["statistics"]["now"])
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
            name = {"compliance_framework_id": "compliance", "architecture": "arch"}.get(name, name)
            value = value if isinstance(value, (str, int)) else ",".join(map(str, value))
            option = "--" + name.replace("_id", "").replace("_", "-")
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

def track(function=None, *, file=None, report=None, **options):
    """Records each call of a function. .tracker is the last call's; file, report: written after each."""
    if function is None:
        return functools.partial(track, file=file, report=report, **options)
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
        raise TypeError(f"track: a call of {function.__name__} returns before its work is done")

    @functools.wraps(function)
    def wrapper(*arguments, **named):
        more = ["--name", function.__name__, *options.get("options", ())]
        wrapper.tracker = tracker = ResourceTracker(**{**options, "options": more})
        try:
            with tracker:
                return function(*arguments, **named)
        finally:
            file and tracker.dump(file)
            report and tracker.report().save(report)
    return wrapper

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
        if self._files:
            raise RtrackError("Cannot start tracking when tracking has already started or stopped.")
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
