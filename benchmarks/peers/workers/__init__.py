"""One script for each tool, run as a process: ``python -m benchmarks.peers.workers.NAME``."""
