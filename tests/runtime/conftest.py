"""Puts this folder on the import path, so that its hand-written packages are found as generated ones are."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
