"""The names of the package resource_tracker: "import rtrack.resource_tracker as resource_tracker". docs/python.md"""
import sys
from . import (PidTracker, ProcessTracker, ResourceTracker, StatSpec, SystemTracker, TinyDataFrame, dummy_workloads,
               get_cloud_info, get_server_info, helpers, keeper, procfs, report, tiny_data_frame)
from .helpers import aggregate_stats, render_csv_row, round_memory
from .keeper import get_instance_price, get_recommended_cloud_servers
from .procfs import (get_pid_children, get_pid_proc_io, get_pid_proc_times, get_pid_pss_rollup, get_pid_rss, get_pid_stats,
                     get_process_stats, get_system_stats, is_partition)
from .report import Report

tracker = sys.modules[__name__]
tracker_procfs = tracker_psutil = procfs
for _name in ("tracker", "helpers", "keeper", "report", "tiny_data_frame", "dummy_workloads", "tracker_procfs",
              "tracker_psutil"):
    sys.modules[f"{__name__}.{_name}"] = globals()[_name]  # its modules, under the names that they have there

def __getattr__(name):
    if name == "__version__": return getattr(sys.modules[__package__], name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
