"""`python -m salet` is the command `salet`."""

import sys

from salet.cli import main

sys.exit(main())
