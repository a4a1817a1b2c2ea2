"""Sabotaged checkers: one check removed or weakened in each, by exact substitution in the source.

A sabotaged copy is *exposed* if it accepts what is false or forbidden, refuses what is true, names another rule than
the corpus expects, or crashes. A copy that nothing can expose is listed with the argument why it is equivalent; the
test demands that it is indeed not exposed.

`move` marks the copies that accept a false count: with this move the forger alone, without the corpus, has to find a
certificate that is accepted and false.

The file is long because it is one table, an entry for each check of the checker.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.proofs_check.bases import Base, designed_bases, shared_bases
from tests.proofs_check.checkers import Certificate, Checker, closed
from tests.proofs_check.forger import Forgery, forgeries_of
from tests.proofs_check.forger import wrong as forged
from tests.proofs_check.forger_shared import SHARED_MOVES, shared_forgeries_of
from tests.proofs_check.make_corpus import TWO, TWO_CLAIM, TWO_TREE, Files

__all__ = [
    "SABOTAGE",
    "Sabotage",
    "exposed_by_corpus",
    "exposed_by_forgeries",
    "exposed_by_networks",
    "exposed_by_truth",
    "forgeries_for",
]


@dataclass(frozen=True)
class Sabotage:
    """`old` occurs once in `file`. `equivalent`: why the copy decides as the original does."""

    name: str
    file: str
    old: str
    new: str
    move: str = ""
    equivalent: str = ""


def _s(name: str, file: str, old: str, new: str, move: str = "", equivalent: str = "") -> Sabotage:
    return Sabotage(name, file + ".py", old, new, move, equivalent)


SABOTAGE: list[Sabotage] = [
    # ---- reading
    _s("a file may end within a line", "core/reading", "            if size:\n", "            if False:\n"),
    _s(
        "any bytes in the header",
        "lowering/objects",
        '    if not text.isascii() or "\\0" in text:\n        raise Unreadable("encoding", "", "not ASCII")\n'
        "    if _TOO_LONG_CLAIM.search(text):",
        "    if _TOO_LONG_CLAIM.search(text):",
    ),
    _s("the last of two equal keys counts", "lowering/objects", "    if len(result) < len(pairs):", "    if False:"),
    _s(
        "NaN is a number",
        "lowering/objects",
        'raise Unreadable("json", "", f"{text} is not JSON")',
        "return Spelling(text)",
    ),
    _s(
        "-0 is an integer of the header",
        "lowering/objects",
        '    if text == "-0":\n        return Spelling(text)\n',
        "",
    ),
    _s("leading zeros", "core/reading", '_I = rf"(?:0|-?[1-9][0-9]', '_I = rf"(?:0|-?[0-9][0-9]'),
    _s("a record may be followed by anything", "core/reading", "pattern.fullmatch(line)", "pattern.match(line)"),
    _s("a gzip file may go on", "core/reading", '    if stream.unused_data or next(packed, b""):', "    if False:"),
    _s(
        "a gzip file may be cut off",
        "core/reading",
        'elif not data and not stream.eof:\n            raise Unreadable("gzip", "file", "the stream is cut off")',
        "elif not data and not stream.eof:\n            return",
    ),
    _s("any depth of brackets", "lowering/objects", '    demand("NESTING", depth(text))\n', ""),
    _s("1 is true", "checker", "type(a) is type(b) and a == b", "a == b"),
    # ---- the file as a whole
    _s("any hash", "core/certificate", "            if digest != found:", "            if False:"),
    _s("any number of records", "core/certificate", "            if count != records:", "            if False:"),
    _s(
        "records after the last line",
        "core/certificate",
        "            if next(stream, None) is not None:",
        "            if False:",
    ),
    _s(
        "the last line may be missing",
        "core/certificate",
        'raise Unreadable("no-last-line", f"line {lines.number}", "the file ends without a Z record")',
        "return checker.result(lines.number - 1)",
    ),
    _s("any hash of the network file", "checker", "    if found != claim.network_sha256:", "    if False:"),
    _s(
        "any object in the network file",
        "checker",
        "    if not _same_object(parse",
        "    if False and not _same_object(parse",
    ),
    _s(
        "any keys in the header",
        "lowering/header",
        'if header.keys() != {"format", "network", "network_sha256", "claim"}:',
        "if False:",
    ),
    _s("any hash in the header", "lowering/header", 're.fullmatch("[0-9a-f]{64}", sha)', "True"),
    _s(
        "true is a count",
        "lowering/header",
        "return type(value) is int and value > 0",
        "return isinstance(value, int) and value > 0",
    ),
    _s(
        "zero is a count",
        "lowering/header",
        "return type(value) is int and value > 0",
        "return type(value) is int and value >= 0",
    ),
    _s("bounds backwards", "lowering/header", " and regions[0] <= regions[1]\n", "\n"),
    _s("regions without maps", "lowering/header", "    if regions is not None and maps is None:", "    if False:"),
    # ---- claims
    _s(
        "any number of cells",
        "core/certificate",
        "        if cells != claim.cells:",
        "        if cells > claim.cells:",
        move="false_claim",
    ),
    _s(
        "more cells than claimed, until the end",
        "core/certificate",
        "        if self.main.cells > self.claim.cells:",
        "        if False:",
        equivalent="The number of cells is compared once more, and exactly, in `result`, which every accepted file "
        "reaches with the rule `cells`; the early test only spares the rest of a long file.",
    ),
    _s(
        "an open tree",
        "core/certificate",
        '        if not self.main.done:\n            raise Rejected("tree-open", "", f"after {show(cells)} cells")\n',
        "",
        move="child_left_out",
    ),
    _s(
        "any number of maps",
        "core/certificate",
        "if claim.affine_maps is not None and maps != (claim.affine_maps, claim.affine_maps):",
        "if False:",
        move="false_claim",
    ),
    _s(
        "any number of regions",
        "core/certificate",
        "not claim.regions[0] <= regions[0] <= regions[1] <= claim.regions[1]:",
        "False:",
        move="records_left_out",
    ),
    _s(
        "no lower bound of regions",
        "core/certificate",
        "not claim.regions[0] <= regions[0] <= regions[1] <= claim.regions[1]:",
        "not regions[1] <= claim.regions[1]:",
        move="records_left_out",
    ),
    _s(
        "no upper bound of regions",
        "core/certificate",
        "not claim.regions[0] <= regions[0] <= regions[1] <= claim.regions[1]:",
        "not claim.regions[0] <= regions[0]:",
        move="records_left_out",
    ),
    _s(
        "region records unclaimed",
        "checker",
        '            raise Rejected("regions-unclaimed", "", f"a record {kind}")',
        "            return",
    ),
    _s(
        "region records in an open tree",
        "checker",
        '        if not self.main.done:\n            raise Rejected("tree-open", "", f"a record',
        '        if False:\n            raise Rejected("tree-open", "", f"a record',
    ),
    # ---- network
    _s("a box without interior", "lowering/network", "            if low >= high:", "            if low > high:"),
    _s(
        "any keys in the network",
        "lowering/objects",
        "        if key not in required and key not in optional:",
        "        if False:",
    ),
    _s("true is a dimension", "lowering/network", "type(dimension) is not int", "not isinstance(dimension, int)"),
    _s("any exponent", "lowering/numbers", '    if abs(exponent) > LIMITS["EXPONENT"].most:', "    if False:"),
    _s("residual may be anything", "lowering/objects", "    if not isinstance(value, bool):", "    if False:"),
    _s("a fraction has no sign", "lowering/numbers", 'rf"([+-]?{_PART})/({_PART})"', 'rf"[+-]?({_PART})/({_PART})"'),
    _s("a decimal has no sign", "lowering/numbers", '    if decimal[1] == "-":', "    if False:"),
    _s(
        "values need not fit the keys",
        "lowering/heads",
        'numbers.matrix(entry[values], f"{where}.{values}", len(keys))',
        'numbers.matrix(entry[values], f"{where}.{values}")',
    ),
    _s(
        "domain rows as they are",
        "lowering/network",
        "return [primitive(tuple(integers([row])[1][0])) for row in rows]",
        "return [tuple(integers([row])[1][0]) for row in rows]",
    ),
    # ---- Farkas
    _s("zero in the kernel vector", "core/farkas", "    if min(vector) <= 0:", "    if min(vector) < 0:"),
    _s("any sign in the kernel vector", "core/farkas", "    if min(vector) <= 0:", "    if False:"),
    _s("zero multipliers", "core/farkas", "min(given) <= 0", "min(given) < 0", move="zero_multipliers"),
    _s(
        "negative multipliers",
        "core/farkas",
        "len(given) != len(rows) or min(given) <= 0",
        "len(given) != len(rows)",
        move="signed",
    ),
    _s(
        "some multipliers missing",
        "core/farkas",
        "len(given) != len(rows) or min(given) <= 0",
        "min(given) <= 0",
        move="zero_row",
    ),
    _s("normals that do not cancel", "core/farkas", "    if any(normal):", "    if False:", move="normals_left"),
    _s("a positive constant", "core/farkas", "    if constant > 0:", "    if False:", move="positive_constant"),
    _s("a constant of one", "core/farkas", "    if constant > 0:", "    if constant > 1:", move="positive_constant"),
    _s(
        "the zero row proves anything",
        "core/farkas",
        "    if constant == 0 and not any(map(any, normals)):",
        "    if False:",
        move="zero_row",
    ),
    _s("a constant row is proviso enough", "core/farkas", "not any(map(any, normals))", "not any(map(any, rows))"),
    _s(
        "no look at the other equations",
        "core/rows",
        "        if len(rest) == 1:\n            return []\n",
        "        if len(rest) == 1:\n            rest = [[]]\n            break\n",
    ),
    _s(
        "a kernel of any dimension",
        "core/rows",
        "    line = [1] if len(rest) == 1 else []\n",
        "    line = [1] * len(rest)\n",
    ),
    _s(
        "more rows than a kernel line has",
        "core/rows",
        "    if len(vectors) > len(vectors[0]) + 1:\n        return None  # the kernel has dimension at least n - d\n",
        "",
        equivalent="n vectors in R^d have a left kernel of dimension at least n - d >= 2: every step keeps or raises "
        "n - d, so the coordinates come to an end with two or more vectors left, and None is returned as well. The "
        "early return only saves time.",
    ),
    # ---- tree
    _s(
        "the tree goes on after its end",
        "core/tree",
        '        """Begin the stages before `last` whose predecessors are settled."""\n        if self.done:',
        '        """..."""\n        if False:',
        move="child_twice",
    ),
    _s("nodes closed after the end", "core/tree", "        self.begin(0)\n", ""),
    _s(
        "selector minus one",
        "core/tree",
        "not 0 <= g < len(self.levels[-1].possible)",
        "not g < len(self.levels[-1].possible)",
    ),
    _s("a settled selector", "core/tree", "        if len(names) < 2:", "        if False:"),
    _s("any class", "core/tree", "        if j not in names:", "        if False:"),
    _s("no row needed", "core/tree", "        if not numbers:", "        if False:"),
    _s("a row twice", "core/rows", "        if number <= last:", "        if number < last:"),
    _s("rows in any order", "core/rows", "        if number <= last:", "        if number < 0:"),
    _s("row minus one", "core/rows", "        if number <= last:", "        if number <= last and last >= 0:"),
    _s(
        "rows of a selector not settled",
        "core/tree",
        "                if len(names) > 1:",
        "                if False:",
        move="not_settled",
    ),
    _s(
        "the class wins in every stage",
        "core/tree",
        "if g == selector and t - first == len(levels) - 1:",
        "if g == selector:",
        move="supposed_elsewhere",
    ),
    _s(
        "the row of the winner itself",
        "core/tree",
        "if c == w or c not in level.frame.classes[g]:",
        "if c not in level.frame.classes[g]:",
    ),
    _s("the row of any member", "core/tree", "if c == w or c not in level.frame.classes[g]:", "if c == w:"),
    _s(
        "an exclusion without evidence",
        "core/tree",
        "        self._refuted(numbers, given, g, j)\n",
        "",
        move="no_such_row",
    ),
    _s("a closing without evidence", "core/tree", "        self._refuted(numbers, given)\n", "", move="signed"),
    _s(
        "an exclusion excludes the first class",
        "core/tree",
        "names.remove(j)",
        "names.remove(names[0])",
        move="transplanted",
    ),
    _s(
        "the last child is left out",
        "core/tree",
        "if branch.child == len(branch.names):",
        "if branch.child >= len(branch.names) - 1:",
        move="child_left_out",
    ),
    _s(
        "exclusions last beyond their node",
        "core/tree",
        "                level.possible[selector] = before\n",
        "                pass\n",
        move="exclusion_into_closing",
    ),
    _s(
        "a leaf with selectors open",
        "core/tree",
        "        if self.unsettled:\n",
        "        if False:\n",
        move="leaf_with_an_open_selector",
    ),
    _s("any denominator", "core/tree", "or given[0] <= 0:", "or False:"),
    _s("denominator zero", "core/tree", "or given[0] <= 0:", "or given[0] < 0:"),
    _s(
        "any number of coordinates",
        "core/tree",
        "if len(given) != len(self.map[1]) or given[0] <= 0:",
        "if given[0] <= 0:",
    ),
    _s(
        "points on the boundary",
        "core/tree",
        "min(values(self.rows, point), default=1) <= 0",
        "min(values(self.rows, point), default=1) < 0",
        move="flat_domain",
    ),
    _s(
        "points anywhere",
        "core/tree",
        "if min(values(self.rows, point), default=1) <= 0 or winners",
        "if False and winners",
        move="leaf_in_an_empty_node",
    ),
    _s("points where others win", "core/tree", "winners != [level.won for level in self.levels]", "False"),
    _s("points where others win as well", "lowering/evaluate", "_HIGH if v > 0 else _LOW", "_HIGH if v >= 0 else _LOW"),
    _s(
        "points where one of several candidates wins",
        "lowering/evaluate",
        "if scores.count(top) == 1:",
        "if scores.count(top):",
    ),
    _s(
        "points outside the domain",
        "core/tree",
        "self.rows: list[Row] = [row for row in space.rows if any(row)]",
        "self.rows: list[Row] = []",
        move="leaf_in_an_empty_node",
    ),
    _s(
        "no look at the output",
        "core/tree",
        "if not _same(image(found, point), output):",
        "if False:",
        equivalent="The forward pass has found the winners of the path, and the affine map of the leaf has that output "
        "by composition, if `lowering` is right: a second opinion about `lowering`, which exposes the copies that "
        "sabotage it.",
    ),
    # ---- stages
    _s(
        "every candidate is a class",
        "core/stage",
        "same.setdefault(score, []).append(j)",
        "same.setdefault((j, score), []).append(j)",
    ),
    _s(
        "equal scores in a frame",
        "core/frames",
        "stage.repeated or not distinct(pulled):",
        "stage.repeated:",
    ),
    _s("equal scores in all frames", "core/frames", "else stage.repeated or not", "else not"),
    _s("equal scores of two candidates", "core/frames", "if (0,) * len(self._start) in self.gaps if", "if False if"),
    _s(
        "every score is zero",
        "core/frames",
        "self.gaps.append(pulled[high] if low == zero else",
        "self.gaps.append(pulled[high] if True else",
    ),
    _s(
        "a class has the value of its lowest member",
        "core/frames",
        "for j in members]\n        size = len(members)",
        "for j in members[:1]]\n        size = 1",
    ),
    _s(
        "the sum of all members",
        "core/frames",
        "_add(columns, vector, form, den // size)",
        "_add(columns, vector, form, den)",
    ),
    _s("maps of another branch", "core/tree", "while level.sums[-1][0] > branch.order:", "while False:"),
    _s(
        "winner and loser exchanged",
        "core/frames",
        "map(sub, self.pulled[scores[w]], self.pulled[scores[c]])",
        "map(sub, self.pulled[scores[c]], self.pulled[scores[w]])",
    ),
    _s(
        "rows as they are", "core/frames", "row = primitive(self.difference(g, w, c))", "row = self.difference(g, w, c)"
    ),
    _s(
        "leaky units are plain",
        "lowering/layers/pointwise",
        "[((0, 0), (top, 0)), ((1, 0), (den, 0))]",
        "[((0, 0), (0, 0)), ((1, 0), (den, 0))]",
    ),
    _s(
        "no residual in ffn",
        "lowering/layers/ffn",
        "[constant * inner for constant in constants], inner * outer if self.residual else 0)",
        "[constant * inner for constant in constants], 0)",
    ),
    _s("no score bias", "lowering/heads", "        row[0] += p * q * constant\n", "        pass\n"),
    # ---- regions
    _s(
        "maps without their denominator",
        "extensions/regions",
        "key(found)",
        "key(found[1])",
        move="false_claim",
    ),
    _s("maps without their constants", "extensions/regions", "key(found)", "key(found[1][1:])"),
    _s(
        "any leaf number below",
        "extensions/regions",
        "if not 0 <= number < len(self._map_of):",
        "if not number < len(self._map_of):",
    ),
    _s(
        "a wall of a leaf with itself, or backwards",
        "extensions/regions",
        "        if self._leaf(a) >= self._leaf(b):",
        "        if self._leaf(a) < 0 or self._leaf(b) < 0:",
    ),
    _s(
        "a wall across a jump",
        "extensions/regions",
        "        if self._map_of[a] != self._map_of[b]:",
        "        if False:",
        move="false_wall",
    ),
    _s(
        "a wall off the hyperplane",
        "extensions/regions",
        "        if sum(map(mul, h, point)):",
        "        if False:",
        move="false_wall",
    ),
    _s(
        "a wall anywhere on the hyperplane",
        "extensions/regions",
        "if value <= 0 and not _proportional(row, h):",
        "if False:",
        move="false_wall",
    ),
    _s(
        "a wall in a vertex",
        "extensions/regions",
        "if value <= 0 and not _proportional(row, h):",
        "if value < 0 and not _proportional(row, h):",
        move="false_wall",
    ),
    _s(
        "a wall of the first leaf only",
        "extensions/regions",
        "        for leaf in (a, b):\n            for rows",
        "        for leaf in (a,):\n            for rows",
        move="false_wall",
    ),
    _s(
        "a wall of the second leaf only",
        "extensions/regions",
        "        for leaf in (a, b):\n            for rows",
        "        for leaf in (b,):\n            for rows",
        move="false_wall",
    ),
    _s("a wall beyond the domain", "extensions/regions", "        yield self.model.domain\n", "        yield []\n"),
    _s("a wall with any denominator", "extensions/regions", "or point[0] <= 0:", "or False:", move="false_wall"),
    _s("a prefix that does not reach", "extensions/regions", "        if t >= s or t >= r:", "        if False:"),
    _s(
        "a prefix of the first leaf that does not reach",
        "extensions/regions",
        "        if t >= s or t >= r:",
        "        if t >= r:",
    ),
    _s(
        "any number of stages",
        "extensions/regions",
        "        if not 1 <= s <= self.stages:",
        "        if not s <= self.stages:",
        equivalent="With s <= 0 the next test, t < s for the stage t >= 0 in which the leaves differ, fails with the "
        "same rule `prefix`.",
    ),
    _s(
        "more stages than there are",
        "extensions/regions",
        "        if not 1 <= s <= self.stages:",
        "        if not 1 <= s:",
    ),
    _s(
        "a separation by nothing",
        "extensions/regions",
        "        if not rows:\n            raise",
        "        if False:\n            raise",
    ),
    _s(
        "h and -h separate",
        "extensions/regions",
        "            if _proportional(row, h):",
        "            if not any(row):",
        move="false_separation",
    ),
    _s(
        "-h separates",
        "extensions/regions",
        "return row == h or not any(row) or row == tuple([-value for value in h])",
        "return row == h or not any(row)",
    ),
    _s(
        "the zero row separates",
        "extensions/regions",
        "return row == h or not any(row) or row == tuple([-value for value in h])",
        "return row == h or row == tuple([-value for value in h])",
        move="false_separation",
    ),
    _s(
        "multipliers on the wrong side",
        "extensions/regions",
        "            if len(lists[1]) != len(lists[0]):",
        "            if False:",
    ),
    _s(
        "a separation off the hyperplane",
        "extensions/implied",
        "    if any(total[j] * form[i] != total[i] * form[j] for j in range(1, len(form))):",
        "    if False:",
        move="false_separation",
    ),
    _s(
        "a separation with a positive constant",
        "extensions/regions",
        "        if found[1] > 0:",
        "        if False:",
        move="false_separation",
    ),
    _s(
        "a separation with the wrong sign",
        "extensions/implied",
        " * (1 if form[i] > 0 else -1)\n",
        "\n",
        move="false_separation",
    ),
    _s(
        "rows beyond the prefix",
        "extensions/regions",
        "            if t >= s:\n",
        "            if t >= self.stages:\n",
        move="separation_of_others",
    ),
    _s(
        "separations by the row of the winner itself",
        "extensions/regions",
        "if c == w or c not in frame.classes[g]:",
        "if c not in frame.classes[g]:",
    ),
    _s(
        "separations by the row of any member",
        "extensions/regions",
        "if c == w or c not in frame.classes[g]:",
        "if c == w:",
    ),
    _s("separations by rows in any order", "extensions/regions", "        ascending(numbers)\n", ""),
    _s(
        "the prefix of the leaf alone",
        "extensions/regions",
        "        if s == self.stages:\n            return leaf",
        "        if True:\n            return leaf",
    ),
    _s(
        "no pair is open",
        "extensions/regions",
        "            if any(_root(lower, leaf) != _root(lower, leaves[0]) for leaf in leaves):",
        "            if False:",
        move="records_left_out",
    ),
    _s(
        "every pair is separated",
        "extensions/regions",
        "            if self._covered(leaves[i], s, leaves[k], r):\n                continue",
        "            if True:\n                continue",
        move="records_left_out",
    ),
    _s("blocks with equal sets of components", "extensions/regions", "if len(roots) == 1 and roots ==", "if roots =="),
    _s(
        "the flattest class wins beyond",
        "extensions/regions",
        "found[row] = max(found.get(row, steep), steep)",
        "found[row] = min(found.get(row, steep), steep)",
        move="records_left_out",
    ),
    _s(
        "one selector turns at a time",
        "extensions/regions",
        "across[row] = across.get(row, 0) ^ (w ^ c) << self._shift[t][g]",
        "across[row] = (w ^ c) << self._shift[t][g]",
        move="records_left_out",
    ),
    _s(
        "open pairs of neighbouring blocks are forgotten",
        "extensions/regions",
        "                if k > i:",
        "                if k > i + 1:",
        move="records_left_out",
    ),
    _s(
        "open pairs of the first stage only",
        "extensions/regions",
        "                for t in range(self.stages):\n                    for first",
        "                for t in range(1):\n                    for first",
        move="records_left_out",
    ),
    _s(
        "separations of every stage",
        "extensions/regions",
        "for p, q in self._levels if min(p, q) > t]",
        "for p, q in self._levels]",
        equivalent="A record between prefixes of p and q stages is accepted only if its leaves first differ in a stage "
        "below both. Two leaves that first differ in stage t >= min(p, q) agree in the first min(p, q) stages, so they "
        "are not on the two sides of such a record, and the look-up fails as before. The filter saves time.",
    ),
    _s("walls count twice", "extensions/regions", "    return i != j\n", "    return True\n", move="records_twice"),
    # ---- bounds
    _s("bounds by any number of rows", "core/tree", "        if not d <= len(numbers) <= d + 1:", "        if False:"),
    _s(
        "bounds by a singular matrix",
        "core/rows",
        " for point in points] if det else None",
        " for point in points]",
    ),
    _s(
        "corners of any sign",
        "core/rows",
        "    if det > 0:\n        return points",
        "    if det:\n        return points",
    ),
    _s("dependent rows are bordered", "core/rows", "                if new:\n", "                if True:\n"),
    _s(
        "columns in the order in which they were taken",
        "core/rows",
        "    if order != sorted(order):\n",
        "    if False:\n",
    ),
    _s("bordered without the product", "core/rows", "(new * p + a * b) // det", "(new * p) // det"),
    _s("long values in 64 bits", "lowering/evaluate", "map(abs, x))) >> 63:", "map(abs, x))) >> 90:"),
    _s("another vertex of a tangent cone", "core/rows", "[-row[0] for row in rows])", "[row[0] for row in rows])"),
    _s(
        "bounds at all corners but the last",
        "core/tree",
        "at = [values(gaps, point) for point in points]",
        "at = [values(gaps, point) for point in points[:-1]]",
        move="bounds_corner",
    ),
    _s(
        "one of two classes is larger somewhere",
        "core/tree",
        "            if low >= 0:",
        "            if high >= 0:",
        move="bounds_sign",
    ),
    _s(
        "one of two classes is less somewhere",
        "core/tree",
        "            elif high <= 0:",
        "            elif low <= 0:",
        move="bounds_sign",
    ),
    _s(
        "one of many classes is the largest somewhere",
        "core/tree",
        "    if all(heights[top] == max(heights)",
        "    if any(heights[top] == max(heights)",
        move="bounds_sign",
    ),
    _s(
        "the largest class comes back",
        "core/tree",
        "return [classes[top]] if classes[top] in names else []",
        "return [classes[top]]",
    ),
    _s(
        "bounds settle everything",
        "core/tree",
        "level.unsettled.discard(g)",
        "level.unsettled.clear()",
    ),
    _s(
        "a branch settles everything",
        "core/tree",
        "self.unsettled = level.unsettled\n        while",
        "self.unsettled = set()\n        while",
    ),
    _s(
        "one exclusion lasts beyond its node",
        "core/tree",
        "insort(level.possible[selector], before)",
        "pass",
    ),
    _s("settled once for all", "core/tree", "            self.unsettled.add(selector)\n", ""),
    _s("winners of another branch in the pattern", "core/tree", "self.pattern ^= w <<", "self.pattern |= w <<"),
    _s("winners of other stages in the pattern", "core/tree", "self.pattern &= (1 << 8", "self.pattern &= (~0 << 8"),
    _s(
        "one of many classes is larger somewhere",
        "core/tree",
        "if not any(all(map(ge, other, vector)) for",
        "if not any(any(map(ge, other, vector)) for",
        move="bounds_sign",
    ),
    _s("bounds without an effect", "core/tree", "        if not kept:", "        if False:"),
    _s("bounds that leave no class", "core/tree", "            if not left:", "            if False:"),
    _s(
        "bounds by the rows of any selector",
        "core/tree",
        "                if len(names) > 1:\n                    raise",
        "                if False:\n                    raise",
        move="bounds_uncitable",
    ),
    # ---- templates
    _s("templates at any time", "checker", "        if self.main.levels or self.main.done:", "        if False:"),
    _s("templates within templates", "checker", "        if self.tree is not self.main:", "        if False:"),
    _s(
        "any stage below",
        "extensions/templates",
        "    if not 0 <= s <= len(model.stages):",
        "    if not s <= len(model.stages):",
    ),
    _s("any stage above", "extensions/templates", "    if not 0 <= s <= len(model.stages):", "    if not 0 <= s:"),
    _s("no pivots", "extensions/templates", "    if not pivots or", "    if pivots and"),
    _s("pivots in any order", "extensions/templates", "or not all(map(lt, pivots, pivots[1:])) or", "or"),
    _s("pivots out of range", "extensions/templates", "or pivots[-1] >= m or", "or"),
    _s("pivots below", "extensions/templates", "or pivots[0] < 0 or", "or"),
    _s("any number of solved coordinates", "extensions/templates", " or len(solved) != m - k:", ":"),
    _s(
        "a solved coordinate over zero",
        "extensions/templates",
        "or line[0] <= 0 or gcd(*line) != 1:",
        "or gcd(*line) != 1:",
    ),
    _s(
        "solved coordinates not reduced",
        "extensions/templates",
        "or line[0] <= 0 or gcd(*line) != 1:",
        "or line[0] <= 0:",
    ),
    _s("solved coordinates of any length", "extensions/templates", "if len(line) != k + 2 or ", "if "),
    _s("rows of templates not primitive", "extensions/templates", " or gcd(*row) != 1:", ":"),
    _s(
        "rows of templates of any length",
        "extensions/templates",
        "if len(row) != k + 1 or gcd(*row) != 1:",
        "if gcd(*row) != 1:",
    ),
    _s(
        "anchors with any denominator",
        "extensions/templates",
        "if len(point) != k + 1 or point[0] <= 0:",
        "if len(point) != k + 1:",
    ),
    _s(
        "anchors of any length", "extensions/templates", "if len(point) != k + 1 or point[0] <= 0:", "if point[0] <= 0:"
    ),
    _s("negative coordinates", "extensions/templates", " or min(given) < 0 or", " or", move="coordinates"),
    _s("coordinates all zero", "extensions/templates", " or not any(given):", ":"),
    _s(
        "any number of coordinates in anchors",
        "extensions/templates",
        "if len(given) != len(self.anchors) or min",
        "if min",
    ),
    _s(
        "charts without their denominators",
        "extensions/templates",
        "column[j] = value * (den // q)",
        "column[j] = value",
    ),
    _s(
        "the forward pass begins anywhere",
        "core/tree",
        "self.model.forward(image(self.space.map, point), self.space.first)",
        "self.model.forward(image(self.space.map, point))",
    ),
    _s(
        "rows of the stages before a template",
        "core/tree",
        "if not first <= t < first + len(levels):",
        "if t >= first + len(levels):",
    ),
    _s(
        "references to any template below",
        "extensions/templates",
        "        if not 0 <= number < len(self._done):",
        "        if not number < len(self._done):",
    ),
    _s(
        "references to no template",
        "extensions/templates",
        "        if not 0 <= number < len(self._done):",
        "        if False:",
    ),
    _s(
        "references from any stage",
        "extensions/templates",
        "        if self.unsettled or self.stage() != s:",
        "        if False:",
        move="skipped_stage",
    ),
    _s(
        "references from an open stage",
        "extensions/templates",
        "        if self.unsettled or self.stage() != s:",
        "        if not self.unsettled and self.stage() != s:",
    ),
    _s(
        "references by any chart",
        "extensions/templates",
        "            if [q * column[j] for column in columns] != _compose(row, den, sigma):",
        "            if False:",
        move="chart",
    ),
    _s(
        "references from a smaller space",
        "extensions/templates",
        "        if kernel(list(zip(*sigma[1:], strict=True))) != []:",
        "        if False:",
        move="rank",
    ),
    _s("any amount of evidence", "extensions/templates", "    if len(entries) != count:", "    if False:"),
    _s(
        "references to any set",
        "extensions/templates",
        "            implied(form, tree.cited(numbers), given)\n",
        "",
        move="tightened",
    ),
    _s(
        "exact references from any node",
        "extensions/templates",
        "            implied(row, [pulled.rows[k] for k in numbers], given)\n",
        "            pass\n",
        move="loosened",
    ),
    _s(
        "exact references that forget the path",
        "core/tree",
        "                if len(names) == 1:\n                    rows +=",
        "                if False:\n                    rows +=",
    ),
    _s(
        "references without anchors",
        "extensions/templates",
        "        if not anchors:",
        "        if False:",
        move="no_anchors",
    ),
    _s(
        "exact references among anchors",
        "extensions/templates",
        "        if isinstance(tree.space, Chart) and tree.space.anchors:",
        "        if False:",
        move="exact_in_anchored",
    ),
    _s(
        "points outside the node",
        "extensions/templates",
        "            strictly_inside(rows, point)\n",
        "",
        move="outside",
    ),
    _s(
        "points beside the anchors",
        "extensions/templates",
        "            if [over[0] * value for value in anchor] != ",
        "            if False and [over[0] * value for value in anchor] != ",
        move="beside",
    ),
    _s("multipliers of nothing", "extensions/templates", "    if given is not None and not numbers:", "    if False:"),
    _s("evidence in any order", "extensions/templates", "    ascending(numbers)\n", ""),
    _s(
        "evidence by rows that are none",
        "extensions/templates",
        "            if numbers and numbers[-1] >= len(pulled.rows):",
        "            if False:",
    ),
    _s(
        "forms of the wrong sign",
        "extensions/implied",
        "    if found is None or found[0] <= 0:",
        "    if found is None:",
        move="flipped",
    ),
    _s("forms below zero", "extensions/implied", "    if found[1] > 0:", "    if False:", move="tightened"),
    _s("constants below zero", "extensions/implied", "        if form[0] <= 0:", "        if False:"),
    _s(
        "rows for a constant",
        "extensions/implied",
        "        if rows:\n            raise",
        "        if False:\n            raise",
    ),
    _s(
        "a form implied by nothing",
        "extensions/implied",
        "    if not rows:\n        raise",
        "    if False:\n        raise",
    ),
    # ---- uniform trees
    _s(
        "points make uniform trees",
        "extensions/templates",
        "tree.refer(template.cells, MIXED)",
        "tree.refer(template.cells, template.end)",
    ),
    _s(
        "leaves make uniform trees",
        "extensions/templates",
        "len(self.model.stages) else MIXED)",
        "len(self.model.stages) else NOTHING)",
    ),
    _s("two ends make uniform trees", "extensions/templates", "            self.end = MIXED\n", "            pass\n"),
    _s(
        "every tree is uniform",
        "checker",
        "            if self.main.end != MIXED:",
        "            if True:",
        move="false_uniform",
    ),
    _s("no tree is uniform", "checker", "            if self.main.end != MIXED:", "            if False:"),
    _s(
        "walls beside references",
        "checker",
        "        if self.referred:\n            raise",
        "        if False:\n            raise",
    ),
]


# ---- exposing -------------------------------------------------------------------------------------------------------


def exposed_by_corpus(checker: Checker, files: Files) -> Iterator[str]:
    """The files about which the checker does not say what is expected."""
    kinds = {"accept": "VERIFIED", "reject": "REJECTED", "unreadable": "UNREADABLE"}
    for path, (data, expected) in files.items():
        verdict = checker(data, packed=path.endswith(".gz"))
        what = [verdict.cells, list(verdict.regions), list(verdict.affine_maps)] if verdict.accepted else verdict.rule
        if (verdict.kind, what) != (kinds[path.split("/", maxsplit=1)[0]], expected):
            yield path


def exposed_by_truth(checker: Checker, bases: Iterable[Base]) -> Iterator[str]:
    """True certificates that the checker refuses."""
    yield from (base.name for base in bases if not checker(base.certificate.data()).accepted)


def exposed_by_networks(checker: Checker, folder: Path) -> Iterator[str]:
    """--network: another hash, another object, a number spelled in another way, true for 1."""
    path = folder / "network.json"
    document = {**TWO, "domain": {"box": [[0, 2]]}}
    path.write_text(json.dumps(document, indent=1), encoding="utf-8")
    sha = hashlib.sha256(path.read_bytes()).hexdigest()
    for box, digest, expected in (
        ("[[0,2]]", sha, ""),
        ("[[0,2]]", "0" * 64, "network-hash"),
        ("[[0,3]]", sha, "network-object"),
        ('[[0,"2"]]', sha, "network-object"),
        ("[[0,2.0]]", sha, "network-object"),
        ("[[-0,2]]", sha, "network-object"),
        ("[[false,2]]", sha, "network-object"),
        ("[[0,2],[0,2]]", sha, "network-object"),
    ):
        header = Certificate(document, TWO_CLAIM, [], digest).header().replace(b"[[0,2]]", box.encode())
        data = closed([header, *(json.dumps(record, separators=(",", ":")).encode() + b"\n" for record in TWO_TREE)])
        verdict = checker(data, network=str(path))
        if verdict.rule != expected or verdict.accepted == bool(expected):
            yield f"{box} {expected}"


def forgeries_for(sabotage: Sabotage) -> Iterator[Forgery]:
    """Forgeries by the move that has to expose it."""
    if sabotage.move in SHARED_MOVES:
        return shared_forgeries_of(shared_bases(), sabotage.move, 1, 60)
    return forgeries_of(designed_bases(), sabotage.move, 1, 60)


def exposed_by_forgeries(checker: Checker, forgeries: Iterable[Forgery]) -> tuple[str, int]:
    """The first forgery that is accepted and false, or else a crash; and how many were tried."""
    tried, crash = 0, ""
    for forgery in forgeries:
        tried += 1
        reason = forged(forgery, checker(forgery.certificate.data()))
        if reason.startswith("crash"):
            crash = crash or f"{forgery.move}: {reason}"
        elif reason:
            return f"{forgery.move}: {reason}", tried
    return crash, tried
