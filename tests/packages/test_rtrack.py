"""Tests of the module rtrack, and of the wheel that it is in. tests/packages/python.sh runs them in a virtual
environment in which the wheel is installed; KEEPER is the address of a stub of the price service."""
import asyncio
import atexit
import contextlib
import csv
import dataclasses
import gc
import importlib
import inspect
import gzip
import html
import io
import json
import multiprocessing
import os
import pathlib
import pickle
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest
import unittest.mock
import warnings

import rtrack
from rtrack import (PidTracker, ProcessTracker, ResourceTracker, StatSpec, SubTracker, SystemTracker, TinyDataFrame,
                    Tracker, get_cloud_info, get_server_info, sub_track, track)
from rtrack.tiny_data_frame import columns_of

STATS = {"process_cpu_usage": {"mean", "max"}, "process_memory": {"mean", "max"},
         "process_gpu_usage": {"mean", "max"}, "process_gpu_vram": {"mean", "max"},
         "process_gpu_utilized": {"mean", "max"}, "system_disk_space_used_gb": {"max"},
         "system_net_recv_bytes": {"sum"}, "system_net_sent_bytes": {"sum"}, "timestamp": {"duration"}}
PROCESS = ["timestamp", "pid", "children", "utime", "stime", "cpu_usage", "memory", "read_bytes",
           "write_bytes", "gpu_usage", "gpu_vram", "gpu_utilized"]
SYSTEM = ["timestamp", "processes", "utime", "stime", "cpu_usage", "memory_free", "memory_used",
          "memory_buffers", "memory_cached", "memory_active", "memory_inactive", "disk_read_bytes",
          "disk_write_bytes", "disk_space_total_gb", "disk_space_used_gb", "disk_space_free_gb",
          "net_recv_bytes", "net_sent_bytes", "gpu_usage", "gpu_vram", "gpu_utilized"]


def burn(seconds):
    """One core, measured by its own CPU time, as others may use this machine."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def folders():
    return {name for name in os.listdir(tempfile.gettempdir()) if name.startswith("rtrack-py-")}


def python(code, **more):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, **more)


def is_gone(pid):
    """Whether a process has ended; what nobody waits for may remain as a zombie in a container."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
            return stat.read().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def wait_until(condition):
    end = time.monotonic() + 30
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("waited in vain")
        time.sleep(0.02)


def kill_before_samples(tracker):
    """As if the recorder had been killed before its first sample."""
    tracker._files.recorder.kill()
    wait_until(lambda: not tracker.running)
    with open(tracker._journal, "r+b") as journal:
        journal.truncate(len(journal.readline() + journal.readline()))


class Case(unittest.TestCase):
    def setUp(self):
        self.folders = folders()
        self.mark = os.environ.get("RTRACK_MARK")

    def tearDown(self):
        gc.collect()
        self.assertEqual(folders() - self.folders, set(), "temporary files are left")
        self.assertEqual(os.environ.get("RTRACK_MARK"), self.mark)
        children = subprocess.run(["ps", "-o", "comm=", "--ppid", str(os.getpid())],
                                  capture_output=True, text=True).stdout.split()
        self.assertNotIn("rtrack-collect", children)


class Installed(Case):
    def test_where(self):
        self.assertTrue(rtrack.__file__.startswith(sys.prefix + "/lib"), rtrack.__file__)
        for name in "rtrack-collect", "rtrack-report":
            self.assertEqual(rtrack.program(name), os.path.join(sys.prefix, "bin", name))

    def test_without_path(self):
        done = python("import rtrack; t = rtrack.ResourceTracker(); t.stop(); print(t.recommend_resources())",
                      env={"PATH": "/nowhere"}, cwd="/")
        self.assertEqual((done.stdout[:6], done.stderr), ("{'cpu'", ""))

    def test_missing_programs(self):
        done = python("import sysconfig, sys\nsysconfig.get_path = lambda *a: '/nowhere'\nsys.executable = '/none/py'\n"
                      "import rtrack\nrtrack.ResourceTracker()", env={"PATH": "/nowhere"}, cwd="/")
        self.assertIn("rtrack.RtrackError: rtrack-collect is not found: neither in /nowhere nor on PATH", done.stderr)


class Examples(Case):
    """What the documents of resource-tracker show."""

    def test_quick_example(self):
        tracker = ResourceTracker(interval=0.1)
        self.assertTrue(tracker.running)
        begin = time.monotonic()
        burn(2)
        wall = time.monotonic() - begin
        tracker.stop()
        self.assertFalse(tracker.running)
        process, system, both = tracker.process_metrics, tracker.system_metrics, tracker.get_combined_metrics()
        self.assertEqual(process.columns[:12], PROCESS)
        self.assertEqual(system.columns[:21], SYSTEM)
        self.assertEqual(both.columns[:3], ["timestamp", "system_processes", "system_utime"])
        self.assertEqual(len(process), len(both))
        self.assertEqual(len(both), tracker.n_samples)
        self.assertEqual(set(process["pid"]), {os.getpid()})
        stats = tracker.stats()
        self.assertEqual({name: set(stats[name]) for name in STATS}, STATS)
        self.assertEqual(stats["timestamp"]["duration"], round(stats["timestamp"]["duration"], 2))
        # About 2 s of CPU time: of one core, had nobody else wanted it.
        self.assertAlmostEqual(stats["process_cpu_usage"]["mean"] * stats["timestamp"]["duration"], 2, delta=0.3)
        self.assertAlmostEqual(stats["process_cpu_usage"]["mean"], 2 / wall, delta=0.15)
        used = sum(process["utime"]) + sum(process["stime"])
        self.assertAlmostEqual(used, 2, delta=0.3)
        self.assertEqual(tracker.recommend_resources(), {"cpu": 1, "memory": 128, "gpu": 0, "vram": 0})

    def test_live(self):
        tracker = ResourceTracker(interval=0.1)
        tracker.process_metrics
        tracker.wait_for_samples(3)
        before = max(tracker.process_metrics["memory"])
        big = bytearray(200 * 1024 * 1024)
        burn(0.5)
        table = tracker.process_metrics
        # The newest row may hold the rtrack-report that was asked for it.
        self.assertAlmostEqual(min(table.tail(4)["memory"]) - before, 200 * 1024, delta=8192)
        last = table.tail(1)
        self.assertEqual(len(last), 1)
        self.assertRegex(repr(last), r"^TinyDataFrame with 1 rows and \d+ columns. First row as a dict: \{'timestamp': ")
        self.assertEqual(tracker.server_info["vcpus"], os.cpu_count())
        self.assertEqual(set(tracker.cloud_info), {"vendor", "instance_type", "region", "discovery_time"})
        self.assertEqual(tracker.snapshot()["metadata"]["pid"], os.getpid())
        live = tracker.stats()["process_memory"]["max"]
        n = tracker.n_samples
        del big
        tracker.stop()
        self.assertGreaterEqual(tracker.n_samples, n)
        self.assertGreater(sum(tracker.process_metrics["utime"]) / len(tracker.process_metrics["utime"]), 0)
        # The statistic knows of peaks between two rows.
        self.assertGreaterEqual(tracker.stats()["process_memory"]["max"], live)
        self.assertEqual(tracker.recommend_resources()["memory"], 512)

    def test_doubling_in_two_processes(self):
        tracker = ResourceTracker(interval=0.1)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            pool.map(burn, [1, 1])
            wall = tracker.stats()["timestamp"]["duration"]
        tracker.stop()
        cpu = sum(tracker.process_metrics["utime"]) + sum(tracker.process_metrics["stime"])
        self.assertAlmostEqual(cpu, 2, delta=0.4)
        self.assertGreaterEqual(max(tracker.process_metrics["children"]), 2)
        self.assertGreater(wall, 0.9)

    def test_no_samples_yet(self):
        tracker = ResourceTracker(interval=60)
        kill_before_samples(tracker)
        self.nothing_yet(tracker)
        with self.assertRaisesRegex(RuntimeError, "in vain"):
            tracker.wait_for_samples(timeout=0.2)
        with self.assertWarnsRegex(UserWarning, "no complete sample; there is no recording$"):
            tracker.stop()
        tracker.stop()
        self.nothing_yet(tracker)
        tracker = ResourceTracker(autostart=False)
        self.nothing_yet(tracker)
        self.assertEqual((tracker.start_time, tracker.stop_time, tracker.running), (None, None, False))

    def nothing_yet(self, tracker):
        for table in tracker.process_metrics, tracker.system_metrics, tracker.get_combined_metrics():
            self.assertEqual((type(table), table.columns, len(table)), (TinyDataFrame, [], 0))
        self.assertEqual((tracker.n_samples, tracker.server_info, tracker.cloud_info), (0, None, None))
        for specs in None, [StatSpec("process_memory", max)]:
            with self.assertRaisesRegex(RuntimeError, "^No metrics collected yet$"):
                tracker.stats(specs)

    def test_combined(self):
        with ResourceTracker(interval=0.1) as tracker:
            burn(0.3)
        human = tracker.get_combined_metrics(bytes=True, human_names=True)
        self.assertEqual(human.columns[0], "Timestamp")
        for name in "System free memory", "System CPU usage", "Process CPU usage", "Process memory usage":
            self.assertIn(name, human.columns)
        plain = tracker.get_combined_metrics(system_prefix="m.", process_prefix="")
        self.assertIn("m.memory_free", plain.columns)
        self.assertIn("cpu_usage", plain.columns)
        in_bytes = tracker.get_combined_metrics(bytes=True)["process_memory"]
        self.assertEqual([value // 1024 for value in in_bytes], tracker.process_metrics["memory"])

    def test_workloads(self):
        from rtrack.resource_tracker.dummy_workloads import cpu_multi, cpu_single
        before = os.times()
        cpu_single(duration=0.1)
        cpu_multi(duration=0.2, ncores=2)
        after = os.times()
        self.assertGreater(after.user - before.user, 0.01)
        self.assertGreater(after.children_user - before.children_user, 0.02)

    def test_table_of_a_recording(self):
        with ResourceTracker(interval=0.1) as tracker:
            burn(0.3)
        table = tracker.process_metrics
        self.assertEqual(table[0]["pid"], os.getpid())
        self.assertEqual(len(table[1:3]), 2)
        self.assertEqual(table.to_csv().splitlines()[0].split(",")[:2], ['"timestamp"', '"pid"'])
        rows = tracker.snapshot()["process_metrics"]
        self.assertEqual([{name: row[name] for name in PROCESS} for row in rows],
                         [{name: row[name] for name in PROCESS} for row in table])
        known = tracker.snapshot()["metadata"]
        self.assertAlmostEqual(tracker.start_time, known["start_time"], delta=0.5)
        self.assertAlmostEqual(tracker.stop_time, known["stop_time"], delta=0.5)
        self.assertEqual(json.loads(json.dumps(table))["memory"], table["memory"])
        self.assertEqual([row["memory"] for row in table], table["memory"])
        later = tracker.get_combined_metrics(offset=1)
        self.assertEqual(later, tracker.get_combined_metrics()[1:])
        self.assertEqual(tracker.get_combined_metrics(offset=1000), TinyDataFrame([]))

    def test_stats_of_specs(self):
        with ResourceTracker(interval=0.1) as tracker:
            burn(0.5)
        table, usual = tracker.get_combined_metrics(), tracker.stats()
        stats = tracker.stats([
            StatSpec("process_memory", max), StatSpec(column="process_cpu_usage", agg=statistics.mean, round=1),
            StatSpec("timestamp", lambda times: max(times) - min(times), agg_name="duration", round=2)])
        self.assertEqual(stats["process_memory"], {"max": max(table["process_memory"])})
        # The usual one knows of peaks between two rows.
        self.assertLessEqual(stats["process_memory"]["max"], usual["process_memory"]["max"])
        self.assertEqual(stats["process_cpu_usage"], {"mean": round(statistics.mean(table["process_cpu_usage"]), 1)})
        self.assertAlmostEqual(stats["timestamp"]["duration"], usual["timestamp"]["duration"], delta=0.25)
        self.assertEqual(tracker.recommend_resources([stats]), tracker.recommend_resources([tracker]))
        with self.assertWarnsRegex(UserWarning, "nowhere.* is left out: KeyError") as caught:
            self.assertEqual(list(tracker.stats([StatSpec("nowhere", max), StatSpec("process_memory", lambda cells: 1 / 0),
                                                 StatSpec("process_memory", max)])["process_memory"]), ["max"])
        self.assertIn("ZeroDivisionError", str(caught.warnings[1].message))

    def test_keep_and_load(self):
        with ResourceTracker(interval=0.1) as tracker:
            burn(0.3)
        with tempfile.TemporaryDirectory() as folder:
            tracker.dump(folder + "/a.json.gz")
            loaded = ResourceTracker.load(folder + "/a.json.gz")
        self.assertEqual(loaded.dumps(), tracker.dumps())
        self.assertFalse(loaded.running)
        for again in loaded, ResourceTracker.loads(tracker.dumps()), ResourceTracker.from_snapshot(tracker.snapshot()):
            self.assertEqual(again.stats(), tracker.stats())
            self.assertEqual(again.recommend_resources(), tracker.recommend_resources())
            self.assertEqual(again.process_metrics, tracker.process_metrics)
            self.assertEqual(again.pid, os.getpid())
            self.assertEqual(repr(again), repr(tracker))
            known = tracker.snapshot()["metadata"]
            self.assertEqual((again.start_time, again.stop_time), (known["start_time"], known["stop_time"]))
            self.assertIn("<html", again.report(offline=True)[:400])

    @unittest.skipUnless(os.environ.get("RTRACK_SHARED"), "no recordings of the package itself are here")
    def test_recordings_of_the_package(self):
        for version in "0.4.2", "0.5.0":
            name = f"{os.environ['RTRACK_SHARED']}/fixtures/runs/resource-tracker-{version}"
            tracker = ResourceTracker.load(name + ".json.gz")
            with open(name + ".expected.json", encoding="utf-8") as file:
                said = json.load(file)
            stats = tracker.stats()
            for column, values in said["stats"].items():
                # In 0.5 memory is in MiB and space in GB; stats() is in the units of 0.4.
                if version == "0.4.2" or column in ("process_cpu_usage", "timestamp"):
                    self.assertEqual(stats[column], values, (version, column))
            self.assertEqual(tracker.n_samples, said["n_process"])
            if version == "0.4.2":
                self.assertEqual(tracker.recommend_resources(), said["recommend_resources"])

    def test_history(self):
        runs = []
        for size in 300, 10:
            with ResourceTracker(interval=0.1) as tracker:
                block = bytearray(size * 1024 * 1024)
                time.sleep(0.3)
                del block
            runs.append(tracker)
        alone, beside = runs[1].recommend_resources(), runs[1].recommend_resources([runs[0].stats()])
        self.assertEqual((alone["memory"], beside["memory"]), (128, 512))
        self.assertEqual(runs[1].recommend_resources([runs[0]]), beside)
        past = json.loads(json.dumps(runs[0].stats()))
        runs.pop(0).cleanup()
        gc.collect()
        self.assertEqual(runs[0].recommend_resources([past]), beside)
        self.assertEqual(runs[0].recommend_resources([past], rules="rtrack")["memory"], beside["memory"])
        self.assertIn("Against the median of 1 earlier run", runs[0].report(historical_stats=[past], offline=True))
        # By the rules of the documents.
        past["process_cpu_usage"]["mean"] = 6.75
        both = rtrack.aggregate_stats([runs[0].stats(), past])
        self.assertEqual(runs[0].recommend_resources([past]), {
            "cpu": max(1, round(both["process_cpu_usage"]["mean"])), "gpu": 0, "vram": 0,
            "memory": rtrack.round_memory(mb=both["process_memory"]["max"] * 1.2 / 1024)})
        past["process_cpu_usage"]["mean"] = round(5 - runs[0].stats()["process_cpu_usage"]["mean"], 2)
        self.assertEqual(runs[0].recommend_resources([past])["cpu"], 2)  # 2.5, also where the mean was 0.504
        past = {"process_cpu_usage": {"mean": 1, "max": 1.5}, "process_memory_mib": {"mean": 2000, "max": 2000.5}}  # of 0.5
        self.assertEqual(runs[0].recommend_resources([past])["memory"], 3072)

    def test_history_that_is_none(self):
        with ResourceTracker(interval=0.1) as tracker:
            burn(0.2)
        for wrong in ([{}], [{"process_memory": 3}], [{"process_memory": {"max": "x"}}], [{"a": {"mean": 1}}], [3], "a",
                      {"a": {}}):
            with self.assertRaises(TypeError):
                tracker.recommend_resources(wrong)
        with self.assertRaisesRegex(RuntimeError, "nowhere: No such file"):
            tracker.recommend_resources(["nowhere"])
        self.assertEqual(tracker.recommend_resources(None), tracker.recommend_resources())
        with self.assertRaisesRegex(ValueError, "rules are"):
            tracker.recommend_resources(rules="mine")
        with ResourceTracker(interval=0.1, options=["--name", "another"]) as other:
            burn(0.2)
        with self.assertWarnsRegex(UserWarning, "is not used: "):
            tracker.recommend_resources([other])

    @unittest.skipUnless(os.environ.get("KEEPER"), "Node is not here for the stub of the price service")
    def test_server(self):
        os.environ["RTRACK_KEEPER_URL"] = os.environ["KEEPER"]
        self.addCleanup(os.environ.pop, "RTRACK_KEEPER_URL")
        with tempfile.TemporaryDirectory() as folder, ResourceTracker(interval=0.1) as tracker:
            os.environ["XDG_CACHE_HOME"] = folder
            time.sleep(0.2)  # a job that burns CPU waits on a busy machine, and is advised to ask for more CPUs
            tracker.stop()
            server = tracker.recommend_server()
            self.assertEqual((server["vendor_id"], server["server_id"], server["vcpus"], server["memory_amount"],
                              server["min_price_ondemand"], server["currency"]),
                             ("upcloud", "1xCPU-4GB", 1, 4096, 0.001, "USD"))
            # It is the service's record, whole, and its parameters are filters.
            with open(os.environ["SERVERS"]) as file:
                rows = {row["server_id"]: row for row in json.load(file)}
            self.assertEqual(server, {"currency": "USD", **rows["1xCPU-4GB"]})
            for filters in ({"vcpus_min": 2}, {"memory_min": 4.0, "vcpus_min": 2, "gpu_min": 0, "limit": 3},
                            {"vcpus_min": 2, "vcpus_max": 2, "gpu_memory_total": None}):
                server = tracker.recommend_server(**filters)
                self.assertEqual(server, {"currency": "USD", **rows[server["server_id"]]})
                self.assertGreaterEqual(server["vcpus"], 2)
            for name in "cpu_manufacturer", "cpu_family", "gpu_manufacturer", "gpu_family", "gpu_model", "storage_type":
                with self.assertRaisesRegex(RuntimeError, f"{name}=none of them or x"):  # the stub drops it, and no row has it
                    tracker.recommend_server(**{name: ["none of them", "x"]})
            for name in "storage_size", "gpu_memory_min":
                with self.assertRaisesRegex(RuntimeError, f"{name}=1"): tracker.recommend_server(**{name: 1})
            for name, value in {"vcpus_min": 1.5, "memory_min": -1, "gpu_min": "two", "storage_size": [1, 2], "cpu_family": "",
                                "limit": 65}.items():
                with self.assertRaisesRegex(ValueError, "vcpus_min|memory_min|gpu_min|twice|give a name|--servers: 65", msg=name):
                    tracker.recommend_server(**{name: value})
            self.assertEqual(tracker.recommend_server(vendor_id=["hcloud"], spot=True)["vendor_id"], "hcloud")
            for name in "compliance_framework", "compliance_framework_id", "compliance":
                tracker.recommend_server(**{name: "hipaa"}, spot=False, regions=None)
                with self.assertRaisesRegex(ValueError, r'--compliance: unknown value "hippa"; did you mean hipaa\?'):
                    tracker.recommend_server(**{name: ["iso27001", "hippa"]})
            for other in "output", "json", "title", "catalog", "vendors_of_mine", "servers", "order_by":
                with self.assertRaisesRegex(TypeError, f"^recommend_server: {other} is none of the filters: vendor, "):
                    tracker.recommend_server(**{other: folder + "/written"})
            keeper = importlib.import_module("rtrack.resource_tracker.keeper")
            servers = keeper.get_recommended_cloud_servers(1, 4096, n=3, vendor_id="hcloud")
            self.assertTrue(all(row["memory_amount"] >= 4096 and row["vendor_id"] == "hcloud" for row in servers), servers)
            self.assertEqual(servers, [{"currency": "USD", **rows[row["server_id"]]} for row in servers])
            self.assertEqual(keeper.get_instance_price("hcloud", "2", "cx-two"), 0.013)
            self.assertIsNone(keeper.get_instance_price("aws", "us-west-2", "none.large"))
            server = tracker.recommend_server(best_price_allocation="SPOT_ONLY", vendor="hcloud")
            self.assertEqual(server["vendor_id"], "hcloud")
            with self.assertRaises(ValueError):
                tracker.recommend_server(best_price_allocation="MONTHLY")
            # What recommend_resources() says is what is looked for, by either rules.
            past = {"process_cpu_usage": {"mean": 5}, "process_memory": {"max": 1}}
            for rules in "resource-tracker", "rtrack":
                need = tracker.recommend_resources([past, past], rules=rules)
                server = tracker.recommend_server([past, past], rules=rules)
                self.assertGreaterEqual(server["vcpus"], need["cpu"], rules)
                if rules == "resource-tracker": self.assertEqual(need["cpu"], 3)
            self.assertNotIn("written", os.listdir(folder))
            with self.assertRaisesRegex(RuntimeError, "unknown value"):
                tracker.recommend_server(vendor_id="nobody")
            page = tracker.report()
            self.assertIn("1xCPU-4GB", page)
            page.save(folder + "/page.html")
            with open(folder + "/page.html", encoding="utf-8") as file:
                self.assertEqual(file.read(), page)
            self.assertIs(type(page.save(folder + "/page.html")), type(page))

    def test_browse(self):
        with ResourceTracker(interval=0.1) as tracker:
            burn(0.1)
        with tempfile.TemporaryDirectory() as folder:
            tracker.dump(folder + "/a.json.gz")
            done = python("import rtrack, webbrowser\nwebbrowser.open = lambda url: print(open(url[7:]).read()[:15])\n"
                          f"rtrack.ResourceTracker.load({folder + '/a.json.gz'!r}).report(offline=True).browse()",
                          env={**os.environ, "TMPDIR": folder})
        self.assertEqual((done.stdout.strip().lower(), done.stderr), ("<!doctype html>", ""))

    def test_parts_of_it(self):
        with ResourceTracker(interval=0.1, track_system=False, discover_cloud=False) as tracker:
            burn(0.2)
        self.assertEqual(tracker.system_metrics, TinyDataFrame([]))
        self.assertIsNone(tracker.cloud_info)
        self.assertGreater(len(tracker.process_metrics), 0)
        with ResourceTracker(interval=0.1, track_processes=False) as tracker:
            burn(0.2)
        self.assertEqual(tracker.process_metrics, TinyDataFrame([]))
        self.assertGreater(len(tracker.system_metrics), 0)
        for recommend in tracker.recommend_resources, tracker.recommend_server:
            for rules in "resource-tracker", "rtrack":
                with self.assertRaisesRegex(RuntimeError, "nothing can be recommended: What the job used was not recorded"):
                    recommend(rules=rules)
        with self.assertRaisesRegex(RuntimeError, "leave nothing to record"):
            ResourceTracker(track_system=False, track_processes=False)

    def test_status_failed(self):
        with ResourceTracker(interval=0.1) as tracker:
            burn(0.2)
        self.assertIn(": finished · rtrack report</title>", tracker.report(offline=True))
        page = tracker.report(status_failed=True, offline=True)
        self.assertIn(": failed · rtrack report</title>", page)
        self.assertNotIn("exit status 0", page)

    def test_children_left_out(self):
        with ResourceTracker(interval=0.1, children=False) as tracker:
            subprocess.run([sys.executable, "-c", "import time\nwhile time.process_time() < 1: pass"], check=True)
        self.assertLess(sum(tracker.process_metrics["utime"]), 0.5)
        self.assertEqual({*tracker.process_metrics["children"], tracker.snapshot()["process_metrics"][0]["children"]}, {None})


class Names(unittest.TestCase):
    """The names, arguments and defaults that the documents of resource-tracker 0.4 and gpu_tracker have: ... where a default
    is not a constant."""
    RESOURCE_TRACKER = {
        "ResourceTracker": {"pid": ..., "children": True, "interval": 1, "method": None, "autostart": True,
                            "track_processes": True, "track_system": True, "discover_server": True, "discover_cloud": True},
        "ResourceTracker.start": {}, "ResourceTracker.stop": {}, "ResourceTracker.snapshot": {}, "ResourceTracker.dumps": {},
        "ResourceTracker.from_snapshot": {"snapshot": ...}, "ResourceTracker.loads": {"s": ...},
        "ResourceTracker.dump": {"file": ...}, "ResourceTracker.load": {"file": ...},
        "ResourceTracker.get_combined_metrics": {"bytes": False, "human_names": False, "system_prefix": None,
                                                 "process_prefix": None},
        "ResourceTracker.stats": {"specs": ...}, "ResourceTracker.wait_for_samples": {"n": 1, "timeout": 5},
        "ResourceTracker.recommend_resources": {"historical_stats": ...},
        "ResourceTracker.recommend_server": {"historical_stats": ...},
        "ResourceTracker.report": {"integration": "standalone", "historical_stats": ..., "status_failed": False},
        "ProcessTracker": {"pid": ..., "start_time": ..., "interval": 1, "children": True, "autostart": True,
                           "output_file": None},
        "ProcessTracker.diff_stats": {}, "ProcessTracker.__call__": {},
        "ProcessTracker.start_tracking": {"output_file": None, "print_header": True},
        "PidTracker": {"pid": ..., "start_time": ..., "interval": 1, "children": True, "autostart": True, "output_file": None},
        "SystemTracker": {"start_time": ..., "interval": 1, "autostart": True, "output_file": None},
        "SystemTracker.diff_stats": {}, "SystemTracker.__call__": {},
        "SystemTracker.start_tracking": {"output_file": None, "print_header": True},
        "get_server_info": {}, "get_cloud_info": {}, "aggregate_stats": {}, "render_csv_row": {}, "round_memory": {"mb": ...},
        "tiny_data_frame.TinyDataFrame": {"data": None, "csv_file_path": None},
        "tiny_data_frame.StatSpec": {"column": ..., "agg": ..., "agg_name": None, "round": None},
        "tracker.ResourceTracker.report": {"integration": "standalone"}, "helpers.aggregate_stats": {},
        "Report.save": {"filepath": ...}, "Report.browse": {},
        "get_process_stats": {"pid": ..., "children": True}, "get_system_stats": {},
        "dummy_workloads.cpu_single": {}, "dummy_workloads.cpu_multi": {"duration": ..., "ncores": ...},
        "tracker_procfs.get_process_stats": {"pid": ..., "children": True}, "tracker_psutil.get_system_stats": {},
        "keeper.get_recommended_cloud_servers": {"cpu": ..., "memory": ..., "gpu": None, "vram": None, "n": ...},
        "keeper.get_instance_price": {}, "report.Report.save": {"filepath": ...},
        # of 0.1
        "is_partition": {"disk_name": ...}, "get_pid_stats": {"pid": ..., "children": True},
        "get_pid_children": {"pid": ...}, "get_pid_rss": {"pid": ...}, "get_pid_pss_rollup": {"pid": ...},
        "get_pid_proc_times": {"pid": ..., "children": True}, "get_pid_proc_io": {"pid": ...}}
    GPU_TRACKER = {
        "Tracker": {"sleep_time": 1.0, "ram_unit": "gigabytes", "gpu_ram_unit": "gigabytes", "time_unit": "hours",
                    "n_expected_cores": None, "gpu_uuids": None, "disable_logs": False, "process_id": None,
                    "resource_usage_file": None, "n_join_attempts": 5, "join_timeout": 10.0, "gpu_brand": None},
        "Tracker.start": {}, "Tracker.stop": {}, "Tracker.to_json": {}, "Tracker.__str__": {},
        "RSSValues": {"total_rss": 0.0, "private_rss": 0.0, "shared_rss": 0.0},
        "MaxRAM": {"unit": ..., "system_capacity": ..., "system": 0.0, "main": ..., "descendants": ..., "combined": ...},
        "MaxGPURAM": {"unit": ..., "system_capacity": ..., "system": 0.0, "main": 0.0, "descendants": 0.0, "combined": 0.0},
        "ProcessingUnitPercentages": {"max_sum_percent": 0.0, "max_hardware_percent": 0.0, "mean_sum_percent": 0.0,
                                      "mean_hardware_percent": 0.0},
        "CPUUtilization": {"system_core_count": ..., "n_expected_cores": ..., "system": ..., "main": ..., "descendants": ...,
                           "combined": ..., "main_n_threads": 0, "descendants_n_threads": 0, "combined_n_threads": 0},
        "GPUUtilization": {"system_gpu_count": ..., "n_expected_gpus": ..., "gpu_percentages": ...},
        "ComputeTime": {"unit": ..., "time": 0.0},
        "ResourceUsage": {"max_ram": ..., "max_gpu_ram": ..., "cpu_utilization": ..., "gpu_utilization": ...,
                          "compute_time": ...}}
    PROPERTIES = "n_samples", "server_info", "cloud_info", "process_metrics", "system_metrics", "running"

    def test_signatures(self):
        shim = importlib.import_module("rtrack.resource_tracker")
        for module, table in (shim, self.RESOURCE_TRACKER), (rtrack.gpu_tracker, self.GPU_TRACKER):
            for name, wanted in table.items():
                found = module
                for part in name.split("."):
                    found = getattr(found, part)
                arguments = inspect.signature(found).parameters
                ours = {key: value.default for key, value in arguments.items() if key not in (
                    "self", "row", "stats", "vendor_id", "region_id", "instance_type")}
                self.assertEqual(list(ours)[:len(wanted)], list(wanted), name)
                for key, default in wanted.items():
                    if default is not ...: self.assertEqual(ours[key], default, (name, key))
                for key in list(ours)[len(wanted):]:  # what only we have is never needed
                    self.assertTrue(ours[key] is not inspect.Parameter.empty or
                                    arguments[key].kind == inspect.Parameter.VAR_KEYWORD, (name, key))
        for name in self.PROPERTIES:
            self.assertIsInstance(getattr(shim.ResourceTracker, name), property)
        for name in "tracker", "helpers", "keeper", "report", "tiny_data_frame", "dummy_workloads", "tracker_procfs", "tracker_psutil":
            self.assertIs(importlib.import_module("rtrack.resource_tracker." + name), getattr(shim, name))
        for name in "tracker.ResourceTracker", "helpers.aggregate_stats", "keeper.get_instance_price", "report.Report":
            module, _, name = name.partition(".")
            self.assertTrue(hasattr(importlib.import_module("rtrack." + module), name))
        self.assertEqual(shim.__version__, rtrack.__version__)
        self.assertFalse(hasattr(shim, "nothing"))

    def test_now(self):
        shim, me = importlib.import_module("rtrack.resource_tracker"), os.getpid()
        burn(0.1)
        stats, times = shim.get_process_stats(me), os.times()
        self.assertEqual(list(stats), [name for name in PROCESS if name != "cpu_usage"])
        self.assertGreater(stats["utime"] + stats["stime"], sum(times[:4]) - 0.1)
        # The recorder does not count itself; multiprocessing may have left a helper.
        self.assertEqual((stats["pid"], stats["children"]), (me, len(shim.get_pid_children(me))))
        alone = shim.get_process_stats(me, children=False)
        self.assertIsNone(alone["children"])
        self.assertAlmostEqual(alone["memory"], shim.get_pid_pss_rollup(me), delta=4096)
        self.assertAlmostEqual(alone["utime"] + alone["stime"], sum(os.times()[:2]), delta=0.3)
        old, hz = shim.get_pid_stats(me), os.sysconf("SC_CLK_TCK")
        self.assertAlmostEqual(old["utime"] + old["stime"], (stats["utime"] + stats["stime"]) * hz, delta=0.3 * hz)
        self.assertIn("pss", old)
        with self.assertRaisesRegex(RuntimeError, "no process"):
            shim.get_process_stats(2**22 + 1)
        system = shim.get_system_stats()
        self.assertEqual(list(system), [*(name for name in SYSTEM if name != "cpu_usage"), "disk_stats", "disk_spaces"])
        for name in "read_bytes", "write_bytes":
            self.assertEqual(sum(disk[name] for disk in system["disk_stats"].values()), system[f"disk_{name}"] or 0)
        for path, space in system["disk_spaces"].items():
            self.assertEqual(space["total"], shutil.disk_usage(path).total)
            self.assertLessEqual(space["used"] + space["free"], space["total"])
        with open("/proc/stat", encoding="utf-8") as stat:
            user, nice = map(int, stat.readline().split()[1:3])
        self.assertAlmostEqual(system["utime"], (user + nice) / os.sysconf("SC_CLK_TCK"), delta=2)
        with open("/proc/net/dev", encoding="utf-8") as lines:
            recv = sum(int(line.split(":")[1].split()[0]) for line in list(lines)[2:] if line.split(":")[0].strip() != "lo")
        self.assertLessEqual(system["net_recv_bytes"], recv + 10**8)  # virtual interfaces may repeat what others have
        disks = os.listdir("/sys/class/block")
        parts = {name for name in disks if os.path.exists(f"/sys/class/block/{name}/partition")}
        self.assertEqual({name for name in [*disks, "none"] if shim.is_partition(name)}, parts)

    def test_one_process_now(self):
        shim, me = importlib.import_module("rtrack.resource_tracker"), os.getpid()
        code = "import subprocess, sys; subprocess.Popen(['sleep', '9']); print(flush=True); sys.stdin.read()"
        child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        child.stdout.readline()
        grandchild, = shim.get_pid_children(child.pid)
        self.assertLessEqual({child.pid, grandchild}, shim.get_pid_children(me))
        with open("/proc/self/status", encoding="utf-8") as status:
            rss = int(re.search(r"VmRSS:\s+(\d+)", status.read())[1])
        self.assertAlmostEqual(shim.get_pid_rss(me), rss, delta=1024)
        self.assertTrue(0 < shim.get_pid_pss_rollup(me) <= rss + 1024)
        burn(0.1)
        for children, times in (False, os.times()[:2]), (True, [a + b for a, b in zip(os.times()[:2], os.times()[2:])]):
            found, hz = shim.get_pid_proc_times(me, children), os.sysconf("SC_CLK_TCK")
            for name, wanted in zip(("utime", "stime"), times):
                self.assertAlmostEqual(found[name] / hz, wanted, delta=0.1)
        self.assertLessEqual({"read_bytes", "write_bytes", "rchar"}, set(shim.get_pid_proc_io(me)))
        os.kill(grandchild, signal.SIGKILL)
        child.communicate()
        gone = child.pid
        self.assertEqual((shim.get_pid_children(gone), shim.get_pid_rss(gone), shim.get_pid_pss_rollup(gone)), (set(), 0, 0))
        self.assertEqual(shim.get_pid_proc_times(gone), {"utime": 0, "stime": 0})
        self.assertEqual(shim.get_pid_proc_io(gone), {"read_bytes": 0, "write_bytes": 0})


class Table(unittest.TestCase):
    def setUp(self):
        self.table = TinyDataFrame({"a": [1, 2, 3], "b": ["x", 'y", z', None], "c": [1.5, None, 2]})

    def test_rows_and_columns(self):
        table = self.table
        self.assertEqual((table.columns, len(table)), (["a", "b", "c"], 3))
        self.assertEqual(table["a"], [1, 2, 3])
        self.assertEqual(table[["c", "a"]].columns, ["c", "a"])
        self.assertEqual(table[["c", "a"]][1:]["a"], [2, 3])
        self.assertEqual(table[-1], {"a": 3, "b": None, "c": 2})
        self.assertEqual(table.head(1).to_dict(), [table[0]])
        self.assertEqual((table.tail(2)["a"], len(table.tail(9)), len(table.tail(0)), len(table.head(9))), ([2, 3], 3, 0, 3))
        self.assertEqual(table.to_dict(), list(table))
        self.assertEqual(TinyDataFrame(table.to_dict()), table)
        self.assertEqual(TinyDataFrame([{"p": 1}, {"q": 2}])["p"], [1, None])
        for wrong in "d", ["a", "d"]:
            with self.assertRaises(KeyError):
                table[wrong]
        for wrong in 1.5, None, ("a", "b"):
            with self.assertRaises(TypeError):
                table[wrong]
        for wrong in {}, {"data": {}, "csv_file_path": "a.csv"}:
            with self.assertRaises(TypeError):
                TinyDataFrame(**wrong)

    def test_changes(self):
        table = self.table
        self.assertIs(table.rename({"a": "A", "c": "C"}), table)
        self.assertEqual(table.columns, ["A", "b", "C"])
        with self.assertRaisesRegex(KeyError, "a"):
            table.rename({"b": "B", "a": "A"})
        self.assertEqual(table.columns, ["A", "b", "C"])
        table["d"] = range(3)
        table["A"] = [7, 8, 9]
        self.assertEqual(table[0], {"A": 7, "b": "x", "C": 1.5, "d": 0})
        with self.assertRaisesRegex(ValueError, "e: 2 cells, but the table has 3 rows"):
            table["e"] = [1, 2]
        with self.assertRaises(TypeError):
            table[0] = [1, 2, 3]

    def test_stats(self):
        self.assertEqual(
            self.table.stats([StatSpec("a", statistics.mean), StatSpec("a", len, agg_name="n"), StatSpec("c", sum, round=0),
                              StatSpec("b", max)]),
            {"a": {"mean": 2, "n": 3}, "c": {"sum": 4}, "b": {"max": 'y", z'}})
        self.assertEqual(TinyDataFrame({"a": [None]}).stats([StatSpec("a", max, round=2)]), {"a": {"max": None}})

    def test_text(self):
        self.assertEqual(str(self.table[["a", "c"]]), "TinyDataFrame with 3 rows and 2 columns:\n"
                         "a | c   \n--+-----\n1 |  1.5\n2 | None\n3 |    2")
        self.assertEqual(str(TinyDataFrame({"n": range(12)})).splitlines()[-2:], ["9", "..."])
        self.assertEqual(str(TinyDataFrame([])), "TinyDataFrame with 0 rows and 0 columns:\nEmpty dataframe")
        self.assertEqual(repr(self.table[1:2]), "TinyDataFrame with 1 rows and 3 columns. First row as a dict: "
                         "{'a': 2, 'b': 'y\", z', 'c': None}")

    def test_csv(self):
        text = '"a","b","c"\r\n1,"x",1.5\r\n2,"y"", z",\r\n3,,2\r\n'
        self.assertEqual(self.table.to_csv(), text)
        self.assertEqual(self.table.to_csv(quote_strings=False), 'a,b,c\r\n1,x,1.5\r\n2,"y"", z",\r\n3,,2\r\n')
        with tempfile.TemporaryDirectory() as folder:
            self.table.to_csv(folder + "/t.csv")
            with open(folder + "/t.csv", encoding="utf-8", newline="") as file:
                self.assertEqual(file.read(), text)
            self.assertEqual(TinyDataFrame(csv_file_path=folder + "/t.csv"), self.table)
            for content, columns in ("", []), ('"a","b"\n', ["a", "b"]):
                with open(folder + "/t.csv", "w", encoding="utf-8") as file:
                    file.write(content)
                empty = TinyDataFrame(csv_file_path=folder + "/t.csv")
                self.assertEqual((empty.columns, len(empty)), (columns, 0))

    def test_cells(self):
        for rows, columns in (("1,2.5\n,-3e2\n", [[1, None], [2.5, -300.0]]), (",\n1,\n,\n", [[None, 1, None], [None] * 3]),
                              ("1,2\n\n3,4", [[1, 3], [2, 4]]), ("007,+5\n", [[7], [5]]), ("1,2\r\n3,\r\n", [[1, 3], [2, None]]),
                              (".5,1.\n", [[0.5], [1.0]]), ("-,1e\n", [["-"], ["1e"]]), ('"1",x\n', [[1], ["x"]]),
                              ("1,2\r\n", [[1], [2]]), ("1,\n,2\n", [[1, None], [None, 2]]), ("", [[], []])):
            table = TinyDataFrame(columns_of("a,b\n" + rows))
            self.assertEqual(repr([table["a"], table["b"]]), repr(columns), rows)
        self.assertEqual(list(columns_of("a\n1\n\n2\n")["a"]), [1, 2])
        for rows, why in (("1,2\n3\n", "line 3 has 1 cells"), ("1,2,3\n", "line 2 has 3"), ('1,"2\n', "line 2: unexpected end"),
                          ('1,2\n"3"x,4\n', "line 3: "), ("1,2\r\n3", "line 3 has 1")):
            with self.assertRaisesRegex(ValueError, why):
                columns_of("a,b\n" + rows)
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
            file.write("a,b\n1,2\n3")
            file.flush()
            with self.assertRaisesRegex(ValueError, f"{file.name}: line 3 has 1 cells, and the table 2 columns"):
                TinyDataFrame(csv_file_path=file.name)
            with unittest.mock.patch("time.sleep", lambda _: file.write(",4\n") and file.flush()):
                self.assertEqual(TinyDataFrame(csv_file_path=file.name, retries=1)["b"], [2, 4])

    def test_helpers(self):
        self.assertEqual(rtrack.render_csv_row(["a", 1, 2.5], quoting=csv.QUOTE_NONNUMERIC), b'"a",1,2.5\r\n')
        self.assertEqual([rtrack.round_memory(mb) for mb in (0, 1, 128, 128.1, 1025, 2048, 2049, 3072, 3073.5)],
                         [128, 128, 128, 256, 2048, 2048, 3072, 3072, 4096])
        self.assertEqual(rtrack.round_memory(mb=300), 512)
        runs = [{"a": {"mean": 1, "max": 5}, "t": {"duration": 2}, "s": {"sum": 3}},
                {"a": {"mean": 2, "max": 3, "n": None}, "t": {"duration": 4}, "s": {"sum": 7}}, {"a": {"mean": None}}]
        self.assertEqual(rtrack.aggregate_stats(runs),
                         {"a": {"mean": 1.5, "max": 5, "n": None}, "t": {"duration": 3}, "s": {"sum": 7}})


class Rows(Case):
    """The trackers that write CSV."""

    def test_system_tracker(self):
        code = "import rtrack, sys\nrtrack.SystemTracker(interval=.1, output_file=sys.argv[1] if sys.argv[1:] else None)"
        with tempfile.TemporaryDirectory() as folder:
            for file in [folder + "/rows.csv"], []:
                with subprocess.Popen([sys.executable, "-c", code, *file], stdout=subprocess.PIPE, text=True,
                                      stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": folder}) as tracker:
                    if file:
                        wait_until(lambda: os.path.exists(file[0]) and len(TinyDataFrame(csv_file_path=file[0])) > 2)
                        self.assertEqual(TinyDataFrame(csv_file_path=file[0]).columns, SYSTEM)
                    else:
                        lines = [tracker.stdout.readline() for _ in range(4)]
                        self.assertEqual([name.strip('"') for name in lines[0].strip().split(",")], SYSTEM)
                        self.assertAlmostEqual(float(lines[3].split(",")[0]), time.time(), delta=10)
                    tracker.send_signal(signal.SIGINT)
                    self.assertIn("KeyboardInterrupt", tracker.stderr.read())
                self.assertEqual([name for name in os.listdir(folder) if name.startswith("rtrack-py-")], [])

    def test_process_tracker(self):
        with self.assertWarnsRegex(DeprecationWarning, "PidTracker is deprecated"):
            self.assertIsInstance(PidTracker(autostart=False), ProcessTracker)
        out = io.StringIO()
        other = subprocess.Popen([sys.executable, "-c", "import time\nwhile time.process_time() < 1.5: pass"])
        reaper = threading.Thread(target=other.wait)
        reaper.start()
        with contextlib.redirect_stdout(out):
            tracker = ProcessTracker(pid=other.pid, interval=0.1)
        reaper.join()
        header, *rows = out.getvalue().splitlines()
        self.assertEqual([name.strip('"') for name in header.split(",")], PROCESS)
        self.assertEqual({row.split(",")[1] for row in rows}, {str(other.pid)})
        self.assertEqual((tracker.status, tracker.cycle), ("exited", len(rows) + 1))
        self.assertGreater(sum(float(row.split(",")[3]) for row in rows), 0.1)
        with self.assertRaisesRegex(RuntimeError, "no process"):
            tracker.start_tracking()

    def test_in_a_thread(self):
        # Python exits while the thread waits for a row.
        with tempfile.TemporaryDirectory() as folder:
            done = python("import os, rtrack, sys, threading, time\nout = 'rows.csv'\n"
                          "threading.Thread(target=rtrack.SystemTracker, daemon=True,\n"
                          "                 kwargs={'interval': .1, 'output_file': out}).start()\n"
                          "while not os.path.exists(out) or len(open(out).readlines()) < 3: time.sleep(.01)",
                          cwd=folder, env={**os.environ, "TMPDIR": folder})
            self.assertEqual((done.stderr, os.listdir(folder)), ("", ["rows.csv"]))

    def test_without_header(self):
        other = subprocess.Popen(["sleep", "0.5"])
        threading.Thread(target=other.wait).start()
        tracker = ProcessTracker(pid=other.pid, interval=0.1, autostart=False)
        with tempfile.TemporaryDirectory() as folder:
            tracker.start_tracking(folder + "/rows.csv", print_header=False)
            with open(folder + "/rows.csv", encoding="utf-8") as file:
                self.assertRegex(file.read(), rf"\A\d+\.?\d*,{other.pid},")

    def test_diff_stats(self):
        mine, machine = ProcessTracker(autostart=False), SystemTracker(autostart=False)
        burn(0.5)
        first = mine.diff_stats()
        self.assertEqual((list(first), first["pid"]), (PROCESS, os.getpid()))
        self.assertAlmostEqual(first["utime"] + first["stime"], 0.5, delta=0.15)
        second = mine.diff_stats()
        self.assertLess(second["utime"] + second["stime"], 0.2)
        self.assertGreater(second["timestamp"], first["timestamp"])
        self.assertIsNone(ProcessTracker(autostart=False, children=False).diff_stats()["children"])
        self.assertEqual((list(machine.diff_stats()), machine.cycle, machine.status), (SYSTEM, 1, "running"))

    def test_terminated(self):
        for kind in "SystemTracker", "ProcessTracker":
            with tempfile.TemporaryDirectory() as folder:
                with subprocess.Popen([sys.executable, "-c", f"import rtrack\nrtrack.{kind}(interval=.1)"], text=True,
                                      stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": folder}) as tracker:
                    tracker.stdout.readline()
                    tracker.terminate()
                self.assertEqual(os.listdir(folder), [])

    def test_phases_are_not_theirs(self):
        with ResourceTracker(interval=0.1) as tracker:
            other = SystemTracker(autostart=False)
            with SubTracker("mine"):
                burn(0.2)
            del other
        self.assertEqual([phase["name"] for phase in tracker.phases], ["mine"])

    def test_killed_recorder(self):
        tracker = ProcessTracker(autostart=False)
        tracker._since._files.recorder.kill()
        with self.assertRaisesRegex(RuntimeError, "ended with -9"):
            tracker.diff_stats()

    def test_info(self):
        server, cloud = get_server_info(), get_cloud_info()
        with ResourceTracker(interval=0.1) as tracker:
            burn(0.2)
        recorded = tracker.server_info
        self.assertEqual({name: server[name] for name in recorded if name in server},
                         {name: recorded[name] for name in recorded if name != "allocation"})
        self.assertEqual((server["memory_mib"], server["gpu_memory_mib"]), (server["memory_mb"], server["gpu_memory_mb"]))
        self.assertEqual(list(cloud), ["vendor", "instance_type", "region", "discovery_time"])
        self.assertIs(get_cloud_info(), cloud)  # asked once


class Track(Case):
    def test_track(self):
        with tempfile.TemporaryDirectory() as folder:
            @track(interval=0.1, file=folder + "/a.json.gz")
            def work(a, *, b):
                "Works."
                burn(0.3)
                return a + b

            self.assertEqual(work(1, b=2), 3)
            self.assertEqual((work.__name__, work.__doc__), ("work", "Works."))
            snapshot = ResourceTracker.load(folder + "/a.json.gz").snapshot()
        self.assertEqual(snapshot["rtrack"]["job"]["name"], "work")
        self.assertEqual(snapshot["rtrack"]["exit"]["code"], 0)
        self.assertEqual(snapshot, work.tracker.snapshot())
        del work

    def test_bare_and_failing(self):
        @track
        def fail():
            raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            fail()
        self.assertEqual(fail.tracker.snapshot()["rtrack"]["exit"]["code"], 1)
        del fail

    def test_files_are_checked_before(self):
        called = []
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(folder + "/dir")
            for wrong, why in ((folder + "/none/a.json.gz", "No such file or directory: .*/none$"),
                               (folder + "/dir", "Is a directory"), (__file__ + "/a", "Not a directory"),
                               (folder + "/" + "a" * 300, "File name too long")):
                for option in "file", "report":
                    with self.assertRaisesRegex(rtrack.RtrackError, " cannot be written: " + why):
                        track(interval=0.1, **{option: wrong})(called.append)(1)
            with self.assertRaisesRegex(TypeError, "intervall"):
                track(intervall=0.1)(called.append)
            with self.assertRaisesRegex(ValueError, "% needs one of h, p, n, t, % after it"):
                track(file=folder + "/%j.json.gz")(called.append)(1)
            self.assertEqual((called, os.listdir(folder)), ([], ["dir"]))

    def test_letters(self):
        with tempfile.TemporaryDirectory() as folder:
            with unittest.mock.patch("time.gmtime", lambda *_: time.struct_time((2026, 11, 8, 7, 6, 5, 0, 0, 0))):
                @track(interval=0.1, file=pathlib.Path(folder, "%n-%p-%t-%h-100%%.json.gz"), report=folder + "/%n.html",
                       options=["--name", "it's"])
                def work():
                    burn(0.1)
                with unittest.mock.patch.object(ResourceTracker, "report", lambda self: rtrack.Text("page")):
                    work()
            host = re.sub("[^A-Za-z0-9.-]", "_", os.uname().nodename)[:64]
            self.assertEqual(sorted(os.listdir(folder)),
                             ["it_s-%d-20261108T070605Z-%s-100%%.json.gz" % (os.getpid(), host), "it_s.html"])
        del work

    def lost(self, code, want):
        """Runs a function with @track whose file cannot be written in the end; returns where its recording is."""
        for error in "default", "error":
            with tempfile.TemporaryDirectory() as folder:
                done = subprocess.run(
                    [sys.executable, "-W", error, "-c", "import os, rtrack, shutil, sys, time\nos.mkdir('out')\n"
                     "@rtrack.track(interval=.1, file='out/a.json.gz')\ndef work():\n time.sleep(.2)\n"
                     " shutil.rmtree('out')\n return 42\n" + code],
                    cwd=folder, env={**os.environ, "TMPDIR": folder}, capture_output=True, text=True)
                self.assertEqual(done.stdout, want, done.stderr)
                path = re.search("out/a.json.gz cannot be written: .*No such file.*; the recording is (.*/run.json.gz)",
                                 done.stderr)[1]
                self.assertGreater(ResourceTracker.load(path).n_samples, 0)

    def test_file_that_cannot_be_written(self):
        self.lost("print(work())", "42\n")
        self.lost("import multiprocessing as m\nwith m.get_context('fork').Pool(1) as pool: print(pool.apply(work))", "42\n")

    def test_own_exception_stays(self):
        self.lost("def work2(): work(); raise KeyError\ntry: work2()\nexcept KeyError: print('own')", "own\n")

    def test_a_report_that_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            @track(interval=0.1, file=folder + "/a.json.gz", report=folder + "/a.html")
            def work(error=None):
                burn(0.1)
                if error: raise error
                return 42

            with unittest.mock.patch.object(ResourceTracker, "report", side_effect=ZeroDivisionError("mine")):
                with self.assertWarnsRegex(UserWarning, "a.html cannot be written: mine; the recording is .*/a.json.gz$"):
                    self.assertEqual(work(), 42)
                with self.assertWarns(UserWarning), self.assertRaises(KeyError):
                    work(KeyError())
        del work

    def test_workers_leave_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(folder + "/jobs.py", "w", encoding="utf-8") as file:
                file.write("import rtrack, time\n@rtrack.track(interval=.1, file='%n-%p.json.gz')\ndef work(i):\n"
                           " time.sleep(.15)\n return i\n"
                           "def look(i): return work(i), work.tracker.n_samples > 0, repr(work.tracker)[:17]\n")
            for method in "fork", "spawn":
                os.mkdir(f"{folder}/{method}")
                done = python("import jobs, multiprocessing as m, os, sys\nif __name__ == '__main__':\n"
                              f" c = m.get_context({method!r})\n os.chdir({method!r})\n"
                              " with c.Pool(2) as p: print(p.map(jobs.look, [1, 2], 1))\n"
                              " p = c.Process(target=jobs.work, args=(3,)); p.start(); p.join(); print(p.exitcode)",
                              cwd=folder, env={**os.environ, "TMPDIR": folder + "/" + method,
                                               "PYTHONPATH": folder + ":" + os.environ.get("PYTHONPATH", "")})
                self.assertEqual((done.stdout, done.stderr), (
                    "[(1, True, '<ResourceTracker:'), (2, True, '<ResourceTracker:')]\n0\n", ""))
                names = os.listdir(folder + "/" + method)
                self.assertEqual({re.sub("[0-9]+", "N", name) for name in names}, {"work-N.json.gz"}, names)

    def test_scripts_are_named_with_their_folders(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in "ab":
                os.mkdir(f"{folder}/{name}")
                with open(f"{folder}/{name}/run.py", "w", encoding="utf-8") as file:
                    file.write("import multiprocessing as m, rtrack, time\n"
                               "def work(i):\n tracker = rtrack.ResourceTracker(interval=.1)\n time.sleep(.15)\n"
                               " tracker.stop()\n return tracker.snapshot()['rtrack']['job']['name']\n"
                               "if __name__ == '__main__':\n print(work(0))\n"
                               " with m.get_context('spawn').Pool(1) as p: print(*p.map(work, [1]))\n")
                for path in f"{name}/run.py", f"{folder}/{name}/run.py":
                    done = subprocess.run([sys.executable, path], capture_output=True, text=True, cwd=folder)
                    self.assertEqual(done.stdout, f"{name}/run.py\n" * 2, done.stderr)

    def ends_with(self, function, code):
        snapshot = function.tracker.snapshot()["rtrack"]
        self.assertEqual((snapshot["exit"]["code"], snapshot["job"]["name"]), (code, function.__name__))
        self.assertFalse(function.tracker.running)

    def test_generator(self):
        with tempfile.TemporaryDirectory() as folder:
            @track(interval=0.1, file=folder + "/a.json.gz")
            def rows(n):
                for i in range(n):
                    burn(0.1)
                    told = yield i
                    if told: yield told
                return "done"

            running = rows(3)
            self.assertFalse(hasattr(rows, "tracker"))  # it has not begun
            self.assertEqual((next(running), running.send("told"), rows.tracker.running), (0, "told", True))
            self.assertEqual(list(running), [1, 2])
            self.ends_with(rows, 0)
            self.assertEqual(ResourceTracker.load(folder + "/a.json.gz").snapshot(), rows.tracker.snapshot())
            self.assertGreater(rows.tracker.stats()["process_cpu_usage"]["mean"], 0.1)
            for _ in rows(3):  # left early: that is not a failure
                break
            gc.collect()
            self.ends_with(rows, 0)
            failing = rows(3)
            next(failing)
            with self.assertRaisesRegex(KeyError, "mine"):
                failing.throw(KeyError("mine"))
            self.ends_with(rows, 1)
            del rows

    def test_async(self):
        @track(interval=0.1)
        async def work(a):
            await asyncio.sleep(0.3)
            burn(0.1)
            return a / work.by

        work.by = 2
        self.assertEqual(asyncio.run(work(4)), 2)
        self.ends_with(work, 0)
        self.assertGreater(work.tracker.stats()["timestamp"]["duration"], 0.3)
        work.by = 0
        with self.assertRaises(ZeroDivisionError):
            asyncio.run(work(4))
        self.ends_with(work, 1)
        del work

    def test_async_generator(self):
        seen = []

        @track(interval=0.1)
        async def rows(n):
            try:
                for i in range(n):
                    await asyncio.sleep(0.1)
                    try:
                        seen.append((yield i))
                    except KeyError:
                        yield "caught"
            finally:
                await asyncio.sleep(0)
                seen.append("closed")

        async def use():
            self.assertEqual([i async for i in rows(3)], [0, 1, 2])
            self.ends_with(rows, 0)
            self.assertGreaterEqual(rows.tracker.stats()["timestamp"]["duration"], 0.3)
            running = rows(3)
            self.assertEqual((await running.__anext__(), await running.asend("told")), (0, 1))
            self.assertEqual(await running.athrow(KeyError("mine")), "caught")
            self.assertTrue(rows.tracker.running)
            await running.aclose()
            self.ends_with(rows, 0)
            running = rows(3)
            await running.__anext__()
            with self.assertRaisesRegex(OSError, "mine"):
                await running.athrow(OSError("mine"))
            self.ends_with(rows, 1)

        asyncio.run(use())
        self.assertEqual(seen, [None, None, None, "closed", "told", "closed", "closed"])
        del rows

    def test_how_it_ends(self):
        @track(interval=0.1)
        def work(error):
            raise error

        for error, end in ((SystemExit(), (0, None)), (SystemExit(3), (3, None)), (SystemExit("why"), (1, None)),
                           (KeyboardInterrupt(), (None, "INT")), (ValueError(), (1, None))):
            with self.assertRaises(type(error)):
                work(error)
            said = work.tracker.snapshot()["rtrack"]["exit"]
            self.assertEqual((said["code"], said["signal"]), end, error)
        del work


class Notebook(Case):
    """What a notebook asks for; tests/browser/notebook.test.mjs looks at it."""

    def page(self, shown):
        """The page in a frame."""
        frame = re.fullmatch(r'<iframe srcdoc="([^"<>]*)" ([^<>]*)></iframe>', shown)
        self.assertIn('sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"', frame[2])
        page = html.unescape(frame[1])
        self.assertLess(page.index('<base href="about:srcdoc">'), page.index("Content-Security-Policy"))
        return page

    def test_tracker(self):
        tracker = ResourceTracker(interval=0.1, autostart=False, options=["--name", '"><script>&amp;'])
        self.assertEqual(tracker._repr_html_(), "<p>Nothing is recorded: the tracker was not started.</p>")
        tracker.start()
        tracker.wait_for_samples(2)
        self.assertIn("<title>&quot;&gt;&lt;script&gt;&amp;amp;: running", self.page(tracker._repr_html_()))
        tracker.stop()
        shown = self.page(tracker._repr_html_())
        self.assertRegex(shown, "<title>.*: (finished|unknown)")
        self.assertNotIn("sparecores.com/server", shown)  # no prices
        page = tracker.report(offline=True)
        self.assertEqual(self.page(page._repr_html_()).replace('<base href="about:srcdoc">', ""), page)
        self.assertRegex(repr(page), r"^<a page of \d+ characters: ")
        self.assertEqual(str(page), page)
        tracker.cleanup()
        self.assertEqual(tracker._repr_html_(), "<p>Nothing is recorded: the tracker was not started.</p>")
        with Tracker(sleep_time=0.1) as tracker:
            time.sleep(0.3)
        self.assertIn("<title>", self.page(tracker._repr_html_()))

    def test_no_samples_yet(self):
        tracker = ResourceTracker(interval=60)
        kill_before_samples(tracker)
        self.assertEqual(tracker._repr_html_(), "<p>Nothing is recorded yet.</p>")

    def test_links_open_a_tab(self):
        page = rtrack.Text('<head>Content-Security-Policy<a href="#usage">here</a><a href="https://example.com/">there</a>')
        self.assertIn('<a href="#usage">here</a><a target="_blank" href="https://example.com/">', self.page(page._repr_html_()))

    def test_tracked(self):
        @track(interval=0.1)
        def work():
            time.sleep(0.2)

        self.assertEqual(work._repr_html_(), "<p>work was not called yet.</p>")
        work()
        self.assertIn("<title>work: finished", self.page(work._repr_html_()))
        del work

    def test_show(self):
        ipython, shown = unittest.mock.MagicMock(), []
        ipython.display.display = lambda tracker: shown.append(tracker._repr_html_())

        @track(interval=0.1, show=True)
        def work(error=None):
            time.sleep(0.2)
            if error: raise error

        work()  # no notebook: nothing is shown
        with unittest.mock.patch.dict(sys.modules, {"IPython": ipython}):
            with self.assertRaisesRegex(KeyError, "mine"):
                work(KeyError("mine"))
            ipython.get_ipython.return_value = None  # imported, but not what runs this
            work()
        self.assertEqual(len(shown), 1)
        self.assertIn("<title>work: failed", self.page(shown[0]))
        del work


class Load(Case):
    def setUp(self):
        super().setUp()
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.path = self.folder + "/a.json.gz"
        self.tracker = ResourceTracker(interval=0.1, options=["--name", "loaded"])
        burn(0.5)
        self.tracker.stop()
        self.tracker.dump(self.path)

    def tearDown(self):
        del self.tracker
        super().tearDown()

    def test_columns(self):
        table = rtrack.load(self.path)
        kb = self.tracker.get_combined_metrics()
        self.assertEqual(table.columns, [name.replace("_gb", "") for name in kb.columns])
        self.assertEqual(len(table), len(kb))
        self.assertEqual(table["timestamp"], kb["timestamp"])
        self.assertEqual([value // 1024 for value in table["process_memory"]], kb["process_memory"])
        for ours, theirs in zip(table["system_disk_space_total"], kb["system_disk_space_total_gb"]):
            self.assertAlmostEqual(ours / 2**30, theirs, delta=0.01)
        self.assertEqual(table.model["title"], "loaded")
        self.assertEqual(table.model["statistics"]["now"], dict(self.tracker.stats()))

    def test_all_that_is_read(self):
        table = rtrack.load(pathlib.Path(self.path))
        self.tracker.report(offline=True).save(self.folder + "/a.html")
        snapshot = self.tracker.snapshot()
        with open(self.folder + "/-plain.json", "w", encoding="utf-8") as file:
            json.dump(snapshot, file)
        self.assertEqual(rtrack.load(self.folder + "/a.html"), table)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        self.assertEqual(rtrack.load("-plain.json"), table)
        self.tracker.get_combined_metrics(bytes=True).to_csv("a.csv")
        self.assertEqual(len(rtrack.load("a.csv")), len(table))
        with ResourceTracker(interval=0.1, options=["--schema", "2"]) as other:
            other.wait_for_samples(2)
            running = rtrack.load(other._journal)
            self.assertGreaterEqual(len(running), 2)
        other.dump("b.json.gz")
        for again in running, rtrack.load("b.json.gz"):
            self.assertEqual([name for name in again.columns if "_state_" not in name],
                             [name for name in table.columns if "_state_" not in name])
        self.assertAlmostEqual(max(running["process_memory"]), other.stats()["process_memory"]["max"] * 1024, delta=2**24)
        with self.assertRaisesRegex(RuntimeError, "nowhere"):
            rtrack.load("nowhere")

    def test_not_measured(self):
        snapshot = self.tracker.snapshot()
        for row in snapshot["process_metrics"][1:]: row["rss"] = None
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump(snapshot, file)
        table = rtrack.load(self.path)
        self.assertEqual(table["process_rss"][1:], [None] * (len(table) - 1))
        self.assertGreater(table["process_rss"][0], 2**20)

    def test_arrays(self):
        packages = "/usr/lib/python3/dist-packages"
        if not os.path.exists(packages + "/pandas"): self.skipTest("python3-pandas is not installed")
        done = python(f"""if True:
            import sys, rtrack
            assert not {{"numpy", "pandas", "IPython"}} & set(sys.modules)
            sys.path.append({packages!r})
            table = rtrack.load({self.path!r})
            table["process_rss"] = [None] + table["process_rss"][1:]
            arrays, frame = table.to_numpy(), table.to_pandas()
            import numpy, pandas
            assert list(arrays) == table.columns and {{array.dtype for array in arrays.values()}} == {{numpy.dtype(float)}}
            assert numpy.isnan(arrays["process_rss"][0]) and not numpy.isnan(arrays["process_rss"][1:]).any()
            assert list(frame.columns) == table.columns[1:] and list(frame.dtypes.unique()) == [numpy.dtype(float)]
            assert numpy.isnan(frame["process_rss"].iloc[0])
            assert list(frame["process_memory"]) == table["process_memory"]
            assert str(frame.index.dtype) == "datetime64[ns, UTC]" and frame.index.name == "timestamp"
            assert [round(time.timestamp(), 3) for time in frame.index] == table["timestamp"]
            assert frame["process_memory"].resample("1h").max().max() == max(table["process_memory"])
            other = rtrack.TinyDataFrame({{"a": [1, None], "b": ["x", None]}})
            assert other.to_numpy()["b"].tolist() == ["x", None] and list(other.to_pandas()["b"]) == ["x", None]
            print("all")
        """)
        self.assertEqual((done.stdout, done.stderr), ("all\n", ""))

    def test_without_packages(self):
        table = rtrack.load(self.path)
        for package, convert in ("numpy", table.to_numpy), ("pandas", table.to_pandas):
            with unittest.mock.patch.dict(sys.modules, {package: None}), self.assertRaisesRegex(ImportError, package):
                convert()
        self.assertGreater(table["process_memory"][0], 2**20)


class GpuTracker(Case):
    """What the tutorial of gpu_tracker shows."""

    def test_tracker(self):
        tracker = Tracker(n_expected_cores=1, sleep_time=0.1)
        self.assertIsNone(tracker.resource_usage)
        tracker.start()
        burn(1)
        tracker.stop()
        lines = str(tracker).splitlines()
        self.assertEqual([line for line in lines if not line.startswith(" ")],
                         ["Max RAM:", "Max GPU RAM:", "CPU utilization:", "GPU utilization:", "Compute time:"])
        self.assertEqual(lines[1], "   Unit: gigabytes")
        self.assertIn("   Number of expected cores: 1", lines)
        cpu = tracker.to_json()["cpu_utilization"]
        self.assertEqual(cpu["n_expected_cores"], 1)
        self.assertAlmostEqual(cpu["main"]["mean_sum_percent"] * tracker.to_json()["compute_time"]["time"] * 36, 1, delta=0.2)
        with self.assertRaisesRegex(RuntimeError, "already"):
            tracker.start()
        with self.assertRaisesRegex(RuntimeError, "already"):
            tracker.stop()
        with self.assertRaisesRegex(RuntimeError, "not started"):
            Tracker().stop()

    def test_units_and_files(self):
        with Tracker(ram_unit="megabytes", gpu_ram_unit="megabytes", time_unit="seconds", sleep_time=0.1) as tracker:
            begin = time.monotonic()
            with open("/proc/self/status", encoding="utf-8") as status:
                own = int(re.search(r"RssAnon:\s+(\d+)", status.read())[1]) * 1024 / 1e6
            block = bytearray(200 * 1000 * 1000)
            time.sleep(0.5)
            del block
            wall = time.monotonic() - begin
        usage = tracker.resource_usage
        self.assertEqual((usage.max_ram.unit, usage.max_gpu_ram.unit, usage.compute_time.unit),
                         ("megabytes", "megabytes", "seconds"))
        self.assertAlmostEqual(usage.max_ram.main.private_rss, own + 205, delta=10)
        self.assertAlmostEqual(usage.compute_time.time, wall, delta=0.3)
        with tempfile.TemporaryDirectory() as folder:
            tracker.save(folder + "/a.txt")
            tracker.save(folder + "/a.json", "json")
            with open(folder + "/a.json", encoding="utf-8") as file:
                self.assertEqual(json.load(file), tracker.to_json())
            with open(folder + "/a.txt", encoding="utf-8") as file:
                self.assertEqual(file.read(), str(tracker))
        for wrong in ({"ram_unit": "GiB"}, {"time_unit": "weeks"}, {"gpu_uuids": set()}, {"n_expected_cores": 0},
                      {"n_expected_cores": -1}, {"gpu_brand": "voodoo"}):
            with self.assertRaises(ValueError):
                Tracker(**wrong)
        for wrong in ({"sleep_tme": 1}, {"n_gpus": 1}), ({"interval": 1, "childen": True},):
            for options in wrong:
                with self.assertRaises(TypeError):
                    (ResourceTracker if "interval" in options else Tracker)(**options)
        for function in SubTracker, sub_track:
            with self.assertRaises(TypeError):
                function("a", overwrit=True)
        with self.assertRaisesRegex(ValueError, "cannot find context for 'threads'"):
            ResourceTracker(method="threads", autostart=False)

    def test_chosen_gpus(self):
        gpus = [{"uuid": f"GPU-0000000{n}", "name": "NVIDIA H200", "memory_bytes": 2**30} for n in (1, 2)]
        run, tracker = rtrack.gpu_tracker._run, rtrack.gpu_tracker
        def fake(name, *arguments):
            return json.dumps({"gpus": gpus}) if "--info=json" in arguments else run(name, *arguments)
        with unittest.mock.patch("rtrack.gpu_tracker._run", fake):
            self.assertIn("--gpu=nvidia", Tracker(gpu_brand="nvidia")._report)
            for wrong, why in (({"gpu_brand": "amd"}, "gpu_brand: this machine has no GPU of amd"),
                               ({"gpu_uuids": {"GPU-3"}}, "gpu_uuids: this machine has no GPU of GPU-3")):
                with self.assertRaisesRegex(ValueError, f"^{why}$"):
                    Tracker(**wrong)
            one = Tracker(gpu_uuids={"GPU-00000002"}, gpu_ram_unit="megabytes")
        # What they choose is the utilization; the memory is that of all GPUs.
        rows = {"timestamp": [1], "gpu_usage": [1.5], "gpu_vram": [700], "gpu0_usage": [1], "gpu1_usage": [0.5]}
        one._hold(gzip.compress(json.dumps({
            "metadata": {"version": 1}, "server_info": {"vcpus": 1, "gpu_count": 2}, "rtrack": {"format": 2, "gpus": gpus},
            "system_metrics": rows}).encode()))
        usage = one.resource_usage
        self.assertEqual(usage.gpu_utilization, tracker.GPUUtilization(2, 1, tracker.ProcessingUnitPercentages(50, 50, 50, 50)))
        self.assertAlmostEqual(usage.max_gpu_ram.system, 734, delta=1)
        self.assertAlmostEqual(usage.max_gpu_ram.system_capacity, 2147, delta=1)

    def test_state_and_data_classes(self):
        from rtrack.gpu_tracker import tracker as gput
        tracker = gput.Tracker(sleep_time=0.1)
        states = [tracker.state]
        with tracker:
            states.append(tracker.state)
            burn(0.2)
        self.assertEqual([*states, tracker.state], list(gput.Tracker.State))
        self.assertEqual([(state.name, state.value) for state in states], [("NEW", 0), ("STARTED", 1)])
        usage = tracker.resource_usage
        self.assertEqual(dataclasses.asdict(usage), tracker.to_json())
        self.assertIsInstance(usage, gput.ResourceUsage)
        for part, kind in ((usage.max_ram, gput.MaxRAM), (usage.max_ram.main, gput.RSSValues),
                           (usage.max_gpu_ram, gput.MaxGPURAM), (usage.cpu_utilization, gput.CPUUtilization),
                           (usage.cpu_utilization.main, gput.ProcessingUnitPercentages),
                           (usage.gpu_utilization, gput.GPUUtilization), (usage.compute_time, gput.ComputeTime)):
            self.assertIs(type(part), kind)
        self.assertEqual(pickle.loads(pickle.dumps(usage)), usage)
        self.assertIs(importlib.import_module("rtrack.gpu_tracker.tracker"), gput)

    def test_no_warnings(self):
        with warnings.catch_warnings(record=True) as caught, Tracker(sleep_time=0.1, disable_logs=True) as tracker:
            warnings.simplefilter("always")
            time.sleep(0.2)
            tracker._files.recorder.kill()
            tracker.stop()
        self.assertEqual([str(one.message) for one in caught], [])

    def test_stopped_before_the_block_ends(self):
        with Tracker(sleep_time=0.1) as tracker:
            burn(0.2)
            tracker.stop()
        self.assertGreater(tracker.resource_usage.compute_time.time, 0)

    def test_child_and_failure(self):
        child = multiprocessing.get_context("spawn").Process(target=burn, args=(0.5,))
        with self.assertRaisesRegex(ZeroDivisionError, "by"):
            with Tracker(n_expected_cores=2, sleep_time=0.1) as tracker:
                child.start()
                child.join()
                raise ZeroDivisionError("division by none")
        child.close()
        self.assertGreater(tracker.resource_usage.max_ram.descendants.total_rss, 0.005)
        self.assertGreater(tracker.resource_usage.cpu_utilization.descendants.max_sum_percent, 0)

    def test_phases(self):
        @sub_track("twice")
        def work():
            burn(0.15)

        with Tracker(sleep_time=0.1) as tracker:
            work()
            with tracker.sub_track("out;er\n<b>"):
                with SubTracker("inner"):
                    burn(0.15)
                burn(0.15)
            work()
            subprocess.run([rtrack.program("rtrack-collect"), "--mark", "by a child"], check=True)
            time.sleep(0.1)
        phases = {phase["name"]: phase for phase in tracker.phases}
        self.assertEqual(list(phases), ["twice", "out;er <b>", "inner", "by a child"])
        self.assertEqual([phase["count"]["value"] for phase in phases.values()], [2, 2, 1, 1])
        # Twice 0.15 s, less what a busy machine was late to see the marks.
        self.assertGreaterEqual(phases["twice"]["total"]["value"], 0.2)
        with SubTracker() as outside:  # no recording: nothing happens
            pass
        self.assertRegex(outside.code_block_name, r"test_rtrack\.py:\d+$")


def metaflow_stand_in():
    """What the documentation of Metaflow 2.16 says of custom decorators, mutators and cards, as far as rtrack needs it."""
    metaflow, cards = types.ModuleType("metaflow"), types.ModuleType("metaflow.cards")

    class StepMutator:
        def __init__(self, *arguments, **named):
            self.init(*arguments, **named)

        def __call__(self, step):
            self.mutate(MutableStep(step))
            return step

    class MutableStep:
        IGNORE = 1

        def __init__(self, step):
            self.step = step

        def add_decorator(self, decorator, deco_kwargs=None, duplicates=1):
            self.step.decorators.append((decorator, deco_kwargs))

    metaflow.user_step_decorator = lambda function: contextlib.contextmanager(function)
    metaflow.StepMutator, metaflow.cards, cards.MetaflowCard = StepMutator, cards, object
    return {"metaflow": metaflow, "metaflow.cards": cards}


class Metaflow(Case):
    """Against a stand-in: Metaflow itself is not here."""

    def run_step(self, decorate, step):
        """Runs a step with its decorators as Metaflow does, and returns its flow."""
        flow = type("Train", (), {})()
        step.decorators = []
        decorate(step)
        (record, attributes), (card, options) = step.decorators
        self.assertEqual((card, options), ("card", {"type": "rtrack", "id": "resources"}))
        with record("start", flow, inputs=None, attributes=attributes):
            step(flow)
        return flow

    def test_step(self):
        with unittest.mock.patch.dict(sys.modules, metaflow_stand_in()):
            module = importlib.import_module("rtrack.metaflow")
            cards, = importlib.import_module("metaflow_extensions.rtrack.plugins.cards.rtrack_resources").CARDS
            flow = self.run_step(module.track_resources(interval=0.1, options=["--tag", "a=b"]), lambda flow: burn(0.3))
            data = flow.resource_tracker_data
            self.assertEqual((data["rtrack"]["job"]["name"], data["rtrack"]["exit"]["code"]), ("Train.start", 0))
            self.assertEqual(json.loads(json.dumps(data)), data)
            self.assertGreater(ResourceTracker.from_snapshot(data).stats()["process_cpu_usage"]["max"], 0)
            self.assertEqual(cards.type, "rtrack")
            with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.dict(
                    os.environ, {"RTRACK_KEEPER_URL": "http://127.0.0.1:9", "XDG_CACHE_HOME": folder}):
                page = cards().render({"resource_tracker_data": types.SimpleNamespace(data=data)})
            self.assertIn("Train.start", page[:2000])
            failed = []
            with self.assertRaises(ZeroDivisionError):
                self.run_step(module.track_resources(), lambda flow: (failed.append(flow), 1 / 0))
            self.assertEqual(failed[0].resource_tracker_data["rtrack"]["exit"]["code"], 1)


class Robust(Case):
    def test_two_at_once(self):
        first = ResourceTracker(interval=0.1)
        second = ResourceTracker(interval=0.2)
        with SubTracker("of the second"):
            burn(0.3)
        first.stop()
        with SubTracker("later"):
            burn(0.3)
        second.stop()
        self.assertEqual(first.phases, [])
        self.assertEqual([phase["name"] for phase in second.phases], ["of the second", "later"])
        self.assertLess(first.stats()["timestamp"]["duration"], second.stats()["timestamp"]["duration"])

    def test_once(self):
        tracker = ResourceTracker(interval=0.1, autostart=False)
        self.assertFalse(tracker.running)
        with self.assertRaisesRegex(RuntimeError, "not started"):
            tracker.report()
        tracker.stop()
        self.assertEqual(repr(tracker), "<ResourceTracker: nothing is recorded>")
        tracker.start()
        self.assertEqual(repr(tracker), "<ResourceTracker: recording>")
        with self.assertRaisesRegex(RuntimeError, "already"):
            tracker.start()
        burn(0.2)
        tracker.stop()
        tracker.stop()
        kept = tracker.dumps()
        for again in tracker.start, tracker.__enter__, ResourceTracker.loads(kept).start:
            with self.assertRaisesRegex(RuntimeError, "already started or stopped"):
                again()
        self.assertEqual(tracker.dumps(), kept)

    def test_cleanup(self):
        tracker = ResourceTracker(interval=0.1)
        pid, folder = tracker._files.recorder.pid, tracker._files.folder
        for _ in range(2):
            tracker.cleanup()
            self.assertTrue(is_gone(pid))
            self.assertFalse(os.path.exists(folder))
            with self.assertRaisesRegex(RuntimeError, "Nothing is recorded"):
                tracker.report()
            self.assertEqual(tracker.n_samples, 0)

    def test_stop_by_two_threads(self):
        tracker = ResourceTracker(interval=0.1)
        burn(0.2)
        threads = [threading.Thread(target=tracker.stop) for _ in range(4)]
        with unittest.mock.patch("threading.excepthook") as hook:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        hook.assert_not_called()
        self.assertGreater(tracker.n_samples, 0)

    def test_options_of_the_tracker(self):
        for option in ("-o", "--output", "--output=a", "-oa", "-qo", "--out", "-p", "--pid=1", "-i5", "--interval",
                       "--end-fd=3", "--csv", "--csv-file=a", "-h", "--help", "-V", "--version", "--list-metrics"):
            with self.assertRaisesRegex(ValueError, f"^options: {option} is not possible"):
                ResourceTracker(options=[option, "a"])
        with self.assertRaisesRegex(TypeError, "options is a list"):
            ResourceTracker(options="--detail")
        for refused in "--info", "--mark=a", "--recover=a", "--", "sleep":
            with self.assertRaises(RuntimeError):
                ResourceTracker(options=[refused])
        with ResourceTracker(interval=0.1, options=["--detail", "--tag", "k=-o", "--name=of mine", "-v"]) as tracker:
            burn(0.1)
        self.assertEqual(tracker.snapshot()["rtrack"]["job"]["name"], "of mine")

    def test_stop_is_not_the_end_of_the_process(self):
        for _ in range(10):
            tracker = ResourceTracker(interval=0.1)
            time.sleep(0.02)
            tracker.stop()
            self.assertEqual(tracker.snapshot()["rtrack"]["exit"]["cause"], "detached")

    def test_repr(self):
        with ResourceTracker(interval=0.1) as tracker:
            burn(0.3)
        self.assertRegex(repr(tracker), r"^<ResourceTracker: \d+\.\d+ s, [01]\.\d+ cores? on average, peak memory [0-9.]+ MiB>$")
        with Tracker(sleep_time=0.1) as tracker:
            burn(0.1)
        self.assertRegex(repr(tracker), r"^<Tracker: 0\.\d+ s, .* cores? on average, peak memory .*>$")

    def test_version(self):
        said = subprocess.run([rtrack.program("rtrack-collect"), "--version"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(rtrack.__version__, said.split()[1])
        self.assertFalse(hasattr(rtrack, "nothing"))

    def one_error(self, code, folder, said):
        """Python code that fails in a folder for temporary files: with one RtrackError, and soon."""
        done = python(f"import rtrack, os, shutil, tempfile, time\ntempfile.tempdir = {folder!r}\n" + code)
        self.assertRegex(done.stderr.splitlines()[-1], "^rtrack.RtrackError: .*" + said)
        self.assertEqual(done.stderr.count("Traceback"), 1, done.stderr)

    def test_folder_is_gone(self):
        folder = tempfile.mkdtemp()
        self.one_error(f"os.rmdir({folder!r})\nrtrack.ResourceTracker()", folder, "no temporary folder.*No such file")
        os.mkdir(folder)
        done = python(f"import rtrack, shutil, tempfile\ntempfile.tempdir = {folder!r}\n"
                      f"t = rtrack.ResourceTracker(interval=.1)\nshutil.rmtree({folder!r})\nt.stop()\nprint('on')")
        self.assertEqual(done.stdout, "on\n")
        self.assertRegex(done.stderr, "UserWarning: .*No such file.*; there is no recording")

    @unittest.skipUnless(os.geteuid() == 0, "a small disk takes root")
    def test_disk_is_full(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(os.rmdir, folder)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", folder], capture_output=True).returncode:
            self.skipTest("no file system can be mounted here")
        self.addCleanup(subprocess.run, ["umount", folder], check=True)
        fill = "try: open(tempfile.tempdir + '/fill', 'wb', 0).write(b'x' * 2**16)\nexcept OSError: pass\n"
        self.one_error(fill + "rtrack.ResourceTracker()", folder, "No space left on device")
        os.remove(folder + "/fill")
        start = f"t = rtrack.ResourceTracker(interval=.05)\nt.wait_for_samples(2)\n{fill}time.sleep(.3)\n"
        self.one_error(start + "t.snapshot()", folder, "the recording cannot be copied: No space left on device")
        os.remove(folder + "/fill")
        # What was recorded before is there.
        done = python(f"import rtrack, tempfile, time\ntempfile.tempdir = {folder!r}\n{start}"
                      "t.stop()\nprint(t.n_samples > 1, t.stats() != {})")
        self.assertEqual(done.stdout, "True True\n")
        kept = re.search("UserWarning: .*No space left on device; the recording is (.*partial)", done.stderr)[1]
        self.assertGreater(len(rtrack.load(kept)), 1)

    def test_closed_standard_streams(self):
        code = ("import rtrack, time\nt = rtrack.ResourceTracker(interval=.05)\nt.wait_for_samples(3)\n"
                "assert t.running\nt.stop()\nopen('ok', 'w').close()")
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", sys.executable, "-c", code], cwd=folder, timeout=60)
            self.assertEqual(os.listdir(folder), ["ok"])

    def test_no_descriptor_is_left(self):
        done = python("import os, resource, rtrack\nresource.setrlimit(resource.RLIMIT_NOFILE, (6, 6))\n"
                      "rtrack.ResourceTracker()")
        self.assertRegex(done.stderr.splitlines()[-1], "^rtrack.RtrackError: .*Too many open files")
        self.assertEqual(done.stderr.count("Traceback"), 1, done.stderr)

    def test_programs_that_do_not_run(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in "rtrack-collect", "rtrack-report":
                with open(f"{folder}/{name}", "wb") as file:
                    file.write(b"\x7fELF")
                os.chmod(file.name, 0o755)
            done = python("import sysconfig, sys\nsysconfig.get_path = lambda *a: '/nowhere'\nsys.executable = '/none/py'\n"
                          "import rtrack\nrtrack.ResourceTracker()", env={"PATH": folder}, cwd="/")
        self.assertIn("rtrack.RtrackError: rtrack-collect cannot be run: Exec format error: " + folder, done.stderr)
        self.assertEqual(done.stderr.count("Traceback"), 1, done.stderr)

    def test_forgotten(self):
        tracker = ResourceTracker(interval=0.1)
        pid, fds = tracker._files.recorder.pid, len(os.listdir("/proc/self/fd"))
        del tracker
        gc.collect()
        self.assertTrue(is_gone(pid))
        self.assertEqual(len(os.listdir("/proc/self/fd")), fds - 2)

    def test_fork(self):
        tracker = ResourceTracker(interval=0.1)
        child = os.fork()
        if child == 0:
            try:
                tracker.stop()
                del tracker
                atexit._run_exitfuncs()
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        self.assertTrue(tracker.running)
        burn(0.2)
        tracker.stop()
        self.assertGreater(tracker.n_samples, 0)

    def test_pool_that_outlives(self):
        with multiprocessing.get_context("fork").Pool(2) as early:
            with ResourceTracker(interval=0.1) as tracker:
                late = multiprocessing.get_context("fork").Pool(1)  # has the recorder's pipe, too
                late.map(burn, [0.2])
                early.map(burn, [0.2])
            self.assertFalse(tracker.running)
            late.terminate()
            late.join()
        self.assertEqual(tracker.snapshot()["rtrack"]["exit"]["code"], 0)

    def test_first_use_in_threads(self):
        done = python("import rtrack, threading\ngo = threading.Barrier(8)\n"
                      "def find(): go.wait(); rtrack.program('rtrack-report')\n"
                      "for _ in range(8): threading.Thread(target=find).start()")
        self.assertEqual(done.stderr, "")

    def test_threads(self):
        errors = []

        def work(i):
            try:
                with ResourceTracker(interval=0.1) as tracker:
                    time.sleep(0.3)
                self.assertGreater(tracker.n_samples, 0)
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])

    def test_killed_recorder(self):
        tracker = ResourceTracker(interval=0.1)
        tracker.wait_for_samples(2)
        tracker._files.recorder.kill()
        wait_until(lambda: not tracker.running)
        with self.assertWarnsRegex(UserWarning, "ended with -9; what it had recorded was recovered"):
            tracker.stop()
        self.assertGreaterEqual(tracker.n_samples, 2)
        with self.assertWarnsRegex(UserWarning, "no complete sample; there is no recording"), self.assertRaises(KeyError):
            with ResourceTracker(interval=60) as tracker:
                kill_before_samples(tracker)
                raise KeyError

    def test_errors_of_the_programs(self):
        with self.assertRaisesRegex(RuntimeError, "^no process 99999999"):
            ResourceTracker(pid=99999999)
        tracker = ResourceTracker(options=["--nonsense"], autostart=False)
        with self.assertRaisesRegex(RuntimeError, "unknown option"):
            tracker.start()
        self.assertEqual((tracker.start_time, repr(tracker)), (None, "<ResourceTracker: nothing is recorded>"))
        with self.assertRaises(OSError):
            ResourceTracker.load(__file__)

    def test_another_process(self):
        other = subprocess.Popen([sys.executable, "-c", "import time\nwhile time.process_time() < .5: pass"])
        tracker = ResourceTracker(pid=other.pid, interval=0.1)
        other.wait()
        wait_until(lambda: not tracker.running)
        tracker.stop()
        self.assertGreater(sum(tracker.process_metrics["utime"] + tracker.process_metrics["stime"]), 0.1)

    def test_interrupt(self):
        # Ctrl-C of a terminal goes to the whole group: the recorder is not in it.
        code = ("import os, rtrack, signal, time\nt = rtrack.ResourceTracker(interval=.1)\n"
                "t.wait_for_samples()\ntry:\n os.killpg(0, signal.SIGINT); time.sleep(9)\n"
                "except KeyboardInterrupt: pass\nassert t.running\nt.stop(); print(t.n_samples > 0)")
        done = python(code, start_new_session=True)
        self.assertEqual((done.stdout, done.stderr), ("True\n", ""))

    def ended(self, code):
        """Runs Python that prints the recorder's PID and ends somehow: the recorder must end, too."""
        done = python("import os, rtrack, signal, sys, time\n" + code)
        pid = int(done.stdout)
        wait_until(lambda: is_gone(pid))
        return done.stderr

    def test_end_of_python(self):
        start = "t = rtrack.ResourceTracker(interval=.1); print(t._files.recorder.pid, flush=True)\n"
        self.assertEqual(self.ended(start), "")
        self.assertIn("ZeroDivisionError", self.ended(start + "1 / 0"))

    def test_crash_of_python(self):
        start = "t = rtrack.ResourceTracker({}interval=.1); print(t._files.recorder.pid, flush=True)\n"
        crash = "os.kill(os.getpid(), signal.SIGKILL)"
        with tempfile.TemporaryDirectory() as folder:
            os.environ["TMPDIR"] = folder
            self.addCleanup(os.environ.pop, "TMPDIR")
            self.ended(start.format("") + crash)
            self.ended(start.format(f"pid={os.getpid()}, ") + crash)
            # What it had recorded is still there.
            wait_until(lambda: sum("run.json.gz" in files for _, _, files in os.walk(folder)) == 2)

    def test_under_rtrack_collect(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([rtrack.program("rtrack-collect"), "-q", "-o", folder + "/a.json.gz", "--", sys.executable,
                            "-c", "from rtrack import SubTracker\nwith SubTracker('load'): pass"], check=True)
            with gzip.open(folder + "/a.json.gz") as file:
                self.assertEqual([phase["name"] for phase in json.load(file)["rtrack"]["phases"]], ["load"])

    def test_removed_folder(self):
        self.addCleanup(os.chdir, os.getcwd())
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
        with ResourceTracker(interval=0.1) as tracker:
            with tracker.sub_track("p"), SubTracker(code_block_attribute="q"):
                burn(0.2)
        self.assertEqual([phase["name"] for phase in tracker.phases], ["p", __file__ + ":q"])
        with Tracker(sleep_time=0.1) as tracker:
            burn(0.2)
        self.assertIn("Max RAM", str(tracker))

    def test_many_in_turn(self):
        files, threads = len(os.listdir("/proc/self/fd")), threading.active_count()
        trackers = [ResourceTracker(interval=60) for _ in range(20)]
        for tracker in trackers:
            tracker.stop()
        self.assertEqual((len(os.listdir("/proc/self/fd")), threading.active_count()), (files, threads))

    def test_strange_folder(self):
        with tempfile.TemporaryDirectory(prefix="a b %h é'") as folder:
            tempfile.tempdir, old = folder, tempfile.tempdir
            try:
                with ResourceTracker(interval=0.1) as tracker:
                    with tracker.sub_track("p"):
                        burn(0.2)
                self.assertEqual([phase["name"] for phase in tracker.phases], ["p"])
                del tracker
                self.assertEqual(os.listdir(folder), [])
            finally:
                tempfile.tempdir = old


def cases(suite):
    for test in suite:
        yield from cases(test) if isinstance(test, unittest.TestSuite) else [test]


def main():
    """A line for each test: "ok NAME", "skip NAME" or "not ok NAME", and after it lines of why, "# …"."""
    status = 0
    for case in cases(unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__])):
        result = unittest.TestResult()
        case.run(result)
        bad = result.errors + result.failures
        status |= bool(bad)
        print("not ok" if bad else "skip" if result.skipped else "ok", type(case).__name__,
              case._testMethodName.replace("test_", "").replace("_", " "))
        for _, why in bad or result.skipped:
            print("".join(f"# {line}\n" for line in why.splitlines()), end="")
        sys.stdout.flush()
    return status


if __name__ == "__main__":
    sys.exit(main())
