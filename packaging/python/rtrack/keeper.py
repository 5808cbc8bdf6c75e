"""What resource-tracker asks of the price service, with the names of its module keeper. docs/python.md"""
import gzip, json
from . import RtrackError, _filters, _run, _written
from .helpers import server

def _prices(job, cloud, *options):
    """The prices of the report on a job, of which there is one row, in a cloud."""
    recording = {"metadata": {"version": 1}, "server_info": {}, "cloud_info": cloud,
                 "process_metrics": [{"timestamp": 1, **job}], "system_metrics": []}
    with _written(gzip.compress(json.dumps(recording).encode())) as path:
        return json.loads(_run("rtrack-report", "--json", "-", "--rules=resource-tracker", *options, "--", path))["prices"]

def get_recommended_cloud_servers(cpu, memory, gpu=None, vram=None, n=10, **filters):
    """The n cheapest servers with so many CPUs and GPUs and so much memory and VRAM (MiB, in steps of round_memory()), as
    recommend_server() returns one. filters: the same."""
    needed = 0.99999 / 1.2  # of the peak: what is looked for has 20 % more
    job = {"cpu_usage": cpu, "memory": memory * 1024 * needed, "gpu_usage": gpu or 0, "gpu_vram": (vram or 0) * needed}
    prices = _prices(job, {}, f"--servers={n}", "--keeper-records", *_filters(filters))
    if not prices["servers"]: raise RtrackError(prices["why"])
    return [server(row, prices["currency"]) for row in prices["servers"]]

def get_instance_price(vendor_id, region_id, instance_type):
    """Its price for an hour on demand in USD; None: not known."""
    cloud = {"vendor": vendor_id, "region": region_id, "instance_type": instance_type}
    present = _prices({"cpu_usage": 1}, cloud).get("present")
    return present and present["price_ondemand"] and present["price_ondemand"]["value"]
