"""The parts of report_api_gaps.py: profile, surface, comparison, rendering."""
