"""The names of the package resource_tracker: "import rtrack.resource_tracker as resource_tracker". docs/python.md"""
import sys
from . import (PidTracker, ProcessTracker, ResourceTracker, StatSpec, SystemTracker, TinyDataFrame, get_cloud_info,
               get_server_info, helpers, tiny_data_frame)
from .helpers import aggregate_stats, render_csv_row, round_memory
from .page import Text as Report
from .procfs import get_pid_children, get_pid_proc_io, get_pid_proc_times, get_pid_pss_rollup, get_pid_rss

tracker = sys.modules[__name__]  # its module of the same names

def __getattr__(name):
    if name == "__version__": return getattr(sys.modules[__package__], name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
