import { elementAt } from "@lethe/core/numeric";
import type { ModelColumn } from "../model/model.ts";
import { double } from "../sql/literal.ts";
import { quoted } from "../sql/quoted.ts";
import type { Block, EncodedNumber, StatisticsQuestion } from "./layout.ts";

interface Rows {
  readonly source: string;
  readonly where: string | null;
  readonly columns: readonly ModelColumn[];
  readonly numbers: readonly EncodedNumber[];
  readonly blocks: readonly Block[];
}

/**
 * Writes a question. Every question of a model reads the same rows: those where no column of the model is NULL. Squares are POWER(z, 2),
 * whose domain is [0, 1], so that replacing a unit moves one by at most 1.
 * @example 'SELECT "sector", COUNT(*) AS "n", SUM(("age" - 54) / 36) AS "sum 0" FROM "people" WHERE "age" IS NOT NULL GROUP BY "sector"'
 */
export function questionText(
  rows: Rows,
  { keys, values }: Pick<StatisticsQuestion, "keys" | "values">,
): string {
  const keyNames = keys.map((block) => quoted(elementAt(rows.blocks, block).name));
  const sums = values.map((factors) => `${sumText(factors, rows.numbers)} AS ${quoted(valueName(factors))}`);
  const conditions = [
    ...(rows.where === null ? [] : [`(\n${rows.where}\n)`]),
    ...rows.columns.filter(({ nullable }) => nullable).map(({ name }) => `${quoted(name)} IS NOT NULL`),
  ];
  return [
    `SELECT ${[...keyNames, ...sums].join(", ")} FROM ${quoted(rows.source)}`,
    ...(conditions.length === 0 ? [] : [`WHERE ${conditions.join(" AND ")}`]),
    ...(keyNames.length === 0 ? [] : [`GROUP BY ${keyNames.join(", ")}`]),
  ].join(" ");
}

/** The name of a value's column in the answer. */
export function valueName(factors: readonly number[]): string {
  return factors.length === 0 ? "n" : `sum ${factors.join(" ")}`;
}

function sumText(factors: readonly number[], numbers: readonly EncodedNumber[]): string {
  const [first, second] = factors.map((place) => scaledText(elementAt(numbers, place)));
  if (first === undefined) return "COUNT(*)";
  if (second === undefined) return `SUM(${first})`;
  return first === second ? `SUM(POWER(${first}, 2))` : `SUM(${first} * ${second})`;
}

/** z as SQL. @example scaledText({ name: "age", middle: 54, half: 36 }) // => '(("age" - 5.4e+1) / 3.6e+1)' */
export function scaledText({ name, middle, half }: EncodedNumber): string {
  return `((${quoted(name)} - ${double(middle)}) / ${double(half)})`;
}
