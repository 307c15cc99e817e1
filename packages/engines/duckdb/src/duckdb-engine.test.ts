import { type EngineSubject, engineContract, peopleRows } from "@lethe/testing";
import { openDuckDb } from "./open-duckdb.ts";
import { quoteRelation, quoteText } from "./quote.ts";
import { fixture } from "./testing/engine-fixture.ts";

const columns = "columns: { wage: { type: number }, sector: { type: text } }";
const tables = ["people", "drifted", "gone"].map(
  (name) => `${name}: { file: ${name}.parquet, unit: row, ${columns} }`,
);

async function make(): Promise<EngineSubject> {
  const house = fixture(tables.join("\n"));
  const rows = peopleRows.map(
    ([wage, sector]) => `(${wage ?? "NULL"}::DOUBLE, ${sector === null ? "NULL" : quoteText(sector)})`,
  );
  await house.prepare(
    `COPY (SELECT * FROM (VALUES ${rows.join(", ")}) t(wage, sector)) TO '$DIR/people.parquet'`,
    "COPY (SELECT 'a' AS sector) TO '$DIR/drifted.parquet'",
  );
  return {
    engine: await openDuckDb(house),
    logged: house.logged,
    quote: ({ relation }) => quoteRelation(relation),
    dispose: async () => house.remove(),
  };
}

engineContract(
  "DuckDB",
  { wideInteger: "HUGEINT", double: "DOUBLE", endless: "range(100000000000) t(i) WHERE i % 7 = 3" },
  make,
);
