import { parseRational } from "@lethe/core";
import { fromDouble } from "@lethe/core/numeric";
import { answerErrors, readPolicy } from "@lethe/query";
import { expect, it } from "vitest";
import { isEstimate, type Release } from "../format/release.ts";
import { at, changed, count, policyText, released } from "../testing/targeted.ts";
import { verifyRelease } from "../verify-release.ts";

/** The policy under which the number of visits is public. */
const replacedText = policyText.replace("add-or-remove-one", "replace-one");
const replaced = readPolicy(replacedText);

const ofTarget = async (
  release: Release,
  earlier: Release | null = null,
  text: string = policyText,
): Promise<string> => {
  const { checks } = await verifyRelease(JSON.stringify(release), {
    policyText: text,
    ...(earlier ? { targetReleaseJson: JSON.stringify(earlier) } : {}),
  });
  const { outcome, says } = checks.find(({ name }) => name === "target")!;
  return `${outcome}: ${says}`;
};

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

it("the error that is reached is that of the hardest of several answers", async () => {
  const text =
    "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(target_error = 1) COUNT(*) AS n, SUM(tip) AS tips FROM visits";
  const release = await released(text, {}, null);
  const { plan, confidence, target: stated } = release.certificate;
  const [rows, tips] = answerErrors(plan, confidence, stated!.rows).map(({ halfWidth }) => halfWidth!);
  expect(rows).toBe(1);
  expect(tips).toBeLessThan(1);
  expect(stated!.reached).toBe(1);
  expect(await ofTarget(release)).toMatch(/^passed/);
  expect(await ofTarget(changed(release, { reached: tips! }))).toMatch(/not that of the hardest answer/);
});

it("one of several answers that misses the target is found", async () => {
  const text = "SELECT COUNT(*) AS n, SUM(tip) AS tips FROM visits";
  const release = await released(text, { targetError: fromDouble(1) }, null);
  const { plan, confidence, target: stated } = release.certificate;
  const [rows, tips] = answerErrors(plan, confidence, stated!.rows).map(({ halfWidth }) => halfWidth!);
  const between = (rows! + tips!) / 2;
  expect(tips).toBeLessThan(between);
  expect(await ofTarget(changed(release, { halfWidth: between }))).toMatch(
    /^failed: the noise that was bought misses the target/,
  );
});

it("an answer without error is not the hardest", async () => {
  const text = "SELECT COUNT(*) AS n, SUM(tip) AS tips FROM visits";
  const release = await released(text, { targetError: fromDouble(30) }, null, replaced);
  const { plan, confidence, target: stated } = release.certificate;
  const [rows, tips] = answerErrors(plan, confidence, stated!.rows).map(({ halfWidth }) => halfWidth!);
  expect(rows).toBe(0);
  expect(stated!.reached).toBe(tips);
  expect(await ofTarget(release, null, replacedText)).toMatch(/^passed/);
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
