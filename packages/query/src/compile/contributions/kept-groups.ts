import type { Dialect } from "../../dialects/dialect.ts";
import type { Plan } from "../../plan/plan.ts";
import { bitOfPlace, bitsOfWord, type GroupOrder, groupOrder, stretchOfPlace } from "./group-order.ts";
import { type QuestionRows, rowsFrom } from "./question-rows.ts";
import { sameKey } from "./same-key.ts";

/** The rows of a question without most of the groups that their unit does not keep. */
export interface KeptGroups {
  /** The text behind SELECT: FROM …, with the relation `kept`, which has one row for each unit. */
  readonly from: string;
  /** The place of a row's group in its unit's order. */
  readonly place: string;
  /** Whether every row left is in a group that is kept; else some of a unit's groups beyond k may be left. */
  readonly exact: boolean;
  /** Returns the condition that a unit has fewer than `count` rows beyond the first in each of its groups. */
  readonly extraRowsBelow: (count: number) => string;
}

/**
 * Finds the groups that each unit keeps. One integer of bits, or a few, say which places a unit has; the kth bit is the last
 * place that it keeps. Where there are too many places for that, a bit is a stretch of places, and the kth stretch holds all that
 * is kept and little more. No step depends on the rows of another unit. Null where the rows are already without those groups, or
 * groups are not bounded.
 */
export function keptGroups(plan: Plan, rows: QuestionRows, dialect: Dialect): KeptGroups | null {
  const { firstGroups } = dialect;
  if (rows.place === null || firstGroups.by !== "bits") return null;
  const order = groupOrder(plan);
  const places = `SELECT ${rows.unit} AS u, ${rows.place} AS place ${rowsFrom(rows)}`;
  const last = lastKept(order, places, plan.contribution.groups, dialect, firstGroups.bitCount);
  const join = ` JOIN (${last}) AS kept ON ${rows.unit} = kept.u AND ${stretchOfPlace(order, rows.place)} <= kept.last`;
  return { from: rowsFrom(rows, join), place: rows.place, exact: order.distinct, extraRowsBelow };
}

const extraRowsBelow: KeptGroups["extraRowsBelow"] = (count) => `kept.extra < ${count}`;

/** Returns one row for each unit: the last place, or stretch of places, that it keeps, and the number of its rows beyond one a bit. */
function lastKept(
  order: GroupOrder,
  places: string,
  most: number,
  dialect: Dialect,
  bitCount: (x: string) => string,
): string {
  const { types, fence } = dialect;
  const bits = bitOfPlace(order, stretchOfPlace(order, "own.place"), dialect);
  const words = bits.map((_, word) => `own.w${word}`);
  const collected = ["own.u", "count(*) AS owned", ...bits.map((bit, word) => `bit_or(${bit}) AS w${word}`)];
  const ofUnits = `SELECT ${collected.join(", ")} FROM (${places}) AS own GROUP BY own.u`;

  // `chosen` is the word that holds the bit that is sought, the number of bits of that word up to it, and the place of the word's first
  // bit.
  const before = (word: number): string =>
    words
      .slice(0, word)
      .map((name) => ` - ${bitCount(name)}`)
      .join("");
  const choose = (of: (word: number) => string): string => {
    const branches = words
      .slice(0, -1)
      .map((_, word) => `WHEN ${bitCount(words[word]!)} >= ${most}${before(word)} THEN ${of(word)}`);
    const final = of(words.length - 1);
    return branches.length === 0 ? final : `CASE ${branches.join(" ")} ELSE ${final} END`;
  };
  const chosen = [
    "own.u",
    `own.owned${before(words.length)} AS extra`,
    `${choose((word) => words[word]!)} AS bits`,
    `${choose((word) => `${most}${before(word)}`)} AS most`,
    `${choose((word) => `${word * bitsOfWord}`)} AS base`,
    "0 AS place",
  ];
  let sql = `SELECT ${chosen.join(", ")} FROM (${ofUnits}) AS own${fence}`;
  // The largest number of first bits that holds fewer bits than are sought is found by halving.
  for (const step of [32, 16, 8, 4, 2, 1]) {
    const first = `(own.bits & (${2n ** 63n - 1n} >> CAST(${bitsOfWord - step} - own.place AS integer)))`;
    const place = `own.place + CASE WHEN ${bitCount(first)} < own.most THEN ${step} ELSE 0 END AS place`;
    const same = ["own.u", "own.extra", "own.bits", "own.most", "own.base"];
    sql = `SELECT ${[...same, place].join(", ")} FROM (${sql}) AS own${fence}`;
  }
  return `SELECT own.u, own.extra, CAST(own.base + own.place AS ${types.integer}) AS last FROM (${sql}) AS own`;
}

/** Returns the text behind SELECT: the rows that lie in a group that their unit keeps, and no others; all where groups are not bounded. */
export function rowsOfKeptGroups(plan: Plan, rows: QuestionRows, dialect: Dialect): string {
  const kept = keptGroups(plan, rows, dialect);
  if (kept === null) return rowsFrom(rows);
  if (kept.exact) return kept.from;
  const keys = rows.keys.map((_, at) => `k${at}`);
  const own = [`${rows.unit} AS u`, ...rows.keys.map((key, at) => `${key} AS k${at}`)];
  const groups = `SELECT ${own.join(", ")}, min(${kept.place}) AS place ${kept.from} GROUP BY ${own.map((_, at) => at + 1).join(", ")}`;
  const least = leastGroups(plan, groups, ["u", ...keys], keys, dialect);
  const same = rows.keys.flatMap((key, at) =>
    sameKey(key, `least.k${at}`, plan.keys.expressions[at]!, dialect),
  );
  const join = ` JOIN (${least}) AS least ON ${[`${rows.unit} = least.u`, ...same].join(" AND ")}`;
  return rowsFrom(rows, join, []);
}

/** Keeps the k groups of least place of each unit. Of two groups in one place, the one of the lesser keys comes first. */
export function leastGroups(
  plan: Plan,
  groups: string,
  columns: readonly string[],
  keys: readonly string[],
  dialect: Dialect,
): string {
  return dialect.leastOfUnit({
    relation: `(${groups}) AS owned`,
    columns,
    order: ["owned.place", ...keys.map((key) => `owned.${key}`)].join(", "),
    most: plan.contribution.groups,
  });
}
