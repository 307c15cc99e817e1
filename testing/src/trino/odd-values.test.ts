import { type ColumnPolicy, gridOf, readPolicy, trino } from "@lethe/query";
import { afterAll, describe, expect, it } from "vitest";
import { Dice } from "../dice.ts";
import { oddText } from "../odd-texts.ts";
import { clean } from "../reference-evaluator.ts";
import { type CleanValue, kept } from "../reference-rows.ts";
import { askTrino, freshTable, hasTrino } from "./ask-trino.ts";
import { lendTrinoTable } from "./lend-trino-table.ts";

/* What an odd text is to Lethe under every declaration: what ../postgres/odd-values.test.ts shows of DuckDB and PostgreSQL, of Trino. */

const many = Number(process.env.ODD_VALUES ?? 1500);
const firstSeed = Number(process.env.ODD_VALUES_SEED ?? 1);

const { columns: declared } = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 1 }
tables:
  odd:
    file: odd.parquet
    unit: row
    columns:
      number: { type: number }
      bounded: { type: number, bounds: [-3.7, 2000] }
      filled: { type: number, bounds: [0, 1e6], default: 7.5 }
      integer: { type: integer }
      whole: { type: integer, bounds: [-5, 1000], default: 3 }
      known: { type: integer, categories: [0, 1, 1000] }
      truth: { type: boolean }
      default_truth: { type: boolean, default: true }
      date: { type: date, default: 1970-01-01 }
      moment: { type: timestamp }
      text: { type: text, max_length: 9 }
      word: { type: text, categories: ["yes", " 1", "1"], default: "1" }
`).tables.odd!;
const names = Object.keys(declared);

/** Returns SQL for the stored form of a value: a double by its bits, a text by its bytes. */
function stored(column: ColumnPolicy, parsed: string): string {
  const value = trino.columns.clean(column, parsed, "varchar");
  if (column.type === "text") return `lower(to_hex(to_utf8(${value})))`;
  const isDouble = column.type === "number" && column.bounds === null;
  return `CAST(${isDouble ? trino.doubleBits(`(${value} + 0E0)`) : value} AS varchar)`;
}

/** Returns the reference's value as {@link stored} spells it. */
function spelled(column: ColumnPolicy, value: CleanValue): string | null {
  if (typeof value === "string") return Buffer.from(value).toString("hex");
  if (typeof value !== "number") return value === null ? null : String(value);
  const grid = gridOf(column);
  if (grid !== null) return String(BigInt((kept(column, value) as number) / 2 ** grid.exponent));
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value + 0);
  return bytes.toString("hex");
}

describe.skipIf(!hasTrino())("odd values on Trino (LETHE_TRINO)", () => {
  const table = freshTable("odd");
  afterAll(() => askTrino(`DROP TABLE IF EXISTS ${table}`));

  it(`have their one meaning: ${many} odd texts, under every declaration`, async () => {
    const dice = new Dice(firstSeed);
    const texts = Array.from({ length: many }, () => oddText(dice));
    const differing: unknown[] = [];
    for (let from = 0; from < texts.length; from += 500) {
      const part = texts.slice(from, from + 500);
      const rows = part.map((v, i) => ({ v, i: BigInt(i) }));
      await lendTrinoTable(
        table,
        [
          { name: "i", type: "bigint" },
          { name: "v", type: "varchar" },
        ],
        rows,
      );
      const parsed = names.map(
        (name) => `${trino.columns.parse(declared[name]!, "odd.v", "varchar")} AS "${name}"`,
      );
      const cells = names.map((name) => stored(declared[name]!, `parsed."${name}"`));
      const found = await askTrino(
        `SELECT ${cells.join(", ")} FROM (SELECT odd.i, ${parsed.join(", ")} FROM ${table} AS odd) AS parsed ORDER BY parsed.i`,
      );
      for (const [at, text] of part.entries())
        for (const [n, name] of names.entries()) {
          const meant = spelled(declared[name]!, clean(declared[name]!, text));
          const cell = found[at]![n]!;
          if (cell !== meant) differing.push({ name, text, trino: cell, meant });
        }
    }
    expect(differing.slice(0, 20)).toEqual([]);
  });
});
