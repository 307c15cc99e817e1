import type { Sample } from "../people.ts";
import type { Draft } from "./forgery.ts";

type DraftPlan = Draft["certificate"]["plan"];

/** A question whose plan has keys, aggregates, columns, groupings, totals and expressions over released rows. */
export const named: Sample = {
  text: "SELECT city, sector, COUNT(*) AS n, DP_INTERVAL_LOW(n) AS low, GROUPING(city) + COUNT(*) AS made FROM people GROUP BY CUBE (city, sector) HAVING COUNT(*) > 3 ORDER BY n",
  unit: "id",
};

const none = "names nothing";
const call = (part: object): never => ({ kind: "call", operator: "is-null", args: [part] }) as never;

/** Changes of a plan that a reader must refuse, with the words that it says then. */
export const forgedNames: readonly (readonly [says: string, change: (plan: DraftPlan) => void])[] = [
  ["a name that no other key has", ({ keys }) => void keys.parts.push(keys.parts[0]!)],
  ["a name that no other aggregate has", ({ aggregates }) => void aggregates.push(aggregates[0]!)],
  [
    "a name that no other column has",
    ({ outputs }) => {
      outputs[1]!.name = outputs[0]!.name;
    },
  ],
  ["the name of the plan's own key", ({ outputs }) => void Object.assign(outputs[0]!, { key: none })],
  [
    "the name of the plan's own aggregate",
    ({ outputs }) => void Object.assign(outputs[2]!, { aggregate: none }),
  ],
  ["the name of the plan's own column", ({ outputs }) => void Object.assign(outputs[3]!, { output: none })],
  [
    "the name of the plan's own aggregate",
    ({ outputs }) =>
      void Object.assign(outputs[4]!, { expression: call({ kind: "aggregate", aggregate: none }) }),
  ],
  [
    "the name of the plan's own key",
    ({ outputs }) =>
      void Object.assign(outputs[4]!, { expression: call({ kind: "grouped-away", key: none }) }),
  ],
  [
    "the name of the plan's own aggregate",
    ({ post }) => {
      post.having = call({ kind: "aggregate", aggregate: none });
    },
  ],
  [
    "the name of the plan's own key",
    ({ post }) => {
      post.orderBy[0]!.by = { kind: "other", key: none };
    },
  ],
  ["the name of the plan's own key", ({ groupings }) => void groupings![0]!.push(none)],
  ["the name of the plan's own key", ({ totals }) => void totals![0]!.keys.push(none)],
  [
    "of different keys",
    ({ groupings }) => {
      groupings![0] = ["city", "city"];
    },
  ],
  [
    "of different keys",
    ({ totals }) => {
      totals![0]!.keys = ["city", "city"];
    },
  ],
  ["of one grouping alone", (plan) => void Reflect.deleteProperty(plan, "groupings")],
];
