"""@track_resources above a @step of Metaflow (2.16 or later): docs/python.md"""
from metaflow import StepMutator, user_step_decorator
from . import ResourceTracker, RtrackError
from .helpers import warn

@user_step_decorator
def record_resources(step_name, flow, inputs=None, attributes=None):
    """Records the step. The artifact is a snapshot; attributes: arguments of ResourceTracker."""
    attributes = dict(attributes or {})
    name = ["--name", f"{type(flow).__name__}.{step_name}"]
    tracker = ResourceTracker(**{**attributes, "options": [*name, *attributes.get("options", ())]})
    try:
        with tracker:
            yield
    finally:
        try:
            flow.resource_tracker_data = tracker.snapshot()
        except RtrackError as why:
            flow.resource_tracker_data = None
            warn(f"track_resources: {why}")

class track_resources(StepMutator):
    """Records each task of the step: its artifact resource_tracker_data, and a card with the page."""
    def init(self, *_arguments, **attributes):
        self.attributes = attributes

    def mutate(self, mutable_step):
        mutable_step.add_decorator(record_resources, deco_kwargs=self.attributes, duplicates=mutable_step.IGNORE)
        mutable_step.add_decorator("card", deco_kwargs={"type": "rtrack", "id": "resources"})
