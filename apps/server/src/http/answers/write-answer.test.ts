import type { ServedAnswer } from "@lethe/serve";
import { tableFromIPC } from "apache-arrow";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { writeAnswer } from "./write-answer.ts";

/*
 * Answers of any values, written in each format and read back by a reader that shares nothing with the writer: the values are the same, whatever they hold.
 */

type Value = string | number | boolean | null;

interface Plain {
  readonly names: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

const answerOf = ({ names, rows }: Plain): ServedAnswer =>
  ({ kind: "public", answer: { columns: names.map((name) => ({ name, kind: "key" })), rows } }) as never;

const odd = fc.constantFrom(
  "",
  "=1+1",
  "+cmd",
  "-x",
  "@SUM(A1)",
  "\ttab",
  "\rreturn",
  "\nline",
  'say "so"',
  "a,b",
  "a\r\nb",
  "ünï 日本 🦉",
  "'quoted",
  "(null)",
  "-12",
  "=",
  "\u202eevil",
  " ＝1",
);
const text = fc.oneof(odd, fc.string({ unit: "grapheme", maxLength: 12 }));
const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer());
const column = fc.constantFrom<fc.Arbitrary<Value>>(text, number, fc.boolean());
const plain: fc.Arbitrary<Plain> = fc
  .array(fc.tuple(fc.string({ minLength: 1, maxLength: 8 }), column), { minLength: 1, maxLength: 4 })
  .chain((columns) =>
    fc.record({
      names: fc.constant(columns.map(([name]) => name)),
      rows: fc.array(fc.tuple(...columns.map(([, value]) => fc.option(value, { nil: null }))), {
        maxLength: 20,
      }),
    }),
  );

/** Reads CSV by RFC 4180, character by character: null for an empty field, a text for one in quotes. */
function readCsv(csv: string): (string | null)[][] {
  const rows: (string | null)[][] = [];
  let row: (string | null)[] = [];
  for (let at = 0; at < csv.length; ) {
    let field: string | null = null;
    if (csv[at] === '"') {
      field = "";
      for (at += 1; csv[at] !== '"' || csv[at + 1] === '"'; at += csv[at] === '"' ? 2 : 1) field += csv[at];
      at += 1;
    } else
      for (; at < csv.length && csv[at] !== "," && csv[at] !== "\n"; at += 1) field = (field ?? "") + csv[at];
    row.push(field);
    if (csv[at] === "\n") {
      rows.push(row);
      row = [];
    }
    at += 1;
  }
  expect(row).toEqual([]);
  return rows;
}

/** The field that a value has in CSV, once it is read: a text that a spreadsheet would run has a mark before it. */
function asField(value: Value): string | null {
  if (typeof value !== "string") return value === null ? null : String(value);
  const runs = /^\s*[=+\-@＝＋－＠]/.test(value) || /^[\t\r\n]/.test(value);
  return runs && !/^-?\d+$/.test(value) ? `'${value}` : value;
}

describe("an answer of any values", () => {
  test("as CSV has them all, NULL apart from an empty text, and no field that a spreadsheet runs", async () => {
    await fc.assert(
      fc.asyncProperty(plain, async (given) => {
        const response = await writeAnswer(answerOf(given), "csv");
        expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
        const [names, ...rows] = readCsv(await response.text());
        expect(names).toEqual(given.names.map(asField));
        expect(rows).toEqual(given.rows.map((row) => row.map(asField)));
      }),
    );
  });

  test("as JSON has the same values, and nothing that a terminal may obey", async () => {
    await fc.assert(
      fc.asyncProperty(plain, async (given) => {
        const written = await (await writeAnswer(answerOf(given), "json")).text();
        expect(written).not.toMatch(/[\u007f-\u009f\p{Cf}]/u);
        const zeros = JSON.parse(JSON.stringify(given.rows));
        expect(JSON.parse(written).rows).toEqual(zeros);
      }),
    );
  });

  test("as Arrow has the same values, doubles to the bit, under the same names", async () => {
    await fc.assert(
      fc.asyncProperty(plain, async (given) => {
        const table = tableFromIPC(await (await writeAnswer(answerOf(given), "arrow")).arrayBuffer());
        expect(table.numRows).toBe(given.rows.length);
        const names = table.schema.fields.map(({ name }) => name);
        expect(new Set(names).size).toBe(given.names.length);
        for (const [at, name] of given.names.entries()) {
          if (given.names.indexOf(name) === at && !given.names.includes(name, at + 1))
            expect(names[at]).toBe(name);
          const wanted = given.rows.map((row) => row[at] ?? null);
          const got = [...(table.getChildAt(at) ?? [])];
          expect(got.length).toBe(wanted.length);
          for (const [row, value] of wanted.entries()) expect(got[row]).toBe(value);
        }
      }),
    );
  });

  test("as CSV leaves in parts, and a long one is never held whole", async () => {
    const rows = Array.from({ length: 5000 }, (_, at) => [at, `row ${at}`]);
    const response = await writeAnswer(answerOf({ names: ["at", "text"], rows }), "csv");
    const parts: string[] = [];
    for await (const part of response.body as never as AsyncIterable<Uint8Array>)
      parts.push(new TextDecoder().decode(part));
    expect(parts.length).toBeGreaterThan(5);
    expect(parts.join("").split("\n")).toHaveLength(5002);
  });
});
