import type { SumKind, SumWriter } from "@lethe/query/aggregates";
import type { CubesSum } from "./skewness-types.ts";

/** The sum of cubes of a unit's distances from the middle of the grid, scaled down to r of its rows where it has more. */
export const cubesSum: SumKind<CubesSum> = {
  addsUp: () => true,
  countsUnits: false,
  countsRows: false,
  counted: () => null,
  values: ({ argument, grid }) => [{ argument, grid }],
  kept: () => null,
  unitRange: () => null,
  weighsRows: true,
  signs: () => ({}),
  rowRange: ({ half }) => [-(Number(half) ** 3), Number(half) ** 3],
  mayClamp: () => false,
  step: ({ grid }) => 2 ** (3 * grid.exponent),
  largest: ({ half }) => 2n * BigInt(half) ** 3n,
  overRows: (sum, writer) => `coalesce(sum(${cube(sum, writer, writer.gridded(sum.argument, sum.grid))}), 0)`,
  overUnit(sum, writer, piece) {
    const i = writer.gridded(sum.argument, sum.grid);
    const n = piece(writer.present(sum.argument, i));
    const total = piece(`sum(${cube(sum, writer, i)})`);
    // The total is shifted by the least cube, so that nothing is negative.
    const most = BigInt(sum.half) ** 3n;
    const above = writer.scaled(`(${total} + ${writer.wide(most)} * ${n})`, n);
    return `CASE WHEN ${writer.few(n)} THEN ${total} ELSE ${above} - ${writer.wide(writer.rows * most)} END`;
  },
};

/** A cube of 32 bits takes more than 64: the product starts wide. */
function cube({ mid }: CubesSum, writer: SumWriter, i: string): string {
  const distance = writer.distance(i, mid);
  return `${writer.wide(1n)} * ${distance} * ${distance} * ${distance}`;
}
