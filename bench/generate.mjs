// npm run bench -- generate [--users 1000000] [--rows-per-user 20] [--csv] [--data bench/data]
// Makes the table events(uid, grp, fine, sector, value) as a .duckdb file of raw doubles, or as a CSV or Parquet file. Every value is a
// function of the row number alone, so the same numbers come out each time.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { makeFile, quote } from "./sql/make-file.mjs";

export const defaultData = fileURLToPath(new URL("data", import.meta.url));

/** A number in (0, 1) made of the row number and a salt. */
const uniform = (salt) => `((hash(i, ${salt}) >> 11) + 0.5) / ${2 ** 53}`;

/**
 * `rows` rows of `users` users, never two rows of a user side by side; 100 groups, and
 * 100,000 fine ones; an exponential value of mean 20,
 * of which 5 % lie above 60. The multiplier is a prime beyond any number of users, so every user gets rows / users rows.
 */
const rowsOf = (users, rows) => `
  SELECT (i * 2147483647) % ${users} AS uid,
         CAST(hash(i, 1) % 100 AS INTEGER) AS grp,
         CAST(hash(i, 3) % 100000 AS INTEGER) AS fine,
         'sector ' || lpad(CAST(hash(i, 1) % 100 AS VARCHAR), 2, '0') AS sector,
         -20 * ln(${uniform(2)}) AS value
  FROM range(${rows}) t(i)`;

/** Makes the file unless it is there; answers its path. Made whole or not at all. */
export async function generate({
  users = 1_000_000,
  rowsPerUser = 20,
  format = "duckdb",
  data = defaultData,
}) {
  const path = join(resolve(data), `events-fine-${users}x${rowsPerUser}.${format}`);
  if (existsSync(path)) return path;
  const rows = rowsOf(users, users * rowsPerUser);
  await makeFile(path, async (connection, draft) => {
    if (format === "csv") return connection.run(`COPY (${rows}) TO ${quote(draft)} (FORMAT csv, HEADER)`);
    if (format === "parquet") return connection.run(`COPY (${rows}) TO ${quote(draft)} (FORMAT parquet)`);
    await connection.run(`ATTACH ${quote(draft)} AS made`);
    await connection.run(`CREATE TABLE made.events AS ${rows}`);
    await connection.run("DETACH made");
  });
  return path;
}

export default async function bench(args) {
  const { values } = parseArgs({
    args,
    options: {
      users: { type: "string", default: "1000000" },
      "rows-per-user": { type: "string", default: "20" },
      csv: { type: "boolean", default: false },
      data: { type: "string", default: defaultData },
    },
  });
  const path = await generate({
    users: Number(values.users),
    rowsPerUser: Number(values["rows-per-user"]),
    format: values.csv ? "csv" : "duckdb",
    data: values.data,
  });
  console.log(path);
}
