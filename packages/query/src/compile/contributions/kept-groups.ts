import { elementAt } from "@lethe/core/numeric";
import type { Dialect } from "../../dialects/dialect.ts";
import { keyExpressions } from "../../plan/groupings.ts";
import type { Plan } from "../../plan/plan.ts";
import { columnsOf, type Join, join, named, places, type Query, rowsOf, select } from "../../sql/query.ts";
import { bitOfPlace, bitsOfWord, type GroupOrder, stretchOfPlace } from "../physical/group-order.ts";
import type { GroupLimit } from "../physical/physical-plan.ts";
import type { KeptGroups, LimitedGroups } from "./limited-groups.ts";
import { type QuestionRows, selectRows } from "./question-rows.ts";
import { sameKey } from "./same-key.ts";

/**
 * Finds the groups that each unit keeps. One integer of bits, or a few, say which places a unit has; the kth bit is the last
 * place that it keeps. Where there are too many places for that, a bit is a stretch of places, and the kth stretch holds all that
 * is kept and little more. No step depends on the rows of another unit. `place` is the place of a row's group, `most` is k.
 */
export function keptGroups(
  rows: QuestionRows,
  place: string,
  most: number,
  { order, bitCount }: Extract<GroupLimit, { readonly by: "bits" }>,
  dialect: Dialect,
): KeptGroups {
  const { write } = dialect;
  const ofRows = selectRows([named(rows.unit, "u"), named(place, "place")], rows);
  const kept = join(rowsOf(lastKept(order, ofRows, most, dialect, bitCount), "kept"), [
    write.compare(rows.unit, "=", "kept.u"),
    write.compare(stretchOfPlace(order, place, dialect), "<=", "kept.last"),
  ]);
  const extraRowsBelow: KeptGroups["extraRowsBelow"] = (count) =>
    write.compare("kept.extra", "<", write.integer(count));
  return { joins: [kept], place, exact: order.distinct, extraRowsBelow };
}

/** Returns one row for each unit: the last place, or stretch of places, that it keeps, and the number of its rows beyond one a bit. */
function lastKept(
  order: GroupOrder,
  ofRows: Query,
  most: number,
  dialect: Dialect,
  bitCount: (x: string) => string,
): Query {
  const { write } = dialect;
  const bits = bitOfPlace(order, stretchOfPlace(order, "own.place", dialect), dialect);
  const words = bits.map((_, word) => `own.w${word}`);
  const collected = [
    "own.u",
    named(write.count(), "owned"),
    ...bits.map((bit, word) => named(write.allBits(bit), `w${word}`)),
  ];
  const ofUnits = select(collected, rowsOf(ofRows, "own"), {
    groupBy: ["own.u"],
    havingAny: hasRows(dialect),
  });

  // `chosen` is the word that holds the bit that is sought, the number of bits of that word up to it, and the place of the word's first
  // bit.
  const lessBefore = (n: string, word: number): string =>
    words.slice(0, word).map(bitCount).reduce(write.minus, n);
  const choose = (of: (word: number) => string): string => {
    const isIn = (word: number): string =>
      write.compare(bitCount(elementAt(words, word)), ">=", lessBefore(write.integer(most), word));
    const branches = words.slice(0, -1).map((_, word) => [isIn(word), of(word)] as const);
    const final = of(words.length - 1);
    return branches.length === 0 ? final : write.caseOf(branches, final);
  };
  const chosen = [
    "own.u",
    named(lessBefore("own.owned", words.length), "extra"),
    named(
      choose((word) => elementAt(words, word)),
      "bits",
    ),
    named(
      choose((word) => lessBefore(write.integer(most), word)),
      "most",
    ),
    named(
      choose((word) => write.integer(word * bitsOfWord)),
      "base",
    ),
    named(write.integer(0), "place"),
  ];
  let query = select(chosen, rowsOf(ofUnits, "own"), { once: true });
  // The largest number of first bits that holds fewer bits than are sought is found by halving.
  for (const step of [32, 16, 8, 4, 2, 1]) {
    const beyond = write.minus(write.integer(bitsOfWord - step), "own.place");
    const ones = write.enclosed(write.shiftedRight(write.integer(2n ** 63n - 1n), beyond));
    const first = write.enclosed(write.commonBits("own.bits", ones));
    const isFew = write.compare(bitCount(first), "<", "own.most");
    const place = write.plus("own.place", write.caseOf([[isFew, write.integer(step)]], write.integer(0)));
    const same = columnsOf("own", ["u", "extra", "bits", "most", "base"]);
    query = select([...same, named(place, "place")], rowsOf(query, "own"), { once: true });
  }
  const last = write.cast(write.plus("own.base", "own.place"), "integer");
  return select(["own.u", "own.extra", named(last, "last")], rowsOf(query, "own"));
}

/**
 * Holds of every unit, each of which has a row. DuckDB takes it for a condition that few units meet, and so makes the hash table of a
 * join of the units, and not of the rows.
 */
export function hasRows({ write }: Dialect): readonly string[] {
  return [write.compare(write.count(), ">", write.integer(0))];
}

/**
 * Returns the joins behind the question's rows that leave the rows of groups that their unit keeps, and no others; none where
 * groups are not bounded.
 */
export function joinsOfKeptGroups(
  plan: Plan,
  { rows, kept }: Pick<LimitedGroups, "rows" | "kept">,
  dialect: Dialect,
): readonly Join[] {
  if (kept === null) return [];
  if (kept.exact) return kept.joins;
  const { write } = dialect;
  const keys = rows.keys.map((_, at) => `k${at}`);
  const own = [named(rows.unit, "u"), ...rows.keys.map((key, at) => named(key, `k${at}`))];
  const groups = selectRows([...own, named(write.min(kept.place), "place")], rows, {
    joins: kept.joins,
    groupBy: places(own.length),
  });
  const least = leastGroups(plan, groups, ["u", ...keys], keys, dialect);
  const same = rows.keys.flatMap((key, at) =>
    sameKey(key, `least.k${at}`, elementAt(keyExpressions(plan), at), dialect),
  );
  return [join(rowsOf(least, "least"), [write.compare(rows.unit, "=", "least.u"), ...same])];
}

/** Keeps the k groups of least place of each unit. Of two groups in one place, the one of the lesser keys comes first. */
export function leastGroups(
  plan: Plan,
  groups: Query,
  columns: readonly string[],
  keys: readonly string[],
  dialect: Dialect,
): Query {
  return dialect.leastOfUnit({
    from: rowsOf(groups, "owned"),
    columns,
    order: columnsOf("owned", ["place", ...keys]),
    most: plan.contribution.groups,
  });
}
