import type { Expression, Measurement, Plan, SumColumn } from "@lethe/query";

/** The parts of a plan that the derivations read; everything else is empty. */
export interface PlanParts {
  readonly sums: readonly SumColumn[];
  readonly terms: Measurement["terms"];
  readonly unit?: Plan["unit"];
  readonly adjacency?: Plan["adjacency"];
  readonly groups?: number;
  readonly rows?: number;
  readonly limit?: Plan["contribution"]["limit"];
  readonly where?: Expression | null;
  readonly keys?: Plan["keys"]["program"];
}

/** A plan with one measurement, without noise, for tests of the derivations. */
export function planOf(parts: PlanParts): Plan {
  const unit = parts.unit ?? { kind: "row" };
  return {
    version: 2,
    text: "",
    policyHash: "0".repeat(64),
    from: {
      kind: "table",
      table: "t",
      source: null,
      unit:
        unit.kind === "row"
          ? { kind: "row" }
          : { kind: "column", column: unit.column, path: [], names: { table: "t", column: unit.column } },
      oncePer: null,
      columns: {},
    },
    unit,
    adjacency: parts.adjacency ?? "add-or-remove-one",
    contribution: {
      limit: parts.limit ?? "groups-after-filter",
      groups: parts.groups ?? 1,
      rows: parts.rows ?? 1,
      enforced: unit.kind === "column",
      choosesGroups: false,
    },
    where: parts.where ?? null,
    keys: { parts: [], program: parts.keys ?? { kind: "none" } },
    sums: parts.sums.map((sum, at) => ({ name: `s${at}`, ...sum })),
    measurements: [
      {
        name: "m0",
        terms: parts.terms,
        l1: "0",
        l2Squared: "0",
        noise: { mechanism: "constant@1" },
      },
    ],
    aggregates: [],
    outputs: [],
    post: { having: null, orderBy: [], limit: null, offset: 0 },
    event: { kind: "constant", version: 1 },
    price: { measure: "pure", epsilon: "0" },
  };
}

/** A number column of the table. */
export function numberColumn(name: string, nullable: boolean): Expression {
  return {
    kind: "column",
    name,
    domain: { type: "number", bounds: [-9, 9], integer: true, nullable, values: null },
  };
}
