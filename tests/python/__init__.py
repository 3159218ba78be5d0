"""Tests of the Python package on its public surface."""
