import type { Dice } from "../dice.ts";

/*
 * Policies of one to four private tables of mixed units, and public ones. What a plan assumes of whole policies is what varies here:
 *   how many tables are private         a unit has rows in the one private table, and nowhere for certain where there are several
 *   what names their units              rows; a column, under several names; a key, directly or through another table's rows
 *   whether neighbours come or change   both adjacencies
 *   what is declared of values          defaults inside the bounds and away from 0, NULLs, bounds on one side of 0
 *   what a unit may contribute          1 to 3 groups and rows, bounded before the filter or after
 *   what is public                      tables that are joined, or asked for keys, and views that filter or do not
 */

/** A private table, and how its rows lead to somebody. */
export interface PrivateTable {
  readonly name: string;
  readonly kind: "row" | "column" | "through" | "key";
  /** The column that leads to the unit; null where each row is one. */
  readonly link: string | null;
  /** The table whose column names the units; its own name for rows. Tables of one root may be joined. */
  readonly root: string;
  /** The column of the root that names the units. */
  readonly names: string | null;
  /** The table whose keys `link` holds, where it holds keys. */
  readonly keysOf: string | null;
  readonly boundsRows: boolean;
  readonly x: readonly [number, number];
}

export interface RandomPolicy {
  readonly tables: readonly PrivateTable[];
  readonly publicTables: readonly string[];
  readonly adjacency: "add-or-remove-one" | "replace-one";
  readonly views: readonly string[];
  /** Returns the policy as YAML; `source` says where a table lies. */
  text(source: (table: string) => string): string;
}

export function randomPolicy(dice: Dice): RandomPolicy {
  const adjacency = dice.one(["replace-one", "replace-one", "add-or-remove-one"] as const);
  const tables: PrivateTable[] = [];
  const many = 1 + dice.below(4);
  for (let at = 0; at < many; at += 1) tables.push(privateTable(dice, `t${at}`, tables));
  const publicTables = ["c0", "c1"].slice(0, dice.below(3));
  const views = tables.filter(() => dice.below(3) === 0).map(({ name }) => name);
  const lines = tables.map((table) => [table.name, linesOf(dice, table)] as const);
  const measure = dice.one(["approximate", "zcdp"]);
  return {
    tables,
    publicTables,
    adjacency,
    views,
    text: (source) => `
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
budget: { measure: ${measure}, epsilon: 1000, delta: 1e-5 }
tables:
${lines.map(([name, rest]) => `  ${name}: { ${source(name)}, ${rest} }`).join("\n")}
${publicTables.map((name) => `  ${name}: { ${source(name)}, public: true, key: code, columns: { code: { type: text }, kind: { type: text, categories: [x, y] }, w: { type: number, bounds: [0, 2] } } }`).join("\n")}
${views.length === 0 ? "" : "views:"}
${views.map((name) => `  all_${name}: "SELECT * FROM ${name}"\n  some_${name}: "SELECT * FROM ${name} WHERE y > 3"`).join("\n")}
`,
  };
}

function privateTable(dice: Dice, name: string, before: readonly PrivateTable[]): PrivateTable {
  const named = before.filter(({ kind }) => kind !== "row");
  const kind = dice.one([
    "row",
    "column",
    ...(named.length > 0 ? (["through", "key"] as const) : []),
  ] as const);
  const shape = {
    name,
    boundsRows: kind === "column" && dice.below(4) === 0,
    x: dice.one([
      [50, 60],
      [-2, 5],
      [0, 9],
    ] as const),
  };
  if (kind === "row") return { ...shape, kind, link: null, root: name, names: null, keysOf: null };
  if (kind === "column") {
    const link = dice.one(["pid", "who"]);
    return { ...shape, kind, link, root: name, names: link, keysOf: null };
  }
  const { name: target, root, names } = dice.one(named);
  return kind === "key"
    ? { ...shape, kind, link: "v_of", root, names, keysOf: target }
    : { ...shape, kind, link: "p_of", root, names, keysOf: null };
}

function linesOf(
  dice: Dice,
  { kind, link, root, names, keysOf, boundsRows, x: [low, high] }: PrivateTable,
): string {
  const inside = low + Math.floor((high - low) / 2);
  const withDefault = (value: string): string => (dice.below(2) === 0 ? "" : `, default: ${value}`);
  const bounds =
    kind === "row"
      ? ""
      : `max_groups_contributed: ${1 + dice.below(3)}, max_rows_contributed_per_group: ${1 + dice.below(3)}, bound: ${boundsRows ? "rows-before-filter" : "groups-after-filter"}, `;
  const unit = {
    row: "row",
    column: link,
    through: `{ through: ${link}, references: ${root}.${names} }`,
    key: `{ through: ${link}, references: ${keysOf}.v }`,
  }[kind];
  const own = link === null ? "" : `${link}: { type: text }, `;
  const key = kind === "row" ? "" : "v: { type: text }, ";
  return `unit: ${unit}, ${kind === "row" ? "" : "key: v, "}${bounds}columns: { ${own}${key}x: { type: integer, bounds: [${low}, ${high}]${withDefault(`${inside}`)} }, y: { type: number, bounds: [1, 7]${withDefault("4")} }, g: { type: text, categories: [a, b, c]${withDefault("a")} }, h: { type: text, max_length: 3 }, code: { type: text } }`;
}
