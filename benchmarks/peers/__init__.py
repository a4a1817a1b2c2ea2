"""Other programs that count linear regions, measured beside exactgeo on the same inputs.

Each is a worker in a process of its own (``peers.workers``), so that its memory is its own and a crash or an endless
run ends nothing else. None is needed: one that is not installed is skipped with a word.

- Python packages are looked for in the interpreter that ``EXACTGEO_PEERS_PYTHON`` names, else in the running one:
  scipy, relucent, torch.
- ``EXACTGEO_EDGE_SUBDIVISION`` names a folder with a copy of relu_edge_subdivision, which is not a package.
- Programs are looked for on the path: normaliz, gfan, polymake.
"""
