"""``python -m exactgeo`` is the command ``exactgeo``."""

import sys

from exactgeo.cli import main

if __name__ == "__main__":
    sys.exit(main())
