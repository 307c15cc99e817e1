import type { Estimate, Release, ReleasedCell, ReleasedColumn } from "@lethe/gateway";

export const around = (value: number): Estimate => ({ value, lower: value - 2, upper: value + 2 });

export type KeyType = "text" | "number" | "date" | "timestamp" | "boolean";

const usual: Readonly<Record<string, string>> = { n: "count", mean: "avg" };

/** A release of aggregates, by name and kind, by keys of these types, as far as a chart looks at one. */
export function released(
  types: readonly KeyType[],
  rows: readonly (readonly ReleasedCell[])[],
  aggregates: Readonly<Record<string, string>> = usual,
): Release {
  const columns: ReleasedColumn[] = [
    ...types.map((type): ReleasedColumn => ({ name: `the ${type}`, kind: "key" })),
    ...Object.keys(aggregates).map((name): ReleasedColumn => ({ name, kind: "aggregate" })),
  ];
  const plan = {
    text: 'SELECT "a" < b & c',
    outputs: [
      ...types.map((key) => ({ kind: "key", key })),
      ...Object.keys(aggregates).map((aggregate) => ({ kind: "aggregate", aggregate })),
    ],
    aggregates: Object.entries(aggregates).map(([name, kind]) => ({ name, kind })),
    keys: { parts: types.map((type) => ({ name: type, expression: { domain: { type } } })) },
  };
  const certificate = { plan, confidence: 0.95, charge: { measure: "pure", epsilon: "1/2" } };
  return { columns, rows, certificate } as unknown as Release;
}
