import type { OverRelation, OverValue } from "@lethe/query";
import { placeOf } from "../derive/named.ts";
import { aggregateValue, givenBy, isNumberAggregate } from "./aggregate-value.ts";
import {
  type MadeCell,
  type MadeColumn,
  type MadeRow,
  type MadeRows,
  madeCell,
  seenBy,
} from "./made-rows.ts";
import { placesTogether, valueTexts } from "./value-texts.ts";

type Grouped = Extract<OverRelation, { readonly kind: "grouped" }>;

/** Makes one row of each combination of values of some columns; without such columns one row of all. Errors: Unmade. */
export function groupedRows({ columns, rows }: MadeRows, { by, values }: Omit<Grouped, "of">): MadeRows {
  const places = by.map((name) => placeOf(columns, name));
  const kept = (row: MadeRow): readonly MadeCell[] => places.flatMap((place) => row[place] ?? []);
  const groups =
    by.length === 0
      ? [[...rows.keys()]]
      : placesTogether(valueTexts(rows.map((row) => kept(row).map(({ value }) => value))));
  const seen = seenBy(columns);
  return {
    columns: [
      ...places.flatMap((place) => columns[place] ?? []).map(groupedColumn),
      ...values.map((value) => valueColumn(value, columns)),
    ],
    rows: groups.map((group) => {
      const members = group.flatMap((place) => (rows[place] ? [rows[place]] : []));
      const [first = []] = members;
      const seenMembers = members.map(seen);
      return [
        ...kept(first),
        ...values.map(({ value: { function: name, expression, distinct, where } }) => {
          const given = seenMembers.flatMap((row) => givenBy(expression, where, row));
          return madeCell(aggregateValue(name, distinct ? differing(given) : given));
        }),
      ];
    }),
  };
}

/** An estimate that rows are grouped by is a value like any other. */
function groupedColumn(column: MadeColumn): MadeColumn {
  return column.copied === "key" || column.copied === "label" ? column : { ...column, copied: null };
}

function valueColumn(
  { name, value: { function: aggregate, expression } }: OverValue,
  columns: readonly MadeColumn[],
): MadeColumn {
  return { name, isNumber: isNumberAggregate(aggregate, expression, columns), copied: null };
}

/** Returns each value once. Errors: Unmade. */
function differing(values: ReturnType<typeof givenBy>): ReturnType<typeof givenBy> {
  return placesTogether(valueTexts(values.map((value) => [value]))).flatMap(([first = 0]) =>
    values.slice(first, first + 1),
  );
}
