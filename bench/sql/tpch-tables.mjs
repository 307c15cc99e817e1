import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { timed } from "./in-turns.mjs";
import { makeFile, quote } from "./make-file.mjs";

/**
 * The tables' SQL. As in TPC-H: a customer of three has no orders, the others 15 on average; an order has one to seven lines;
 * dates, flags and prices depend on one another as there. Every value is a function of row number and seed alone.
 */
function tablesOf(rows, seed) {
  const orders = Math.ceil(rows / 4);
  const customers = Math.ceil(rows / 40);
  const parts = Math.ceil(rows / 30);
  /** A whole number below `most`, by row (and column of it), salt and seed. */
  const below = (most, salt, row = "i") => `CAST(hash(${row}, ${salt}, ${seed}) % ${most} AS INTEGER)`;
  const oneOf = (salt, values, row) => `([${values.map(quote)}])[1 + ${below(values.length, salt, row)}]`;
  const line = (most, salt) => below(most, salt, "i * 8 + j");
  return {
    region: `SELECT CAST(i AS INTEGER) AS r_regionkey, ([${regions.map(quote)}])[1 + i] AS r_name FROM range(5) t(i)`,
    nation: `SELECT CAST(i AS INTEGER) AS n_nationkey, ([${nations.map(quote)}])[1 + i] AS n_name,
      CAST(i % 5 AS INTEGER) AS n_regionkey FROM range(25) t(i)`,
    part: `SELECT i + 1 AS p_partkey,
      ${oneOf(1, ["PROMO", "STANDARD", "SMALL", "MEDIUM", "LARGE", "ECONOMY"])} || ' ' ||
      ${oneOf(2, ["BRUSHED", "POLISHED", "PLATED"])} || ' ' || ${oneOf(3, ["TIN", "STEEL", "BRASS", "COPPER"])} AS p_type
      FROM range(${parts}) t(i)`,
    customer: `SELECT i + 1 AS c_custkey, ${below(25, 4)} AS c_nationkey, ${oneOf(5, segments)} AS c_mktsegment
      FROM range(${customers}) t(i)`,
    orders: `SELECT i + 1 AS o_orderkey, 1 + 3 * (c // 2) + c % 2 AS o_custkey, ${orderDate(below)} AS o_orderdate,
      ${oneOf(8, priorities)} AS o_orderpriority, 0 AS o_shippriority
      FROM (SELECT i, ${below(Math.max(1, Math.floor((customers * 2) / 3)), 6)} AS c FROM range(${orders}) t(i))`,
    lineitem: `SELECT l_orderkey, l_linenumber, l_partkey, l_quantity,
      CAST(l_quantity * (900 + (l_partkey * 7919) % 120000 / 100) AS DOUBLE) AS l_extendedprice, l_discount, l_tax,
      CASE WHEN received > DATE '1995-06-17' THEN 'N' WHEN coin = 0 THEN 'R' ELSE 'A' END AS l_returnflag,
      CASE WHEN l_shipdate > DATE '1995-06-17' THEN 'O' ELSE 'F' END AS l_linestatus,
      l_shipdate, l_commitdate, received AS l_receiptdate, l_shipmode
      FROM (SELECT *, l_shipdate + 1 + late AS received FROM (
        SELECT i + 1 AS l_orderkey, CAST(j + 1 AS INTEGER) AS l_linenumber, 1 + ${line(parts, 9)} AS l_partkey,
          1 + ${line(50, 10)} AS l_quantity, ${line(11, 11)} / 100 AS l_discount, ${line(9, 12)} / 100 AS l_tax,
          ${line(2, 13)} AS coin, ${orderDate(below)} + 1 + ${line(121, 14)} AS l_shipdate,
          ${orderDate(below)} + 30 + ${line(61, 15)} AS l_commitdate, ${line(30, 16)} AS late,
          ${oneOf(17, modes, "i * 8 + j")} AS l_shipmode
        FROM range(${orders}) t(i), range(7) lines(j) WHERE j <= ${below(7, 18)}))`,
  };
}

const orderDate = (below) => `(DATE '1992-01-01' + ${below(2406, 7)})`;

export const regions = ["AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST"];
export const nations = Array.from({ length: 25 }, (_, i) => `NATION ${String(i).padStart(2, "0")}`);
export const segments = ["AUTOMOBILE", "BUILDING", "FURNITURE", "HOUSEHOLD", "MACHINERY"];
export const priorities = ["1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW"];
export const modes = ["AIR", "FOB", "MAIL", "RAIL", "REG AIR", "SHIP", "TRUCK"];

/** Makes tables like those of TPC-H, with about `rows` rows of lineitem, unless they are there; answers the file's path. `made` hears how many seconds it took. */
export async function generateTpch({ rows, data, made, seed = 1 }) {
  const path = join(resolve(data), `tpch-${rows}-seed-${seed}.duckdb`);
  if (existsSync(path)) return path;
  const write = async (connection, draft) => {
    await connection.run(`ATTACH ${quote(draft)} AS made`);
    for (const [table, sql] of Object.entries(tablesOf(rows, seed)))
      await connection.run(`CREATE TABLE made.${table} AS ${sql}`);
    await connection.run("DETACH made");
  };
  made((await timed(() => makeFile(path, write))) / 1000);
  return path;
}
