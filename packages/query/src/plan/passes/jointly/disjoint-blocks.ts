import { elementAt } from "@lethe/core/numeric";
import type { SumColumn } from "../../../aggregates/kinds.ts";
import type { Expression } from "../../../expressions/expression.ts";
import { neverBoth } from "../../../expressions/possible/never-both.ts";
import { type SupportTest, supportOf } from "../../../expressions/possible/support.ts";
import { byName } from "../../../refusals/by-name.ts";
import type { NamedSum } from "../../plan.ts";
import type { DerivedMeasurement } from "../derived-measurement.ts";
import { jsonOf } from "./json-of.ts";
import type { Measured } from "./measured.ts";

/** Measurements to which a row adds something only where certain conditions hold: one by itself, or the cells of a column. */
export interface Block {
  readonly members: readonly DerivedMeasurement[];
  readonly support: readonly SupportTest[];
  /** What all of a unit's rows add, at most and at least, to one member, and to all of them together where these are several. */
  readonly low: bigint;
  readonly high: bigint;
}

/** Blocks of which one row touches at most one. */
export interface DisjointBlocks {
  readonly blocks: readonly Block[];
  /** A count that all of them make together, with a further block for what is missing; null where there is no such block. */
  readonly all: CountOfAll | null;
}

/** The count of all rows, of which each adds as much to all blocks together; or that of units, of which each with all its rows does. */
export interface CountOfAll {
  readonly total: DerivedMeasurement;
  readonly of: "rows" | "units";
}

/**
 * Returns the ways in which measurements can be made one vector because one row touches at most one of them. `pinned` are the names of those that
 * stay as they are.
 */
export function disjointBlocks(
  measured: Measured,
  pinned: ReadonlySet<string>,
  rowsAddUp: boolean,
): readonly DisjointBlocks[] {
  const free = measured.measurements.filter(({ name }) => !pinned.has(name));
  const blocks = [
    ...free.flatMap((measurement) => singleBlock(measurement, measured)),
    ...measured.joint.flatMap((names) => cellsBlock(names, measured)),
  ];
  const freeOf = (is: (sum: SumColumn) => boolean): readonly DerivedMeasurement[] =>
    free.filter((each) => {
      const sum = onlySum(each, measured);
      return sum !== null && is(sum);
    });
  const [all] = freeOf(isCountOfAll);
  const sets = rowsAddUp ? disjointSets(blocks) : [];
  // Of one count and the rest each unit has at most r rows in both together, however its contributions are limited.
  const counts = freeOf(isPartialCount).map((each) => [blockOf(each, [])]);
  const withRest = [...sets, ...counts].filter((set) => set.every(({ low }) => low >= 0n));
  return [
    ...sets.map((set) => ({ blocks: set, all: null })),
    ...(all ? withRest.map((set) => ({ blocks: set, all: { total: all, of: "rows" as const } })) : []),
    ...(rowsAddUp ? [] : withUnits(measured, freeOf)),
  ];
}

/** Of a unit's at most r rows in a group, a count and those that it has less than r make r together: as much for every unit there. */
function withUnits(
  measured: Measured,
  freeOf: (is: (sum: SumColumn) => boolean) => readonly DerivedMeasurement[],
): readonly DisjointBlocks[] {
  const [units] = freeOf(({ kind }) => kind === "units");
  if (!units) return [];
  const counts = freeOf(({ kind }) => kind === "count").map((each) => blockOf(each, []));
  const vectors = measured.joint.map((names): Block => {
    const members = names.map((name) => byName(measured.measurements, name));
    return { members, support: [], low: 0n, high: members[0]?.magnitude ?? 0n };
  });
  return [...counts, ...vectors].map((block) => ({ blocks: [block], all: { total: units, of: "units" } }));
}

function singleBlock(measurement: DerivedMeasurement, measured: Measured): readonly Block[] {
  const sum = onlySum(measurement, measured);
  if (!sum || (sum.kind !== "count" && sum.kind !== "sum")) return [];
  const support = supportOfSum(sum);
  return support.length === 0 ? [] : [blockOf(measurement, support)];
}

function blockOf(measurement: DerivedMeasurement, support: readonly SupportTest[]): Block {
  const { low, high } = measurement.range;
  // A unit whose rows add nothing has a 0.
  return { members: [measurement], support, low: low < 0n ? low : 0n, high: high > 0n ? high : 0n };
}

/** Returns the cells of a column that a CASE reads; none of cells that hold rows of several arguments. */
function cellsBlock(names: readonly string[], measured: Measured): readonly Block[] {
  const members = names.map((name) => byName(measured.measurements, name));
  const sums = members.flatMap(({ terms }) => terms.map(({ sum }) => byName(measured.sums, sum)));
  const read = new Set(sums.map((sum) => jsonOf("argument" in sum ? sum.argument : null)));
  const [first] = sums;
  if (read.size > 1 || !first || !("argument" in first) || first.argument === null) return [];
  // Cells count the rows where the column is there: those where it is 0, too.
  const support = testsOf(first.argument, false);
  const [{ magnitude } = { magnitude: 0n }] = members;
  return support.length === 0 ? [] : [{ members, support, low: 0n, high: magnitude }];
}

function onlySum({ terms, together }: DerivedMeasurement, { sums }: Measured): NamedSum | null {
  const [only, ...others] = terms;
  return only && only.coefficient === "1" && others.length === 0 && !together ? byName(sums, only.sum) : null;
}

function isPartialCount(sum: SumColumn): boolean {
  return sum.kind === "count" && sum.argument !== null;
}

export function isCountOfAll(sum: SumColumn): boolean {
  return sum.kind === "count" && sum.argument === null;
}

/** Returns the conditions under which a row changes a sum. A 0 does not where the grid holds it. */
function supportOfSum(sum: NamedSum): readonly SupportTest[] {
  if (sum.kind === "count") return sum.argument ? testsOf(sum.argument, false) : [];
  if (sum.kind !== "sum" || sum.factors) return [];
  return testsOf(sum.argument, holdsZero(sum.grid) && holdsZero(sum));
}

function holdsZero({ lo, hi }: { readonly lo: string; readonly hi: string }): boolean {
  return BigInt(lo) <= 0n && BigInt(hi) >= 0n;
}

const supports = [
  new WeakMap<Expression, readonly SupportTest[]>(),
  new WeakMap<Expression, readonly SupportTest[]>(),
] as const;

/** {@link supportOf}, one list for one expression. */
function testsOf(expression: Expression, addsValues: boolean): readonly SupportTest[] {
  const known = supports[addsValues ? 1 : 0];
  const tests = known.get(expression) ?? supportOf(expression, addsValues);
  known.set(expression, tests);
  return tests;
}

/** Returns sets of at least two blocks of which no row touches two: from each block on those that fit, its own kind first. */
function disjointSets(blocks: readonly Block[]): readonly (readonly Block[])[] {
  const apart = blocks.map((a) => blocks.map((b) => a !== b && areApart(a.support, b.support)));
  const found = new Map<string, readonly Block[]>();
  blocks.forEach((first, start) => {
    const fits = [...elementAt(apart, start)];
    const chosen = [start];
    for (const isAlike of [true, false])
      for (const [at, { high, low }] of blocks.entries()) {
        if (!fits[at] || (high === first.high && low === first.low) !== isAlike) continue;
        chosen.push(at);
        for (const [other, isApart] of elementAt(apart, at).entries()) if (!isApart) fits[other] = false;
      }
    if (chosen.length > 1) {
      chosen.sort((a, b) => a - b);
      found.set(
        chosen.join(),
        chosen.map((at) => elementAt(blocks, at)),
      );
    }
  });
  return [...found.values()];
}

const judged = new WeakMap<readonly SupportTest[], WeakMap<readonly SupportTest[], boolean>>();

/** {@link neverBoth}, judged once of the same two lists, since every way to measure a question asks again. */
function areApart(some: readonly SupportTest[], others: readonly SupportTest[]): boolean {
  const known = judged.get(some) ?? new WeakMap<readonly SupportTest[], boolean>();
  judged.set(some, known);
  const isApart = known.get(others) ?? judged.get(others)?.get(some) ?? neverBoth(some, others);
  known.set(others, isApart);
  return isApart;
}
