import { inspect } from "node:util";
import { LetheError, toText } from "@lethe/core";
import { drawing, type Exact, type ExactRows } from "@lethe/core/mechanisms";
import { BitTape } from "@lethe/core/tape";
import type { Charge } from "@lethe/ledger";
import { verifyRelease } from "@lethe/verify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answer } from "./answer.ts";
import { type Estimate, isEstimate, type Release } from "./release.ts";
import { planText } from "./resolved-question.ts";
import { releaseRows } from "./rows/release-rows.ts";
import { type Asked, openHouse, optionsOf, type TestHouse } from "./testing/open-house.ts";
import { spentAccount } from "./testing/spent-account.ts";
import { personPolicy, rowPolicy, visits, visitsCsv } from "./testing/visits.ts";

const closing: TestHouse[] = [];

async function opened(policyText: string): Promise<TestHouse> {
  const house = await openHouse(policyText, visitsCsv);
  closing.push(house);
  return house;
}

afterAll(async () => {
  for (const house of closing) await house.close();
});

const code = (expected: string): unknown => expect.objectContaining({ code: expected });

function cellsOf(release: Release): readonly Estimate[] {
  return release.rows.flat().filter(isEstimate);
}

async function failedChecks(release: Release, { policyText, house }: TestHouse): Promise<readonly unknown[]> {
  const { checks } = await verifyRelease(JSON.stringify(release), {
    policyText,
    publicKeyPem: house.ledger.publicKey,
  });
  // The plain sum is a second way to the price, for those that have one.
  return checks.filter(
    ({ name, outcome }) => outcome === "failed" || (outcome === "not-made" && name !== "plain-price"),
  );
}

/** Enough that the noise of one question cannot hide a wrong answer: the error stays below 2 % of these totals. */
const generous = "200";

describe("a unit with many rows, approximate account", () => {
  let visitors: TestHouse;
  beforeAll(async () => {
    visitors = await opened(personPolicy("{ measure: approximate, epsilon: 100000, delta: 1e-2 }"));
  });

  it("answers for every public key, with intervals around the truth", async () => {
    const release = await visitors.ask(
      "SELECT ward, COUNT(*) AS n, SUM(cost) AS total, AVG(stay) AS mean FROM visits GROUP BY ward",
      { epsilon: generous, confidence: 0.999999 },
    );
    expect(release.columns).toEqual([
      { name: "ward", kind: "key" },
      { name: "n", kind: "aggregate" },
      { name: "total", kind: "aggregate" },
      { name: "mean", kind: "aggregate" },
    ]);
    expect(release.rows.map(([ward]) => ward)).toEqual(["north", "south"]);
    for (const [ward, n, total, mean] of release.rows) {
      const rows = visits.filter((visit) => visit.ward === ward);
      const stays = rows.reduce((sum, { stay }) => sum + stay, 0);
      const costs = rows.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
      for (const [cell, truth] of [
        [n, rows.length],
        [total, costs],
        [mean, stays / rows.length],
      ] as const) {
        expect((cell as Estimate).lower).toBeLessThanOrEqual(truth);
        expect((cell as Estimate).upper).toBeGreaterThanOrEqual(truth);
        expect(Math.abs((cell as Estimate).value! - truth)).toBeLessThan(0.02 * Math.abs(truth) + 0.2);
      }
    }
    expect(release.missing).toEqual([]);
    expect(release.notes[0]).toContain("at most 2 groups, with at most 4 rows");
    expect(await failedChecks(release, visitors)).toEqual([]);
  });

  it("selects private keys, and says how likely a group is missing", async () => {
    const release = await visitors.ask("SELECT city, COUNT(*) FROM visits GROUP BY city", {
      epsilon: generous,
      delta: "1e-6",
    });
    expect(release.rows.map(([city]) => city)).toEqual(["Kish", "Ur", "Uruk"]);
    const chances = release.missing.map(({ chance }) => chance);
    expect(chances.length).toBeGreaterThan(1);
    expect(chances).toEqual([...chances].sort((a, b) => b - a));
    expect(release.notes).toContainEqual(expect.stringContaining("small groups may be missing"));
    expect(await failedChecks(release, visitors)).toEqual([]);
  });

  it("releases no key that too few have", async () => {
    const release = await visitors.ask(
      "SELECT cost, COUNT(*) FROM visits WHERE cost IS NOT NULL GROUP BY cost",
      {
        epsilon: "1",
        delta: "1e-9",
      },
    );
    expect(release.rows).toEqual([]);
  });

  it("works HAVING, ORDER BY, OFFSET and LIMIT on noisy values alone, and says so", async () => {
    const release = await visitors.ask(
      "SELECT city, SUM(cost) AS total FROM visits GROUP BY city HAVING COUNT(*) > 100 ORDER BY total DESC LIMIT 2 OFFSET 1",
      { epsilon: generous, delta: "1e-6" },
    );
    const totals = cellsOf(release).map(({ value }) => value!);
    expect(totals).toHaveLength(2);
    expect(totals[0]).toBeGreaterThanOrEqual(totals[1]!);
    expect(release.notes).toContainEqual(expect.stringContaining("chosen by their noisy values"));
    const none = await visitors.ask("SELECT ward, COUNT(*) FROM visits GROUP BY ward HAVING COUNT(*) < 10", {
      epsilon: generous,
    });
    expect(none.rows).toEqual([]);
    expect(await failedChecks(none, visitors)).toEqual([]);
  });

  it("counts units, bounds what one unit brings", async () => {
    const release = await visitors.ask("SELECT COUNT(DISTINCT person) FROM visits", { epsilon: generous });
    expect(Math.abs(cellsOf(release)[0]!.value! - 500)).toBeLessThan(20);
  });

  it("is charged as planned; the account adds up; the certificate names the charge", async () => {
    const before = await visitors.report();
    const release = await visitors.ask("SELECT SUM(stay) FROM visits", { epsilon: "1/3" });
    const after = await visitors.report();
    const charge = after.charges.at(-1)!;
    expect(after.charges).toHaveLength(before.charges.length + 1);
    expect(charge).toMatchObject({ state: "settled", text: "SELECT SUM(stay) FROM visits" });
    expect(release.certificate.charge).toEqual({ measure: "approximate", epsilon: "1/3", delta: "0" });
    expect(release.certificate.ledger.sequence).toBe(charge.sequence);
    expect("epsilon" in after.spent && toText(after.spent.epsilon)).toBe(
      (spentAccount(release.certificate.account).spent as { epsilon: string }).epsilon,
    );
    expect(spentAccount(release.certificate.account).membershipAdvantage).toBeLessThanOrEqual(1);
  });

  it.each<[string, string, Asked?]>([
    ["query.syntax", "SELEC COUNT(*) FROM visits"],
    ["query.syntax", ""],
    ["query.unsupported", "SELECT cost FROM visits"],
    ["query.unsupported", "DROP TABLE visits"],
    ["query.unknown-table", "SELECT COUNT(*) FROM persons"],
    ["query.unknown-column", "SELECT SUM(costs) FROM visits"],
    ["query.unknown-function", "SELECT SUM(pg_sleep(1)) FROM visits"],
    ["query.type", "SELECT SUM(city) FROM visits"],
    ["query.missing-bounds", "SELECT MEDIAN(CAST(city AS double precision)) FROM visits"],
    ["query.option", "SELECT COUNT(*) FROM visits", { epsilon: null }],
    ["query.option", "SELECT COUNT(*) FROM visits", { epsilon: "0" }],
    ["query.option", "SELECT COUNT(*) FROM visits", { epsilon: "-1" }],
    ["query.option", "SELECT COUNT(*) FROM visits", { delta: "1" }],
    [
      "query.option",
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 2) COUNT(*) FROM visits",
      { epsilon: "1" },
    ],
    ["query.option", "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 2, nose = 1) COUNT(*) FROM visits"],
    [
      "query.option",
      "SELECT ward, COUNT(*) FROM visits GROUP BY ward LIMIT 1",
      { confidence: 0.5, delta: "-1" },
    ],
    ["parameter.invalid", "SELECT COUNT(*) FROM visits", { confidence: 95 }],
    ["parameter.invalid", "SELECT COUNT(*) FROM visits", { confidence: Number.NaN }],
    ["parameter.invalid", "SELECT COUNT(*) FROM visits", { requestId: "" }],
    ["parameter.invalid", "SELECT COUNT(*) FROM visits", { principal: "a\u001bb" }],
    ["ledger.budget", "SELECT COUNT(*) FROM visits", { epsilon: "999999" }],
  ])("charges nothing for what is refused: %s, %s", async (expected, text, asked) => {
    const before = (await visitors.report()).head;
    await expect(visitors.ask(text, asked)).rejects.toThrow(code(expected));
    expect((await visitors.report()).head).toEqual(before);
  });

  it("charges nothing when the schema does not fit", async () => {
    const before = (await visitors.report()).head;
    const refuse = async (): Promise<never> => {
      throw new LetheError("engine.schema", "the file has no column cost", { fix: "declare it" });
    };
    await expect(
      visitors.ask("SELECT SUM(cost) FROM visits", { engine: { storage: refuse } }),
    ).rejects.toThrow(code("engine.schema"));
    await expect(
      visitors.ask("SELECT SUM(cost) FROM visits", { engine: { dialect: "nosuch" } }),
    ).rejects.toThrow(code("internal.invariant"));
    expect((await visitors.report()).head).toEqual(before);
  });
});

describe("execution", () => {
  let visitors: TestHouse;
  beforeAll(async () => {
    visitors = await opened(personPolicy("{ measure: pure, epsilon: 20, analysts: { ana: 2 } }"));
  });
  const spent = async (): Promise<string> => {
    const { spent: loss } = await visitors.report();
    return "epsilon" in loss ? toText(loss.epsilon) : "";
  };

  it("charges before it touches, and never refunds", async () => {
    const before = (await visitors.report()).charges.length;
    let chargedBefore = -1;
    const run = async (): Promise<never> => {
      chargedBefore = (await visitors.report()).charges.length;
      throw new Error("row 7 holds 123456");
    };
    const asked: Asked = { requestId: "fails", epsilon: "1/2", engine: { run } };
    const failure = await visitors.ask("SELECT COUNT(*) FROM visits", asked).catch((error: unknown) => error);
    expect(chargedBefore).toBe(before + 1);
    expect(failure).toMatchObject({ code: "engine.failed" });
    expect(inspect(failure)).not.toContain("123456");
    const { charges } = await visitors.report();
    expect(charges.at(-1)).toMatchObject({ requestId: "fails", state: "failed" });

    // Another way to fail reads the same.
    const other = async (): Promise<never> => {
      throw new LetheError("engine.source", "the disk is full", { fix: "make room" });
    };
    const second = await visitors
      .ask("SELECT COUNT(*) FROM visits", { ...asked, engine: { run: other } })
      .catch((error: unknown) => error);
    expect({ ...(second as LetheError).toJSON() }).toEqual({ ...(failure as LetheError).toJSON() });

    // Asked again it runs under the same charge.
    const paid = await spent();
    const release = await visitors.ask("SELECT COUNT(*) FROM visits", { requestId: "fails", epsilon: "1/2" });
    expect(cellsOf(release)).toHaveLength(1);
    expect(await spent()).toBe(paid);
  });

  it("gives the same bytes for the same request id, at one charge", async () => {
    const asked: Asked = { requestId: "again", epsilon: "1/4" };
    const first = await visitors.ask("SELECT COUNT(*) FROM visits", asked);
    const before = (await visitors.report()).head;
    const neverRuns = async (): Promise<never> => {
      throw new Error("a settled request must not run");
    };
    const second = await visitors.ask("SELECT COUNT(*) FROM visits", {
      ...asked,
      engine: { run: neverRuns },
    });
    expect(JSON.stringify(second)).toBe(JSON.stringify(first));
    expect((await visitors.report()).head).toEqual(before);
  });

  it("refuses a request id for anything but the question it was first used for", async () => {
    await visitors.ask("SELECT COUNT(*) FROM visits", { requestId: "once", epsilon: "1/4" });
    const before = (await visitors.report()).head;
    for (const [text, asked] of [
      ["SELECT COUNT(*) FROM  visits", {}],
      ["SELECT COUNT(*) FROM visits", { epsilon: "1/8" }],
      ["SELECT COUNT(*) FROM visits", { confidence: 0.9 }],
      ["SELECT COUNT(*) FROM visits", { mechanism: "laplace" }],
    ] as const) {
      const again = visitors.ask(text, { epsilon: "1/4", requestId: "once", ...asked });
      await expect(again).rejects.toThrow(code("ledger.request"));
    }
    expect((await visitors.report()).head).toEqual(before);
  });

  it("of several at once with one id, all get the same bytes and one is charged", async () => {
    const before = (await visitors.report()).charges.length;
    const asked: Asked = { requestId: "together", epsilon: "1/4" };
    const releases = await Promise.all(
      Array.from({ length: 5 }, () => visitors.ask("SELECT AVG(stay) FROM visits", asked)),
    );
    expect(new Set(releases.map((release) => JSON.stringify(release))).size).toBe(1);
    expect((await visitors.report()).charges).toHaveLength(before + 1);
  });

  it("knows analysts and their share", async () => {
    await visitors.ask("SELECT COUNT(*) FROM visits", { principal: "ana", epsilon: "3/2" });
    const more = visitors.ask("SELECT COUNT(*) FROM visits", { principal: "ana", epsilon: "1" });
    await expect(more).rejects.toThrow(/ana's share .* ε 0\.5 is left/);
    const stranger = visitors.ask("SELECT COUNT(*) FROM visits", { principal: "eve", epsilon: "1/10" });
    await expect(stranger).rejects.toThrow(code("ledger.principal"));
  });

  it("says what would fit when the budget is exhausted, and that much does fit", async () => {
    const refusal = await visitors
      .ask("SELECT COUNT(*) FROM visits", { epsilon: "50" })
      .catch((error: unknown) => error as LetheError);
    expect(refusal).toMatchObject({ code: "ledger.budget" });
    const fits = String((refusal as LetheError).fields.fits);
    await visitors.ask("SELECT COUNT(*) FROM visits", { epsilon: fits });
    await expect(visitors.ask("SELECT COUNT(*) FROM visits", { epsilon: "1/1000" })).rejects.toThrow(
      code("ledger.budget"),
    );
  });
});

describe("zCDP account, a row a unit", () => {
  it("answers by Gaussian noise, and verifies", async () => {
    const rows = await opened(rowPolicy("{ measure: zcdp, rho: 1000, delta: 1e-4 }"));
    const release = await rows.ask("SELECT ward, COUNT(*), STDDEV(cost) FROM visits GROUP BY ward", {
      epsilon: "20",
      delta: "1e-6",
      mechanism: "gaussian",
      confidence: 0.999999,
    });
    expect(release.certificate.charge.measure).toBe("zcdp");
    expect(release.notes).toEqual([
      expect.stringContaining("the standard deviation of cost can only become too small"),
    ]);
    for (const [ward, n] of release.rows) {
      const truth = visits.filter((visit) => visit.ward === ward).length;
      expect((n as Estimate).lower).toBeLessThanOrEqual(truth);
      expect((n as Estimate).upper).toBeGreaterThanOrEqual(truth);
    }
    expect(await failedChecks(release, rows)).toEqual([]);
  });
});

describe("replace-one, a row a unit", () => {
  let rows: TestHouse;
  beforeAll(async () => {
    rows = await opened(rowPolicy("{ measure: pure, epsilon: 10 }", "replace-one"));
  });

  it("tells the number of units, which is public, exactly and for nothing", async () => {
    const release = await rows.ask("SELECT COUNT(*) FROM visits");
    expect(cellsOf(release)).toEqual([{ value: 1487, lower: 1487, upper: 1487 }]);
    expect(release.certificate.charge).toEqual({ measure: "pure", epsilon: "0" });
    expect(release.certificate.plan.measurements[0]).toMatchObject({
      l1: "0",
      noise: { mechanism: "constant@1" },
    });
    expect(await failedChecks(release, rows)).toEqual([]);
  });

  it("adds noise to the number that pass a filter", async () => {
    const release = await rows.ask("SELECT COUNT(*) FROM visits WHERE cost > 8000", { epsilon: "1/10" });
    const [cell] = cellsOf(release);
    expect(cell!.upper! - cell!.lower!).toBeGreaterThan(10);
    expect(release.certificate.charge).toEqual({ measure: "pure", epsilon: "1/10" });
  });
});

describe("nothing exact leaves", () => {
  const whole = (numbers: readonly (number | bigint)[]): RegExp => new RegExp(`\\b(${numbers.join("|")})\\b`);
  const costs = visits.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
  const stays = visits.reduce((sum, { stay }) => sum + stay, 0);

  it("in a release's JSON, nor in what is logged on the way", async () => {
    const rows = await opened(rowPolicy("{ measure: pure, epsilon: 100 }"));
    const sealed: Exact<ExactRows>[] = [];
    const run: TestHouse["house"]["engine"]["run"] = async (query) => {
      const exact = await rows.house.engine.run(query);
      sealed.push(exact);
      return exact;
    };
    // At the least ε there is, noise has scale 10^6 and more: each of the 3 numbers is hit with a chance below 10^-6.
    const release = await rows.ask("SELECT COUNT(*), SUM(cost), SUM(stay) FROM visits", {
      epsilon: "1/1000000",
      engine: { run },
    });
    const exponents = release.certificate.plan.aggregates.map((aggregate) =>
      "exponent" in aggregate ? aggregate.exponent : 0,
    );
    const onGrid = Math.round(costs / 2 ** exponents[1]!);
    const exact = [visits.length, costs, stays, onGrid];
    expect(JSON.stringify(release)).not.toMatch(whole(exact));
    expect(rows.logged.join("\n")).not.toMatch(whole(exact));
    expect(costs).toBeGreaterThan(1e7); // recognizable: no hash or date contains it as a word

    const [rowsOfIt] = sealed;
    expect(inspect(rowsOfIt, { depth: 9, showHidden: true })).not.toMatch(whole(exact));
    expect(() => JSON.stringify(rowsOfIt)).toThrow(TypeError);
    expect(() => String(rowsOfIt)).toThrow(TypeError);
    expect(Object.keys(rowsOfIt!)).toEqual([]);
  });

  it("and the search would find one", async () => {
    const rows = await opened(rowPolicy("{ measure: pure, epsilon: 100 }", "replace-one"));
    expect(JSON.stringify(await rows.ask("SELECT COUNT(*) FROM visits"))).toMatch(whole([visits.length]));
  });
});

describe("the price is a type", () => {
  it("refuses coins of a test, and a release that was not paid for, before anything runs", async () => {
    const rows = await opened(rowPolicy("{ measure: pure, epsilon: 1 }"));
    const plan = await planText("SELECT COUNT(*) FROM visits", optionsOf({}), rows.house.policy);
    const draws = drawing(rows.house.entropy);
    const { noise, selection, tree } = draws;
    const forgedDraws = { noise, selection, tree };
    const question = { text: "", principal: "owner", requestId: "r", options: optionsOf({}) };
    const forged = { requestId: "r", principal: "owner", sequence: 1, hash: "00" };
    // Compiled, never called: tsc refuses the test suite if one of these lines became legal.
    const misuses = (exact: () => Promise<readonly Exact<ExactRows>[]>, paid: Charge): unknown[] => [
      // @ts-expect-error a tape is no secure source
      releaseRows(plan, exact, paid, drawing(new BitTape([1, 2, 3])), 0.95),
      // @ts-expect-error nor is anything else that hands out words
      releaseRows(plan, exact, paid, drawing({ word: () => 4, forget: () => undefined }), 0.95),
      // @ts-expect-error what draws is made by core alone
      releaseRows(plan, exact, paid, { ...forgedDraws }, 0.95),
      // @ts-expect-error a house has secure coins
      answer(question, { ...rows.house, entropy: new BitTape([1, 2, 3]) }),
      // @ts-expect-error an object of the same shape is no charge
      releaseRows(plan, exact, { ...forged, loss: paid.loss }, draws, 0.95),
      // @ts-expect-error no charge at all
      releaseRows(plan, exact, undefined, draws, 0.95),
      // @ts-expect-error rows that nobody sealed
      releaseRows(plan, async () => [{ groups: [] }], paid, draws, 0.95),
    ];
    expect(misuses).toHaveLength(2);
  });
});
