import { relative } from "node:path";
import type { ImportReport } from "@lethe/engine-duckdb";
import { type Policy, plural } from "@lethe/query";
import { renderKeptRows } from "../render/kept-rows.ts";
import { say } from "../render/say.ts";
import { tableNamed } from "../table-named.ts";

/** Tells the owner what an import froze. */
export function tellImport({ table, rows, path, lost, kept }: ImportReport, policy: Policy): void {
  say(`${table}: ${rows} rows frozen into ${relative(process.cwd(), path)}`);
  for (const { column, values } of lost)
    say(`${column}: NULL in place of ${plural(values, "value")} that the policy does not allow`);
  if (kept) for (const line of renderKeptRows(kept, table, policy)) say(line);
}

/** Names the command that orders rows once, where questions would order them. */
export function tellOfIndex(tables: readonly string[], policy: Policy): void {
  for (const table of tables)
    if (tableNamed(policy, table).contribution.limit === "rows-before-filter")
      say(
        `${table} limits rows before the filter: run lethe index build to order them once for all questions`,
      );
}
