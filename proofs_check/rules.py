"""Every rule that a verdict can name, with its meaning: the tables of FORMAT.md, section 8.

Nothing rests on them: a rule is named where it is broken. A test compares them with the source.
"""

import re
from pathlib import Path

__all__ = ["RULES"]

_FORMAT = Path(__file__).with_name("FORMAT.md").read_text(encoding="utf-8")
_SECTION = _FORMAT[_FORMAT.index("\n## 8") : _FORMAT.index("\n## 9")]

RULES: dict[str, str] = dict(re.findall(r"^\| `([a-z-]+)` \| (.*) \|$", _SECTION, re.MULTILINE))
