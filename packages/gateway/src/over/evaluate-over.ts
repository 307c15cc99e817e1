import { elementAt } from "@lethe/core/numeric";
import { mostOverRows, type OverRelation, type PostExpression } from "@lethe/query";
import { aggregateCells } from "./aggregate-cells.ts";
import { computedCell, isExact, type Ranges } from "./computed-cell.ts";
import { madeCell, type OverCell, type OverRow, valueIn } from "./over-cell.ts";
import { keyOf } from "./row-keys.ts";
import { orderedRows, windowCells } from "./window-cells.ts";

/** Rows with the names of their columns, which are there even where there is no row. */
export interface OverRows {
  readonly columns: readonly string[];
  readonly rows: readonly OverRow[];
  /** Whether noise decided which rows are there: what is added up over them has no interval. */
  readonly isChosen: boolean;
  /** Whether noise decided in which order they stand. */
  readonly isShuffled: boolean;
}

/** A SELECT over an answer makes more rows than are kept. */
export class TooManyRows extends Error {}

/** The rows of the answer that has a name; of the plan's own, which has none. */
export type Answers = (name: string | undefined) => OverRows;

/** Evaluates relations over answers. Errors: TooManyRows for a join of more than {@link mostOverRows}. */
export function evaluateOver(
  relation: OverRelation,
  answer: Answers,
  ranges: Ranges,
  confidence: number,
): OverRows {
  const cellOf = (expression: Parameters<typeof computedCell>[0], row: OverRow): OverCell =>
    computedCell(expression, row, ranges, confidence);
  const of = (inner: OverRelation): OverRows => {
    switch (inner.kind) {
      case "answer":
        return answer(inner.name);
      case "values":
        return writtenRows(inner);
      case "filtered": {
        const { rows, ...before } = of(inner.of);
        return {
          ...before,
          rows: rows.filter((row) => valueIn(row, inner.where) === true),
          isChosen: before.isChosen || !areExact([inner.where], rows),
        };
      }
      case "shown": {
        const { rows, ...before } = of(inner.of);
        return {
          ...before,
          columns: inner.columns.map(({ name }) => name),
          rows: rows.map(
            (row) => new Map(inner.columns.map(({ name, expression }) => [name, cellOf(expression, row)])),
          ),
        };
      }
      case "grouped":
        return grouped(inner, of(inner.of));
      case "windowed": {
        const before = of(inner.of);
        const { columns, rows } = before;
        const made = inner.windows.map(
          (window) => [window.name, windowCells(window, before, cellOf)] as const,
        );
        return {
          ...before,
          columns: [...columns, ...made.map(([name]) => name)],
          rows: rows.map(
            (row, at) =>
              new Map([...row, ...made.map(([name, cells]) => [name, elementAt(cells, at)] as const)]),
          ),
        };
      }
      case "ordered": {
        const { rows, ...before } = of(inner.of);
        const { limit, offset } = inner;
        const isByNoise = !areExact(
          inner.orderBy.map(({ by }) => by),
          rows,
        );
        const isShuffled = before.isShuffled || isByNoise;
        const isCut = limit !== null || offset > 0;
        const kept = orderedRows(rows, inner.orderBy).slice(
          offset,
          limit === null ? undefined : offset + limit,
        );
        return { ...before, rows: kept, isShuffled, isChosen: before.isChosen || (isCut && isShuffled) };
      }
      case "distinct": {
        const { rows, ...before } = of(inner.of);
        const first = new Map<string, OverRow>();
        for (const row of rows) {
          const key = keyOf([...row.values()].map(({ value }) => value));
          if (!first.has(key)) first.set(key, row);
        }
        const isByKeys = rows.every((row) => [...row.values()].every(({ exact }) => exact));
        return { ...before, rows: [...first.values()], isChosen: before.isChosen || !isByKeys };
      }
      case "joined":
        return joined(inner, of(inner.left), of(inner.right));
      case "union":
        return united(inner.parts.map(of));
    }
  };

  function grouped({ by, values }: Extract<OverRelation, { kind: "grouped" }>, before: OverRows): OverRows {
    const { rows } = before;
    const groups = new Map<string, OverRow[]>();
    if (by.length === 0) groups.set("", []);
    for (const row of rows) {
      const key = by.length === 0 ? "" : keyOf(by.map((name) => row.get(name)?.value ?? null));
      const group = groups.get(key);
      if (group) group.push(row);
      else groups.set(key, [row]);
    }
    const isChosen = before.isChosen || rows.some((row) => by.some((name) => row.get(name)?.exact !== true));
    return {
      // Without keys there is one row, whatever the noise.
      isChosen: isChosen && by.length > 0,
      isShuffled: before.isShuffled,
      columns: [...by, ...values.map(({ name }) => name)],
      rows: [...groups.values()].map((group) => {
        const [first] = group;
        const keys = by.map((name): [string, OverCell] => [name, first?.get(name) ?? madeCell(null)]);
        return new Map([
          ...keys,
          ...values.map(({ name, value }): [string, OverCell] => [name, groupValue(value, group, isChosen)]),
        ]);
      }),
    };
  }

  function groupValue(
    {
      function: name,
      expression,
      distinct,
      where,
    }: Extract<OverRelation, { kind: "grouped" }>["values"][number]["value"],
    group: readonly OverRow[],
    isChosen: boolean,
  ): OverCell {
    const within = group.filter((row) => where === null || valueIn(row, where) === true);
    if (expression === null) return madeCell(within.length);
    const byNoise = isChosen || (where !== null && !group.every((row) => isExact(where, row)));
    return aggregateCells(
      name,
      within.map((row) => cellOf(expression, row)),
      distinct,
      byNoise,
    );
  }

  return of(relation);
}

function writtenRows({ columns, rows }: Extract<OverRelation, { kind: "values" }>): OverRows {
  const names = columns.map(({ name }) => name);
  return {
    columns: names,
    rows: rows.map(
      (row) =>
        new Map(
          names.map((name, at): [string, OverCell] => {
            const value = row[at] ?? null;
            return [name, { value, copied: value, exact: true, form: null }];
          }),
        ),
    ),
    isChosen: false,
    isShuffled: false,
  };
}

/** Whether expressions read nothing that has noise, in any of the rows. */
function areExact(expressions: readonly PostExpression[], rows: readonly OverRow[]): boolean {
  return rows.every((row) => expressions.every((expression) => isExact(expression, row)));
}

function joined(
  { type, on }: Extract<OverRelation, { kind: "joined" }>,
  left: OverRows,
  right: OverRows,
): OverRows {
  if (left.rows.length * right.rows.length > mostOverRows) throw new TooManyRows();
  const columns = [...left.columns, ...right.columns];
  const isByNoise =
    on !== null && left.rows.some((a) => right.rows.some((b) => !isExact(on, new Map([...a, ...b]))));
  const isChosen = left.isChosen || right.isChosen || isByNoise;
  const isShuffled = left.isShuffled || right.isShuffled;
  const missing = (names: readonly string[]): readonly (readonly [string, OverCell])[] =>
    names.map((name) => [name, { value: null, exact: !isChosen, form: null, copied: null }]);
  const met = new Set<OverRow>();
  const rows: OverRow[] = [];
  const isOptional = { left: type === "right" || type === "full", right: type === "left" || type === "full" };
  const besides = ([...a]: OverRow, [...b]: OverRow): OverRow =>
    isByNoise
      ? new Map([...(isOptional.left ? a.map(byNoise) : a), ...(isOptional.right ? b.map(byNoise) : b)])
      : new Map([...a, ...b]);
  for (const a of left.rows) {
    let found = false;
    for (const b of right.rows) {
      const both: OverRow = new Map([...a, ...b]);
      if (on !== null && valueIn(both, on) !== true) continue;
      found = true;
      met.add(b);
      rows.push(besides(a, b));
    }
    if (!found && (type === "left" || type === "full")) rows.push(new Map([...a, ...missing(right.columns)]));
  }
  if (type === "right" || type === "full")
    for (const b of right.rows) if (!met.has(b)) rows.push(new Map([...missing(left.columns), ...b]));
  return { columns, rows, isChosen, isShuffled };
}

/** A cell of the side that may be missing, where noise decides whether it is: its value says so, and has noise. */
function byNoise([name, { value, copied }]: [string, OverCell]): [string, OverCell] {
  return [name, { ...madeCell(value), ...(copied === undefined ? {} : { copied }) }];
}

function united(parts: readonly OverRows[]): OverRows {
  const columns = parts[0]?.columns ?? [];
  return {
    columns,
    isChosen: parts.some((part) => part.isChosen),
    isShuffled: parts.some((part) => part.isShuffled),
    rows: parts.flatMap((part) =>
      part.rows.map(
        (row) =>
          new Map(
            columns.map(
              (name, at) => [name, row.get(elementAt(part.columns, at)) ?? madeCell(null)] as const,
            ),
          ),
      ),
    ),
  };
}
