"""Helpers with the names that resource-tracker's documents give them, and those that this module itself needs."""
import csv, io, json, math, os, re, stat, statistics, sys, tempfile, time, warnings

def render_csv_row(row, **options):
    """A row of CSV as bytes. options: those of csv.writer."""
    text = io.StringIO(newline="")
    csv.writer(text, **options).writerow(row)
    return text.getvalue().encode()

def round_memory(mb):
    """The next of 128, 256, 512, 1024 and 2048 MiB, then of whole GiB; an int."""
    return next((step for step in (128, 256, 512, 1024, 2048) if mb <= step), math.ceil(mb / 1024) * 1024)

def aggregate_stats(stats):
    """One dictionary of what stats() of several runs returned: the mean of means and durations, the most of all others.
    What a run did not measure (None) is passed over."""
    found = {}
    for run in stats:
        for column, values in run.items():
            for name, value in values.items():
                found.setdefault(column, {}).setdefault(name, []).extend([] if value is None else [value])
    return {column: {name: None if not values else statistics.mean(values) if name in ("mean", "duration") else max(values)
                     for name, values in of.items()} for column, of in found.items()}

_OF_0_5 = {"process_memory_mib": ("process_memory", 1024), "process_gpu_vram_mib": ("process_gpu_vram", 1)}

def _amount(value, factor):
    value = math.nan if value is None else float(value) * factor
    return value if math.isfinite(value) else None

def recording_of(stats, name):
    """What stats() returned, as the JSON of a recording of which nothing else is known but the name of its job."""
    columns = {}
    for column, values in stats.items():
        column, factor = _OF_0_5.get(column, (column, 1))
        try:
            columns[column] = {"n": 1, **{kind: _amount(value, factor) for kind, value in values.items()}}
        except (AttributeError, TypeError, ValueError):
            raise TypeError(f"historical_stats: {column} has no statistics, as stats() returns them: {values!r}") from None
    if not {"process_memory", "process_cpu_usage", "timestamp"} & set(columns):
        raise TypeError("historical_stats: this is nothing that stats() returns")
    duration = columns.pop("timestamp", {}).get("duration")
    times = {"n": 1, "first": None, "last": None}
    return json.dumps({
        "metadata": {"version": 1, "duration": duration}, "server_info": {}, "cloud_info": {},
        "rtrack": {"format": 2, "job": {"name": name}, "samples": {"process": times, "system": times}, "statistics": columns},
        "process_metrics": {}, "system_metrics": {}})

def server(row, currency):
    """The price service's record of a server of the model's prices; where it is not known, what the model has of it."""
    if row.get("record"): return {"currency": currency, **row["record"]}
    names = {"cpus": "vcpus", "gpus": "gpu_count", "price_ondemand": "min_price_ondemand", "price_spot": "min_price_spot"}
    return {"vendor_id": row["vendor"], "server_id": row.get("server_id"), "name": row["server"],
            "api_reference": row.get("api_reference"), "cpu_architecture": row["arch"],
            **{theirs: row[ours]["value"] for ours, theirs in names.items()},
            "memory_amount": row["memory"]["value"] // 2**20, "currency": currency}

def warn(text):
    """Warns, and never raises: it comes after somebody's work. With "-W error" it is a line on standard error."""
    try:
        warnings.warn(text, stacklevel=4)
    except Exception:
        try:
            sys.stderr.write(f"rtrack: {text}\n")
        except Exception:
            pass  # there is no standard error

def file_name(pattern, name):
    """The name of a file by the letters of "rtrack-collect --output" that are known here; name: of the job."""
    known = {"h": lambda: os.uname().nodename, "p": lambda: str(os.getpid()), "n": lambda: name,
             "t": lambda: time.strftime("%Y%m%dT%H%M%SZ", time.gmtime()), "%": lambda: "%"}

    def value(match):
        if match[1] not in known:
            raise ValueError(f'"{pattern}": % needs one of {", ".join(known)} after it')
        text = known[match[1]]()
        return text if match[1] == "%" else re.sub(rb"[^A-Za-z0-9.-]", b"_", text.encode()).decode()[:64]

    return re.sub(r"(?s)%(.?)", value, os.fsdecode(pattern))

def check_writable(path):
    """Raises the OSError that writing the file would raise, as far as it can be known before; changes nothing."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        folder = os.path.dirname(path) or "."
        try:
            tempfile.TemporaryFile(dir=folder).close()
        except OSError as why:
            why.filename = folder
            raise
        return
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):  # others, such as a FIFO, may wait for a reader
        os.close(os.open(path, os.O_WRONLY))
