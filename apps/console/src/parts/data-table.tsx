import type { ComponentChildren } from "preact";
import { Scroll } from "./scroll.tsx";

/** A column of a table: its heading, and what each row shows in it. */
export interface Column<T> {
  readonly title: ComponentChildren;
  /** Numbers stand at the right; text may break into lines. */
  readonly kind?: "number" | "text";
  readonly cell: (row: T) => ComponentChildren;
}

interface DataTableProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  /** A row's own name, for the page alone. */
  readonly keyOf: (row: T, at: number) => string;
  /** What is said where no row is there. */
  readonly empty: string;
}

/** A table that scrolls sideways where it is too wide. The first column names the row. */
export function DataTable<T>({ label, columns, rows, keyOf, empty }: DataTableProps<T>) {
  if (rows.length === 0) return <p class="quiet">{empty}</p>;
  return (
    <Scroll label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title, kind = "" }, at) => (
              <th key={at} class={kind} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={keyOf(row, at)}>
              {columns.map(({ kind = "", cell }, place) => (
                <td key={place} class={kind}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
