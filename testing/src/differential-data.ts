import { type Plan, type Policy, readPolicy, releaseProgram } from "@lethe/query";
import fc from "fast-check";
import { groupedWithinUnits, lookedWithinUnits, windowedWithinUnits } from "./inside-units.ts";
import { keyName, type RawRow, type RawValue, type ReferenceGroup } from "./reference-evaluator.ts";

/* What engines are compared on: one table with awkward values of every kind, and questions over it. */

export interface Where {
  readonly policy: string;
  readonly table: string;
}
const inFile: Where = { policy: "", table: "file: people.parquet" };

/** Holds what a careless hash or literal would trip over. */
export const seed: string = "a secret: ':|é";

/** `where` the tables lie: lines of the policy, and of the table. */
export function policyOf(
  unit: "row" | "pid",
  groups = 2,
  where: Where = inFile,
  bound: Plan["contribution"]["limit"] = "groups-after-filter",
): Policy {
  return readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 100, delta: 1e-5 }
${where.policy}
tables:
  people:
    ${where.table}
    unit: ${unit}
${unit === "row" ? "" : `    max_groups_contributed: ${groups}\n    max_rows_contributed_per_group: 2\n    bound: ${bound}`}
    columns:
      pid: { type: text }
      wage: { type: number, bounds: [-3.7, 60.1] }
      rate: { type: number, bounds: [0.001, 2], default: 0.5 }
      wild: { type: number }
      age: { type: integer, bounds: [0, 120], default: 40 }
      grade: { type: integer, categories: [1, 2, 5] }
      code: { type: integer }
      sector: { type: text, categories: [a, "b'", ü] }
      town: { type: text, max_length: 5 }
      member: { type: boolean }
      since: { type: date, bounds: [2019-11-20, 2021-03-05] }
      born: { type: date, default: 1970-01-01 }
      seen: { type: timestamp, bounds: ["1969-12-30 06:00:00", "2024-02-29 23:59:59"] }
`);
}

export const questions: readonly string[] = [
  "SELECT COUNT(*) FROM people",
  "SELECT COUNT(wage), SUM(wage), AVG(wage), VAR_SAMP(wage), STDDEV_POP(age) FROM people",
  "SELECT SUM(age), AVG(rate), VARIANCE(rate) FROM people WHERE age > 17.5",
  "SELECT sector, AVG(wage), COUNT(*) FROM people GROUP BY sector",
  "SELECT COUNT(*) FILTER (WHERE sector IN ('a', 'oslo')), COUNT(*) FILTER (WHERE sector NOT IN ('a', 'oslo')), COUNT(*) FILTER (WHERE sector <> 'ü' AND sector <> 'oslo'), COUNT(*) FILTER (WHERE (sector = 'oslo' OR sector = 'a') IS NOT TRUE), COUNT(*) FROM people",
  "SELECT sector, SUM(age) FROM people WHERE sector IN ('a', 'oslo', 'ü') OR member GROUP BY sector",
  "SELECT COVAR_POP(wage, age), CORR(rate, wage), COUNT(*) FROM people",
  "SELECT member, REGR_INTERCEPT(rate, age) FROM people GROUP BY member",
  "SELECT COVAR_SAMP(wage + 1, wage * rate) FILTER (WHERE member), COUNT(*) FILTER (WHERE age > 3), AVG(wage) FILTER (WHERE sector = 'a') FROM people",
  "SELECT COUNT(DISTINCT wage), COUNT(DISTINCT code), COUNT(DISTINCT member), COUNT(DISTINCT lower(town)), COUNT(DISTINCT born), COUNT(DISTINCT seen) FROM people",
  "SELECT sector, COUNT(DISTINCT wild) FILTER (WHERE age > 3), COUNT(*), COUNT(DISTINCT sector || town) FROM people GROUP BY sector",
  "SELECT SUM(DISTINCT wage), AVG(DISTINCT wage), COUNT(*), VARIANCE(DISTINCT age), SUM(DISTINCT wild, contribution_bounds_per_row => (-2, 7)) FROM people",
  "SELECT sector, STDDEV_POP(DISTINCT rate), AVG(DISTINCT grade) FILTER (WHERE age > 3), COUNT(*), SUM(DISTINCT grade) FROM people GROUP BY sector",
  "SELECT town, SUM(DISTINCT code, contribution_bounds_per_row => (-5, 5)), VAR_POP(DISTINCT wage * rate) FROM people GROUP BY town",
  "SELECT town, COUNT(DISTINCT grade), AVG(age), APPROX_COUNT_DISTINCT(wage / rate) FROM people GROUP BY town",
  "SELECT sector, member, SUM(wage) FROM people WHERE wage IS NOT NULL GROUP BY sector, member",
  "SELECT grade, COUNT(*), AVG(age) FROM people GROUP BY grade",
  "SELECT town, COUNT(*), SUM(age) FROM people GROUP BY town",
  "SELECT code, COUNT(*) FROM people GROUP BY code",
  "SELECT floor(age / 10), SUM(wage * 2 + age) FROM people GROUP BY 1",
  "SELECT age % 3, SUM(sqrt(wage)) FROM people WHERE sector LIKE 'b%' OR town LIKE '%_o\\%' GROUP BY 1",
  "SELECT SUM(wild, contribution_bounds_per_row => auto), AVG(wage, contribution_bounds_per_row => auto) FROM people",
  "SELECT sector, STDDEV(wild * 2, contribution_bounds_per_row => auto), SUM(code, contribution_bounds_per_row => auto) FROM people WHERE age > 3 GROUP BY sector",
  "SELECT SUM(wage / (age - 40), contribution_bounds_per_row => (-5, 5)) FROM people",
  "SELECT AVG(wild, contribution_bounds_per_row => (-1, 1e6)), COUNT(wild) FROM people",
  "SELECT SUM(wild * wild * wild, contribution_bounds_per_row => (-10, 10)) FROM people WHERE wild * 1e300 < 5",
  "SELECT SUM(wage, contribution_bounds_per_group => (-20, 50)) FROM people",
  "SELECT SUM(wild, contribution_bounds_per_group => (-20, 50)) FROM people",
  "SELECT SUM(wage * rate), SUM(rate * age), SUM(wage * (1 - rate) * wage), SUM(age * age) FROM people",
  "SELECT sector, SUM(((wage - 28.2) / 31.9) * ((age - 60) / 60)), SUM(POWER((wage - 28.2) / 31.9, 2)), SUM((wage - 28.2) / 31.9) FROM people WHERE grade > 0 GROUP BY sector",
  "SELECT member, SUM(POWER(wage, 3)), SUM(POWER(wage, 2) * (grade - 3)), SUM(wage * age, contribution_bounds_per_row => (-500, 7500)), SUM(wage * wage / 2) FROM people GROUP BY member",
  "SELECT SUM(wage * rate, contribution_bounds_per_group => (-20, 50)) FROM people",
  "SELECT AVG(CASE WHEN member THEN wage WHEN member IS NULL THEN rate ELSE -wage END) FROM people",
  "SELECT CASE WHEN age < 30 THEN 'young' ELSE 'old' END, COUNT(*) FROM people GROUP BY 1",
  "SELECT coalesce(sector, town), COUNT(nullif(grade, 2)) FROM people GROUP BY 1",
  "SELECT lower(town) || '-' || left(town, 2), COUNT(*) FROM people WHERE length(trim(town)) > 1 GROUP BY 1",
  "SELECT SUM(round(wage, 1)), SUM(round(wage)), SUM(ceil(rate)), SUM(abs(wage)), SUM(sign(wage)) FROM people",
  "SELECT SUM(least(wage, age)), SUM(greatest(wage, rate)), AVG(wage - rate) FROM people WHERE NOT member",
  "SELECT SUM(CAST(town AS double precision), contribution_bounds_per_row => (0, 9)) FROM people",
  "SELECT CAST(wage AS integer), COUNT(*) FROM people WHERE grade IN (1, 5) GROUP BY 1",
  "SELECT CAST(grade AS text), COUNT(*) FROM people WHERE age BETWEEN 10 AND 50 GROUP BY 1",
  "SELECT COUNT(*), SUM(age) FROM people WHERE wage > 2.5 AND 17.5 >= wage AND age <> 0.5 OR rate = 0.5 OR 40 = age",
  "SELECT COUNT(*) FROM people WHERE NOT (code <= 1 OR code <> 2.5) OR grade < 4.5 AND -3.7 <= wage AND wild > 1",
  "SELECT MEDIAN(wage), MIN(wage), PERCENTILE_DISC(0.9) WITHIN GROUP (ORDER BY age), COUNT(*) FROM people",
  "SELECT sector, MEDIAN(since), MIN(seen), MAX(since) FILTER (WHERE member) FROM people GROUP BY sector",
  "SELECT sector, MEDIAN(rate), MAX(wage, contribution_bounds_per_row => (-2, 30)) FROM people GROUP BY sector",
  "SELECT town, QUANTILE(wild, 0.25, contribution_bounds_per_row => (-1e15, 1e6)) FROM people WHERE age > 3 GROUP BY town",
  "SELECT sector, member, PERCENTILE_CONT(age * 2 - wage, 0.5) FROM people GROUP BY sector, member",
  "SELECT wild, MEDIAN(grade) FROM people WHERE member GROUP BY wild",
  "SELECT SUM(wage) FROM people WHERE sqrt(wage) > ln(rate) AND sqrt(wild) IS DISTINCT FROM 2",
  "SELECT substr(town, 2, 2) || right(town, 1), COUNT(*), SUM(length(ltrim(town)) - length(rtrim(town))) FROM people GROUP BY 1",
  "SELECT replace(replace(town, 'o', 'ö'), '😀', ''), COUNT(*) FROM people WHERE position('%' IN town) <> 2 AND NOT starts_with(town, 'a_') GROUP BY 1",
  "SELECT width_bucket(wage, 0, 60, 6), COUNT(*), SUM(trunc(wage)) FROM people GROUP BY 1",
  "SELECT SUM(width_bucket(wild, -1.5, 3.25, 7)), SUM(strpos(town, 'o')), SUM(div(age, 7)) FROM people WHERE ends_with(town, '\\') OR contains(town, '_') IS NOT TRUE",
  "SELECT substr(sector, 1, 1), COUNT(*) FROM people GROUP BY 1",
  "SELECT DATE_TRUNC('month', since), COUNT(*), SUM(EXTRACT(day FROM since)) FROM people GROUP BY 1",
  "SELECT DATE_TRUNC('week', born), COUNT(*) FROM people WHERE born > '1900-01-01' GROUP BY 1",
  "SELECT born, COUNT(*), AVG(born - since) FROM people GROUP BY born",
  "SELECT DATE_TRUNC('hour', seen), COUNT(*) FROM people GROUP BY 1",
  "SELECT DATE_TRUNC('quarter', seen), EXTRACT(dow FROM seen), COUNT(*) FROM people WHERE seen >= since GROUP BY 1, 2",
  "SELECT SUM(EXTRACT(week FROM born)), SUM(EXTRACT(doy FROM seen)), SUM(EXTRACT(isodow FROM born)), SUM(EXTRACT(quarter FROM seen)), SUM(year(born) * 12 + month(born)) FROM people",
  "SELECT SUM(EXTRACT(hour FROM seen) * 60 + EXTRACT(minute FROM seen)), AVG(EXTRACT(epoch FROM seen)), SUM(EXTRACT(epoch FROM since)) FROM people",
  "SELECT COUNT(*), SUM(born + INTERVAL '1 month' - born) FROM people WHERE since + INTERVAL '1 year -1 day' > seen AND since - 30 <> DATE '2020-01-31'",
  "SELECT COUNT(*) FROM people WHERE seen + INTERVAL '1 month 36 hours' BETWEEN TIMESTAMP '2020-02-29 12:00:00' AND '2022-01-01' OR since IN ('2020-02-29', DATE '2020-03-01')",
  "SELECT COUNT(*), COUNT(CAST(town AS date)), COUNT(CAST(town || ' 00:30' AS timestamp)) FROM people WHERE CAST(seen AS date) < since",
  "SELECT CAST(since AS text), COUNT(*) FROM people WHERE LEAST(since, born) = born OR COALESCE(since, seen) < GREATEST(seen, born) GROUP BY 1",
  "SELECT CASE WHEN member THEN since ELSE seen END, COUNT(*) FROM people GROUP BY 1",
  "SELECT COUNT(*), SUM(EXTRACT(year FROM born + INTERVAL '200 years'), contribution_bounds_per_row => (0, 9999)) FROM people WHERE born - INTERVAL '100 years' IS NOT NULL",
];

/** Questions for policies under which units own rows. */
export const ofUnits: readonly string[] = [
  "SELECT COUNT(DISTINCT pid) FROM people WHERE age > 3",
  "SELECT town, COUNT(DISTINCT pid) FROM people GROUP BY town",
  "SELECT town, COUNT(DISTINCT pid) FILTER (WHERE age > 3 OR wage < 5) FROM people GROUP BY town",
  // Keys that are doubles: engines write them differently, and must choose the same of a unit's groups.
  "SELECT rate, COUNT(*) FROM people GROUP BY rate",
  "SELECT wild, member, COUNT(*), SUM(age) FROM people GROUP BY wild, member",
  "SELECT seen, COUNT(*), COUNT(DISTINCT pid) FROM people GROUP BY seen",
  "SELECT COUNT(DISTINCT since), COUNT(DISTINCT DATE_TRUNC('day', seen)), COUNT(DISTINCT substr(town, 1, 2)) FROM people",
  "SELECT DATE_TRUNC('month', since), sector, COUNT(*) FROM people GROUP BY 1, 2",
  "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1, max_groups_contributed = 1) sector, member, COUNT(*), AVG(age) FROM people GROUP BY sector, member",
  ...groupedWithinUnits,
  ...windowedWithinUnits,
  ...lookedWithinUnits,
];

/** The questions that may be asked where rows are bounded before the filter. */
export const ofBoundedRows: readonly string[] = [...questions, ...ofUnits].filter(
  (question) =>
    !question.includes("_per_group") &&
    ![...groupedWithinUnits, ...windowedWithinUnits, ...lookedWithinUnits].includes(question),
);

const numbers = fc.oneof(
  fc.constantFrom<RawValue>(
    null,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    0,
    -0,
    1e308,
    -1e308,
    5e-324,
  ),
  fc.constantFrom<RawValue>(1, 2, 2.5, 5, 17.5, 40, 60.1, -3.7, 59.999999, 2 ** 53, 2 ** 60, -1, 0.5, 1.5),
  fc.double({ min: -10, max: 130, noNaN: true }),
);
const words = fc.oneof(
  fc.constantFrom<RawValue>(
    null,
    "",
    "a",
    "b'",
    "ü",
    "Łódź",
    "oslo",
    "Oslo",
    "a b ",
    " x",
    "1",
    "2.5",
    "no",
    "TRUE",
    "f",
    "NaN",
    "1e400",
    "1_000",
    "+-1",
    "yes\u00a0",
    "\tyes\n",
    "0x1F",
  ),
  fc.string({ maxLength: 7, unit: fc.constantFrom("a", "B", "o", "%", "_", "'", '"', "\\", "😀", "|", ":") }),
);
const dates = fc.oneof(
  fc.constantFrom<RawValue>(
    null,
    "2020-02-29",
    "2020-03-01",
    "2019-12-31",
    "2019-11-20",
    "2021-03-05",
    "2021-03-06",
    "0001-01-01",
    "9999-12-31",
    "1970-01-01",
    "1969-12-31",
    "1900-02-28",
    "1681-04-05",
    "2024-01-31",
  ),
  fc
    .integer({ min: -200_000, max: 200_000 })
    .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10)),
);
const clocks = fc.constantFrom("", " 00:00:00", " 23:59:59", " 12:30:00.25", " 06:00:00", " 23:59:59.999999");
const moments = fc.tuple(dates, clocks).map(([date, clock]) => (date === null ? null : `${date}${clock}`));
/** Times written in ways that no engine may read, or that not all of them do. */
const oddTimes = fc.constantFrom<RawValue>(
  "2020-02-30",
  "2021-2-3",
  "infinity",
  "epoch",
  "today",
  "0000-01-01",
  "10000-01-01",
  "2020-02-29T10:20",
  "2020-02-29 10:20:30Z",
  "2020-02-29 10:20:30+00",
  "2020-02-29 10:20:30+01",
  "2020-02-29 24:00:00",
  "2020-02-29 23:59:60",
  "2020-02-29 10:20:30.1234567",
  " 2020-02-29",
  "29/02/2020",
  "20200229",
);
export const nativeRow: fc.Arbitrary<RawRow> = fc.record({
  pid: fc.constantFrom<RawValue>(null, "p1", "p2", "p3", "p|4", "é"),
  wage: numbers,
  rate: numbers,
  wild: numbers,
  age: numbers,
  grade: numbers,
  code: numbers,
  sector: words,
  town: words,
  member: fc.constantFrom<RawValue>(true, false, null),
  since: dates,
  born: dates,
  seen: moments,
});
const times = ["since", "born", "seen"];
/** A row as a CSV has it: any text in any column. */
export const textRow: fc.Arbitrary<RawRow> = fc
  .tuple(nativeRow, fc.infiniteStream(fc.tuple(fc.nat(9), words, oddTimes)))
  .map(
    ([row, junk]): RawRow =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => {
          const [dice, word, time] = junk.next().value;
          if (times.includes(name)) return [name, dice < 3 ? time : value];
          return [name, dice === 0 && name !== "pid" ? word : value === null ? null : String(value)];
        }),
      ),
  );

export const names: readonly string[] = [
  "pid",
  "wage",
  "rate",
  "wild",
  "age",
  "grade",
  "code",
  "sector",
  "town",
  "member",
  ...times,
];

/** The cells of a tree, likewise. */
export function comparableCells(plan: Plan, cells: readonly ReferenceGroup[]): unknown {
  const { program } = plan.keys;
  const declared =
    program.kind === "public"
      ? program.declared.map((key) => keyName(key).replaceAll("number:", "bigint:"))
      : null;
  return cells
    .filter(({ key }) => declared === null || declared.includes(keyName(key.slice(0, -1))))
    .map(({ key, units, sums }) => ({ key: keyName(key), units, sums }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Groups in order of key; units only where keys are data, and groups of undeclared keys left out, as releases do. */
export function comparable(plan: Plan, groups: readonly ReferenceGroup[]): unknown {
  const { program } = plan.keys;
  const { keys } = releaseProgram(plan);
  const declared = keys.kind === "public" ? keys.groups.map(keyName) : null;
  return groups
    .map(({ key, units, sums }) => ({
      key: keyName(key),
      units: program.kind === "private" ? units : 0n,
      sums,
    }))
    .filter(({ key }) => declared === null || declared.includes(key))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}
