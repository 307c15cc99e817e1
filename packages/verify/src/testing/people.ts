import { type PrivacyLossText, parseRational } from "@lethe/core";
import { type Measures, measureAlone, type PlanOptions } from "@lethe/query";
import type { Release } from "../format/release.ts";
import { newSigner, releaseOf, type Signer, samplePlan } from "./sample-release.ts";

const policyText = (unit: string, adjacency: string, budget: string): string => `
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
tables:
  people:
    file: people.csv
    unit: ${unit}
    columns:
      wage: { type: number, bounds: [0, 60] }
      change: { type: integer, bounds: [-5, 12], default: 0 }
      sector: { type: text, categories: [manufacturing, construction, other], default: other }
      city: { type: text }
      id: { type: text }
      hired: { type: date, bounds: [2010-01-01, 2029-12-31], round_filters: 7d }
${unit === "row" ? "" : "    max_groups_contributed: 3\n    max_rows_contributed_per_group: 4\n"}
budget: ${budget}
`;

const grants: Record<PrivacyLossText["measure"], { budget: string; granted: PrivacyLossText }> = {
  pure: { budget: "{ measure: pure, epsilon: 10 }", granted: { measure: "pure", epsilon: "10" } },
  approximate: {
    budget: "{ measure: approximate, epsilon: 10, delta: 1e-5 }",
    granted: { measure: "approximate", epsilon: "10", delta: "1/100000" },
  },
  zcdp: {
    budget: "{ measure: zcdp, rho: 2, delta: 1e-5 }",
    granted: { measure: "zcdp", rho: "2", delta: "1/100000" },
  },
};

/** The ledger of the samples. */
export const signer: Signer = newSigner();

export interface Sample {
  readonly text: string;
  readonly unit?: string;
  readonly adjacency?: string;
  readonly measure?: PrivacyLossText["measure"];
  readonly options?: PlanOptions;
  /** What is measured together: nothing, unless it is said. */
  readonly measures?: Measures;
}

/** A release over people, as an honest service would sign it. */
export async function sample({
  text,
  unit = "row",
  adjacency = "add-or-remove-one",
  measure = "approximate",
  options = {},
  measures = measureAlone,
}: Sample): Promise<{ release: Release; policy: string }> {
  const policy = policyText(unit, adjacency, grants[measure].budget);
  const plan = await samplePlan(text, policy, { epsilon: parseRational("0.5"), ...options }, measures);
  return { release: releaseOf(plan, signer, grants[measure].granted), policy };
}
