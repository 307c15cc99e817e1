import type { ErrorCode } from "@lethe/core";

type Family = ErrorCode extends `${infer F}.${string}` ? F : never;

/** The status of each family of errors, by RFC 9110. What an operator must mend is 503: the same request may pass later. */
const families: Readonly<Record<Family, number>> = {
  parameter: 400,
  query: 422,
  model: 422,
  account: 422,
  mechanism: 500,
  internal: 500,
  policy: 503,
  engine: 503,
  ledger: 503,
  release: 422,
  audit: 500,
  cli: 500,
  serve: 403,
  people: 409,
  log: 500,
  config: 503,
};

/** Codes that mean another thing than their family. */
const exceptions: ReadonlyMap<ErrorCode, number> = new Map<ErrorCode, number>([
  ["query.syntax", 400],
  ["query.too-large", 413],
  ["query.option", 400],
  ["query.parameter", 400],
  ["ledger.budget", 402],
  ["ledger.principal", 403],
  ["ledger.failures", 403],
  ["ledger.request", 409],
  ["serve.signed-out", 401],
  ["serve.sign-in", 401],
  ["serve.identity", 401],
  ["serve.absent", 404],
  ["serve.too-many", 429],
  ["serve.too-large", 413],
  ["serve.protocol", 400],
  ["serve.canceled", 409],
  ["serve.busy", 503],
  ["serve.worker", 503],
  ["serve.policy", 409],
  ["serve.changed", 409],
  ["serve.stopped", 409],
  ["serve.not-acceptable", 406],
  ["people.invalid", 422],
  ["people.unreadable", 503],
  ["log.lost", 503],
]);

/** Returns the HTTP status of an error. A refusal that only the owner or the operator can mend is 5xx, every other 4xx. */
export function statusOf(code: ErrorCode): number {
  const [family] = code.split(".") as [Family];
  return exceptions.get(code) ?? families[family];
}
