import { LetheError } from "@lethe/core";
import { canonicalJson } from "@lethe/core/canonical";
import { isEstimate, isTimeEstimate, type Release, type ReleasedCell } from "@lethe/gateway";
import { paired } from "../../paired.ts";

/** The end of one request, as whoever asked sees it. */
export type Said =
  | { readonly kind: "answered"; readonly release: Release }
  | { readonly kind: "refused"; readonly error: Readonly<Record<string, unknown>> };

/** All that leaves a house: what was said to each request, and what its ledger shows. */
export interface Left {
  readonly said: readonly Said[];
  /** One text of the whole report: charges, states, hashes. */
  readonly ledger: string;
}

export function refusal(error: unknown): Said {
  if (error instanceof LetheError) {
    const { code, message, fix, fields, offset = null } = error;
    return { kind: "refused", error: { code, message, fix, fields, offset } };
  }
  return { kind: "refused", error: { code: "not coded", message: String(error) } };
}

/** Names the parts in which all that left two houses differs, and never their values. */
export function differences(a: Left, b: Left): string[] {
  const found = paired(a.said, b.said).flatMap(([said, other], at) =>
    differencesOf(said, other).map((what) => (a.said.length > 1 ? `request ${at + 1}: ${what}` : what)),
  );
  return [...found, ...(a.ledger === b.ledger ? [] : ["the ledger holds other records"])];
}

function differencesOf(a: Said, b: Said): string[] {
  if (a.kind !== b.kind) return ["one is answered, and the other refused"];
  if (a.kind === "refused" && b.kind === "refused") {
    const parts = [...new Set([...Object.keys(a.error), ...Object.keys(b.error)])];
    return parts
      .filter((part) => textOf(a.error[part]) !== textOf(b.error[part]))
      .map((part) => `another error: ${part}`);
  }
  return a.kind === "answered" && b.kind === "answered" ? differencesOfReleases(a.release, b.release) : [];
}

function differencesOfReleases(a: Release, b: Release): string[] {
  if (JSON.stringify(a) === JSON.stringify(b)) return [];
  const other = <T>(what: string, part: (release: Release) => T): string[] =>
    textOf(part(a)) === textOf(part(b)) ? [] : [`other ${what}`];
  const certified = [...new Set([...Object.keys(a.certificate), ...Object.keys(b.certificate)])];
  return [
    ...other("columns", ({ columns }) => columns),
    ...other("types of cells", ({ rows }) => rows.map((row) => row.map(typeOf))),
    ...differencesOfRows(a, b),
    ...other("marks of groupings", ({ groupings }) => groupings),
    ...other("chances of missing groups", ({ missing }) => missing),
    ...other("notes", ({ notes }) => notes),
    ...certified.flatMap((part) =>
      other(`${part} in the certificate`, ({ certificate }) => certificate[part as keyof typeof certificate]),
    ),
    ...other("signature", ({ signature }) => signature),
    "other bytes",
  ];
}

function differencesOfRows({ rows: a }: Release, { rows: b }: Release): string[] {
  if (a.length !== b.length) return ["another number of rows"];
  const [left, right] = [a.map(textOf), b.map(textOf)];
  if (textOf(left) === textOf(right)) return [];
  if (textOf([...left].sort()) === textOf([...right].sort())) return ["another order of rows"];
  const of = (part: (cell: ReleasedCell) => unknown) => (rows: Release["rows"]) =>
    textOf(rows.map((row) => row.map(part)));
  const differ = (part: (cell: ReleasedCell) => unknown): boolean => of(part)(a) !== of(part)(b);
  const estimated = (cell: ReleasedCell) => (isEstimate(cell) || isTimeEstimate(cell) ? cell : null);
  return [
    ...(differ((cell) => (estimated(cell) ? null : cell)) ? ["other groups or labels"] : []),
    ...(differ((cell) => estimated(cell)?.value ?? null) ? ["other values"] : []),
    ...(differ((cell) => [estimated(cell)?.lower ?? null, estimated(cell)?.upper ?? null])
      ? ["other intervals"]
      : []),
  ];
}

function typeOf(cell: ReleasedCell): string {
  if (typeof cell !== "object" || cell === null) return cell === null ? "null" : typeof cell;
  return Object.entries(cell)
    .map(([part, value]) => `${part} ${value === null ? "null" : typeof value}`)
    .join(", ");
}

function textOf(value: unknown): string {
  return value === undefined ? "" : canonicalJson(value);
}
