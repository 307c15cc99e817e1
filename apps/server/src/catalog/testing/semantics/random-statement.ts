import type { Dice } from "./dice.ts";
import {
  type Column,
  type Kind,
  kinds,
  randomExpression,
  randomLiteral,
  typeNames,
} from "./random-expression.ts";

interface Source {
  readonly text: string;
  readonly columns: readonly Column[];
}

const outer: readonly string[] = ["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"];

/** Makes a SELECT over small lists of rows. All of its columns are ordered, unless its rows are to be compared in any order. */
export function randomStatement(dice: Dice): string {
  const make = dice.pick([
    plain,
    plain,
    plain,
    grouped,
    grouped,
    joined,
    united,
    windowed,
    nested,
    withQuery,
    series,
  ]);
  return make(dice);
}

/** A list of rows as a relation: t(a, b, …). */
function values(dice: Dice, alias: string): Source {
  const columns = dice
    .some(1, 4, () => dice.pick(kinds))
    .map((kind, at): Column => ({ name: `${alias}.${"abcd"[at]}`, kind }));
  const row = (): string =>
    `(${columns.map(({ kind }) => `CAST(${randomLiteral(kind, dice)} AS ${typeNames[kind]})`).join(", ")})`;
  const names = columns.map(({ name }) => name.slice(alias.length + 1)).join(", ");
  return { text: `(VALUES ${dice.some(1, 5, row).join(", ")}) AS ${alias}(${names})`, columns };
}

const expressions = (dice: Dice, columns: readonly Column[], depth: number): readonly string[] =>
  dice.some(1, 3, () => randomExpression(dice.pick(kinds), { dice, columns }, depth));

const where = (dice: Dice, columns: readonly Column[]): string =>
  dice.chance(0.5) ? ` WHERE ${randomExpression("boolean", { dice, columns }, 2)}` : "";

function ordered(dice: Dice, count: number): string {
  const places = Array.from(
    { length: count },
    (_, at) =>
      `${at + 1}${dice.pick(["", " DESC", " ASC"])}${dice.pick(["", " NULLS FIRST", " NULLS LAST"])}`,
  );
  const limit = dice.chance(0.2) ? ` LIMIT ${dice.below(4)}` : "";
  return ` ORDER BY ${places.join(", ")}${limit}${dice.chance(0.1) ? ` OFFSET ${dice.below(3)}` : ""}`;
}

function plain(dice: Dice): string {
  const { text, columns } = values(dice, "t");
  const list = expressions(dice, columns, 3);
  return `SELECT ${dice.chance(0.2) ? "DISTINCT " : ""}${list.join(", ")} FROM ${text}${where(dice, columns)}${ordered(dice, list.length)}`;
}

const aggregates: readonly ((dice: Dice, columns: readonly Column[]) => string)[] = [
  () => "count(*)",
  (dice, columns) => `count(${randomExpression(dice.pick(kinds), { dice, columns }, 1)})`,
  (dice, columns) => `count(DISTINCT ${randomExpression(dice.pick(kinds), { dice, columns }, 1)})`,
  (dice, columns) => `sum(${randomExpression("integer", { dice, columns }, 1)})`,
  (dice, columns) =>
    `max(${randomExpression(dice.pick(["integer", "text", "bigint"]), { dice, columns }, 1)})`,
  (dice, columns) =>
    `min(${randomExpression(dice.pick(["integer", "text", "bigint"]), { dice, columns }, 1)})`,
  (dice, columns) => `bool_and(${randomExpression("boolean", { dice, columns }, 2)})`,
  (dice, columns) => `bool_or(${randomExpression("boolean", { dice, columns }, 2)})`,
  (dice, columns) => {
    const kind = dice.pick<Kind>(["integer", "text"]);
    const value = `CAST(${randomExpression(kind, { dice, columns }, 1)} AS ${kind})`;
    return `array_agg(${value} ORDER BY ${value}${dice.pick([" DESC", ""])})`;
  },
  (dice, columns) => {
    const value = randomExpression("text", { dice, columns }, 1);
    return `string_agg(${value}, ',' ORDER BY ${value})`;
  },
  (dice, columns) => `count(*) FILTER (WHERE ${randomExpression("boolean", { dice, columns }, 1)})`,
];

function grouped(dice: Dice): string {
  const { text, columns } = values(dice, "t");
  const keys = dice.some(0, Math.min(2, columns.length), () => dice.pick(columns).name);
  const distinct = [...new Set(keys)];
  const list = [...distinct, ...dice.some(1, 3, () => dice.pick(aggregates)(dice, columns))];
  const by = distinct.length > 0 ? ` GROUP BY ${distinct.join(", ")}` : "";
  const having = dice.chance(0.2) ? ` HAVING count(*) > ${dice.below(2)}` : "";
  const none = dice.chance(0.2) ? " WHERE false" : where(dice, columns);
  return `SELECT ${list.join(", ")} FROM ${text}${none}${by}${having}${ordered(dice, list.length)}`;
}

function joined(dice: Dice): string {
  const [one, other] = [values(dice, "t"), values(dice, "u")];
  const columns = [...one.columns, ...other.columns];
  const list = expressions(dice, columns, 2);
  const first = one.columns[0] as Column;
  const match = other.columns.find(({ kind }) => kind === first.kind);
  // A full join takes conditions that PostgreSQL can merge or hash: an equality of both sides.
  const on = match ? `${first.name} = ${match.name}` : "true";
  const kind = match ? dice.pick(outer) : dice.pick(["JOIN", "LEFT JOIN"]);
  const from = dice.chance(0.15)
    ? `${one.text} CROSS JOIN ${other.text}`
    : `${one.text} ${kind} ${other.text} ON ${on}`;
  return `SELECT ${list.join(", ")} FROM ${from}${where(dice, columns)}${ordered(dice, list.length)}`;
}

function united(dice: Dice): string {
  const types = dice.some(1, 2, () => dice.pick(kinds));
  const side = (): string => {
    const { text, columns } = values(dice, "t");
    const list = types.map((kind) => randomExpression(mixed(dice, kind), { dice, columns }, 1));
    return `SELECT ${list.join(", ")} FROM ${text}${where(dice, columns)}`;
  };
  const operator = dice.pick(["UNION", "UNION ALL", "INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL"]);
  return `${side()} ${operator} ${side()}${ordered(dice, types.length)}`;
}

/** Integers of two sizes may meet: the wider one is the type. */
const mixed = (dice: Dice, kind: Kind): Kind =>
  kind === "integer" || kind === "bigint" ? dice.pick(["integer", "bigint"]) : kind;

function windowed(dice: Dice): string {
  const { text, columns } = values(dice, "t");
  const all = columns.map(({ name }) => name).join(", ");
  const part = dice.chance(0.5) ? `PARTITION BY ${dice.pick(columns).name} ` : "";
  return `SELECT ${all}, row_number() OVER (${part}ORDER BY ${all}) FROM ${text} ORDER BY ${columns.map((_, at) => at + 1).join(", ")}, ${columns.length + 1}`;
}

function nested(dice: Dice): string {
  const inner = values(dice, "t");
  const list = expressions(dice, inner.columns, 2);
  const correlated = dice.chance(0.5)
    ? `, (SELECT count(*) FROM (VALUES (1), (2), (NULL)) AS v(n) WHERE n = ${randomExpression("integer", { dice, columns: inner.columns }, 1)})`
    : `, (SELECT max(s.n) FROM (SELECT n FROM (VALUES (3), (1)) AS v(n) LIMIT ${dice.below(3)}) AS s)`;
  return `SELECT * FROM (SELECT ${list.map((text, at) => `${text} AS c${at}`).join(", ")}${correlated} AS k FROM ${inner.text}) AS q${ordered(dice, list.length + 1)}`;
}

function withQuery(dice: Dice): string {
  const inner = values(dice, "t");
  const list = expressions(dice, inner.columns, 2).map((text, at) => `${text} AS c${at}`);
  return `WITH w AS (SELECT ${list.join(", ")} FROM ${inner.text}) SELECT w.*, (SELECT count(*) FROM w) FROM w${where(dice, [])}${ordered(dice, list.length + 1)}`;
}

function series(dice: Dice): string {
  const columns: readonly Column[] = [{ name: "i", kind: "integer" }];
  const list = expressions(dice, columns, 2);
  const from = dice.pick([
    `generate_series(${dice.below(3)}, ${dice.below(6)}) AS i`,
    "unnest(ARRAY[3, NULL, 1]) AS i",
    "unnest(ARRAY[5, 6]) WITH ORDINALITY AS u(i, n)",
    "generate_subscripts(ARRAY['a', 'b'], 1) AS i",
  ]);
  return `SELECT ${list.join(", ")} FROM ${from}${where(dice, columns)}${ordered(dice, list.length)}`;
}
