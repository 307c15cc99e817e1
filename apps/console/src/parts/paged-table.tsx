import type { Pages } from "../house/use-pages.ts";
import { type Column, DataTable } from "./data-table.tsx";
import { Loading } from "./loading.tsx";
import { ProblemPanel } from "./problem-panel.tsx";

interface PagedTableProps<T> {
  readonly of: Pages<T>;
  readonly label: string;
  /** Such as "what you asked". */
  readonly what: string;
  readonly columns: readonly Column<T>[];
  readonly keyOf: (row: T, at: number) => string;
  /** What is said where nothing is there. */
  readonly empty: string;
}

/** A table of what was read of a list so far, the newest first, with a button for what came before. */
export function PagedTable<T>({ of, label, what, columns, keyOf, empty }: PagedTableProps<T>) {
  const { items, hasMore, busy, problem, more } = of;
  return (
    <>
      <ProblemPanel problem={problem} />
      {items !== null ? (
        <DataTable
          label={label}
          rows={items}
          keyOf={keyOf}
          empty={hasMore ? "Nothing so far; there are earlier ones." : empty}
          columns={columns}
        />
      ) : problem === null ? (
        <Loading what={what} />
      ) : null}
      {hasMore || (items === null && problem !== null) ? (
        <button type="button" disabled={busy} onClick={more}>
          {items === null ? "Try again" : "Show earlier ones"}
        </button>
      ) : null}
    </>
  );
}
