import type { SumKind } from "../sum-kind.ts";
import type { CountSum } from "./count-types.ts";

type SumOf<K extends CountSum["kind"]> = Extract<CountSum, { readonly kind: K }>;

/** The properties that all counts share: none is below 0, and a row adds at most 1. */
const counted: Pick<
  SumKind<CountSum>,
  "values" | "kept" | "unitRange" | "weighsRows" | "signs" | "rowRange" | "mayClamp" | "step"
> = {
  values: () => [],
  kept: () => null,
  unitRange: () => null,
  weighsRows: false,
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
  overUnit: (_, writer, piece) =>
    writer.unlessMerged(() => piece(writer.write.count()), writer.write.integer(1)),
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
    const { write } = writer;
    const n = piece(write.count(writer.counted(argument) ?? undefined));
    const isThere = write.compare(n, ">", write.integer(0));
    return writer.unlessMerged(() => n, write.caseOf([[isThere, write.integer(1)]], write.integer(0)));
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
  overRows: ({ argument }, writer) => writer.write.count(writer.counted(argument) ?? undefined),
  overUnit({ argument }, writer, piece) {
    const { write } = writer;
    const n = piece(write.count(writer.counted(argument) ?? undefined));
    return write.caseOf([[writer.few(n), n]], write.integer(writer.rows));
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
  kept: ({ argument, most }) => ({ argument, most }),
  largest: () => 1n,
  overRows: ({ argument }, writer) => writer.write.countDistinct(writer.valued(argument)),
  overUnit: null,
};
