import type { Dice } from "./dice.ts";

/* Questions over subqueries of subqueries, by chance, for the table of ./random-neighbours.ts: joined, united, grouped, windowed, marked. */

type ColumnType = "number" | "text" | "time";

interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** Shown as it is, so that it may be missing in a join. */
  readonly plain?: true;
}

/** A SELECT whose rows name their unit as pid. */
interface RandomSelect {
  readonly sql: string;
  readonly columns: readonly Column[];
}

const stored: readonly (readonly [sql: string, type: ColumnType])[] = [
  ["x", "number"],
  ["y", "number"],
  ["wild", "number"],
  ["n", "number"],
  ["grade", "number"],
  ["code", "number"],
  ["sector", "text"],
  ["town", "text"],
  ["since", "time"],
  ["seen", "time"],
  ["wild / x", "number"],
  ["CASE WHEN member THEN x ELSE wild END", "number"],
  ["town || sector", "text"],
];
const filters = [
  "x > 0.3",
  "member",
  "wild IS NOT NULL",
  "n < 4 OR sector = 'a'",
  "since > DATE '2020-02-10'",
];

/** Names that no other part of the question has. */
class Names {
  #next = 0;

  fresh(): string {
    this.#next += 1;
    return `z${this.#next}`;
  }
}

function condition(dice: Dice, columns: readonly Column[], of = (name: string): string => name): string {
  const { name, type } = dice.one(columns);
  const column = of(name);
  if (dice.below(4) === 0) return `${column} IS ${dice.one(["", "NOT "])}NULL`;
  if (type === "number")
    return `${column} ${dice.one(["<", ">", ">=", "<>"])} ${dice.one(["0", "1", "2", "-3", "2.5"])}`;
  return type === "text" ? `${column} ${dice.one(["<", ">=", "="])} 'a'` : `${column} > DATE '2020-02-20'`;
}

function table(dice: Dice, names: Names): RandomSelect {
  const shown = dice.some(1, 3, () => ({ of: dice.one(stored), name: names.fresh() }));
  const list = shown.map(({ of: [sql], name }) => `${sql} AS ${name}`);
  const where = dice.below(3) === 0 ? ` WHERE ${dice.one(filters)}` : "";
  return {
    sql: `SELECT pid, ${list.join(", ")} FROM people${where}`,
    columns: shown.map(({ of: [sql, type], name }) =>
      /^\w+$/.test(sql) ? plain({ name, type }) : { name, type },
    ),
  };
}

function plain(column: Column): Column {
  return { ...column, plain: true };
}

function aggregateOf(dice: Dice, columns: readonly Column[]): readonly [sql: string, type: ColumnType] {
  const { name, type } = dice.one(columns);
  const filter = dice.below(4) === 0 ? ` FILTER (WHERE ${condition(dice, columns)})` : "";
  const extreme = dice.one(["MIN", "MAX"]);
  const choices: readonly (readonly [string, ColumnType])[] = [
    [`COUNT(*)${filter}`, "number"],
    [`COUNT(${name})${filter}`, "number"],
    [`COUNT(DISTINCT ${name})${filter}`, "number"],
    [`${extreme}(${name})${filter}`, type],
    [`${extreme}(${name})${filter}`, type],
    ...(type === "number"
      ? ([
          [`SUM(${name}, contribution_bounds_per_row => (-1e12, 7))${filter}`, "number"],
          [`SUM(${name}, contribution_bounds_per_group => (-2, 30))${filter}`, "number"],
          [`AVG(${name}, contribution_bounds_per_row => (-3, 1e6))${filter}`, "number"],
        ] as const)
      : []),
  ];
  return dice.one(choices);
}

function grouped(dice: Dice, names: Names, depth: number): RandomSelect {
  const of = select(dice, names, depth);
  const keys = dice.some(0, 2, () => dice.one(of.columns)).filter((key, at, all) => all.indexOf(key) === at);
  const values = dice.some(1, 3, () => ({ of: aggregateOf(dice, of.columns), name: names.fresh() }));
  const list = [
    "pid",
    ...keys.map(({ name }) => name),
    ...values.map(({ of: [sql], name }) => `${sql} AS ${name}`),
  ];
  const by = ["pid", ...keys.map(({ name }) => name)];
  const having =
    dice.below(4) === 0 ? ` HAVING ${dice.one(["COUNT(*) > 1", `${values[0]!.of[0]} IS NOT NULL`])}` : "";
  return {
    sql: `SELECT ${list.join(", ")} FROM (${of.sql}) ${names.fresh()} GROUP BY ${by.join(", ")}${having}`,
    columns: [...keys, ...values.map(({ of: [, type], name }) => ({ name, type }))].map(plain),
  };
}

function distinct(dice: Dice, names: Names, depth: number): RandomSelect {
  const of = select(dice, names, depth);
  const list = of.columns.map(({ name }) => name).join(", ");
  return {
    sql: `SELECT DISTINCT pid, ${list} FROM (${of.sql}) ${names.fresh()}`,
    columns: of.columns.map(plain),
  };
}

function windowed(dice: Dice, names: Names, depth: number): RandomSelect {
  const of = select(dice, names, depth);
  const values = dice.some(1, 3, () => ({ of: windowOf(dice, of.columns), name: names.fresh() }));
  const list = [
    "pid",
    ...of.columns.map(({ name }) => name),
    ...values.map(({ of: [sql], name }) => `${sql} AS ${name}`),
  ];
  const where = dice.below(5) === 0 ? ` WHERE ${condition(dice, of.columns)}` : "";
  return {
    sql: `SELECT ${list.join(", ")} FROM (${of.sql}) ${names.fresh()}${where}`,
    columns: [...of.columns, ...values.map(({ of: [, type], name }) => plain({ name, type }))],
  };
}

function windowOf(dice: Dice, columns: readonly Column[]): readonly [sql: string, type: ColumnType] {
  const { name, type } = dice.one(columns);
  const partition = dice.below(3) === 0 ? `pid, ${dice.one(columns).name}` : "pid";
  const by = dice
    .some(1, 2, () => `${dice.one(columns).name}${dice.one(["", " DESC", " NULLS FIRST"])}`)
    .join(", ");
  const over = `OVER (PARTITION BY ${partition} ORDER BY ${by})`;
  const frame = dice.one([
    "",
    " ROWS UNBOUNDED PRECEDING",
    " ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING",
    " ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING",
    " ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
  ]);
  const framed = `OVER (PARTITION BY ${partition} ORDER BY ${by}${frame})`;
  const choices: readonly (readonly [string, ColumnType])[] = [
    [`ROW_NUMBER() ${over}`, "number"],
    [`DENSE_RANK() ${over}`, "number"],
    [`RANK() ${over}`, "number"],
    [`LAG(${name}) ${over}`, type],
    [`LEAD(${name}, 2) ${over}`, type],
    [`FIRST_VALUE(${name}) ${framed}`, type],
    [
      `LAST_VALUE(${name}) OVER (PARTITION BY ${partition} ORDER BY ${by} ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)`,
      type,
    ],
    [`COUNT(*) ${framed}`, "number"],
    [`MAX(${name}) ${framed}`, type],
    ...(type === "number"
      ? ([
          [`SUM(${name}, contribution_bounds_per_row => (-1e12, 7)) ${framed}`, "number"],
          [`AVG(${name}, contribution_bounds_per_row => (-3, 1e6)) ${framed}`, "number"],
          [
            `AVG(${name}, contribution_bounds_per_row => (-3, 1e6)) OVER (PARTITION BY ${partition})`,
            "number",
          ],
        ] as const)
      : []),
  ];
  return dice.one(choices);
}

function joined(dice: Dice, names: Names, depth: number): RandomSelect {
  const [left, right] = [select(dice, names, depth), select(dice, names, depth - 1)];
  const [a, b] = [names.fresh(), names.fresh()];
  const [onLeft, onRight] = [left, right].map(({ columns }) => columns.every((column) => column.plain));
  const type = dice.one([
    "JOIN",
    ...(onRight ? ["LEFT JOIN"] : []),
    ...(onLeft ? ["RIGHT JOIN"] : []),
    ...(onLeft && onRight ? ["FULL JOIN"] : []),
  ]);
  const both = [
    ...left.columns.map((column) => ({ ...column, name: `${a}.${column.name}` })),
    ...right.columns.map((column) => ({ ...column, name: `${b}.${column.name}` })),
  ];
  const more = dice.below(3) === 0 && type !== "FULL JOIN" ? ` AND ${condition(dice, both)}` : "";
  const pid = type === "FULL JOIN" ? "pid" : type === "RIGHT JOIN" ? `${b}.pid` : `${a}.pid`;
  const on = type === "FULL JOIN" ? "USING (pid)" : `ON ${a}.pid = ${b}.pid${more}`;
  const shown = both.map((column) => ({ ...column, as: names.fresh() }));
  return {
    sql: `SELECT ${pid}, ${shown.map(({ name, as }) => `${name} AS ${as}`).join(", ")} FROM (${left.sql}) ${a} ${type} (${right.sql}) ${b} ${on}`,
    columns: shown.map((column) => ({ ...column, name: column.as })),
  };
}

/** Rows that look for a row among others of the same unit: kept, left out, or shown with what they found. */
function marked(dice: Dice, names: Names, depth: number): RandomSelect {
  const [of, among] = [select(dice, names, depth), select(dice, names, depth - 1)];
  const [a, b, found] = [names.fresh(), names.fresh(), names.fresh()];
  const within = (name: string): string => `${b}.${name}`;
  const ofOneType = of.columns.flatMap((x) =>
    among.columns
      .filter(({ type }) => type === x.type)
      .map((y) => `${b}.${y.name} ${dice.one(["=", "<", ">="])} ${a}.${x.name}`),
  );
  const own = dice.below(3) === 0 ? [condition(dice, among.columns, within)] : [];
  const pair = ofOneType.length > 0 && dice.below(2) === 0 ? [dice.one(ofOneType)] : [];
  const where = own.length > 0 ? ` WHERE ${own.join(" AND ")}` : "";
  const met = [`${b}.pid = ${a}.pid`, ...pair, ...own].join(" AND ");
  const look = dice.one([
    `EXISTS (SELECT 1 FROM (${among.sql}) ${b} WHERE ${met})`,
    `NOT EXISTS (SELECT 1 FROM (${among.sql}) ${b} WHERE ${met})`,
    `${a}.pid IN (SELECT ${b}.pid FROM (${among.sql}) ${b}${where})`,
    `${a}.pid NOT IN (SELECT ${b}.pid FROM (${among.sql}) ${b}${where})`,
  ]);
  const list = ["pid", ...of.columns.map(({ name }) => name)].map((name) => `${a}.${name}`).join(", ");
  const from = `FROM (${of.sql}) ${a}`;
  const other = condition(dice, of.columns, (name) => `${a}.${name}`);
  return dice.one<RandomSelect>([
    { sql: `SELECT ${list} ${from} WHERE ${look}`, columns: of.columns },
    { sql: `SELECT ${list} ${from} WHERE ${look} OR ${other}`, columns: of.columns },
    {
      sql: `SELECT ${list}, CASE WHEN ${look} THEN 2 ELSE 1 END AS ${found} ${from} WHERE ${other}`,
      columns: [...of.columns, { name: found, type: "number" }],
    },
  ]);
}

/** Rows with what a subquery finds for each among rows of the same unit: the first of an order, or what they come to. */
function lateral(dice: Dice, names: Names, depth: number): RandomSelect {
  const [of, among] = [select(dice, names, depth), select(dice, names, depth - 1)];
  const [a, b, l, found] = [names.fresh(), names.fresh(), names.fresh(), names.fresh()];
  const within = (name: string): string => `${b}.${name}`;
  const own = dice.below(2) === 0 ? ` AND ${condition(dice, among.columns, within)}` : "";
  const rows = `FROM (${among.sql}) ${b} WHERE ${b}.pid = ${a}.pid${own}`;
  const shown = dice.one(among.columns);
  const order = `ORDER BY ${within(dice.one(among.columns).name)}${dice.one(["", " DESC"])}`;
  const first = `SELECT ${within(shown.name)} AS ${found} ${rows} ${order}`;
  const [sum, type] = dice.one([
    [`COUNT(*)`, "number"],
    [`COUNT(${within(shown.name)})`, "number"],
    [`${dice.one(["MIN", "MAX"])}(${within(shown.name)})`, shown.type],
  ] as const);
  const list = ["pid", ...of.columns.map(({ name }) => name)].map((name) => `${a}.${name}`).join(", ");
  const from = `FROM (${of.sql}) ${a}`;
  const beside = (subquery: string, kind: string): string =>
    `SELECT ${list}, ${l}.${found} AS ${found} ${from} ${kind} JOIN LATERAL (${subquery}) ${l} ON TRUE`;
  const columns = (foundType: ColumnType): readonly Column[] => [
    ...of.columns,
    { name: found, type: foundType },
  ];
  return dice.one<RandomSelect>([
    {
      sql: beside(`${first} LIMIT ${1 + dice.below(2)}`, dice.one(["", "LEFT"])),
      columns: columns(shown.type),
    },
    { sql: beside(`SELECT ${sum} AS ${found} ${rows}`, ""), columns: columns(type) },
    { sql: `SELECT ${list}, (SELECT ${sum} ${rows}) AS ${found} ${from}`, columns: columns(type) },
    {
      sql: `SELECT ${list} ${from} WHERE (${first} LIMIT 1) IS ${dice.one(["", "NOT "])}NULL`,
      columns: of.columns,
    },
  ]);
}

function united(dice: Dice, names: Names, depth: number): RandomSelect {
  const [first, second] = [select(dice, names, depth), select(dice, names, depth - 1)];
  const shown = first.columns.map(({ type, name }) => {
    const other = second.columns.filter((column) => column.type === type);
    return { type, name, other: other.length === 0 ? "NULL" : dice.one(other).name };
  });
  const as = names.fresh();
  const list = shown.map(({ name }) => name).join(", ");
  return {
    sql: `SELECT pid, ${list} FROM (SELECT pid, ${list} FROM (${first.sql}) ${names.fresh()} UNION ALL SELECT pid, ${shown.map(({ other }) => other).join(", ")} FROM (${second.sql}) ${names.fresh()}) ${as}`,
    columns: shown.map(({ name, type }) => plain({ name, type })),
  };
}

function filtered(dice: Dice, names: Names, depth: number): RandomSelect {
  const of = select(dice, names, depth);
  return {
    sql: `SELECT * FROM (${of.sql}) ${names.fresh()} WHERE ${condition(dice, of.columns)}`,
    columns: of.columns,
  };
}

function select(dice: Dice, names: Names, depth: number): RandomSelect {
  if (depth <= 0) return table(dice, names);
  return dice.one([
    grouped,
    grouped,
    windowed,
    windowed,
    joined,
    united,
    filtered,
    distinct,
    marked,
    marked,
    lateral,
    lateral,
  ])(dice, names, depth - 1);
}

/** In up to four layers over so many tables at most. */
function fewTables(dice: Dice, names: Names, most: number): RandomSelect {
  for (;;) {
    const made = select(dice, names, 1 + dice.below(4));
    if (made.sql.split("FROM people").length - 1 <= most) return made;
  }
}

/** Over people of pid, x, y, wild, n, grade, code, sector, town, member, since, seen. */
export function randomLayeredQuestion(dice: Dice): string {
  const names = new Names();
  const isShared = dice.below(6) === 0;
  const made = fewTables(dice, names, isShared ? 8 : 16);
  const [a, b] = [names.fresh(), names.fresh()];
  const of = (name: string): string => (isShared ? `${dice.one([a, b])}.${name}` : name);
  const one = (): Column => {
    const { name, type } = dice.one(made.columns);
    return { name: of(name), type };
  };
  const measure = (): string => {
    const { name, type } = one();
    const filter = dice.below(4) === 0 ? ` FILTER (WHERE ${condition(dice, made.columns, of)})` : "";
    const choices = [
      `COUNT(*)${filter}`,
      `COUNT(${name})${filter}`,
      `COUNT(DISTINCT ${name})${filter}`,
      ...(type === "number"
        ? [
            `SUM(${name}, contribution_bounds_per_row => (-2, 1e6))${filter}`,
            `SUM(${name}, contribution_bounds_per_group => (-2, 9))${filter}`,
            `SUM(${name}, contribution_bounds_per_row => auto)${filter}`,
            `AVG(${name}, contribution_bounds_per_row => auto)${filter}`,
            `AVG(${name}, contribution_bounds_per_row => (0, 7))${filter}`,
            `VARIANCE(${name}, contribution_bounds_per_row => (0, 7))${filter}`,
            `MEDIAN(${name}, contribution_bounds_per_row => (-4, 9))${filter}`,
          ]
        : []),
    ];
    return dice.one(choices);
  };
  const chosen = [...new Set(dice.some(1, 3, measure))];
  const keys = [...new Set(dice.some(0, 2, () => one().name))];
  const addsUp = chosen.every((text) => !/DISTINCT|MEDIAN|auto/.test(text));
  const totals = keys.length > 0 && addsUp && dice.below(3) === 0 ? dice.one(["ROLLUP ", "CUBE "]) : "";
  const by = keys.length === 0 ? "" : ` GROUP BY ${totals}(${keys.map((_, at) => at + 1).join(", ")})`;
  const where = dice.below(3) === 0 ? ` WHERE ${condition(dice, made.columns, of)}` : "";
  const options = ["epsilon = 1"];
  if (dice.below(3) === 0) options.push(`mechanism = ${dice.one(["laplace", "gaussian"])}`);
  if (keys.length > 0 && dice.below(4) === 0) options.push("group_selection_strategy = private");
  if (dice.below(4) === 0) options.push("max_groups_contributed = 1");
  if (dice.below(4) === 0) options.push("max_rows_contributed_per_group = 1");
  const [before, from] = isShared
    ? [
        `WITH shared AS (${made.sql}) `,
        `shared ${a} ${dice.one(["JOIN", ...(made.columns.every((column) => column.plain) ? ["LEFT JOIN"] : [])])} shared ${b} ON ${a}.pid = ${b}.pid`,
      ]
    : ["", `(${made.sql}) ${a}`];
  return `${before}SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(${options.join(", ")}) ${[...keys, ...chosen].join(", ")} FROM ${from}${where}${by}`;
}
