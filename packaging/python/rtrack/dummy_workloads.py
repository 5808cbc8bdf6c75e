"""Work to try a tracker with: names of the module resource_tracker.dummy_workloads."""
import multiprocessing, time

def cpu_single(duration=1):
    """Keeps one core busy for so many seconds."""
    end = time.monotonic() + duration
    while time.monotonic() < end: pass

def cpu_multi(duration=1, ncores=2):
    """The same of so many cores, each in a process of its own."""
    work = [multiprocessing.get_context("fork").Process(target=cpu_single, args=(duration,)) for _ in range(ncores)]
    for process in work: process.start()
    for process in work: process.join()
