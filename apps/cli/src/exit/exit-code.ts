import { type ErrorCode, LetheError } from "@lethe/core";

/** The kind of an error, told by the code that the program ends with. */
export const exitCodes = {
  /** Lethe itself failed. */
  internal: 1,
  /** The command line, a file or a number in it. */
  usage: 2,
  /** The question, or the description of a model, is not answered as it stands. */
  question: 3,
  policy: 4,
  /** The budget does not cover the charge, or the asker may not be charged. */
  budget: 5,
  /** The data source. */
  engine: 6,
  ledger: 7,
  /** A release, a ledger or an audit does not hold. */
  check: 8,
} as const;

type Kind = keyof typeof exitCodes;
type Family = ErrorCode extends `${infer F}.${string}` ? F : never;

const kinds: Readonly<Record<Family, Kind>> = {
  parameter: "usage",
  internal: "internal",
  mechanism: "budget",
  policy: "policy",
  model: "question",
  query: "question",
  account: "budget",
  engine: "engine",
  ledger: "ledger",
  serve: "usage",
  people: "usage",
  config: "usage",
  log: "check",
  release: "check",
  audit: "check",
  cli: "usage",
};

/** Codes that mean another thing than their family. */
const exceptions: ReadonlyMap<ErrorCode, Kind> = new Map<ErrorCode, Kind>([
  ["serve.cap", "budget"],
  ["ledger.budget", "budget"],
  ["ledger.principal", "budget"],
  ["ledger.failures", "budget"],
  ["ledger.corrupt", "check"],
  ["ledger.restored", "check"],
]);

/** Returns the code that the program ends with after an error. */
export function exitCode(error: unknown): number {
  if (!(error instanceof LetheError)) return exitCodes.internal;
  const [family] = error.code.split(".") as [Family];
  return exitCodes[exceptions.get(error.code) ?? kinds[family]];
}
