import type { Dice } from "../dice.ts";
import type { PrivateTable, RandomPolicy } from "./random-policy.ts";

const options = [
  "epsilon = 1",
  "epsilon = 1",
  "epsilon = 1, mechanism = gaussian",
  "epsilon = 1, group_selection_strategy = private",
];

/** Questions over one table of a policy, read directly or not, over several, and over what a view or a subquery makes of them. */
export function randomQuestions(dice: Dice, policy: RandomPolicy, most: number): readonly string[] {
  return dice.some(1, most, () => questionOver(dice, policy));
}

interface Source {
  readonly from: string;
  /** Numbers, keys and the column that names the unit, as they are called there. */
  readonly numbers: readonly string[];
  readonly keys: readonly string[];
  readonly unit: string | null;
}

function questionOver(dice: Dice, policy: RandomPolicy): string {
  const table = dice.one(policy.tables);
  const { from, numbers, keys, unit } =
    dice.one([directly, directly, ...otherWays])(dice, table, policy) ?? directly(dice, table);
  const aggregates =
    dice.below(4) === 0
      ? aggregatesTogether(dice, dice.one(numbers))
      : dice.some(1, 3, () => aggregateOf(dice, dice.one(numbers)));
  if (unit !== null && dice.below(3) === 0) aggregates.push(`COUNT(DISTINCT ${unit})`);
  const groups = dice.below(5) < 3 ? [] : [dice.one(keys)];
  const filter =
    dice.below(3) === 0 ? dice.one([` WHERE ${numbers[0]} > 1`, ` WHERE ${keys[0]} IS NOT NULL`]) : "";
  const by = groups.length === 0 ? "" : ` GROUP BY ${groups.join(", ")}`;
  const chosen = groups.length === 0 ? options.slice(0, 3) : options;
  return `SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(${dice.one(chosen)}) ${[...groups, ...new Set(aggregates)].join(", ")} FROM ${from}${filter}${by}`;
}

/** Counts, sums and averages of one number, which may have one noise together, with something else beside them. */
function aggregatesTogether(dice: Dice, number: string): string[] {
  const together = dice.one([
    ["COUNT(*)", `SUM(${number})`, `AVG(${number})`],
    ["COUNT(*)", `AVG(${number})`],
    [`COUNT(${number})`, "COUNT(*)", `SUM(${number})`],
    [`AVG(${number}, contribution_bounds_per_row => (1, 3))`, "COUNT(*)"],
  ]);
  return [...together, ...(dice.below(3) === 0 ? [aggregateOf(dice, number)] : [])];
}

function aggregateOf(dice: Dice, number: string): string {
  return dice.one([
    "COUNT(*)",
    "COUNT(*)",
    `COUNT(${number})`,
    `SUM(${number})`,
    `SUM(${number})`,
    `SUM(${number}, contribution_bounds_per_row => (1, 3))`,
    `AVG(${number})`,
    `VARIANCE(${number})`,
    `MEDIAN(${number})`,
    `COUNT(DISTINCT ${number})`,
    `SUM(DISTINCT ${number})`,
    `STDDEV(DISTINCT ${number})`,
    `COUNT(*) FILTER (WHERE ${number} > 2)`,
    `SUM(${number}, contribution_bounds_per_row => auto)`,
  ]);
}

type Way = (dice: Dice, table: PrivateTable, policy: RandomPolicy) => Source | null;

const plain = ({ link }: PrivateTable): Omit<Source, "from"> => ({
  numbers: ["x", "y", "x + y", "x * (y - 1)"],
  keys: ["g", "h"],
  unit: link === "v_of" ? null : link,
});

function directly(dice: Dice, table: PrivateTable): Source {
  return { ...plain(table), from: dice.one([table.name, `${table.name} AS t`]) };
}

const throughView: Way = (dice, table, { views }) =>
  views.includes(table.name)
    ? { ...plain(table), from: dice.one([`all_${table.name}`, `some_${table.name}`]) }
    : null;

const throughSubquery: Way = (dice, table) => ({
  ...plain(table),
  unit: null,
  from: dice.one([
    `(SELECT x, y, g, h FROM ${table.name}) s`,
    `(SELECT x, y, g, h FROM ${table.name} WHERE y > 3) s`,
  ]),
});

const withPublic: Way = (dice, table, { publicTables }) => {
  if (publicTables.length === 0) return null;
  const other = dice.one(publicTables);
  const join = dice.one(["JOIN", "LEFT JOIN"]);
  return {
    numbers: ["t.x", "y", "w", "t.x * w"],
    keys: ["kind", "g"],
    unit: null,
    from: dice.one([`${table.name} t ${join} ${other} o ON t.code = o.code`]),
  };
};

const askingPublic: Way = (dice, table, { publicTables }) =>
  publicTables.length === 0
    ? null
    : {
        ...plain(table),
        unit: null,
        from: `(SELECT x, y, g, h FROM ${table.name} t WHERE code IN (SELECT code FROM ${dice.one(publicTables)})) s`,
      };

const byUnit: Way = (dice, table, { tables }) => {
  const named = tables.filter(
    ({ link, root, names }) => root === table.root && link !== null && names !== null && link !== "v_of",
  );
  if (table.link === null || table.link === "v_of" || named.length === 0) return null;
  const other = dice.one(named);
  const join = dice.one(["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"]);
  return {
    numbers: ["a.x", "b.y", "a.y", "a.x * b.y"],
    keys: ["a.g", "b.h"],
    unit: null,
    from: `${table.name} a ${join} ${other.name} b ON a.${table.link} = b.${other.link}`,
  };
};

const inUnion: Way = (dice, table, { tables }) => {
  const named = tables.filter(({ root, link }) => root === table.root && link !== null);
  if (named.length === 0) return null;
  return {
    numbers: ["x", "y"],
    keys: ["g"],
    unit: null,
    from: `(SELECT x, y, g FROM ${table.name} UNION ALL SELECT x, y, g FROM ${dice.one(named).name}) u`,
  };
};

const insideUnits: Way = (_, { name, link }) =>
  link === null || link === "v_of"
    ? null
    : {
        numbers: ["LEAST(n, 3)", "m"],
        keys: ["n", "m"],
        unit: null,
        from: `(SELECT ${link} AS u, COUNT(*) AS n, MAX(y) AS m FROM ${name} GROUP BY ${link}) s`,
      };

const otherWays: readonly Way[] = [
  throughView,
  throughSubquery,
  withPublic,
  askingPublic,
  byUnit,
  inUnion,
  insideUnits,
];
