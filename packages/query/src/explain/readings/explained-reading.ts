import type { Policy } from "../../policy/policy.ts";
import type { Explanation } from "../explanation.ts";
import { orderWords } from "./order-words.ts";
import { kindOfPlace, type Place } from "./place.ts";
import type { ReadFrom, ReadingOf, TableReading } from "./table-reading.ts";

/** The way in which a question reads a table, in words too. */
export interface ExplainedReading extends TableReading {
  /** How it is read; then, where that would change how long the question takes, what an index or an import is worth. */
  readonly words: readonly string[];
}

/** Says how a question would read each of its tables now: the same for whoever asks, by whatever door. Reads no row. Errors: those of `readingOf`. */
export function explainedReadings(
  { tables, ordered, limited }: Pick<Explanation, "tables" | "ordered" | "limited">,
  policy: Policy,
  readingOf: ReadingOf,
): readonly ExplainedReading[] {
  return tables.map((table) => {
    const reading = readingOf(table, table === ordered);
    return { ...reading, words: readingWords(reading, policy, limited.includes(table)) };
  });
}

function readingWords(reading: TableReading, policy: Policy, isLimited: boolean): readonly string[] {
  const { table, from, order } = reading;
  const how = `${table} ${howWords[from](reading, policy)}`;
  if (from === "not-imported" || from === "stale") return [how];
  if (order !== null) return [how, `Index of ${table}: ${orderWords(reading, policy)}`];
  if (from !== "lies" || !isLimited) return [how];
  return [how, `Import of ${table}: none; ${withoutImport[kindOfPlace(policy)]}`];
}

/** A file has no name here: a path is of the owner's machine, and whoever asks a service needs none. */
const placeNames: Readonly<Record<Place, string>> = {
  files: "its file",
  postgres: "PostgreSQL",
  trino: "Trino",
};

const howWords: Readonly<Record<ReadFrom, (reading: TableReading, policy: Policy) => string>> = {
  lies: (_, policy) => `is read as it lies, in ${placeNames[kindOfPlace(policy)]}`,
  import: () => "is read from its import, which froze the rows of its file",
  copy: ({ asOf }) =>
    `is read from its copy of PostgreSQL's rows, as of ${asOf}: lethe import makes a newer one`,
  snapshot: ({ snapshot, asOf }) =>
    `is read from its snapshot in Trino, ${snapshot}, as of ${asOf}: lethe import makes a newer one`,
  "not-imported": ({ table }, policy) =>
    kindOfPlace(policy) === "files"
      ? `cannot be read, since it was not imported: run lethe import --table ${table}`
      : "cannot be read, since it was not imported and other tables were: run lethe import",
  stale: () => "cannot be read, since the policy changed after its import: run lethe import",
};

/** What a question that limits what each unit counts for does without an import, and how to make one. */
const withoutImport: Readonly<Record<Place, string>> = {
  files:
    "questions choose each unit's rows and groups themselves, which takes about 20 to 50 times as long as the plain query: run lethe import, which freezes the rows for questions to read",
  postgres:
    "questions on PostgreSQL sort all rows to choose those of each unit that count, which takes about 20 times as long as the plain query: run lethe import, which copies the tables for questions to read",
  trino:
    "questions on Trino group all rows by unit before they limit what each unit counts for, and hand them from machine to machine for it: run lethe import, which writes snapshots there",
};
