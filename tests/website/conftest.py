"""The browser is clicked through where SITE names the folder of a built site: `make test-site`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts" / "website"))

collect_ignore = [] if os.environ.get("SITE") else ["test_browser.py", "test_links.py"]
