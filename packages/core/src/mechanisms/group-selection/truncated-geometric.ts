import type { BitSource } from "../../entropy/bit-source.ts";
import { elementAt } from "../../numeric/elements/element-at.ts";
import { ratio, toDouble } from "../../numeric/rational.ts";
import { positive } from "../parameters.ts";
import { approximateLosses } from "./approximate-losses.ts";
import { type KeepTable, keepTable } from "./keep-table.ts";
import type { SelectionMechanism } from "./selection-mechanism.ts";

const tables = new Map<string, KeepTable>();
const tablesKept = 8;

function tableOf(rule: { readonly epsilon: string; readonly delta: string }): KeepTable {
  const key = `${rule.epsilon} ${rule.delta}`;
  const known = tables.get(key);
  if (known) return known;
  const table = keepTable(positive(rule.epsilon, "epsilon"), positive(rule.delta, "delta"));
  const [oldest] = tables.keys();
  if (tables.size >= tablesKept && oldest !== undefined) tables.delete(oldest);
  tables.set(key, table);
  return table;
}

function entry({ keep }: KeepTable, n: bigint): bigint {
  const last = keep.length - 1;
  return elementAt(keep, n < BigInt(last) ? Number(n) : last);
}

/** A uniform integer below 2^bits, bits a multiple of 32: the first word is the most significant. */
function uniform(bits: number, source: BitSource): bigint {
  let value = 0n;
  for (let drawn = 0; drawn < bits; drawn += 32) value = (value << 32n) | BigInt(source.word());
  return value;
}

/** The rule that keeps most among those that are (ε, δ)-DP a group; see {@link keepTable}. */
export const truncatedGeometric: SelectionMechanism<"truncated-geometric"> = {
  losses(rule, groups) {
    const group = {
      measure: "approximate",
      epsilon: positive(rule.epsilon, "epsilon"),
      delta: positive(rule.delta, "delta"),
    } as const;
    return approximateLosses(group, groups);
  },
  keeper(rule) {
    const table = tableOf(rule);
    return (n, bits) => uniform(table.bits, bits) < entry(table, n);
  },
  probability(rule, n) {
    const table = tableOf(rule);
    return toDouble(ratio(entry(table, n), 1n << BigInt(table.bits)), "down");
  },
  halfway(rule) {
    const { bits, keep } = tableOf(rule);
    const half = 1n << BigInt(bits - 1);
    return BigInt(keep.findIndex((weight) => weight >= half));
  },
};
