import { elementAt } from "@lethe/core/numeric";
import type { Piece, Pieces, Place, Rule } from "./pieces.ts";

/** The number of rows in which one row stands: of all that is joined, and of the largest part of it. */
export interface Most {
  readonly all: number;
  readonly part: number;
}

const unlimited: Most = { all: Number.POSITIVE_INFINITY, part: Number.POSITIVE_INFINITY };
const mostOuterJoins = 5;

/** Returns the most rows in which one row of piece `from` stands; for null, those of one unit. */
export function mostRows(taken: Pieces, from: number | null): Most {
  const whole = new Set(taken.pieces.keys());
  const kinds = new Map(taken.places.map((place) => [place, kindFor(place, from)] as const));
  const oneWay = [...kinds.values()].includes("full")
    ? unlimited
    : among(
        taken,
        from,
        whole,
        taken.rules.filter((rule) => tells(rule, kinds)),
      );
  const apart = eachWay(taken, from, whole, kinds);
  return { all: Math.min(oneWay.all, apart.all), part: Math.min(oneWay.part, apart.part) };
}

type Kinds = ReadonlyMap<Place, Place["type"]>;

/** Returns the kind of a join when one row is known to be there: its side is not missing, so the join keeps fewer rows. */
function kindFor({ type, left, right }: Place, from: number | null): Place["type"] {
  const here = from === null ? null : left.has(from) ? "left" : right.has(from) ? "right" : null;
  if (type === "full") return here ?? "full";
  if (type === "left") return here === "right" ? "inner" : "left";
  if (type === "right") return here === "left" ? "inner" : "right";
  return "inner";
}

/** Whether a rule says something of what it finds although its join keeps rows that find nothing. */
function tells({ at, found }: Rule, kinds: Kinds): boolean {
  if (at === "inferred") return true;
  const kind = kinds.get(at);
  if (kind === "inner") return true;
  return kind === "left" ? at.right.has(found) : kind === "right" && at.left.has(found);
}

/** Returns the sum over the cases that each outer join finds something or does not, for those that keep rows of units on either side. */
function eachWay(taken: Pieces, from: number | null, whole: ReadonlySet<number>, kinds: Kinds): Most {
  const owned = (side: ReadonlySet<number>): boolean =>
    [...side].some((at) => elementAt(taken.pieces, at).isOwned);
  const open = taken.places
    .filter(
      (place) =>
        kinds.get(place) === "full" ||
        (kinds.get(place) !== "inner" && owned(place.left) && owned(place.right)),
    )
    .reverse();
  if (open.length === 0 || open.length > mostOuterJoins) return unlimited;
  let ways: { readonly there: ReadonlySet<number>; readonly found: ReadonlySet<Place> }[] = [
    { there: whole, found: new Set() },
  ];
  for (const place of open) {
    const without = (there: ReadonlySet<number>, side: ReadonlySet<number>): ReadonlySet<number> =>
      new Set([...there].filter((at) => !side.has(at)));
    ways = ways.flatMap(({ there, found }) => {
      if (![...place.left, ...place.right].some((at) => there.has(at))) return [{ there, found }];
      const kind = kinds.get(place);
      return [
        { there, found: new Set([...found, place]) },
        ...(kind === "right" ? [] : [{ there: without(there, place.right), found }]),
        ...(kind === "left" ? [] : [{ there: without(there, place.left), found }]),
      ];
    });
  }
  const sums = ways.map(({ there, found }) => {
    const now = new Map(
      [...kinds].map(([place, kind]) => [place, found.has(place) ? "inner" : kind] as const),
    );
    const isEmpty = taken.rules.some(
      ({ at, needs }) =>
        at !== "inferred" &&
        now.get(at) === "inner" &&
        [...at.left, ...at.right].some((piece) => there.has(piece)) &&
        needs.some((piece) => !there.has(piece)),
    );
    if (isEmpty) return { all: 0, part: 0 };
    const told = taken.rules.filter(
      (rule) => tells(rule, now) && there.has(rule.found) && [...rule.given].every((at) => there.has(at)),
    );
    return among(taken, from, there, told);
  });
  return {
    all: sums.reduce((sum, { all }) => sum + all, 0),
    part: sums.reduce((sum, { part }) => sum + part, 0),
  };
}

function among(taken: Pieces, from: number | null, there: ReadonlySet<number>, rules: readonly Rule[]): Most {
  const { pieces, places, conditions, inferred } = taken;
  const all = numberOf(there);
  const rowsOf = product(pieces, from, rules);
  let part = 1;
  if (from !== null) {
    // What is joined by written conditions is counted by those alone: an engine need not infer others.
    const asWritten = product(
      pieces,
      from,
      rules.filter(({ at }) => at !== "inferred"),
    );
    const written = new Set(setsWith(from, conditions, there));
    for (const set of setsWith(from, [...conditions, ...inferred], there))
      part = Math.max(part, (written.has(set) ? asWritten : rowsOf)(set));
  }
  let last = rowsOf(all);
  for (const place of places) {
    const written = numberOf([...place.left, ...place.right].filter((at) => there.has(at)));
    const isOfOne = written === (from === null ? 0 : 1 << from);
    if (place.right.size === 0 || isOfOne || (from !== null && (written & (1 << from)) === 0)) continue;
    const own = rules.filter(({ at }) => at !== "inferred" && (at === place || place.within.has(at)));
    const rows = product(pieces, from, own)(written);
    part = Math.max(part, rows);
    if (place === places.at(-1)) last = rows;
  }
  return { all: last, part: Math.max(part, last) };
}

function numberOf(set: Iterable<number>): number {
  let number = 0;
  for (const at of set) number |= 1 << at;
  return number;
}

/** The least product of rows over every order in which a set's pieces could be met, the last one first. */
function product(
  pieces: readonly Piece[],
  from: number | null,
  rules: readonly Rule[],
): (set: number) => number {
  const start = from === null ? 0 : 1 << from;
  const owned = numberOf([...pieces.keys()].filter((at) => elementAt(pieces, at).isOwned));
  const given = rules.map((rule) => numberOf(rule.given));
  const known = new Map<number, number>([[start, 1]]);
  const rowsOf = (set: number): number => {
    const found = known.get(set);
    if (found !== undefined) return found;
    let least = Number.POSITIVE_INFINITY;
    pieces.forEach(({ altogether, aUnit, isOwned }, last) => {
      if ((set & ~start & (1 << last)) === 0) return;
      const before = set & ~(1 << last);
      let rows = altogether;
      if (isOwned && (from === null || (before & owned) !== 0)) rows = Math.min(rows, aUnit);
      rules.forEach((rule, at) => {
        if (rule.found === last && (elementAt(given, at) & ~before) === 0) rows = Math.min(rows, rule.rows);
      });
      if (rows < Number.POSITIVE_INFINITY) least = Math.min(least, rows * rowsOf(before));
    });
    known.set(set, least);
    return least;
  };
  return rowsOf;
}

/** The sets that grow from a piece by conditions among their own pieces. */
function* setsWith(
  from: number,
  conditions: readonly ReadonlySet<number>[],
  there: ReadonlySet<number>,
): Iterable<number> {
  const links = [...new Set(conditions.map(numberOf))];
  const others = [...there].filter((at) => at !== from);
  for (let chosen = 0; chosen < 2 ** others.length; chosen += 1) {
    const set = others.reduce(
      (mask, at, place) => ((chosen >> place) & 1 ? mask | (1 << at) : mask),
      1 << from,
    );
    const own = links.filter((link) => (link & ~set) === 0);
    let reached = 1 << from;
    for (let before = 0; before !== reached; ) {
      before = reached;
      for (const link of own) if ((link & reached) !== 0) reached |= link;
    }
    if (reached === set) yield set;
  }
}
