"""Names of the module resource_tracker.report: docs/python.md"""
from .page import Text as Report
