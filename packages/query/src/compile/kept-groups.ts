import type { Dialect } from "../dialects/dialect.ts";
import type { Plan } from "../plan/plan.ts";
import { boundsGroups } from "./bounds-groups.ts";
import { groupNumber } from "./group-number.ts";
import {
  bitOfPlace,
  bitsOfWord,
  type GroupOrder,
  groupOrder,
  keyedNumber,
  placeInOrder,
  stretchOfPlace,
} from "./group-order.ts";
import { namedUnits } from "./placed-rows.ts";
import { type QuestionRows, rowsFrom } from "./question-rows.ts";
import { sameKey } from "./same-key.ts";

/** The rows of a question without most of the groups that their unit does not keep. */
export interface KeptGroups {
  /** Behind SELECT: FROM …, with the relation `kept` of a row a unit. */
  readonly from: string;
  /** Of a row: its group's place in its unit's order. */
  readonly place: string;
  /** Whether every row left is in a group that is kept; else some of a unit's groups beyond k may be left. */
  readonly exact: boolean;
  /** Whether a unit has fewer than so many rows beyond the first in each of its groups. */
  readonly extraRowsBelow: (count: number) => string;
}

/**
 * Which places a unit has is one integer of bits, or a few; the kth bit is the last place that it keeps. Where places are
 * too many for that a bit is a stretch of places, and the kth stretch holds all that is kept and little more. No step depends
 * on the rows of another unit.
 */
export function keptGroups(plan: Plan, rows: QuestionRows, dialect: Dialect): KeptGroups {
  const order = groupOrder(plan);
  const join = (last: string, place: string): string =>
    ` JOIN (${last}) AS kept ON ${rows.unit} = kept.u AND ${stretchOfPlace(order, place)} <= kept.last`;
  if (rows.place !== null) {
    const places = `SELECT ${rows.unit} AS u, ${rows.place} AS place ${rowsFrom(rows)}`;
    const last = lastKept(order, places, false, plan.contribution.groups, dialect);
    const from = rowsFrom(rows, join(last, rows.place));
    return { from, place: rows.place, exact: order.distinct, extraRowsBelow };
  }
  const group = groupNumber(plan, rows, dialect);
  const stored = rows.unitNumber;
  const joins =
    stored === null ? `${group.joins}${namedUnits(rows, group.conditions, dialect)}` : group.joins;
  const keyed = (n: string): string => keyedNumber(n, dialect);
  const numbers = [
    `${rows.unit} AS u`,
    `${keyed(stored ?? "named.n")} AS n`,
    `${group.number} AS x`,
    ...(stored === null ? ["named.n AS name"] : []),
  ];
  const numbered = `SELECT ${numbers.join(", ")} ${rowsFrom(rows, joins, group.conditions)}${dialect.fence}`;
  const shown = ["own.u", `${placeInOrder(order, "own.n", "own.x")} AS place`];
  if (stored === null) shown.push("own.name AS n");
  const places = `SELECT ${shown.join(", ")} FROM (${numbered}) AS own${dialect.fence}`;
  const last = lastKept(order, places, stored === null, plan.contribution.groups, dialect);
  const place = placeInOrder(order, keyed(stored ?? "kept.n"), group.number);
  const from = rowsFrom(rows, `${group.joins}${join(last, place)}`, group.conditions);
  return { from, place, exact: order.distinct, extraRowsBelow };
}

const extraRowsBelow: KeptGroups["extraRowsBelow"] = (count) => `kept.extra < ${count}`;

/** A row a unit: the last place, or stretch of places, that it keeps, and its rows beyond one a bit. */
function lastKept(
  order: GroupOrder,
  places: string,
  hasNumber: boolean,
  most: number,
  dialect: Dialect,
): string {
  const { types, fence, bitCount } = dialect;
  const bits = bitOfPlace(order, stretchOfPlace(order, "own.place"), dialect);
  const words = bits.map((_, word) => `own.w${word}`);
  const n = hasNumber ? ["own.n"] : [];
  const collected = [
    "own.u",
    ...(hasNumber ? ["min(own.n) AS n"] : []),
    "count(*) AS owned",
    ...bits.map((bit, word) => `bit_or(${bit}) AS w${word}`),
  ];
  const ofUnits = `SELECT ${collected.join(", ")} FROM (${places}) AS own GROUP BY own.u`;

  // The word that holds the bit that is sought, how many bits of it come up to that one, and what place its first one is.
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
    ...n,
    `own.owned${before(words.length)} AS extra`,
    `${choose((word) => words[word]!)} AS bits`,
    `${choose((word) => `${most}${before(word)}`)} AS most`,
    `${choose((word) => `${word * bitsOfWord}`)} AS base`,
    "0 AS place",
  ];
  let sql = `SELECT ${chosen.join(", ")} FROM (${ofUnits}) AS own${fence}`;
  // So many of the first bits hold fewer than are sought: found by halves.
  for (const step of [32, 16, 8, 4, 2, 1]) {
    const first = `(own.bits & (${2n ** 63n - 1n} >> CAST(${bitsOfWord - step} - own.place AS integer)))`;
    const place = `own.place + CASE WHEN ${bitCount(first)} < own.most THEN ${step} ELSE 0 END AS place`;
    const same = ["own.u", ...n, "own.extra", "own.bits", "own.most", "own.base"];
    sql = `SELECT ${[...same, place].join(", ")} FROM (${sql}) AS own${fence}`;
  }
  return `SELECT own.u, ${hasNumber ? "own.n, " : ""}own.extra, CAST(own.base + own.place AS ${types.integer}) AS last FROM (${sql}) AS own`;
}

/** Behind SELECT: the rows that lie in a group that their unit keeps, and no others; all where groups are not bounded. */
export function rowsOfKeptGroups(plan: Plan, rows: QuestionRows, dialect: Dialect): string {
  if (!boundsGroups(plan) || rows.placed !== null) return rowsFrom(rows);
  const kept = keptGroups(plan, rows, dialect);
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

/** Of each unit's groups the k of least place; of two in one place that of the lesser keys. */
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
