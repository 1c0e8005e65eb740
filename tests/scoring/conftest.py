"""Modules of this folder import its helpers by name."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
