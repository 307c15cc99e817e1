import {
  type PlanOptions,
  type Policy,
  parseQuestion,
  planAsked,
  policyHash,
  type ReleasedNumbers,
  readPolicy,
  resolveQuestion,
} from "@lethe/query";
import type { Certificate, Release } from "../format/release.ts";
import { hashOf, newSigner, releaseOf, signed } from "./sample-release.ts";

/** One table, whose expected rows targets may be a share of. */
export const policyText: string = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  visits:
    file: visits.csv
    unit: row
    expected_rows: 1000
    columns:
      ward: { type: text, categories: [north, south], default: south }
      cost: { type: number, bounds: [0, 100] }
      tip: { type: number, bounds: [0, 0.5] }
budget: { measure: pure, epsilon: 100 }
`;
export const policy: Policy = readPolicy(policyText);
const granted = { measure: "pure", epsilon: "100" } as const;
const signer = newSigner();

/** A release at a target, and the certificate of what it leaned on. */
export async function released(
  text: string,
  stated: PlanOptions,
  earlier: Release | null,
  under: Policy = policy,
): Promise<Release> {
  const numbers: ReleasedNumbers | null = earlier && {
    requestId: earlier.certificate.requestId,
    columns: new Map([["n", earlier.rows.map((row) => (row.at(-1) as { value: number }).value)]]),
  };
  const resolved = resolveQuestion(await parseQuestion(text), under);
  const { plan, target } = planAsked(resolved, under, stated, policyHash(under), 0.95, numbers);
  const release = releaseOf(plan, signer, granted);
  const certificate = earlier && hashOf(earlier.certificate);
  return signed(
    { ...release, certificate: { ...release.certificate, target: { ...target!, certificate } } },
    signer,
  );
}

/** The same release, signed with another target. */
export const changed = (release: Release, target: Partial<NonNullable<Certificate["target"]>>): Release =>
  signed(
    {
      ...release,
      certificate: { ...release.certificate, target: { ...release.certificate.target!, ...target } },
    },
    signer,
  );

export const count: string = "SELECT ward, COUNT(*) AS n FROM visits GROUP BY ward";
/** The question with options. */
export const at = (options: string): string =>
  count.replace("SELECT", `SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(${options})`);
