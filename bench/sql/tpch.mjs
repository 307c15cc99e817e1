import { basename } from "node:path";
import { readPolicy } from "@lethe/query";
import { figure } from "../figure.mjs";
import { checkSame } from "./exact-answer.mjs";
import { inTurns } from "./in-turns.mjs";
import { openLayout } from "./open-layout.mjs";
import { openPlain } from "./plain-side.mjs";
import { planned } from "./planned.mjs";
import { generateTpch, modes, nations, priorities, regions, segments } from "./tpch-tables.mjs";

const price = "l_extendedprice * (1 - l_discount)";
const ofOrders = "lineitem JOIN orders ON l_orderkey = o_orderkey";
const ofCustomers = `${ofOrders} JOIN customer ON o_custkey = c_custkey`;

/**
 * Name → keys, aggregates, rows, and what follows them. Named for the questions of TPC-H that they are like: of suppliers there is
 * no table, Q3 and Q10 group by what many customers share, and Q14's ratio is computed from its two sums.
 */
const questions = {
  q1: {
    keys: ["l_returnflag", "l_linestatus"],
    aggregates: [
      "SUM(l_quantity)",
      "SUM(l_extendedprice)",
      `SUM(${price})`,
      `SUM(${price} * (1 + l_tax))`,
      "AVG(l_quantity)",
      "AVG(l_extendedprice)",
      "AVG(l_discount)",
      "COUNT(*)",
    ],
    from: "lineitem WHERE l_shipdate <= DATE '1998-09-02'",
  },
  q3: {
    keys: ["o_orderdate", "o_shippriority"],
    aggregates: [`SUM(${price})`],
    from: `${ofCustomers} WHERE c_mktsegment = 'BUILDING' AND o_orderdate < DATE '1995-03-15' AND l_shipdate > DATE '1995-03-15'`,
    after: "ORDER BY a0 DESC LIMIT 10",
  },
  q5: {
    keys: ["n_name"],
    aggregates: [`SUM(${price})`],
    from: `${ofCustomers} JOIN nation ON c_nationkey = n_nationkey JOIN region ON n_regionkey = r_regionkey
      WHERE r_name = 'ASIA' AND o_orderdate >= DATE '1994-01-01' AND o_orderdate < DATE '1995-01-01'`,
    after: "ORDER BY a0 DESC",
  },
  q10: {
    keys: ["n_name"],
    aggregates: [`SUM(${price})`],
    from: `${ofCustomers} JOIN nation ON c_nationkey = n_nationkey
      WHERE o_orderdate >= DATE '1993-10-01' AND o_orderdate < DATE '1994-01-01' AND l_returnflag = 'R'`,
    after: "ORDER BY a0 DESC LIMIT 20",
  },
  q12: {
    keys: ["l_shipmode"],
    aggregates: [
      "SUM(CASE WHEN o_orderpriority IN ('1-URGENT', '2-HIGH') THEN 1 ELSE 0 END)",
      "SUM(CASE WHEN o_orderpriority NOT IN ('1-URGENT', '2-HIGH') THEN 1 ELSE 0 END)",
    ],
    from: `${ofOrders} WHERE l_shipmode IN ('MAIL', 'SHIP') AND l_commitdate < l_receiptdate AND l_shipdate < l_commitdate
      AND l_receiptdate >= DATE '1994-01-01' AND l_receiptdate < DATE '1995-01-01'`,
  },
  q14: {
    keys: [],
    aggregates: [`SUM(CASE WHEN p_type LIKE 'PROMO%' THEN ${price} ELSE 0 END)`, `SUM(${price})`],
    from: `lineitem JOIN part ON l_partkey = p_partkey
      WHERE l_shipdate >= DATE '1995-09-01' AND l_shipdate < DATE '1995-10-01'`,
  },
};

function textOf({ keys, aggregates, from, after = "" }) {
  const columns = [...keys, ...aggregates.map((aggregate, at) => `${aggregate} AS a${at}`)];
  const grouped = keys.length === 0 ? "" : `GROUP BY ${keys.join(", ")}`;
  return `SELECT ${columns.join(", ")} FROM ${from} ${grouped} ${after}`;
}

/** The contribution limits of a customer in an answer that is timed. The policy grants more, so that nothing is dropped where answers are checked. */
const bounds = { maxGroupsContributed: 5, maxRowsContributed: 20 };
const granted = "max_groups_contributed: 100, max_rows_contributed_per_group: 1000";

/** Figure → the medians of both sides, as ./in-turns.mjs tells them: joins under two policies, tables imported or as they lie. */
export async function measureTpch(rows, { rounds, limits, data, only }) {
  const found = new Map();
  const kinds = ["user-unit", "user-unit.raw", "row-unit", "row-unit.raw"].map((kind) => ({
    kind,
    asked: Object.entries(questions)
      .map(([name, question]) => [`sql.tpch.${kind}.${name}`, question])
      .filter(([name]) => name.startsWith(only)),
  }));
  if (kinds.every(({ asked }) => asked.length === 0)) return found;
  const made = (seconds) => figure("sql.tpch.generate", seconds, "s");
  const file = await generateTpch({ rows, data, made });
  const plain = await openPlain(file, limits);
  for (const { kind, asked } of kinds) {
    if (asked.length === 0) continue;
    const [unit, layout = "snapshot"] = kind.split(".");
    const side = await openLayout({
      policy: policyFor(unit, basename(file)),
      file,
      name: kind,
      layout,
      limits,
    });
    for (const [name, question] of asked) {
      if (rows <= 10_000_000) await checkAnswer({ ...question, after: "" }, plain, side);
      const text = textOf(question);
      const query = side.compiled(await planned(text, side.policy, unit === "user-unit" ? bounds : {}));
      found.set(
        name,
        await inTurns(
          Math.min(rounds, 3),
          () => plain.rows(text),
          () => side.engine.run(query),
        ),
      );
    }
    await side.engine.close();
  }
  plain.close();
  return found;
}

/** Refuses answers in which the two sides differ; the contribution limits of the policy drop nothing. */
async function checkAnswer(question, plain, side) {
  const text = textOf(question);
  const plan = await planned(text, side.policy);
  const query = side.compiled(plan);
  checkSame(text, plan, query, await side.rowsOf(plan, query, plain), await plain.rows(text));
}

/** user-unit: a customer, reached through foreign keys. row-unit: a line of an order is a unit by itself, all else is nobody's. */
function policyFor(unit, file) {
  const isUser = unit === "user-unit";
  const owned = (through) => (isUser ? `unit: ${through}, ${granted}` : "public: true");
  const list = (values) => `[${values.join(", ")}]`;
  const dates = "bounds: [1992-01-01, 1998-12-31]";
  return readPolicy(`version: 1
privacy_unit: { name: customer, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 1000, delta: 1e-3 }
defaults: { epsilon: 1, delta: 1e-9 }
tables:
  region: { file: ${file}, public: true, key: r_regionkey, expected_rows: 5, columns: {
    r_regionkey: { type: integer }, r_name: { type: text, categories: ${list(regions)} } } }
  nation: { file: ${file}, public: true, key: n_nationkey, expected_rows: 25, columns: {
    n_nationkey: { type: integer }, n_regionkey: { type: integer },
    n_name: { type: text, categories: ${list(nations)} } } }
  part: { file: ${file}, public: true, key: p_partkey, columns: {
    p_partkey: { type: integer }, p_type: { type: text, max_length: 25 } } }
  customer: { file: ${file}, ${owned("c_custkey")}, key: c_custkey, columns: {
    c_custkey: { type: integer }, c_nationkey: { type: integer },
    c_mktsegment: { type: text, categories: ${list(segments)} } } }
  orders: { file: ${file}, ${owned("{ through: o_custkey, references: customer.c_custkey }")}, key: o_orderkey, columns: {
    o_orderkey: { type: integer }, o_custkey: { type: integer }, o_orderdate: { type: date, ${dates} },
    o_orderpriority: { type: text, categories: ${list(priorities)} }, o_shippriority: { type: integer, bounds: [0, 1] } } }
  lineitem: { file: ${file}, ${isUser ? owned("{ through: l_orderkey, references: orders.o_orderkey }") : "unit: row"}, columns: {
    l_orderkey: { type: integer }, l_partkey: { type: integer }, l_quantity: { type: integer, bounds: [1, 50] },
    l_extendedprice: { type: number, bounds: [0, 105000] }, l_discount: { type: number, bounds: [0, 0.1] },
    l_tax: { type: number, bounds: [0, 0.08] }, l_returnflag: { type: text, categories: [A, N, R] },
    l_linestatus: { type: text, categories: [F, O] }, l_shipdate: { type: date, ${dates} },
    l_commitdate: { type: date, ${dates} }, l_receiptdate: { type: date, ${dates} },
    l_shipmode: { type: text, categories: ${list(modes)} } } }
`);
}
