"""Makes the twins and the frequency data beside these tests importable."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
