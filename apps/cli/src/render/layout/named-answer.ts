import type { PrivacyLossText } from "@lethe/core";
import { asShown, isGroupedAway, type Release, type ReleasedCell } from "@lethe/gateway";

/** The answer of a release for programs: rows with named fields. Numbers are numbers; losses are exact fractions, written as texts. */
export interface NamedAnswer {
  readonly version: 1;
  readonly columns: Release["columns"];
  /** A field for each column: a key's value; `{"all": true}` and `{"other": true}` in the place of keys; `{value, lower, upper}` for an estimate. */
  readonly rows: readonly Readonly<Record<string, ReleasedCell | { readonly all: true }>>[];
  readonly price: PrivacyLossText;
  readonly left: PrivacyLossText;
  readonly confidence: number;
  readonly requestId: string;
  readonly notes: readonly string[];
}

/** Returns the rows that a release shows, with a field for each column. */
export function namedAnswer(given: Release): NamedAnswer {
  const release = asShown(given);
  const { columns, rows, notes, certificate } = release;
  const cell = (value: ReleasedCell, row: number, column: number): ReleasedCell | { readonly all: true } =>
    isGroupedAway(release, row, column) ? { all: true } : value;
  return {
    version: 1,
    columns,
    rows: rows.map((row, at) =>
      Object.fromEntries(columns.map(({ name }, column) => [name, cell(row[column] ?? null, at, column)])),
    ),
    price: certificate.charge,
    left: certificate.account.left,
    confidence: certificate.confidence,
    requestId: certificate.requestId,
    notes,
  };
}
