import { writeTime } from "../expressions/calendar/times.ts";
import { writeColumn, writeName, writeSql } from "../expressions/write-sql.ts";
import type { ColumnPolicy } from "../policy/policy.ts";
import type {
  JoinRelation,
  KeyOfSource,
  ListRelation,
  MarkedRelation,
  Relation,
  TableRelation,
} from "./relation.ts";
import { writeUnitAggregate } from "./unit-aggregates/registry.ts";
import type { UnitWindow, WindowFrame } from "./unit-window.ts";

const joins: Readonly<Record<JoinRelation["type"], string>> = {
  inner: "JOIN",
  left: "LEFT JOIN",
  right: "RIGHT JOIN",
  full: "FULL JOIN",
};

/** Writes a relation as SQL, for people: its tables under the names by which expressions know them. */
export function writeFrom(relation: Relation): string {
  switch (relation.kind) {
    case "table":
      return writeTable(relation);
    case "list":
      return writeList(relation);
    case "filter":
      return `(${writeFrom(relation.of)} WHERE ${writeSql(relation.where)})`;
    case "union": {
      const parts = relation.parts.map(({ of, values }) => {
        const list = Object.entries(values).map(
          ([name, value]) => `${writeSql(value)} AS ${writeName(name)}`,
        );
        return `SELECT ${list.join(", ") || "1"} FROM ${writeFrom(of)}`;
      });
      return `(${parts.join(" UNION ALL ")}) AS ${writeName(relation.source)}`;
    }
    case "grouped": {
      const { of, keys, values, source } = relation;
      const list = [
        ...Object.entries(keys).map(([name, key]) => `${writeSql(key)} AS ${writeName(name)}`),
        ...Object.entries(values).map(
          ([name, value]) => `${writeUnitAggregate(value)} AS ${writeName(name)}`,
        ),
      ];
      const by = ["unit", ...Object.values(keys).map(writeSql)].join(", ");
      return `(SELECT ${["unit", ...list].join(", ")} FROM ${writeFrom(of)} GROUP BY ${by}) AS ${writeName(source)}`;
    }
    case "windowed": {
      const list = Object.entries(relation.values).map(
        ([name, window]) => `${writeWindow(window)} AS ${writeName(name)}`,
      );
      return `(SELECT *, ${list.join(", ")} FROM ${writeFrom(relation.of)}) AS ${writeName(relation.source)}`;
    }
    case "semijoin": {
      const { of, among, on, not } = relation;
      const found = `EXISTS (SELECT 1 FROM ${writeFrom(among)} WHERE ${writeSql(on)})`;
      return `(${writeFrom(of)} WHERE ${not ? "NOT " : ""}${found})`;
    }
    case "marked": {
      const { of, among, columns, source } = relation;
      const [name] = Object.keys(columns).map(writeName);
      const found = `EXISTS (SELECT 1 FROM ${writeFrom(among)} WHERE ${writeConditions(relation)})`;
      return `(SELECT *, ${found} AS ${name} FROM ${writeFrom(of)}) AS ${writeName(source)}`;
    }
    case "join": {
      const { left, right } = relation;
      const type = relation.keeps ?? relation.type;
      const behind = right.kind === "join" ? `(${writeFrom(right)})` : writeFrom(right);
      return `${writeFrom(left)} ${joins[type]} ${behind} ON ${writeConditions(relation)}`;
    }
  }
}

function writeList({ source, names, columns, rows }: ListRelation): string {
  const written = rows.map((row) => {
    const values = row.map((value, at) => writeValueOf(value, columns[names[at] ?? ""]?.type));
    return `(${values.join(", ")})`;
  });
  return `(VALUES ${written.join(", ")}) AS ${writeName(source)}(${names.map(writeName).join(", ")})`;
}

function writeValueOf(value: string | number | boolean, type: ColumnPolicy["type"] | undefined): string {
  if (type === "date" || type === "timestamp")
    return `${type.toUpperCase()} '${writeTime(type, Number(value))}'`;
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value).toUpperCase();
}

function writeTable({ table, source }: TableRelation): string {
  return source === null || source === table
    ? writeName(table)
    : `${writeName(table)} AS ${writeName(source)}`;
}

/** Writes the conditions of a join, or of a mark, on a pair of rows, as a question could have written them. */
export function writeConditions({ keys, on }: Pick<JoinRelation | MarkedRelation, "keys" | "on">): string {
  const column = ({ source, column: name }: KeyOfSource): string => writeColumn({ source, name });
  const all = [
    ...keys.map(({ left, right }) => `${column(left)} = ${column(right)}`),
    ...(on === null ? [] : [writeSql(on)]),
  ];
  return all.length === 0 ? "TRUE" : all.join(" AND ");
}

export function writeWindow({ value, partition, order, frame }: UnitWindow): string {
  const by = order.map(
    ({ by: key, descending, nullsFirst }) =>
      `${writeSql(key)}${descending ? " DESC" : ""} NULLS ${nullsFirst ? "FIRST" : "LAST"}`,
  );
  const window = [
    `PARTITION BY ${["unit", ...partition.map(writeSql)].join(", ")}`,
    ...(by.length === 0 ? [] : [`ORDER BY ${by.join(", ")}`]),
    ...(frame === null ? [] : [writeFrame(frame)]),
  ];
  return `${writeValue(value)} OVER (${window.join(" ")})`;
}

function writeValue(value: UnitWindow["value"]): string {
  switch (value.kind) {
    case "row-number":
    case "rank":
    case "dense-rank":
      return `${value.kind.replace("-", "_").toUpperCase()}()`;
    case "lag":
    case "lead":
      return `${value.kind.toUpperCase()}(${writeSql(value.argument)}, ${value.by})`;
    case "first":
    case "last":
      return `${value.kind.toUpperCase()}_VALUE(${writeSql(value.argument)})`;
    default:
      return writeUnitAggregate(value);
  }
}

/** ROWS BETWEEN … AND …, as every engine reads it. */
export function writeFrame({ from, to }: WindowFrame): string {
  const end = (rows: number | null, side: string): string => {
    if (rows === null) return `UNBOUNDED ${side}`;
    if (rows === 0) return "CURRENT ROW";
    return rows < 0 ? `${-rows} PRECEDING` : `${rows} FOLLOWING`;
  };
  return `ROWS BETWEEN ${end(from, "PRECEDING")} AND ${end(to, "FOLLOWING")}`;
}
