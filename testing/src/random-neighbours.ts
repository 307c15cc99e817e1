import { createHash } from "node:crypto";
import { Dice } from "./dice.ts";
import { randomGroupedQuestion, randomWindowedQuestion } from "./inside-units.ts";
import { randomLayeredQuestion } from "./random-relations.ts";
import type { RawRow, RawValue } from "./reference-evaluator.ts";

/** A policy, questions it may answer, and tables each of which differs in one unit from the first. */
export interface Neighbours {
  readonly policy: string;
  readonly questions: readonly string[];
  /** Native types of the columns, in the order of {@link columnNames}. */
  readonly types: readonly string[];
  readonly tables: readonly (readonly RawRow[])[];
}

export const columnNames = [
  "pid",
  "x",
  "y",
  "wild",
  "n",
  "grade",
  "code",
  "sector",
  "town",
  "member",
  "since",
  "seen",
] as const;

const numbers: readonly RawValue[] = [
  null,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  0,
  -0,
  1e308,
  -1e308,
  5e-324,
  2 ** 53,
  -(2 ** 63),
  1e30,
  1,
  2,
  2.5,
  -2,
  5,
  0.3,
  59.999999,
  -3.7,
];
const texts: readonly RawValue[] = [
  null,
  "",
  "a",
  "A",
  "b'",
  "ü",
  "u\u0308",
  "Ü",
  " a",
  "1",
  "-0",
  "nan",
  "1e400",
  "aaaaaaaaaaaaaaaaaaaaaaaa",
  "😀",
  "x\ny",
  "\ufeffa",
  "true",
  "F",
  "yes\u00a0",
  "\tNo ",
  "1_000",
  "+-2",
  "\u30003",
];
const times: readonly RawValue[] = [
  null,
  "2020-02-29",
  "2020-03-01 23:59:59.999999",
  "2020-02-01",
  "2020-03-15 12:00:00",
  "0001-01-01",
  "9999-12-31",
  "infinity",
  "-infinity",
  "1700-01-01",
  "2249-12-31 23:59:59.999999",
  "1581-10-10",
];
const flags: readonly RawValue[] = [true, false, null];
/** Too long to be stored, and what it is stored as. */
const longName = "x".repeat(300);
const hashOfLongName = createHash("sha256").update(longName).digest("hex");
/** Some differ by case, accents or blanks alone. */
const units: readonly RawValue[] = [
  ...[null, "p", "P", "é", "e\u0301", " p", "", "q", "0", "-0"],
  ...[hashOfLongName, `sha256:${hashOfLongName}`],
];

const aggregates = [
  "COUNT(*)",
  "COUNT(x)",
  "COUNT(*) FILTER (WHERE x > 1)",
  "COUNT(DISTINCT town)",
  "COUNT(DISTINCT wild)",
  "COUNT(DISTINCT since)",
  "COUNT(DISTINCT n % 3) FILTER (WHERE member)",
  "SUM(DISTINCT x)",
  "AVG(DISTINCT wild, contribution_bounds_per_row => (-1e6, 5))",
  "VARIANCE(DISTINCT y)",
  "SUM(DISTINCT wild, contribution_bounds_per_row => auto)",
  "COVAR_POP(x, y)",
  "CORR(y, x) FILTER (WHERE member)",
  "REGR_SLOPE(x, y)",
  "COUNT(CASE WHEN member THEN y END)",
  "SUM(x)",
  "SUM(y)",
  "SUM(y - 20)",
  "SUM(x, contribution_bounds_per_row => (1, 3))",
  "SUM(x, contribution_bounds_per_group => (-1, 4))",
  "SUM(wild, contribution_bounds_per_row => (-1e6, 5))",
  "SUM(wild, contribution_bounds_per_group => (-7, 5))",
  "SUM(wild * wild / y, contribution_bounds_per_row => (0, 100))",
  "SUM(n * 1000000007)",
  "SUM(wild, contribution_bounds_per_row => auto)",
  "AVG(x - y, contribution_bounds_per_row => auto)",
  "STDDEV(n, contribution_bounds_per_row => auto)",
  "AVG(x)",
  "AVG(y)",
  "AVG(wild, contribution_bounds_per_row => (-1e15, 1e15))",
  "AVG(CASE WHEN x > 1 THEN y END)",
  "AVG(sqrt(x) + ln(y))",
  "VARIANCE(x)",
  "SKEWNESS(x)",
  "STDDEV_POP(y)",
  "VAR_SAMP(n)",
  "COUNT(since)",
  "AVG(EXTRACT(hour FROM seen))",
  "SUM(since - CAST(seen AS date))",
  "MEDIAN(x)",
  "MEDIAN(LEAST(since, DATE '2020-03-10') + INTERVAL '1 day') FILTER (WHERE since > '2020-01-01')",
  "MAX(n)",
  "PERCENTILE_CONT(wild, 0.9, contribution_bounds_per_row => (-1e15, 3))",
  "PERCENTILE_DISC(0.25) WITHIN GROUP (ORDER BY y - grade)",
];
const keys = [
  "sector",
  "town",
  "member",
  "grade",
  "code",
  "x",
  "wild",
  "n % 3",
  "floor(x)",
  "round(x / 3) * 3",
  "CAST(seen AS date)",
  "DATE_TRUNC('day', seen)",
  "lower(town)",
  "town || sector",
  "substr(sector, 1, 1)",
  "replace(right(town, 3), 'a', 'ab')",
  "width_bucket(wild, -1, 5, 3)",
  "coalesce(sector, town)",
  "CASE WHEN x > 0.3 THEN 'high' WHEN x IS NULL THEN sector ELSE 'low' END",
  "CAST(x AS integer)",
  "sector = 'a'",
  "since",
  "DATE_TRUNC('month', since)",
  "DATE_TRUNC('week', seen)",
  "EXTRACT(dow FROM seen)",
  "since + INTERVAL '1 month'",
  "CASE WHEN x > 0.3 THEN '\ufeffa' WHEN member THEN 'a' ELSE 'A' END",
  // As many public groups as an order of few can tell apart, and one more or less.
  "LEAST(GREATEST(n, 0), 58)",
  "WIDTH_BUCKET(wild, -1, 5, 57)",
  "n % 57",
  "LEAST(GREATEST(n, 1), 113)",
  "LEAST(GREATEST(n, 0), 250)",
  "LEAST(GREATEST(n, 0), 251)",
];
const filters = [
  "",
  "",
  " WHERE x > 0.3",
  " WHERE member",
  " WHERE NOT (sector = 'a' OR town LIKE '%a%_%a%')",
  " WHERE wild / x > 1 OR n IN (1, 2)",
  " WHERE sqrt(wild) < 2 AND ln(x) IS NOT NULL",
  " WHERE CAST(town AS double precision) IS NULL",
  " WHERE since > '2020-02-28' OR seen + INTERVAL '3000 months' IS NULL",
  " WHERE CAST(town AS date) IS NULL AND seen >= since",
  " WHERE since >= '2020-02-10' AND since <= DATE '2020-02-29' AND EXTRACT(year FROM seen) = 2020",
  " WHERE CAST(seen AS date) BETWEEN '2020-02-25' AND '2020-03-15'",
];

function policyOf(dice: Dice, unit: "row" | "pid"): string {
  const withDefault = (value: string): string => (dice.below(2) === 0 ? "" : `, default: ${value}`);
  const [k, r] = [1 + dice.below(3), 1 + dice.below(3)];
  const bound = dice.one(["groups-after-filter", "groups-after-filter", "rows-before-filter"]);
  return `
version: 1
privacy_unit: { name: person, adjacency: ${dice.one(["add-or-remove-one", "replace-one"])} }
budget: { measure: ${dice.one(["approximate", "zcdp"])}, epsilon: 1000, delta: 1e-5 }
tables:
  people:
    file: people.duckdb
    unit: ${unit}
${unit === "row" ? "" : `    max_groups_contributed: ${k}\n    max_rows_contributed_per_group: ${r}\n    bound: ${bound}`}
    columns:
      pid: { type: text }
      x: { type: number, bounds: ${dice.one(["[-2, 5]", "[-3.7, 60.1]", "[0, 1e15]", "[2, 3]"])} }
      y: { type: integer, bounds: [2, 7]${withDefault("4")} }
      wild: { type: number${withDefault("1")} }
      n: { type: integer, bounds: [-5, 3000000000]${withDefault("0")} }
      grade: { type: integer, categories: [1, 2, 5]${withDefault("2")} }
      code: { type: integer${withDefault("7")} }
      sector: { type: text, categories: [a, "b'", ü, A]${withDefault("a")} }
      town: { type: text, max_length: ${1 + dice.below(20)}${withDefault("b")} }
      member: { type: boolean${withDefault("false")} }
      since: { type: date${dice.one(["", ", bounds: [2020-02-01, 2020-03-15]"])}${withDefault("2020-02-29")} }
      seen: { type: timestamp${withDefault("2020-03-01")} }
${dice.below(3) === 0 ? elsewhere(dice.one(["row", "eid"])) : ""}`;
}

/** Another private table, that no question asks: who has rows there may have none among people. */
function elsewhere(unit: string): string {
  return `  elsewhere: { file: elsewhere.duckdb, unit: ${unit}, columns: { eid: { type: text } } }\n`;
}

/** Whether an aggregate has totals over groups. */
function addsUp(aggregate: string): boolean {
  return !/DISTINCT|MEDIAN|PERCENTILE|MAX|MIN|auto/.test(aggregate);
}

function questionOf(dice: Dice, unit: "row" | "pid", boundsRows: boolean): string {
  const known = boundsRows ? aggregates.filter((text) => !text.includes("_per_group")) : aggregates;
  const chosen = dice.some(1, 3, () => dice.one(known));
  if (unit === "pid" && dice.below(4) === 0) chosen.push("COUNT(DISTINCT pid)");
  const groups = [...new Set(dice.some(0, 2, () => dice.one(keys)))];
  const options = ["epsilon = 1"];
  if (dice.below(3) === 0) options.push(`mechanism = ${dice.one(["laplace", "gaussian"])}`);
  if (groups.length > 0 && dice.below(3) === 0) options.push("group_selection_strategy = private");
  if (unit === "pid" && dice.below(3) === 0) options.push("max_groups_contributed = 1");
  const select = [...groups, ...new Set(chosen)].join(", ");
  const places = groups.map((_, at) => at + 1).join(", ");
  const totals = chosen.every(addsUp) && dice.below(3) === 0 ? dice.one(["ROLLUP", "CUBE"]) : "";
  const by = groups.length === 0 ? "" : ` GROUP BY ${totals} (${places})`;
  return `SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(${options.join(", ")}) ${select} FROM people${dice.one(filters)}${by}`;
}

/** Native types that hold a number; narrow ones are given narrow numbers. */
const numberTypes = ["DOUBLE", "DOUBLE", "FLOAT", "DECIMAL(38, 3)", "HUGEINT", "INTEGER", "VARCHAR"];
const textTypes = ["VARCHAR", "VARCHAR COLLATE NOCASE", "VARCHAR COLLATE NOACCENT"];

function typesOf(dice: Dice): string[] {
  return columnNames.map((name) => {
    if (name === "member") return dice.one(["BOOLEAN", "VARCHAR", "INTEGER"]);
    if (name === "since" || name === "seen") return dice.one(["DATE", "TIMESTAMP", "TIMESTAMPTZ", "VARCHAR"]);
    return name === "pid" || name === "sector" || name === "town"
      ? dice.one(textTypes)
      : dice.one(numberTypes);
  });
}

function rowOf(dice: Dice, types: readonly string[], pid: RawValue): RawRow {
  const cell = (name: string, at: number): RawValue => {
    if (name === "pid") return pid;
    if (types[at] === "VARCHAR" && dice.below(4) === 0) return dice.one(texts);
    if (name === "member") return dice.one(flags);
    if (name === "since" || name === "seen") return dice.one(times);
    return name === "sector" || name === "town" ? dice.one(texts) : dice.one(numbers);
  };
  return Object.fromEntries(columnNames.map((name, at) => [name, cell(name, at)]));
}

/** Some rows become like one before them, but for a column: what orders do not tell apart, and what is in one group. */
function twins(dice: Dice, rows: readonly RawRow[], types: readonly string[]): RawRow[] {
  if (dice.below(2) === 0) return [...rows];
  return rows.map((row, at) => {
    if (at === 0 || dice.below(3) === 0) return row;
    const changed = dice.one(columnNames);
    const other = rowOf(dice, types, row.pid ?? null);
    return {
      ...rows[dice.below(at)]!,
      ...(dice.below(4) === 0 ? {} : { [changed]: other[changed] ?? null }),
    };
  });
}

const withinUnits = [randomGroupedQuestion, randomWindowedQuestion, randomLayeredQuestion];

/** All from one seed, `neighbours` of the first table. The changed unit has up to eight rows, so that bounds on groups and rows bite. */
export function randomNeighbours(seed: number, neighbours = 1): Neighbours {
  const dice = new Dice(seed);
  const unit = dice.one(["row", "pid"] as const);
  const policy = policyOf(dice, unit);
  const types = typesOf(dice);
  const [mine, yours] = dice.one([
    ["me", "you"],
    ["P\u0301", "p\u0301"],
    ["E", "e"],
    [longName, `${longName}y`],
  ]);
  const others = dice.some(0, 12, () => rowOf(dice, types, dice.one(units)));
  const own = (pid: string): RawRow[] =>
    twins(
      dice,
      dice.some(1, unit === "row" ? 1 : 8, () => rowOf(dice, types, pid)),
      types,
    );
  const among = (rows: readonly RawRow[]): RawRow[] => {
    const at = dice.below(others.length + 1);
    return [...others.slice(0, at), ...rows, ...others.slice(at)];
  };
  const boundsRows = policy.includes("rows-before-filter");
  // Under replace-one either of two units may live elsewhere, where there is such a place.
  const isElsewhere = (): boolean => policy.includes("elsewhere:") && dice.below(2) === 0;
  const tableWith = (pid: string): readonly RawRow[] => (isElsewhere() ? others : among(own(pid)));
  const replaces = policy.includes("replace-one");
  const first = replaces ? tableWith(yours!) : others;
  return {
    policy,
    questions: [
      ...dice.some(4, 6, () => questionOf(dice, unit, boundsRows)),
      ...(unit === "row" || boundsRows ? [] : dice.some(1, 2, () => dice.one(withinUnits)(dice))),
    ],
    types,
    tables: [
      first,
      ...Array.from({ length: neighbours }, () => (replaces ? tableWith(mine!) : among(own(mine!)))),
    ],
  };
}
