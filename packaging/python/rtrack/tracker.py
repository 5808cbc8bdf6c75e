"""Names of the module resource_tracker.tracker: docs/python.md"""
from .resource_tracker import *
