import { parseRational } from "@lethe/core";
import { one } from "@lethe/core/numeric";
import { type Plan, type Policy, readPolicy } from "@lethe/query";
import { sensitivitiesHold } from "../../checks/noise.ts";
import { unitIsThePolicys } from "../../checks/policy.ts";
import { rowsHaveOneUnit } from "../../checks/units.ts";
import { relation } from "../../format/relation-shape.ts";
import { samplePlan } from "../sample-release.ts";
import type { Telling } from "./forgery.ts";

const policyText = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 100, delta: 1e-3 }
tables:
  people: { file: a.duckdb, unit: id, columns: { id: { type: integer }, age: { type: integer, bounds: [0, 9], default: 3 } } }
  visits: { file: a.duckdb, unit: { through: person_id, references: people.id }, max_groups_contributed: 2, columns: {
    person_id: { type: integer }, code: { type: text }, cost: { type: number, bounds: [0, 9] } } }
  codes: { file: a.duckdb, public: true, key: code, columns: { code: { type: text }, kind: { type: text, categories: [x, y] } } }
  guests: { file: a.duckdb, unit: row, columns: { code: { type: text }, fee: { type: number, bounds: [0, 3] } } }
`;

const planned = (text: string): Promise<Plan> =>
  samplePlan(text, policyText, { epsilon: one, delta: parseRational("1e-6") });

/** A relation of the plan. */
interface Part {
  readonly kind: string;
  readonly table: string;
}

/** The plan of a question, where parts of it were changed. */
const changed = async (text: string, isPart: (part: Part) => boolean, change: object): Promise<Plan> =>
  JSON.parse(JSON.stringify(await planned(text)), (_, value) =>
    value?.kind !== undefined && isPart(value) ? { ...value, ...change } : value,
  );

/** The units of a question's rows, where parts of them were changed. */
const units =
  (...forged: Parameters<typeof changed>): (() => Promise<unknown>) =>
  async () =>
    rowsHaveOneUnit(await changed(...forged));
const kind = (name: string) => (part: Part) => part.kind === name;
const table = (name: string) => (part: Part) => part.kind === "table" && part.table === name;

const pair = "SELECT COUNT(*) FROM people JOIN visits ON id = person_id";
const union = "SELECT COUNT(*) FROM (SELECT cost FROM visits UNION ALL SELECT age FROM people) u";
const among = "SELECT COUNT(*) FROM visits WHERE code IN (SELECT code FROM codes)";
const within =
  "SELECT SUM(LEAST(n, 4)) FROM (SELECT person_id, COUNT(*) AS n FROM visits GROUP BY person_id) t";
const windows =
  "SELECT COUNT(*) FROM (SELECT ROW_NUMBER() OVER (PARTITION BY person_id ORDER BY cost) AS n FROM visits) t WHERE n < 3";
const marks =
  "SELECT COUNT(*) FROM people WHERE age > 3 OR EXISTS (SELECT 1 FROM visits WHERE person_id = id AND cost > age)";
const listed = "SELECT n, COUNT(*) FROM (VALUES (1), (2)) AS list(n) LEFT JOIN people ON age = n GROUP BY n";
const guests = "SELECT COUNT(*) FROM guests JOIN codes USING (code)";

const ofNobody = { unit: { kind: "public" } };
const ofRows = { unit: { kind: "row" } };
const ofOthers = { unit: { kind: "column", column: "x", path: [], names: { table: "others", column: "x" } } };

export const ofRelations: readonly Telling[] = [
  ["two tables of the question have one name", units(pair, kind("table"), { source: "same" })],
  ["the rows of the question are nobody's", units(pair, kind("table"), ofNobody)],
  ["whether each row is a unit of its own is not as the plan says", units(guests, table("guests"), ofOthers)],
  ["the unit of the rows is not the plan's", units(pair, kind("table"), ofOthers)],
  [
    "rows are kept or left out by what another unit's rows hold",
    units(among, table("codes"), { ...ofOthers, oncePer: null }),
  ],
  ["a union of rows that name no unit", units(union, kind("table"), ofRows)],
  ["a union of rows of different units", units(union, table("people"), ofOthers)],
  [
    "a union whose parts do not have its columns",
    units(union, kind("union"), { columns: { more: { type: "boolean", nullable: true } } }),
  ],
  ["rows that name no unit are grouped within units", units(within, table("visits"), ofRows)],
  ["a grouping whose values are not its columns", units(within, kind("grouped"), { columns: {} })],
  ["windows over rows that name no unit", units(windows, table("visits"), ofRows)],
  ["windows whose values are not their columns", units(windows, kind("windowed"), { columns: {} })],
  ["rows are marked by what another unit's rows hold", units(marks, table("visits"), ofOthers)],
  ["rows are marked by what another unit's rows hold", units(marks, table("people"), ofNobody)],
  ["a mark that is not one boolean column", units(marks, kind("marked"), { columns: {} })],
  [
    "a mark that is not one boolean column",
    units(marks, kind("marked"), { columns: { found: { type: "boolean", nullable: true } } }),
  ],
  ["rows of visits are left out by what other rows hold", units(pair, table("visits"), { oncePer: "code" })],
  ["rows of different units are joined", units(pair, table("visits"), ofOthers)],
  ["rows of nobody are kept by an outer join", units(guests, kind("join"), { type: "full" })],
  ["a list whose rows are not its columns", units(listed, kind("list"), { rows: [[1], ["2"]] })],
  [
    "the groups of rows that are somebody's are answered for their absence",
    units(listed, kind("join"), { keeps: "right" }),
  ],
  [
    "from.left.rows[1][0] must be a value",
    async () => {
      const { from } = await changed(listed, kind("list"), { rows: [[1], [null]] });
      try {
        return relation(from, "from");
      } catch (error) {
        return [(error as Error).message];
      }
    },
  ],
  ["a row that is a unit may meet many public rows", units(guests, table("codes"), { oncePer: null })],
  ["every row is one unit's, and no unit's rows depend on another unit", units(pair, table("none"), {})],
  [
    "rows are bounded that no single table holds",
    async () => {
      const plan = await planned(pair);
      return sensitivitiesHold({
        ...plan,
        contribution: { ...plan.contribution, limit: "rows-before-filter" },
      });
    },
  ],
  [
    "people has no unit to reach",
    async () => {
      const policy = readPolicy(policyText);
      const { people } = policy.tables;
      const forged = {
        ...policy,
        tables: { ...policy.tables, people: { ...people!, unit: { kind: "row" } } },
      };
      return unitIsThePolicys(await planned(pair), forged as Policy);
    },
  ],
];
