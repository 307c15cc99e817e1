import { elementAt } from "@lethe/core/numeric";
import type { Measured } from "../statistics/answer.ts";
import { keyOf, type Statistic } from "../statistics/statistic.ts";

/** Σ signᵢ·sumᵢ = 0, whatever the rows are: the sums by their places among all that were measured. */
export type Constraint = readonly Term[];

interface Term {
  readonly place: number;
  readonly sign: 1 | -1;
}

/** The sums of one product of numbers that one question measured. */
interface Table {
  readonly product: string;
  readonly keys: readonly number[];
  readonly entries: readonly { readonly place: number; readonly statistic: Statistic }[];
}

/**
 * Lists what must hold between sums that several questions measured: over the blocks that two of them share, both add up to the same. Of
 * every shared margin one question with fewest keys is compared with each of the others. Some constraints may follow from others.
 */
export function constraintsOf(questions: readonly (readonly Measured[])[]): readonly Constraint[] {
  const tables = tablesOf(questions).sort((a, b) => a.keys.length - b.keys.length);
  const products = [...new Set(tables.map(({ product }) => product))];
  return products.flatMap((product) => {
    const alike = tables.filter((table) => table.product === product);
    return sharedMargins(alike).flatMap((margin) => {
      const [first, ...others] = alike.filter(({ keys }) => margin.every((key) => keys.includes(key)));
      return first ? others.flatMap((other) => equalMargins(first, other, margin)) : [];
    });
  });
}

function tablesOf(questions: readonly (readonly Measured[])[]): Table[] {
  let before = 0;
  return questions.flatMap((measured) => {
    const entries = measured.map(({ statistic }, place) => ({ place: before + place, statistic }));
    before += measured.length;
    const products = new Set(entries.map(({ statistic }) => productOf(statistic)));
    return [...products].map((product): Table => {
      const own = entries.filter(({ statistic }) => productOf(statistic) === product);
      return { product, keys: elementAt(own, 0).statistic.cells.map(({ block }) => block), entries: own };
    });
  });
}

const productOf = ({ factors }: Statistic): string => keyOf({ cells: [], factors });

/** The sets of blocks that two of the tables have in common, each once. */
function sharedMargins(tables: readonly Table[]): readonly (readonly number[])[] {
  const margins = tables.flatMap(({ keys }, place) =>
    tables
      .slice(place + 1)
      .map((other) => keys.filter((key) => other.keys.includes(key)).sort((a, b) => a - b)),
  );
  return [...new Map(margins.map((margin) => [margin.join(), margin])).values()];
}

function equalMargins(one: Table, other: Table, margin: readonly number[]): readonly Constraint[] {
  const negative = marginCells(other, margin);
  return [...marginCells(one, margin)].map(([cell, places]) => [
    ...places.map((place): Term => ({ place, sign: 1 })),
    ...(negative.get(cell) ?? []).map((place): Term => ({ place, sign: -1 })),
  ]);
}

/** The cells of a margin, each with the places of the sums that add up to it. */
function marginCells({ entries }: Table, margin: readonly number[]): ReadonlyMap<string, readonly number[]> {
  const cells = new Map<string, number[]>();
  for (const { place, statistic } of entries) {
    const own = statistic.cells.filter(({ block }) => margin.includes(block));
    const key = keyOf({ cells: own, factors: [] });
    const places = cells.get(key);
    if (places) places.push(place);
    else cells.set(key, [place]);
  }
  return cells;
}
