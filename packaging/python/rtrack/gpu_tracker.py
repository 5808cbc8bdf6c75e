"""The names of the package gpu_tracker: "import rtrack.gpu_tracker as gput". docs/python.md"""
import contextlib, dataclasses, enum, gzip, json, os, sys
from . import RtrackError, SubTracker, _marks, _Recording, _run, _written, sub_track
from .page import Text

def _zeros(kind): return dataclasses.field(default_factory=kind)

@dataclasses.dataclass
class RSSValues:
    """In the unit of MaxRAM. Here and below None is what was not measured."""
    total_rss: float = 0.0
    private_rss: float = 0.0
    shared_rss: float = 0.0

@dataclasses.dataclass
class MaxRAM:
    unit: str
    system_capacity: float
    system: float = 0.0
    main: RSSValues = _zeros(RSSValues)
    descendants: RSSValues = _zeros(RSSValues)
    combined: RSSValues = _zeros(RSSValues)

@dataclasses.dataclass
class MaxGPURAM:
    """system: of all GPUs of the machine, whichever are tracked."""
    unit: str
    system_capacity: float
    system: float = 0.0
    main: float = 0.0
    descendants: float = 0.0
    combined: float = 0.0

@dataclasses.dataclass
class ProcessingUnitPercentages:
    """A sum of 100 is one unit; hardware is the sum over the number of units."""
    max_sum_percent: float = 0.0
    max_hardware_percent: float = 0.0
    mean_sum_percent: float = 0.0
    mean_hardware_percent: float = 0.0

@dataclasses.dataclass
class CPUUtilization:
    system_core_count: int
    n_expected_cores: int
    system: ProcessingUnitPercentages = _zeros(ProcessingUnitPercentages)
    main: ProcessingUnitPercentages = _zeros(ProcessingUnitPercentages)
    descendants: ProcessingUnitPercentages = _zeros(ProcessingUnitPercentages)
    combined: ProcessingUnitPercentages = _zeros(ProcessingUnitPercentages)
    main_n_threads: int = 0
    descendants_n_threads: int = 0
    combined_n_threads: int = 0

@dataclasses.dataclass
class GPUUtilization:
    system_gpu_count: int
    n_expected_gpus: int
    gpu_percentages: ProcessingUnitPercentages = _zeros(ProcessingUnitPercentages)

@dataclasses.dataclass
class ComputeTime:
    unit: str
    time: float = 0.0

@dataclasses.dataclass
class ResourceUsage:
    max_ram: MaxRAM
    max_gpu_ram: MaxGPURAM
    cpu_utilization: CPUUtilization
    gpu_utilization: GPUUtilization
    compute_time: ComputeTime

def _made(kind, values):
    """An object of one of these classes, of the dictionary of to_json()."""
    return kind(**{field.name: _made(field.type, values[field.name]) if dataclasses.is_dataclass(field.type)
                   else values[field.name] for field in dataclasses.fields(kind)})

def _counted(argument, gpus):
    """The option for these GPUs, UUIDs or a brand, if this machine has them."""
    machine = {"rtrack": {"format": 2, "gpus": json.loads(_run("rtrack-collect", "--info=json", "--no-discover-cloud"))["gpus"]},
               "process_metrics": [{"timestamp": 1, "cpu_usage": 0}]}
    try:
        with _written(gzip.compress(json.dumps(machine).encode())) as path:
            _run("rtrack-report", "--offline", "--template", "@gpu_tracker.json", "--gpu", gpus, path)
    except RtrackError:
        raise ValueError(f"{argument}: this machine has no GPU of {gpus}") from None
    return ["--gpu=" + gpus]

class Tracker(_Recording):
    """What was used, as gpu_tracker's dictionary, data classes and text."""
    class State(enum.Enum):
        NEW, STARTED, STOPPED = range(3)

    def __init__(self, sleep_time=1.0, ram_unit="gigabytes", gpu_ram_unit="gigabytes", time_unit="hours",
                 n_expected_cores=None, gpu_uuids=None, disable_logs=False, process_id=None, resource_usage_file=None,
                 n_join_attempts=5, join_timeout=10.0, gpu_brand=None, kill_if_join_fails=False):
        memory, times = "bytes kilobytes megabytes gigabytes terabytes".split(), "seconds minutes hours days".split()
        for unit, valid in (ram_unit, memory), (gpu_ram_unit, memory), (time_unit, times):
            if unit not in valid:
                raise ValueError(f'"{unit}" is not a valid unit. Valid values are {", ".join(valid)}')
        if gpu_uuids is not None and not gpu_uuids:
            raise ValueError("gpu_uuids is empty")
        if n_expected_cores is not None and not n_expected_cores >= 1:
            raise ValueError(f"n_expected_cores is {n_expected_cores}, and must be at least 1")
        if gpu_brand not in (None, "nvidia", "amd", "intel"):
            raise ValueError(f"gpu_brand is nvidia, amd or intel, not {gpu_brand!r}")
        cores = [f"--expected-cores={n_expected_cores}"] * (n_expected_cores is not None)
        units = f"--ram-unit={ram_unit}", f"--gpu-ram-unit={gpu_ram_unit}", f"--time-unit={time_unit}"
        gpus = _counted("gpu_uuids", ",".join(gpu_uuids)) if gpu_uuids else _counted("gpu_brand", gpu_brand) if gpu_brand else []
        self._collect = ["--pid", process_id or os.getpid(), "-i", sleep_time]  # of all GPUs: so is the memory of the machine
        self._report, self._quiet = ["--offline", *units, *cores, *gpus], disable_logs

    def start(self):
        self._start(*self._collect)
        return self

    __enter__ = start

    @property
    def state(self):
        if not self._files: return self.State.NEW
        return self.State.STARTED if self._files.fifo in _marks else self.State.STOPPED

    def stop(self):
        if self.state != self.State.STARTED:
            raise RtrackError(f"Cannot stop: it has {'already stopped' if self._files else 'not started'}.")
        self.__exit__(None, None, None)

    def to_json(self): return json.loads(self._ask("--template", "@gpu_tracker.json", *self._report))

    def __str__(self): return self._ask("--template", "@gpu_tracker.txt", *self._report)

    def save(self, file, format="text"):
        Text(json.dumps(self.to_json(), indent=1) if format == "json" else str(self)).save(file)

    resource_usage = property(lambda self: self._files and _made(ResourceUsage, self.to_json()))

tracker = sys.modules[__name__ + ".tracker"] = sys.modules[__name__]  # its module of the same names
