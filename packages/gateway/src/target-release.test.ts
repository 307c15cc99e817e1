import { parseRational } from "@lethe/core";
import { verifyRelease } from "@lethe/verify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { answer } from "./answer.ts";
import { earlierRelease } from "./earlier-release.ts";
import { isEstimate, type Release } from "./release.ts";
import { explain } from "./resolved-question.ts";
import { openHouse, optionsOf, type TestHouse } from "./testing/open-house.ts";
import { personPolicy, visitsCsv } from "./testing/visits.ts";

let house: TestHouse;
let first: Release;
beforeAll(async () => {
  const analysts = "analysts: { ana: 50, bo: 50 }";
  house = await openHouse(
    personPolicy(`{ measure: approximate, epsilon: 100, delta: 1e-5, ${analysts} }`),
    visitsCsv,
  );
  first = await house.ask("SELECT ward, COUNT(*) AS n, SUM(cost) AS total FROM visits GROUP BY ward", {
    requestId: "first",
    principal: "ana",
    epsilon: "2",
  });
});
afterAll(() => house.close());

const ofFirst = (question: string, share = "5%"): string =>
  question.replace(
    "SELECT",
    `SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(target_error = '${share}', target_release = 'first')`,
  );
const unpriced = { epsilon: null, principal: "ana" } as const;

const sizes = (name: string): readonly number[] => {
  const at = first.columns.findIndex((column) => column.name === name);
  const values = first.rows.map((row) => row[at]!).filter(isEstimate);
  return values.map(({ value }) => Math.abs(value!)).sort((a, b) => a - b);
};

const verified = async (release: Release, targetReleaseJson?: string): Promise<readonly string[]> => {
  const { checks } = await verifyRelease(JSON.stringify(release), {
    policyText: house.policyText,
    publicKeyPem: house.house.ledger.publicKey,
    ...(targetReleaseJson === undefined ? {} : { targetReleaseJson }),
  });
  return checks.flatMap(({ name, outcome, says }) =>
    outcome === "failed" || name === "target" ? [`${name} ${outcome}: ${says}`] : [],
  );
};

it("a share of an earlier release is one of its median size, column by column, and verifies with it alone", async () => {
  const question = ofFirst("SELECT ward, SUM(cost) AS total, COUNT(*) AS n FROM visits GROUP BY ward");
  const release = await house.ask(question, { ...unpriced, requestId: "leaning" });
  const { target } = release.certificate;
  const [total, n] = [0.05 * sizes("total")[0]!, 0.05 * sizes("n")[0]!];
  expect(target!.released!.answers.map(({ name, halfWidth }) => [name, halfWidth])).toEqual([
    ["total", expect.closeTo(total, 6)],
    ["n", expect.closeTo(n, 9)],
  ]);
  for (const { halfWidth, reached } of target!.released!.answers)
    expect(reached).toBeLessThanOrEqual(halfWidth);
  expect(release.notes.at(-1)).toMatch(/5 % of what request "first" released: .* reached$/);
  expect(await verified(release, JSON.stringify(first))).toEqual([
    "target passed: the noise that was bought reaches the stated target",
  ]);
  expect(await verified(release)).toEqual([expect.stringMatching(/^target not-made: .*needs that release/)]);
  expect(await verified(release, JSON.stringify(release))).toEqual([
    expect.stringMatching(/^target failed: the release that it is a share of is another/),
  ]);
  // Asked again: the same bytes at no charge.
  const before = await house.report();
  expect(await house.ask(question, { ...unpriced, requestId: "leaning" })).toEqual(release);
  expect(await house.report()).toEqual(before);
});

it("its plan is the very plan of the absolute target that follows", async () => {
  const text = "SELECT COUNT(*) AS n FROM visits";
  const explained = await explain(
    ofFirst(text),
    optionsOf({ epsilon: null }),
    house.house.policy,
    async () => first,
  );
  const absolute = await explain(
    text,
    { ...optionsOf({ epsilon: null }), targetError: parseRational(String(explained.target!.halfWidth)) },
    house.house.policy,
  );
  expect(explained.price).toEqual(absolute.price);
  expect(explained.target!.epsilon).toBe(absolute.target!.epsilon);
});

it("is for whoever asked, the owner, and who holds the release; and of no release but this ledger's", async () => {
  const text = "SELECT COUNT(*) AS n FROM visits";
  const lean = (principal: string, held?: unknown): Promise<Release> =>
    answer(
      {
        text,
        principal,
        requestId: `${principal} ${held === undefined}`,
        options: {
          ...optionsOf({ epsilon: null }),
          targetErrorRelative: parseRational("1/10"),
          targetRelease: "first",
          ...(held === undefined ? {} : { heldRelease: held }),
        },
      },
      house.house,
    );
  await expect(lean("bo")).rejects.toMatchObject({
    code: "query.option",
    message: /has no release under the id/,
  });
  expect((await lean("bo", first)).rows).toHaveLength(1);
  expect((await lean("owner")).rows).toHaveLength(1);
  const forged = structuredClone(first) as unknown as { rows: { value: number }[][] };
  forged.rows[0]![1]!.value *= 2;
  await expect(lean("owner", forged)).rejects.toMatchObject({ code: "release.invalid" });
  const { ledger } = house.house;
  await expect(earlierRelease("never", { principal: "owner" }, ledger)).rejects.toMatchObject({
    code: "query.option",
  });
  // What was changed in the store is not leaned on.
  const changed = {
    ...ledger,
    sign: (text: string) => ledger.sign(text),
    askersOf: async () => ["ana"],
    settled: async () => ({ principal: "ana", release: JSON.stringify(forged) }),
  };
  await expect(earlierRelease("first", { principal: "owner" }, changed as never)).rejects.toMatchObject({
    code: "release.invalid",
  });
});

it.each([
  ["another name", "SELECT COUNT(*) FROM visits", /has no column "count" of numbers/],
  ["a quantile", "SELECT MEDIAN(cost) AS n FROM visits", /how far values lie apart/],
  ["totals", "SELECT ward, COUNT(*) AS n FROM visits GROUP BY ROLLUP (ward)", /totals/],
])("%s is refused", async (_, question, says) => {
  const asking = house.ask(ofFirst(question), unpriced);
  await expect(asking).rejects.toMatchObject({ code: "query.option", message: expect.stringMatching(says) });
});
