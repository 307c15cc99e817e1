import type { SumKind } from "../sum-kind.ts";
import type { CountSum } from "./count-types.ts";

type SumOf<K extends CountSum["kind"]> = Extract<CountSum, { readonly kind: K }>;

/** What all counts share: none is below 0, and a row adds at most 1. */
const counted: Pick<SumKind<CountSum>, "values" | "signs" | "rowRange" | "mayClamp" | "step"> = {
  values: () => [],
  signs: () => ({ atLeast: 0n }),
  rowRange: () => [0, 1],
  mayClamp: () => false,
  step: () => 1,
};

/** 1 for each unit. */
export const unitsSum: SumKind<SumOf<"units">> = {
  ...counted,
  addsUp: (unitIsRow) => unitIsRow,
  countsUnits: true,
  countsRows: true,
  counted: () => null,
  largest: () => 1n,
  overRows: (_, writer) => writer.units(null),
  overUnit: (_, writer, piece) => writer.unlessMerged(() => piece("count(*)"), "1"),
};

/** 1 for each unit with a row where the argument is there. */
export const unitsWithSum: SumKind<SumOf<"units-with">> = {
  ...counted,
  addsUp: () => false,
  countsUnits: true,
  countsRows: false,
  counted: ({ argument }) => argument,
  largest: () => 1n,
  overRows: ({ argument }, writer) => writer.units(writer.counted(argument)),
  overUnit({ argument }, writer, piece) {
    const n = piece(`count(${writer.counted(argument) ?? "*"})`);
    return writer.unlessMerged(() => n, `CASE WHEN ${n} > 0 THEN 1 ELSE 0 END`);
  },
};

/** The number of rows where the argument is there, at most r of a unit. */
export const rowsSum: SumKind<SumOf<"count">> = {
  ...counted,
  addsUp: () => true,
  countsUnits: false,
  countsRows: true,
  counted: ({ argument }) => argument,
  largest: (_, rows) => BigInt(rows),
  overRows: ({ argument }, writer) => countText(writer.counted(argument)),
  overUnit({ argument }, writer, piece) {
    const n = piece(countText(writer.counted(argument)));
    return `CASE WHEN ${writer.few(n)} THEN ${n} ELSE ${writer.rows} END`;
  },
};

/** The number of values of the argument: the size of a union over units, which no sum of theirs is. */
export const distinctSum: SumKind<SumOf<"distinct">> = {
  ...counted,
  addsUp: () => false,
  countsUnits: false,
  countsRows: false,
  counted: () => null,
  values: ({ argument }) => [{ argument, grid: null }],
  largest: () => 1n,
  overRows: ({ argument }, writer) => `count(DISTINCT ${writer.valued(argument)})`,
  overUnit: null,
};

function countText(counted: string | null): string {
  return counted === null ? "count(*)" : `count(${counted})`;
}
