/**
 * The ten workloads of `quality`, fixed before the planner was changed for them. `sql` is asked of Lethe; the rest says the same for peers that are
 * no SQL: the table, the condition on rows, the key and the groups that are asked about, and one asked column after another. `several` marks the
 * seven that ask several aggregates or filter their groups.
 */
const plans = ["free", "basic", "team"];
const regions = ["north", "east", "south", "west"];
const months = ["2025-03-01", "2025-04-01", "2025-05-01"];

export const workloads = [
  {
    name: "count",
    sql: "SELECT COUNT(*) FROM people",
    ...{ table: "people", key: null, groups: null, where: null, several: false },
    columns: [{ kind: "count" }],
  },
  {
    name: "sum",
    sql: "SELECT SUM(amount) FROM people",
    ...{ table: "people", key: null, groups: null, where: null, several: false },
    columns: [{ kind: "sum", of: "amount" }],
  },
  {
    name: "avg",
    sql: "SELECT AVG(amount) FROM people",
    ...{ table: "people", key: null, groups: null, where: null, several: false },
    columns: [{ kind: "avg", of: "amount" }],
  },
  {
    name: "count-sum-avg",
    sql: "SELECT plan, COUNT(*), SUM(amount), AVG(amount) FROM people GROUP BY plan",
    ...{ table: "people", key: "plan", groups: plans, where: null, several: true },
    columns: [{ kind: "count" }, { kind: "sum", of: "amount" }, { kind: "avg", of: "amount" }],
  },
  {
    name: "filtered-keys",
    sql: "SELECT mode, COUNT(*), AVG(amount) FROM people WHERE mode IN ('MAIL', 'SHIP') GROUP BY mode",
    ...{ table: "people", key: "mode", groups: ["MAIL", "SHIP"], several: true },
    where: "mode IN ('MAIL', 'SHIP')",
    columns: [{ kind: "count" }, { kind: "avg", of: "amount" }],
  },
  {
    name: "months",
    sql: "SELECT date_trunc('month', day) AS month, COUNT(*), SUM(amount) FROM people WHERE day >= DATE '2025-03-01' AND day < DATE '2025-06-01' GROUP BY month",
    ...{ table: "people", key: "month", groups: months, several: true },
    where: "day >= '2025-03-01' AND day < '2025-06-01'",
    columns: [{ kind: "count" }, { kind: "sum", of: "amount" }],
  },
  {
    name: "pivot",
    sql: `SELECT sector, ${plans.map((plan) => `COUNT(*) FILTER (WHERE plan = '${plan}') AS ${plan}`).join(", ")} FROM people GROUP BY sector`,
    ...{ table: "people", key: "sector", groups: ["private", "public"], where: null, several: true },
    columns: plans.map((plan) => ({ kind: "count", where: { column: "plan", is: plan } })),
  },
  {
    name: "shares",
    sql: "SELECT plan, COUNT(*), 100.0 * COUNT(*) FILTER (WHERE churned = 'yes') / COUNT(*) AS churned FROM people GROUP BY plan",
    ...{ table: "people", key: "plan", groups: plans, where: null, several: true },
    columns: [{ kind: "count" }, { kind: "share", where: { column: "churned", is: "yes" } }],
  },
  {
    name: "variance-avg",
    sql: "SELECT plan, VAR_POP(age), AVG(age) FROM people GROUP BY plan",
    ...{ table: "people", key: "plan", groups: plans, where: null, several: true },
    columns: [
      { kind: "variance", of: "age" },
      { kind: "avg", of: "age" },
    ],
  },
  {
    name: "users",
    sql: "SELECT region, COUNT(DISTINCT user_id), COUNT(*), SUM(minutes) FROM visits GROUP BY region",
    ...{ table: "visits", key: "region", groups: regions, where: null, several: true },
    columns: [{ kind: "count-users" }, { kind: "count" }, { kind: "sum", of: "minutes" }],
  },
];

/**
 * The tables. people: one row a person, 20,000 of them; visits: of 5,000 users, each of one region, with one to four rows. `bounds` are what all
 * sides are told; every value is a function of the row's number alone.
 */
export const tables = {
  people: {
    unit: null,
    rows: 20_000,
    bounds: { amount: [0, 100], age: [18, 90] },
    categories: {
      plan: plans,
      sector: ["private", "public"],
      mode: ["AIR", "FOB", "MAIL", "RAIL", "REG AIR", "SHIP", "TRUCK"],
      churned: ["yes", "no"],
    },
    days: ["2023-01-01", "2025-12-31"],
  },
  visits: {
    unit: "user_id",
    rows: 12_500,
    mostRows: 4,
    bounds: { minutes: [0, 60] },
    categories: { region: regions },
  },
};
