import { below, oneOf } from "./random.mjs";

const nations = [
  ...[
    ["ALGERIA", 0],
    ["ARGENTINA", 1],
    ["BRAZIL", 1],
    ["CANADA", 1],
    ["EGYPT", 4],
    ["ETHIOPIA", 0],
    ["FRANCE", 3],
  ],
  ...[
    ["GERMANY", 3],
    ["INDIA", 2],
    ["INDONESIA", 2],
    ["IRAN", 4],
    ["IRAQ", 4],
    ["JAPAN", 2],
    ["JORDAN", 4],
    ["KENYA", 0],
  ],
  ...[
    ["MOROCCO", 0],
    ["MOZAMBIQUE", 0],
    ["PERU", 1],
    ["CHINA", 2],
    ["ROMANIA", 3],
    ["SAUDI ARABIA", 4],
    ["VIETNAM", 2],
  ],
  ...[
    ["RUSSIA", 3],
    ["UNITED KINGDOM", 3],
    ["UNITED STATES", 1],
  ],
];
const regions = ["AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST"];
const types = [
  ["STANDARD", "SMALL", "MEDIUM", "LARGE", "ECONOMY", "PROMO"],
  ["ANODIZED", "BURNISHED", "PLATED", "POLISHED", "BRUSHED"],
  ["TIN", "NICKEL", "BRASS", "STEEL", "COPPER"],
];
const colours = ["almond", "forest", "green", "ivory", "navy", "plum"];
const money = (lowest, range, salt, row) => `${lowest} + ${below(range * 100, salt, row)} / 100.0`;
const line = (most, salt) => below(most, salt, "i * 8 + j");
const comment = (salt) =>
  oneOf(["quick", "special packages requests", "Customer slow Complaints", "bold ideas"], salt);

/** Table → SQL of its rows: TPC-H's tables with all columns, tiny: 50 suppliers, 400 parts, 900 customers, 6,000 orders. A third of the customers have none. */
export const tpch = {
  region: `SELECT CAST(i AS INTEGER) AS r_regionkey, ([${regions.map((name) => `'${name}'`)}])[1 + i] AS r_name, 'r' AS r_comment FROM range(5) t(i)`,
  nation: `SELECT *, 'n' AS n_comment FROM (VALUES ${nations.map(([name, region], at) => `(${at}, '${name}', ${region})`)}) t(n_nationkey, n_name, n_regionkey)`,
  supplier: `SELECT i + 1 AS s_suppkey, 'Supplier#' || lpad(CAST(i + 1 AS VARCHAR), 9, '0') AS s_name, 'street ' || i AS s_address,
    CAST(i % 25 AS INTEGER) AS s_nationkey, (10 + i % 25) || '-555' AS s_phone, ${money(-999, 10_900, 1)} AS s_acctbal, ${comment(2)} AS s_comment FROM range(50) t(i)`,
  part: `SELECT i + 1 AS p_partkey, ${oneOf(colours, 10)} || ' ' || ${oneOf(colours, 11)} AS p_name, 'Manufacturer#' || (1 + i % 5) AS p_mfgr,
    'Brand#' || (1 + i % 5) || (1 + i // 5 % 5) AS p_brand, ${types.map((words, at) => oneOf(words, 12 + at)).join(" || ' ' || ")} AS p_type,
    1 + ${below(50, 15)} AS p_size, ${oneOf(["SM", "MED", "LG", "JUMBO"], 16)} || ' ' || ${oneOf(["CASE", "BOX", "PACK", "PKG", "BAG"], 17)} AS p_container,
    900.0 + i AS p_retailprice, 'p' AS p_comment FROM range(400) t(i)`,
  partsupp: `SELECT 1 + i AS ps_partkey, 1 + (i + j * 13) % 50 AS ps_suppkey, 1 + ${line(9999, 20)} AS ps_availqty,
    ${money(1, 999, 21, "i * 8 + j")} AS ps_supplycost, 'ps' AS ps_comment FROM range(400) t(i), range(2) s(j)`,
  customer: `SELECT i + 1 AS c_custkey, 'Customer#' || (i + 1) AS c_name, 'road ' || i AS c_address, CAST(i % 25 AS INTEGER) AS c_nationkey,
    (10 + i % 25) || '-555-' || i AS c_phone, ${money(-999, 10_900, 30)} AS c_acctbal,
    ${oneOf(["AUTOMOBILE", "BUILDING", "FURNITURE", "HOUSEHOLD", "MACHINERY"], 31)} AS c_mktsegment, 'c' AS c_comment FROM range(900) t(i)`,
  orders: `SELECT i + 1 AS o_orderkey, 1 + 3 * (${below(600, 40)} // 2) + ${below(600, 40)} % 2 AS o_custkey, ${oneOf(["F", "O", "P"], 41)} AS o_orderstatus,
    ${money(900, 400_000, 42)} AS o_totalprice, DATE '1992-01-01' + ${below(2406, 43)} AS o_orderdate,
    ${oneOf(["1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW"], 44)} AS o_orderpriority, 'Clerk#' || ${below(20, 45)} AS o_clerk,
    0 AS o_shippriority, ${comment(46)} AS o_comment FROM range(6000) t(i)`,
  lineitem: `SELECT *, shipped AS l_shipdate, shipped + late AS l_receiptdate FROM (SELECT i + 1 AS l_orderkey, 1 + ${line(400, 50)} AS l_partkey,
    1 + (${line(400, 50)} + ${line(2, 51)} * 13) % 50 AS l_suppkey, CAST(j + 1 AS INTEGER) AS l_linenumber, 1.0 + ${line(50, 52)} AS l_quantity,
    (1 + ${line(50, 52)}) * (900.0 + ${line(400, 50)}) AS l_extendedprice, ${line(11, 53)} / 100.0 AS l_discount, ${line(9, 54)} / 100.0 AS l_tax,
    ${oneOf(["A", "N", "R"], 55, "i * 8 + j")} AS l_returnflag, ${oneOf(["F", "O"], 56, "i * 8 + j")} AS l_linestatus,
    DATE '1992-01-01' + ${below(2406, 43)} + 1 + ${line(121, 57)} AS shipped, 1 + ${line(30, 58)} AS late,
    DATE '1992-01-01' + ${below(2406, 43)} + 30 + ${line(61, 59)} AS l_commitdate,
    ${oneOf(["COLLECT COD", "DELIVER IN PERSON", "NONE", "TAKE BACK RETURN"], 60, "i * 8 + j")} AS l_shipinstruct,
    ${oneOf(["AIR", "FOB", "MAIL", "RAIL", "REG AIR", "SHIP", "TRUCK"], 61, "i * 8 + j")} AS l_shipmode, 'l' AS l_comment
    FROM range(6000) t(i), range(7) lines(j) WHERE j <= ${below(7, 62)})`,
};
