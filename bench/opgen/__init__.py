"""The time that opgen takes, beside torchgen and beside what the system needs."""
