import { DuckDBInstance } from "@duckdb/node-api";
import { askAs } from "../ask.mjs";

/** How many pieces the visits are written in: a piece is a file of Parquet at least, and a split of every question. */
const pieces = 8;
/** The most rows that one statement makes of a sequence. */
const oneSequence = 10_000;

/** Of each person there are some forty visits. */
const peopleOf = (rows) => Math.ceil(rows / 40);

/**
 * Makes visits of people to wards on a Trino, by arithmetic alone, with costs that are NULL and NaN, and people and wards beside.
 * @example await makeClinic(trino.url, "clinic", 400_000)
 */
export async function makeClinic(url, schema, rows) {
  const ask = (sql) => askAs("owner", url, sql);
  const at = `iceberg.${schema}`;
  const people = peopleOf(rows);
  await ask(`CREATE SCHEMA ${at}`);
  await ask(`CREATE TABLE ${at}.visits (person bigint, ward varchar, cost double, day date)`);
  const each = Math.ceil(rows / pieces);
  for (let piece = 0; piece < pieces; piece += 1)
    await ask(`INSERT INTO ${at}.visits SELECT (i * 48271) % ${people}, 'w' || CAST((i * 7919 + i / 100) % 12 AS varchar),
        IF(i % 97 = 0, nan(), IF(i % 89 <> 0, (i * 31337) % 60000 / 1e2 - 5e1)), DATE '2024-01-01' + INTERVAL '1' DAY * (i % 366)
      FROM (SELECT ${piece * each} + a * ${oneSequence} + b AS i FROM UNNEST(sequence(0, ${Math.ceil(each / oneSequence) - 1})) AS x (a)
        CROSS JOIN UNNEST(sequence(0, ${oneSequence - 1})) AS y (b)) WHERE i < ${Math.min(rows, (piece + 1) * each)}`);
  await ask(`CREATE TABLE ${at}.people AS SELECT a * ${oneSequence} + b AS person, 'town ' || CAST((a * ${oneSequence} + b) * 31 % 300 AS varchar) AS town
    FROM UNNEST(sequence(0, ${Math.ceil(people / oneSequence) - 1})) AS x (a) CROSS JOIN UNNEST(sequence(0, ${oneSequence - 1})) AS y (b) WHERE a * ${oneSequence} + b < ${people}`);
  await ask(
    `CREATE TABLE ${at}.wards AS SELECT 'w' || CAST(n AS varchar) AS ward, n % 4 AS floor FROM UNNEST(sequence(0, 11)) AS t (n)`,
  );
}

/** Makes the same tables in a file of DuckDB. */
export async function makeClinicOnDuckDb(file, rows) {
  const instance = await DuckDBInstance.create(file, { threads: "2" });
  const connection = await instance.connect();
  const people = peopleOf(rows);
  await connection.run(`CREATE TABLE visits AS SELECT (i * 48271) % ${people} AS person, 'w' || ((i * 7919 + i // 100) % 12) AS ward,
    CASE WHEN i % 97 = 0 THEN CAST('nan' AS double) WHEN i % 89 <> 0 THEN CAST((i * 31337) % 60000 AS double) / 1e2 - 5e1 END AS cost,
    DATE '2024-01-01' + CAST(i % 366 AS integer) AS day FROM range(${rows}) AS t (i)`);
  await connection.run(
    `CREATE TABLE people AS SELECT i AS person, 'town ' || (i * 31 % 300) AS town FROM range(${people}) AS t (i)`,
  );
  await connection.run(
    "CREATE TABLE wards AS SELECT 'w' || i AS ward, i % 4 AS floor FROM range(12) AS t (i)",
  );
  connection.closeSync();
  instance.closeSync();
}

/** Units of the visits, and limits, under which the clinic is asked: rows that are limited before a filter name their units themselves. */
export const clinicUnits = [
  ["row", "groups-after-filter"],
  ["{ through: person, references: people.person }", "groups-after-filter"],
  ["person", "rows-before-filter"],
];

/** The text of a policy over the clinic. `source` says where a table lies, and `database` which database. */
export function clinicPolicy([unit, limit], database, source) {
  const isRow = unit === "row";
  const limits = `max_groups_contributed: 2, max_rows_contributed_per_group: 3, limit: ${limit},`;
  return `version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 1000, delta: 1e-3 }
defaults: { epsilon: 1, delta: 1e-9 }
${database}
tables:
  visits: { ${source("visits")}, unit: ${unit}, ${isRow ? "" : limits} columns: {
    person: { type: integer }, ward: { type: text, categories: [${Array.from({ length: 10 }, (_, n) => `w${n}`)}] },
    cost: { type: number, bounds: [0, 500] }, day: { type: date, bounds: [2024-01-01, 2024-12-31] } } }
  people: { ${source("people")}, ${isRow ? "public: true" : "unit: person"}, key: person, columns: {
    person: { type: integer }, town: { type: text, max_length: 9 } } }
  wards: { ${source("wards")}, public: true, key: ward, columns: { ward: { type: text, max_length: 3 }, floor: { type: integer, categories: [0, 1, 2, 3] } } }
`;
}

const ofOneTable = [
  "SELECT COUNT(*), SUM(cost), AVG(cost), VARIANCE(cost) FROM visits",
  "SELECT ward, COUNT(*), AVG(cost) FROM visits GROUP BY ward",
  "SELECT ward, SUM(cost) FROM visits WHERE cost > 20 AND day >= DATE '2024-03-01' GROUP BY ward",
  "SELECT EXTRACT(month FROM day), COUNT(*), SUM(cost) FILTER (WHERE ward = 'w3') FROM visits GROUP BY 1",
  "SELECT MEDIAN(cost) FROM visits",
  "SELECT day, COUNT(*) FROM visits GROUP BY day",
];
const ofJoins = [
  "SELECT w.floor, COUNT(*), SUM(v.cost) FROM visits v JOIN wards w ON v.ward = w.ward GROUP BY w.floor",
  "SELECT p.town, COUNT(*), SUM(v.cost) FROM visits v JOIN people p ON v.person = p.person GROUP BY p.town",
];

/** Questions to the clinic: sums, groups of public and private keys, dates, quantiles, and joins where the limits allow them. */
export const clinicQuestions = ([, limit]) =>
  limit === "rows-before-filter" ? ofOneTable : [...ofOneTable, ...ofJoins];
