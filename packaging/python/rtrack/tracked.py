"""@track: records each call of a function."""
import contextlib, functools, inspect, sys
from . import ResourceTracker, _one_error
from .helpers import check_writable, file_name
from .page import sentence

def _name(options, name):
    """What the recording will be called."""
    options = [*map(str, options)]
    for at, option in enumerate(options):
        if option.startswith("--name="): name = option[7:]
        if option == "--name": name = "".join(options[at + 1:at + 2])
    return name

def _target(pattern, name):
    path = file_name(pattern, name)
    with _one_error(f"{path} cannot be written"):
        check_writable(path)
    return path

def _save(tracker, file, report):
    """Writes what was wanted. The function has its own result or exception, so this has none."""
    kept = ""
    for path, write in (file, tracker.dump), (report, lambda path: tracker.report().save(path)):
        try:
            path and write(path)
            kept = kept or path
        except Exception as why:
            tracker._keep(f"{path} cannot be written: {why}", kept)

def track(function=None, *, file=None, report=None, show=False, **options):
    """Records each call of a function, of a generator and of what is async as long as it runs. .tracker is the last
    call's, and a notebook shows the function as its page; file, report: written after each, with %h (host), %p (process ID),
    %t (UTC time) and %n (name) in their names; show: shown after each."""
    if function is None:
        return functools.partial(track, file=file, report=report, show=show, **options)
    inspect.signature(ResourceTracker).bind(**options)  # a wrong name shows here, and not when the function is called
    name = getattr(function, "__name__", type(function).__name__)

    @contextlib.contextmanager
    def recorded():
        named = _name(options.get("options", ()), name)
        to = [path and _target(path, named) for path in (file, report)]
        tracker = ResourceTracker(**{**options, "options": ["--name", name, *options.get("options", ())]})
        wrapper.tracker = tracker
        try:
            with tracker:
                yield
        finally:
            if tracker._ended: _save(tracker, *to)
            if show and "IPython" in sys.modules:
                with contextlib.suppress(Exception):
                    from IPython import display, get_ipython
                    get_ipython() and display.display(tracker)

    if inspect.isasyncgenfunction(function):
        async def wrapper(*arguments, **named):
            with recorded():
                inner = function(*arguments, **named)
                step = inner.__anext__()
                while True:
                    try:
                        item = await step
                    except StopAsyncIteration:
                        return
                    try:
                        step = inner.asend((yield item))
                    except GeneratorExit:
                        await inner.aclose()
                        raise
                    except BaseException as error:
                        step = inner.athrow(error)
    elif inspect.iscoroutinefunction(function):
        async def wrapper(*arguments, **named):
            with recorded():
                return await function(*arguments, **named)
    elif inspect.isgeneratorfunction(function):
        def wrapper(*arguments, **named):
            with recorded():
                return (yield from function(*arguments, **named))
    else:
        def wrapper(*arguments, **named):
            with recorded():
                return function(*arguments, **named)
    functools.update_wrapper(wrapper, function)
    wrapper._repr_html_ = lambda: (  # a notebook shows this
        wrapper.tracker._repr_html_() if hasattr(wrapper, "tracker") else sentence(f"{name} was not called yet."))
    return wrapper
