import { columnId, evaluate, type Relation, type UnitWindow, type WindowedRelation } from "@lethe/query";
import { type CleanRow, type CleanValue, kept, keyName, type OwnedRow } from "./reference-rows.ts";
import { inOrder, unitValue } from "./reference-unit-values.ts";

/** Each row with the values of its windows. */
export function windowedRows(relation: WindowedRelation, rows: readonly OwnedRow[]): readonly OwnedRow[] {
  const columns = columnsOf(relation.of);
  // One order of rows that are alike in what a window goes by, for all windows.
  const placed = [...rows].sort((a, b) => firstDifference(columns, a.row, b.row));
  const made = placed.map(({ row }) => ({ ...row }) as Record<string, CleanValue>);
  for (const [name, window] of Object.entries(relation.values)) {
    const id = columnId({ source: relation.source, name });
    const partitions = new Map<string, number[]>();
    placed.forEach(({ unit, row }, at) => {
      const parts = window.partition.map((part) => plain(evaluate(part, row)));
      const partition = JSON.stringify([unit, keyName(parts)]);
      partitions.set(partition, [...(partitions.get(partition) ?? []), at]);
    });
    for (const members of partitions.values()) {
      // Stable: what the order does not tell apart stays as it was placed.
      const sorted = [...members].sort((a, b) => compared(window, placed[a]!.row, placed[b]!.row));
      const own = sorted.map((at) => placed[at]!.row);
      sorted.forEach((at, place) => {
        made[at]![id] = kept(relation.columns[name]!, valueAt(window, own, place, relation, name));
      });
    }
  }
  return placed.map(({ unit }, at) => ({ unit, row: made[at]!, keys: {} }));
}

function valueAt(
  window: UnitWindow,
  rows: readonly CleanRow[],
  place: number,
  relation: WindowedRelation,
  name: string,
): CleanValue {
  const { value, frame } = window;
  const before = rows.filter((row) => compared(window, row, rows[place]!) < 0);
  const inFrame =
    frame === null
      ? rows.filter((row) => compared(window, row, rows[place]!) <= 0)
      : rows.filter(
          (_, at) =>
            (frame.from === null || at >= place + frame.from) &&
            (frame.to === null || at <= place + frame.to),
        );
  const argumentOf = (row: CleanRow | undefined): CleanValue =>
    row === undefined || value.argument === null ? null : evaluate(value.argument, row);
  switch (value.kind) {
    case "row-number":
      return place + 1;
    case "rank":
      return before.length + 1;
    case "dense-rank":
      return before.filter((row, at) => at === 0 || compared(window, before[at - 1]!, row) !== 0).length + 1;
    case "lag":
      return argumentOf(rows[place - value.by]);
    case "lead":
      return argumentOf(rows[place + value.by]);
    case "first":
      return argumentOf(frame === null ? rows[0] : inFrame[0]);
    case "last":
      return argumentOf(inFrame.at(-1));
    default:
      return inFrame.length === 0
        ? value.kind === "count"
          ? 0
          : null
        : unitValue(value, relation.columns[name]!, inFrame);
  }
}

/** In the order that is asked for. */
function compared({ order }: UnitWindow, a: CleanRow, b: CleanRow): number {
  for (const { by, descending, nullsFirst } of order) {
    const [x, y] = [plain(evaluate(by, a)), plain(evaluate(by, b))];
    if (x === y) continue;
    if (x === null || y === null) return (x === null) === nullsFirst ? -1 : 1;
    const sign = inOrder(x, y);
    if (sign !== 0) return descending ? -sign : sign;
  }
  return 0;
}

function firstDifference(columns: readonly string[], a: CleanRow, b: CleanRow): number {
  for (const name of columns) {
    const [x, y] = [plain(a[name] ?? null), plain(b[name] ?? null)];
    if (x === y) continue;
    if (x === null || y === null) return x === null ? 1 : -1;
    return inOrder(x, y);
  }
  return 0;
}

const plain = (value: CleanValue): CleanValue => (value === 0 ? 0 : value);

/** The columns that a relation's rows have, from left to right. */
function columnsOf(relation: Relation): readonly string[] {
  switch (relation.kind) {
    case "table":
    case "list":
    case "union":
    case "grouped": {
      const { source, columns } = relation;
      return Object.keys(columns).map((name) => columnId(source === null ? { name } : { source, name }));
    }
    case "filter":
    case "semijoin":
      return columnsOf(relation.of);
    case "windowed":
    case "marked": {
      const { source, columns } = relation;
      return [...columnsOf(relation.of), ...Object.keys(columns).map((name) => columnId({ source, name }))];
    }
    case "join":
      return [...columnsOf(relation.left), ...columnsOf(relation.right)];
  }
}
