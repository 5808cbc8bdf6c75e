"""@track: records each call of a function."""
import contextlib, functools, inspect, os, sys
from . import ResourceTracker
from .page import sentence

def track(function=None, *, file=None, report=None, show=False, **options):
    """Records each call of a function, of a generator and of what is async as long as it runs. .tracker is the last
    call's, and a notebook shows the function as its page; file, report: written after each; show: shown after each."""
    if function is None:
        return functools.partial(track, file=file, report=report, show=show, **options)
    name = getattr(function, "__name__", type(function).__name__)

    @contextlib.contextmanager
    def recorded():
        more = ["--name", name, *options.get("options", ())]
        wrapper.tracker = tracker = ResourceTracker(**{**options, "options": more})
        try:
            with tracker:
                yield
        finally:
            if os.path.exists(tracker.file):
                file and tracker.dump(file)
                report and tracker.report().save(report)
            if show and "IPython" in sys.modules:
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
