"""The card that rtrack.metaflow.track_resources adds to a step: docs/python.md"""
from metaflow.cards import MetaflowCard

class ResourcesCard(MetaflowCard):
    type = "rtrack"

    def render(self, task):
        from rtrack import ResourceTracker  # Metaflow, which rtrack.metaflow needs, may not be complete before
        return str(ResourceTracker.from_snapshot(task["resource_tracker_data"].data).report(integration="metaflow"))

CARDS = [ResourcesCard]
