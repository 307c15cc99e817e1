import { evaluate, readPolicy } from "@lethe/query";
import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { planned } from "../planned.ts";
import { hasPostgres, startPostgres } from "./start-postgres.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 1, delta: 1e-6 }
tables:
  visits: { file: visits.parquet, unit: row, columns: { seen: { type: timestamp } } }
`);

const formats = [
  ...["YYYY-MM-DD HH24:MI:SS", "YY MM DD", "yyyy/mm/dd hh:mi", "HH12 AM", "HH24 pm", "HH PM", "hh24 am"],
  ...["Mon MON mon", "Month|MONTH|month|", "FMMonth FMDD, YYYY", "FMMONTH-FMmonth", "Dy DY dy"],
  ...["Day|FMDay|DAY|day|FMDAY|FMday|", "D ID DDD FMDDD", 'YYYY"Q"Q', 'IYYY-"W"IW FMIW', "FMMM"],
  ...[
    "FMHH24:FMMI:FMSS FMHH12 FMHH",
    '"YYYY" YYYY',
    "YYYYMMDD",
    "YYYYDDD",
    "YYYY-MM",
    "YYYY-MM-DD",
    "DDMonYYYY",
  ],
];
const moments = [
  ...["1999-03-07 00:04:09", "1969-12-31 23:59:58", "2005-01-01 12:00:00", "2004-02-29 12:59:59"],
  ...["2018-12-31 11:30:00", "2024-10-10 01:01:01", "1700-06-05 13:00:00"],
];

describe.skipIf(!hasPostgres())("TO_CHAR writes what PostgreSQL does", () => {
  it("in every format that is answered", async () => {
    const server = await startPostgres();
    const client = new Client({ connectionString: server.url });
    await client.connect();
    try {
      for (const format of formats) {
        const text = `SELECT TO_CHAR(seen, '${format}') AS k, COUNT(*) FROM visits GROUP BY 1`;
        const { expression } = (await planned(text, policy)).keys.parts[0]!;
        for (const moment of moments) {
          const query = "SELECT to_char($1::timestamp, $2) AS written";
          const { rows } = await client.query<{ written: string }>(query, [moment, format]);
          const seen = Date.parse(`${moment.replace(" ", "T")}Z`) * 1000;
          expect(evaluate(expression, { seen }), `${format} of ${moment}`).toBe(rows[0]?.written);
        }
      }
    } finally {
      await client.end();
      await server.stop();
    }
  });
});
