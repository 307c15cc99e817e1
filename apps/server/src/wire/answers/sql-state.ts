import type { ErrorCode } from "@lethe/core";

type Family = ErrorCode extends `${infer F}.${string}` ? F : never;

/** The SQLSTATE of each family of errors. Class 58 is what an operator must mend. */
const families: Readonly<Record<Family, string>> = {
  parameter: "22023",
  query: "22023",
  model: "22023",
  account: "22023",
  mechanism: "XX000",
  internal: "XX000",
  policy: "58000",
  engine: "58000",
  ledger: "58000",
  release: "22023",
  audit: "XX000",
  cli: "58000",
  serve: "42501",
  people: "58000",
  log: "58000",
  config: "58000",
};

/** Codes that mean another thing than their family, by the SQLSTATE that PostgreSQL gives the like. */
const exceptions: Readonly<Partial<Record<ErrorCode, string>>> = {
  "query.syntax": "42601",
  "query.too-large": "54000",
  "query.public": "0A000",
  "query.unsupported": "0A000",
  "query.unknown-table": "42P01",
  "query.unknown-column": "42703",
  "query.unknown-function": "42883",
  "query.type": "42804",
  "query.parameter": "42P02",
  "ledger.budget": "53400",
  "ledger.failures": "53400",
  "ledger.principal": "42501",
  "ledger.request": "22023",
  "serve.signed-out": "28000",
  "serve.sign-in": "28P01",
  "serve.identity": "28000",
  "serve.too-many": "53400",
  "serve.too-large": "54000",
  "serve.busy": "53000",
  "serve.worker": "58000",
  "serve.cap": "53400",
  "serve.protocol": "08P01",
  "serve.canceled": "57014",
  "serve.stopped": "57014",
  "serve.absent": "42704",
};

/** Returns the SQLSTATE of an error. */
export function sqlState(code: ErrorCode): string {
  return exceptions[code] ?? families[code.split(".")[0] as Family];
}
