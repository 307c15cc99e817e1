import { LetheError } from "@lethe/core";
import type { TablePolicy } from "@lethe/query";
import { usedColumns } from "../check-schema.ts";
import { quoteText } from "../quote.ts";
import { readCsvHeader } from "../read-csv-header.ts";
import { fileOf } from "../source-file.ts";
import { longestRecord } from "./check-csv.ts";

/** A CSV's names, in the file's order, and what reads it behind FROM. */
export interface CsvScan {
  readonly names: readonly string[];
  readonly relation: (parallel: boolean) => string;
}

/**
 * A scan of a CSV file in which every column is text: the header gives the names, the policy the format, and no value
 * decides anything. An empty field is NULL, a quoted empty one is a text. For files that ./check-csv.ts accepts.
 * Errors: engine.source, engine.schema.
 */
export function csvScan(table: string, policy: TablePolicy, path: string): CsvScan {
  const { delimiter, quote, header } = policy.csv;
  const names = header ? readCsvHeader(path, { delimiter, quote }) : Object.keys(policy.columns);
  const missing = usedColumns(policy).find((name) => !names.includes(name));
  if (missing !== undefined) {
    throw new LetheError("engine.schema", `${fileOf(policy)} has no column ${missing}`, {
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
    strict_mode: "true",
    max_line_size: String(2 * longestRecord),
  };
  const list = Object.entries(options).map(([name, value]) => `${name} = ${value}`);
  return {
    names,
    relation: (parallel) => `read_csv(${quoteText(path)}, ${list.join(", ")}, parallel = ${parallel})`,
  };
}
