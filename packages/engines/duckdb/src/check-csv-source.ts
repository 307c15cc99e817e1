import type { TablePolicy } from "@lethe/query";
import { csvScan } from "./snapshot/csv-scan.ts";
import { sourcePath } from "./source-file.ts";

/**
 * Checks a CSV file that was not imported as far as that can be done without a value of it: that it can be read, and that its first line
 * names every column of the policy. Errors: engine.source, engine.schema.
 */
export function checkCsvSource(table: string, policy: TablePolicy, baseDirectory: string): void {
  csvScan(table, policy, sourcePath(table, policy, baseDirectory));
}
