"""Benchmarks of torch-infini."""
