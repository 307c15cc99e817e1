import { LetheError } from "@lethe/core";
import type { TablePolicy } from "@lethe/query";
import { usedColumns } from "../check-schema.ts";
import { quoteText } from "../quote.ts";
import { readCsvHeader } from "../read-csv-header.ts";

/** More faulty lines than this are left out and not counted. */
export const maxCountedRejects = 100_000;

/**
 * A scan of a CSV file in which every column is text: the header gives the names, the policy the format, and no value
 * decides anything. No line raises: short lines end in NULLs, surplus fields are dropped, lines that are not UTF-8 or
 * longer than 2 MB are left out and counted in reject_errors. An empty field is NULL, a quoted empty one is a text.
 * Errors: engine.source, engine.schema.
 */
export function csvScan(table: string, policy: TablePolicy, path: string, parallel: boolean): string {
  const { delimiter, quote, header } = policy.csv;
  const names = header ? readCsvHeader(path, { delimiter, quote }) : Object.keys(policy.columns);
  const missing = usedColumns(policy).find((name) => !names.includes(name));
  if (missing !== undefined) {
    throw new LetheError("engine.schema", `${policy.file} has no column ${missing}`, {
      fix: "name the policy's columns as the file's first line does, or take the column out of the policy",
      fields: { table, column: missing },
    });
  }
  const options = {
    auto_detect: "false",
    columns: `{${names.map((name) => `${quoteText(name)}: 'VARCHAR'`).join(", ")}}`,
    header: String(header),
    delim: quoteText(delimiter),
    quote: quoteText(quote),
    escape: quoteText(quote),
    nullstr: "''",
    allow_quoted_nulls: "false",
    strict_mode: "false",
    null_padding: "true",
    store_rejects: "true",
    rejects_limit: String(maxCountedRejects),
    parallel: String(parallel),
  };
  const list = Object.entries(options).map(([name, value]) => `${name} = ${value}`);
  return `read_csv(${quoteText(path)}, ${list.join(", ")})`;
}
