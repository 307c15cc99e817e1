import { fromDouble, parseRational } from "@lethe/core";
import {
  bindQuestion,
  type PlanOptions,
  parseQuestion,
  planAsked,
  policyHash,
  type ReleasedNumbers,
  readPolicy,
} from "@lethe/query";
import { expect, it } from "vitest";
import { type Certificate, isEstimate, type Release } from "../format/release.ts";
import { newSigner, releaseOf, signed } from "../testing/sample-release.ts";
import { verifyRelease } from "../verify-release.ts";
import { hashOf } from "./signature.ts";

const policyText = `
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
budget: { measure: pure, epsilon: 100 }
`;
const policy = readPolicy(policyText);
const granted = { measure: "pure", epsilon: "100" } as const;
const signer = newSigner();

/** A release at a target, and the certificate of what it leaned on. */
async function released(text: string, stated: PlanOptions, earlier: Release | null): Promise<Release> {
  const numbers: ReleasedNumbers | null = earlier && {
    requestId: earlier.certificate.requestId,
    columns: new Map([["n", earlier.rows.map((row) => (row.at(-1) as { value: number }).value)]]),
  };
  const bound = bindQuestion(await parseQuestion(text), policy);
  const { plan, target } = planAsked(bound, policy, stated, policyHash(policy), 0.95, numbers);
  const release = releaseOf(plan, signer, granted);
  const certificate = earlier && hashOf(earlier.certificate);
  return signed(
    { ...release, certificate: { ...release.certificate, target: { ...target!, certificate } } },
    signer,
  );
}

const ofTarget = async (release: Release, earlier: Release | null = null): Promise<string> => {
  const { checks } = await verifyRelease(JSON.stringify(release), {
    policyText,
    ...(earlier ? { targetReleaseJson: JSON.stringify(earlier) } : {}),
  });
  const { outcome, says } = checks.find(({ name }) => name === "target")!;
  return `${outcome}: ${says}`;
};

const changed = (release: Release, target: Partial<NonNullable<Certificate["target"]>>): Release =>
  signed(
    {
      ...release,
      certificate: { ...release.certificate, target: { ...release.certificate.target!, ...target } },
    },
    signer,
  );

const count = "SELECT ward, COUNT(*) AS n FROM visits GROUP BY ward";
const at = (options: string): string =>
  count.replace("SELECT", `SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(${options})`);

it("a target that the noise reaches is verified, however it was stated", async () => {
  for (const [text, stated] of [
    [at("target_error = 30"), {}],
    [at("target_error = '3%'"), {}],
    [count, { targetErrorRelative: parseRational("0.03") }],
    [count, { targetError: fromDouble(30) }],
  ] as const)
    expect(await ofTarget(await released(text, stated, null))).toMatch(/^passed/);
});

it("one that it does not is found, and so is one that the question does not state", async () => {
  const release = await released(at("target_error = 30"), {}, null);
  for (const [forged, says] of [
    [changed(release, { halfWidth: 3 }), /another target error|misses/],
    [changed(release, { capped: true }), /is reached, and said not to be/],
    [
      changed(release, { reached: release.certificate.target!.reached! - 1 }),
      /not that of the hardest answer/,
    ],
    [
      changed(await released(count, { targetError: fromDouble(30) }, null), { halfWidth: 3 }),
      /misses the target/,
    ],
  ] as const)
    expect(await ofTarget(forged)).toMatch(new RegExp(`^failed.*(${says.source})`));
  const share = await released(at("target_error_relative = 0.03"), {}, null);
  expect(await ofTarget(changed(share, { relative: { share: "3/100", expectedRows: 2000 } }))).toMatch(
    /^failed: the width is not the stated share/,
  );
  expect(
    await ofTarget(changed(share, { relative: { share: "3/100", expectedRows: 2000 }, halfWidth: 60 })),
  ).toMatch(/^failed: the policy expects another number/);
  expect(
    await ofTarget(changed(share, { relative: { share: "3/50", expectedRows: 1000 }, halfWidth: 60 })),
  ).toMatch(/^failed: the question states another share/);
});

it("a share of a release is taken from it anew", async () => {
  const earlier = await released(at("target_error = 30"), {}, null);
  const release = await released(
    at("target_error_relative = 0.5, target_release = 'request-1'"),
    {},
    earlier,
  );
  expect(await ofTarget(release, earlier)).toMatch(/^passed/);
  const { released: shares } = release.certificate.target!;
  const [answer] = shares!.answers;
  const forge = (change: object): Release =>
    changed(release, { released: { ...shares!, answers: [{ ...answer!, ...change }] } });
  expect(await ofTarget(forge({ typical: answer!.typical + 1 }), earlier)).toMatch(/had other numbers there/);
  expect(await ofTarget(forge({ values: 1 }), earlier)).toMatch(/had other numbers there/);
  expect(await ofTarget(forge({ halfWidth: answer!.halfWidth * 2 }), earlier)).toMatch(/another width/);
  expect(await ofTarget(forge({ reached: answer!.reached! / 2 }), earlier)).toMatch(
    /another error than the noise/,
  );
  expect(await ofTarget(changed(release, { released: { ...shares!, requestId: "other" } }), earlier)).toMatch(
    /names another release|is another/,
  );
  // The certificate is that one, and its rows are not.
  const rows = earlier.rows.map((row) =>
    row.map((cell) => (isEstimate(cell) ? { ...cell, value: 7 } : cell)),
  );
  expect(await ofTarget(release, { ...earlier, rows })).toMatch(/not those signed/);
});
