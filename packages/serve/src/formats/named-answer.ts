import { lossToJson, type PrivacyLossText } from "@lethe/core";
import { zeroLoss } from "@lethe/core/accounting";
import { asShown, isGroupedAway, type Release, type ReleasedCell, type Repeat } from "@lethe/gateway";

/** The answer of a release for programs: rows with named fields. Numbers are numbers; losses are exact fractions, written as texts. */
export interface NamedAnswer {
  readonly version: 1;
  readonly columns: Release["columns"];
  /** A field for each column: a key's value; `{"all": true}` and `{"other": true}` in the place of keys; `{value, lower, upper}` for an estimate. */
  readonly rows: readonly Readonly<Record<string, ReleasedCell | { readonly all: true }>>[];
  /** What the answer cost when it was given. */
  readonly price: PrivacyLossText;
  /** What is charged now: the price, or nothing where the answer was given before. */
  readonly charged: PrivacyLossText;
  /** When the answer was given: ISO 8601. */
  readonly asOf: string;
  /** What is left of the account; absent where that is not told to whoever asked. */
  readonly left?: PrivacyLossText;
  readonly confidence: number;
  readonly requestId: string;
  readonly notes: readonly string[];
}

/** Returns the rows that a release shows, with a field for each column; for a `repeat` under the names that are asked for now. */
export function namedAnswer(given: Release, repeat: Repeat | null = null): NamedAnswer {
  const release = asShown(given, repeat?.columns);
  const { columns, notes, certificate } = release;
  return {
    version: 1,
    columns,
    rows: namedRows(release),
    price: certificate.charge,
    charged: repeat ? lossToJson(zeroLoss(certificate.charge.measure)) : certificate.charge,
    asOf: certificate.at,
    ...("spent" in certificate.account ? { left: certificate.account.left } : {}),
    confidence: certificate.confidence,
    requestId: certificate.requestId,
    notes,
  };
}

/** Returns rows with a field for each column. */
export function namedRows(release: Release): NamedAnswer["rows"] {
  const { columns, rows } = release;
  const cell = (value: ReleasedCell, row: number, column: number): ReleasedCell | { readonly all: true } =>
    isGroupedAway(release, row, column) ? { all: true } : value;
  return rows.map((row, at) =>
    Object.fromEntries(columns.map(({ name }, column) => [name, cell(row[column] ?? null, at, column)])),
  );
}
