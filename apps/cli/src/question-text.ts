import { readFileSync } from "node:fs";

/** The question itself; "-" stands for standard input. */
export function askedText(sql: string): string {
  return sql === "-" ? readFileSync(0, "utf8") : sql;
}
