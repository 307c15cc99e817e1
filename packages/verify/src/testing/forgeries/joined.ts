import { parseRational } from "@lethe/core";
import { one } from "@lethe/core/numeric";
import { type JoinRelation, type Plan, type Policy, readPolicy, type TableRelation } from "@lethe/query";
import { joinedRowsHold, limitsAreThePolicys } from "../../checks/joined-rows.ts";
import { notesOf } from "../../notes/notes-of.ts";
import { samplePlan } from "../sample-release.ts";
import type { Telling } from "./forgery.ts";

const policyText = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 100, delta: 1e-3 }
tables:
  people: { file: a.duckdb, unit: id, columns: { id: { type: integer }, zip: { type: text } } }
  visits: { file: a.duckdb, unit: { through: person_id, references: people.id }, key: visit_id, columns: {
    visit_id: { type: text }, person_id: { type: integer }, code: { type: text } } }
  codes: { file: a.duckdb, public: true, key: code, columns: { code: { type: text } } }
  zips: { file: a.duckdb, public: true, rows_per_key: { zip: 3 }, columns: { zip: { type: text } } }
  days: { file: a.duckdb, public: true, max_rows: 7, columns: { weekday: { type: text } } }
`;
const policy = readPolicy(policyText);
const planned = (text: string): Promise<Plan> =>
  samplePlan(text, policyText, { epsilon: one, delta: parseRational("1e-6") });

const alone = "SELECT COUNT(*) FROM people";
const pair = "SELECT COUNT(*) FROM people JOIN visits ON id = person_id";
const byCode = "SELECT COUNT(*) FROM visits JOIN codes USING (code)";
const byZip = "SELECT COUNT(*) FROM people JOIN zips USING (zip)";
const byDay = "SELECT COUNT(*) FROM people CROSS JOIN days";

type Judge = (plan: Plan) => unknown;
const judged =
  (text: string, judge: Judge, change: (plan: Plan) => object = () => ({})): (() => Promise<unknown>) =>
  async () => {
    const plan = await planned(text);
    return judge({ ...plan, ...change(plan) } as Plan);
  };
/** The plan with every table, or those of a name, changed. */
const tables =
  (change: object, name?: string) =>
  (plan: Plan): Plan =>
    JSON.parse(JSON.stringify(plan), (_, value) =>
      value?.kind === "table" && (name === undefined || value.table === name)
        ? { ...value, ...change }
        : value,
    );
/** The plan with its relation joined to a public table as often as is said. */
const joinedAgain =
  (times: number) =>
  (plan: Plan): object => {
    const join = (plan as Plan & { readonly from: JoinRelation }).from;
    const right = join.right as TableRelation;
    const again = (left: JoinRelation, at: number): JoinRelation => ({
      ...join,
      left,
      right: { ...right, source: `again ${at}` },
    });
    return { from: Array.from({ length: times }, (_, at) => at).reduce(again, join) };
  };
const ofPolicy =
  (given: Policy = policy): Judge =>
  (plan) =>
    limitsAreThePolicys(plan, given);
const notes: Judge = (plan) => notesOf({ plan } as never);

export const ofJoinedRows: readonly Telling[] = [
  ["nothing is joined", judged(alone, joinedRowsHold)],
  [
    "joined rows are stated where nothing is joined",
    judged(alone, joinedRowsHold, () => ({ joinedRows: 1 })),
  ],
  ["one row stands in at most 3 joined rows", judged(byZip, joinedRowsHold)],
  [
    "how many joined rows one row may stand in is not stated",
    judged(byZip, joinedRowsHold, () => ({ joinedRows: undefined })),
  ],
  [
    "one row may stand in more or fewer joined rows than is stated",
    judged(byZip, joinedRowsHold, () => ({ joinedRows: 2 })),
  ],
  [
    "one row may stand in more joined rows than any question may ask for",
    judged(byDay, joinedRowsHold, tables({ limits: [] })),
  ],
  [
    "rows of units are limited by what other units' rows hold",
    judged(byZip, joinedRowsHold, tables({ limits: [{ per: "table", rows: 3 }] }, "people")),
  ],
  ["more sources than a question may join", judged(byCode, joinedRowsHold, joinedAgain(15))],
  ["a table is limited that the policy does not have", judged(byZip, ofPolicy({ ...policy, tables: {} }))],
  [
    "codes is read once for each value of what is no key",
    judged(byCode, ofPolicy(), tables({ oncePer: "kind" }, "codes")),
  ],
  [
    "zips is limited otherwise than the policy says",
    judged(byZip, ofPolicy(), tables({ limits: [{ per: "value", column: "zip", rows: 4 }] }, "zips")),
  ],
  ["of each unit, chosen by lowest keyed hash; other rows are left out", judged(pair, notes)],
  ["for each zip, the first in the order of the columns that it reads", judged(byZip, notes)],
  ["of days, the question reads at most 7 rows, the first in the order", judged(byDay, notes)],
  [
    "for each unit and visit_id, chosen by lowest keyed hash",
    judged(pair, notes, tables({ limits: [{ per: "unit-and-key", column: "visit_id", rows: 1 }] }, "visits")),
  ],
];
