import { LetheError, type PrivacyLossText, parseRational, toDouble } from "@lethe/core";
import { type Plan, readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import type { Certificate, Release } from "../format/release.ts";
import { asRead } from "../testing/as-read.ts";
import { spentOf } from "../testing/forgeries/forgery.ts";
import { sample } from "../testing/people.ts";
import { samplePlan } from "../testing/sample-release.ts";
import { at, changed, released } from "../testing/targeted.ts";
import { check, passed, verdict } from "./check.ts";
import { groupingsAmiss } from "./groupings.ts";
import { intervalsFollow } from "./intervals.ts";
import { measurementsExist, sensitivitiesHold } from "./noise.ts";
import { publicKeysAreThePolicys, unitIsThePolicys } from "./policy.ts";
import { accountAddsUp, chargeCoversTheEvent, lossesHold, plainSumAgrees } from "./price.ts";
import { targetIsReached } from "./target.ts";
import { totalsAmiss } from "./totals.ts";

/* Every check at its limit: what is equal passes, and the next step beyond fails. */

const ofUnits = "SELECT sector, COUNT(*), SUM(change) FROM people GROUP BY sector";
const releaseOf = async (text: string, more: object = {}): Promise<Release> =>
  (await sample({ text, ...more })).release;
const certificateOf = async (text: string, more: object = {}): Promise<Certificate> =>
  (await releaseOf(text, more)).certificate;

describe("a verdict", () => {
  it("says its sentence, the one finding, or the first and how many more", async () => {
    expect(verdict([], "all is well")).toEqual({ outcome: "passed", says: "all is well" });
    expect(verdict(["a"], "")).toEqual({ outcome: "failed", says: "a" });
    expect(verdict(["a", "b", "c"], "")).toEqual({ outcome: "failed", says: "a (and 2 more)" });
  });

  it("has failed where the derivation breaks down, and quotes known errors alone", async () => {
    const told = (error: unknown): Promise<unknown> =>
      check("x", () => {
        throw error;
      });
    const failed = (says: string): object => ({ name: "x", outcome: "failed", says });
    expect(await told(new RangeError("why"))).toEqual(failed("cannot be derived: why"));
    const known = new LetheError("internal.invariant", "why not", { fix: "none" });
    expect(await told(known)).toEqual(failed(`cannot be derived: ${known.message}`));
    expect(await told(new TypeError("secret"))).toEqual(failed("cannot be derived"));
    expect(await check("y", () => passed("so"))).toEqual({ name: "y", outcome: "passed", says: "so" });
  });
});

describe("sensitivities", () => {
  it.each([
    ["l1", ofUnits],
    ["l2Squared", ofUnits],
    ["l1", "SELECT SKEWNESS(change) FROM people"],
    ["l2Squared", "SELECT SKEWNESS(wage) FROM people"],
  ] as const)("hold where %s is what is derived, or more: %s", async (field, text) => {
    const { plan } = await certificateOf(text, { unit: "id" });
    for (const [place, measurement] of plan.measurements.entries()) {
      const outcome = (more: bigint): string =>
        sensitivitiesHold({
          ...plan,
          measurements: plan.measurements.map((each, other) =>
            other === place ? { ...each, [field]: `${BigInt(measurement[field]) + more}` } : each,
          ),
        }).outcome;
      expect([outcome(0n), outcome(1n), outcome(-1n)]).toEqual(["passed", "passed", "failed"]);
    }
  });

  it("hold of every tree, and of every total", async () => {
    const { plan } = await certificateOf("SELECT sector, MEDIAN(wage) FROM people GROUP BY sector");
    const outcome = (more: bigint): string =>
      sensitivitiesHold({
        ...plan,
        trees: plan.trees!.map((tree) => ({ ...tree, l1: `${BigInt(tree.l1) + more}` })),
      }).outcome;
    expect([outcome(0n), outcome(-1n)]).toEqual(["passed", "failed"]);
  });

  it("without noise hold of what no unit can change", async () => {
    const { plan } = await certificateOf("SELECT COUNT(*) FROM people", { adjacency: "replace-one" });
    const [counted] = plan.measurements;
    expect(counted!.noise.mechanism).toBe("constant@1");
    expect(sensitivitiesHold(plan).outcome).toBe("passed");
    const { plan: other } = await certificateOf("SELECT COUNT(*) FROM people");
    const bare = other.measurements.map((each) => ({ ...each, noise: { mechanism: "constant@1" } as const }));
    expect(sensitivitiesHold({ ...other, measurements: bare }).says).toMatch(/released without noise/);
  });
});

describe("what answers are made of", () => {
  const text =
    "SELECT COUNT(*), AVG(wage), VARIANCE(wage), COVAR_SAMP(wage, change), MEDIAN(wage) FROM people";
  it.each(["count", "sum", "squares", "products", "otherSum", "tree"])(
    "is what the plan names: %s",
    async (field) => {
      const { plan } = await certificateOf(text);
      const last = (field === "tree" ? plan.trees! : plan.measurements).at(-1)!.name;
      const outcome = (name: string): string => {
        const aggregates = plan.aggregates.map((each) => (field in each ? { ...each, [field]: name } : each));
        return measurementsExist({ ...plan, aggregates }).outcome;
      };
      expect(plan.aggregates.some((each) => field in each)).toBe(true);
      expect([outcome(last), outcome(`${last} `), outcome("")]).toEqual(["passed", "failed", "failed"]);
    },
  );

  it("reads sums that the plan names, and tells each name once", async () => {
    const { plan } = await certificateOf(text);
    const outcome = (sum: string): string => {
      const measurements = plan.measurements.map((each, place) =>
        place === 0 ? { ...each, terms: [{ ...each.terms[0]!, sum }] } : each,
      );
      return measurementsExist({ ...plan, measurements }).outcome;
    };
    expect([outcome(plan.sums.at(-1)!.name), outcome("others")]).toEqual(["passed", "failed"]);
    const named = plan.sums[0]!.name;
    const sums = [...plan.sums, { ...plan.sums[0]!, name: named }];
    expect(measurementsExist({ ...plan, sums }).says).toBe(`two sums are called ${JSON.stringify(named)}`);
    const [tree] = plan.trees!;
    const trees = [tree!, { ...tree!, name: plan.measurements[0]!.name }];
    expect(measurementsExist({ ...plan, trees }).says).toMatch(/^two measurements are called/);
  });
});

describe("a unit's contribution", () => {
  const limits = async (text: string, unit: string): Promise<(change: object) => string> => {
    const { release, policy } = await sample({ text, unit });
    const { plan } = release.certificate;
    return (change) => {
      const { says, outcome } = unitIsThePolicys(
        { ...plan, contribution: { ...plan.contribution, ...change } },
        readPolicy(policy),
      );
      return outcome === "passed" ? "passed" : says;
    };
  };

  it("is what the policy allows, or less", async () => {
    const told = await limits(ofUnits, "id");
    for (const fine of [{ groups: 3 }, { groups: 2 }, { rows: 4 }, { rows: 3 }])
      expect(told(fine)).toBe("passed");
    expect(told({ groups: 4 })).toMatch(/^a unit may be in more groups/);
    expect(told({ rows: 5 })).toMatch(/^a unit may have more rows/);
    expect(told({ enforced: false })).toMatch(/^the contribution of a unit is not bounded/);
    expect(told({ limit: "rows-before-filter" })).toMatch(/^contributions are not bounded where/);
  });

  it("is one group and one row where each row is a unit", async () => {
    const told = await limits(ofUnits, "row");
    expect(told({ groups: 1, rows: 1 })).toBe("passed");
    expect(told({ groups: 2, rows: 1 })).toMatch(/^a unit that is one row/);
    expect(told({ groups: 1, rows: 2 })).toMatch(/^a unit that is one row/);
  });
});

describe("public keys of bounded numbers", () => {
  const policyOf = (most: number): string => `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
tables: { people: { file: a.csv, unit: row, columns: { age: { type: integer, bounds: [1, ${most}], default: 1 } } } }
`;
  const outcome = async (most: number): Promise<string> => {
    const policyText = policyOf(most);
    const plan = await samplePlan("SELECT COUNT(*) FROM people", policyText, { epsilon: parseRational("1") });
    const domain = {
      type: "number",
      bounds: [1, most],
      integer: true,
      nullable: false,
      values: null,
    } as const;
    const keys = {
      parts: [{ name: "age", expression: { kind: "column", name: "age", domain } }],
      program: { kind: "public", declared: [[1], [most]] },
    } as unknown as Plan["keys"];
    return publicKeysAreThePolicys({ ...plan, keys }, readPolicy(policyText)).outcome;
  };
  it("are told up to a thousand", async () => {
    expect(await outcome(1000)).toBe("passed");
    expect(await outcome(1001)).toBe("failed");
  });
});

/** Odds that hold of any account. */
const noneHidden = { membershipAdvantage: 1, truePositives: 1, mu: null };

describe("what is paid", () => {
  const told = (paid: Certificate): string[] =>
    [chargeCoversTheEvent, plainSumAgrees, accountAddsUp].map((judge) => judge(paid).outcome);
  const scaled = (loss: PrivacyLossText, by: string): PrivacyLossText => {
    const field = "rho" in loss ? "rho" : "epsilon";
    const { num, den } = parseRational((loss as unknown as Record<string, string>)[field]!);
    const factor = parseRational(by);
    return { ...loss, [field]: `${num * factor.num}/${den * factor.den}` } as PrivacyLossText;
  };

  it.each(["pure", "zcdp"])(
    "covers the event exactly, or more; the least bit less does not: %s",
    async (measure) => {
      const paid = await certificateOf("SELECT COUNT(*), SUM(change) FROM people", { measure });
      const charging = (by: string): string[] => {
        const charge = scaled(paid.charge, by);
        const account = { ...paid.account, ...noneHidden };
        return told({ ...paid, charge, account, plan: { ...paid.plan, price: charge } });
      };
      expect(charging("1")).toEqual(["passed", "passed", "passed"]);
      expect(charging("999999999999/1000000000000")).toEqual(["failed", "failed", "passed"]);
      // More than all that is spent.
      expect(charging("1000000000001/1000000000000")).toEqual(["passed", "passed", "failed"]);
      expect(chargeCoversTheEvent({ ...paid, charge: scaled(paid.charge, "2") }).says).toMatch(
        /not what the plan states/,
      );
    },
  );

  it("is stated under other measures at no less", async () => {
    const paid = await certificateOf("SELECT COUNT(*) FROM people", { measure: "pure" });
    const other = paid.losses.find(({ measure }) => measure === "zcdp")!;
    const stating = (by: string): string => lossesHold({ ...paid, losses: [scaled(other, by)] }).outcome;
    expect([stating("1"), stating("1.000001"), stating("0.999999")]).toEqual(["passed", "passed", "failed"]);
    expect(
      lossesHold({ ...paid, losses: [scaled(paid.charge, "0.999"), scaled(other, "0.9")] }).says,
    ).toMatch(/less than the event costs \(and 1 more\)$/);
  });

  it("is within what was granted, to its end", async () => {
    const paid = await certificateOf("SELECT COUNT(*) FROM people", { measure: "pure" });
    const spending = (spent: string, left: string, more: object = {}): string => {
      const account = { ...paid.account, ...noneHidden, ...more };
      const loss = (epsilon: string): PrivacyLossText => ({ measure: "pure", epsilon });
      return accountAddsUp({ ...paid, account: { ...account, spent: loss(spent), left: loss(left) } }).says;
    };
    expect(spending("10", "0")).toMatch(/^of ε 10/);
    expect(spending("9", "1")).toMatch(/^of ε 10/);
    expect(spending("9", "10/9")).toMatch(/^granted less spent is not what is left/);
    expect(spending("11", "0")).toMatch(/^more is spent than was granted/);
    expect(spending("1/1000", "9999/1000")).toMatch(/^the charge is more than all that is spent/);
    const other = { granted: { measure: "zcdp", rho: "1", delta: "0" } };
    expect(spending("1", "9", other)).toBe("the account is kept in several measures");
  });

  it("gives the advantage that is stated, or less", async () => {
    for (const measure of ["pure", "approximate", "zcdp"]) {
      const paid = await certificateOf("SELECT COUNT(*) FROM people", { measure });
      const { membershipAdvantage: own } = spentOf({ certificate: paid });
      const stating = (membershipAdvantage: number): string =>
        accountAddsUp({ ...paid, account: { ...paid.account, membershipAdvantage } }).outcome;
      expect([own, own + 1e-6, 1, 2].map(stating), measure).toEqual(Array(4).fill("passed"));
      expect([0, -1, Number.NaN].map(stating), measure).toEqual(Array(3).fill("failed"));
      expect([own - 1e-13, own - 1e-11].map(stating), measure).toEqual(["passed", "failed"]);
    }
  });
});

describe("intervals", () => {
  it("may be off by a few last digits of a double, and no more", async () => {
    const release = await releaseOf("SELECT COUNT(*) FROM people");
    const [cell] = release.rows[0] as unknown as [{ value: number; lower: number; upper: number }];
    const size = Math.abs(cell.value) + Math.abs(cell.lower) + Math.abs(cell.upper);
    for (const field of ["lower", "upper"] as const) {
      const outcome = (off: number): string =>
        intervalsFollow({ ...release, rows: [[{ ...cell, [field]: cell[field] + off }]] }).outcome;
      for (const sign of [-1, 1]) {
        expect(outcome((sign * size) / 2 ** 51), field).toBe("passed");
        expect(outcome((sign * size) / 2 ** 48), field).toBe("failed");
      }
      expect(outcome(Number.NaN), field).toBe("failed");
    }
  });
});

describe("a target", () => {
  const half = 30;
  it("bounds intervals: twice its width, and not a step more", async () => {
    const release = await released(at(`target_error = ${half}`), {}, null);
    const told = async (upper: number | null): Promise<string> => {
      const rows = release.rows.map(([ward]) => [ward!, { value: 0, lower: 0, upper }]);
      return (await targetIsReached(asRead({ ...release, rows }), undefined, null)).says;
    };
    expect(await told(2 * half)).toMatch(/^the noise that was bought reaches/);
    expect(await told(null)).toMatch(/^the noise that was bought reaches/);
    expect(await told(2 * half * (1 + 1e-11))).toMatch(/^an interval of n is wider/);
  });

  it("is reached by its own error, to the last digit", async () => {
    const release = await released(at(`target_error = ${half}`), {}, null);
    const { reached } = release.certificate.target!;
    const told = async (error: number): Promise<string> =>
      (await targetIsReached(asRead(changed(release, { reached: error })), undefined, null)).outcome;
    expect(await told(reached!)).toBe("passed");
    for (const off of [2 ** -40, -(2 ** -40)]) expect(await told(reached! * (1 + off))).toBe("failed");
  });
});

describe("totals", () => {
  const policy = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 100, delta: 1e-3 }
tables:
  visits: { file: a.duckdb, unit: person, max_groups_contributed: 2, columns: {
    person: { type: text }, ward: { type: text }, kind: { type: text, categories: [a, b] } } }
`;
  const planned = (text: string): Promise<Plan> =>
    samplePlan(text, policy, { epsilon: parseRational("1"), delta: parseRational("1e-6") });
  const count = (value: number | null): object => ({ value, lower: value, upper: value });

  it("are the sums of their groups up to the last digits of doubles, each of them", async () => {
    const plan = await planned("SELECT kind, COUNT(*) AS n FROM visits GROUP BY ROLLUP (kind)");
    expect(plan.groupings).toEqual([["kind"], []]);
    const told = (values: readonly (number | null)[]): readonly string[] => {
      const kinds = ["a", "b", null, null];
      const rows = values.map((value, place) => [kinds[place], count(value)]);
      return [...totalsAmiss({ rows, certificate: { plan } } as unknown as Release)];
    };
    const amiss = ["the totals of n are not the sums of its groups"];
    const size = 2 ** 21;
    expect(told([size, -size, 0, 0])).toEqual([]);
    // Sizes add up to 2^22, of which 2^−40 is 2^−18.
    expect(told([size, -size, 0, 2 ** -18])).toEqual([]);
    expect(told([size, -size, 0, 2 ** -17])).toEqual(amiss);
    expect(told([5, 7, 1, 12])).toEqual(amiss);
    expect(told([5, 7, 1, null])).toEqual(amiss);
  });

  it("that are measured are the sums of what is released and left", async () => {
    const plan = await planned("SELECT ward, COUNT(*) AS n FROM visits GROUP BY ROLLUP (ward)");
    const told = (total: number | null, left = 3): readonly string[] => {
      const rows = [
        ["x", count(5)],
        [{ other: true }, count(left)],
        [null, count(total)],
      ];
      const groupings = [
        { grouping: 0, over: null },
        { grouping: 0, over: 1 },
        { grouping: 1, over: null },
      ];
      return [...totalsAmiss({ rows, groupings, certificate: { plan } } as unknown as Release)];
    };
    const amiss = [expect.stringMatching(/^the totals of n are not the sums/)];
    expect(told(8)).toEqual([]);
    expect(told(8 + 2 ** -38)).toEqual([]);
    expect(told(8 + 2 ** -36)).toEqual(amiss);
    expect(told(8 - 2 ** -36)).toEqual(amiss);
    expect(told(null)).toEqual(amiss);
    expect(told(3, -2)).toEqual([]);
  });

  it("take the share of the loss that they are said to, to a thousandth", async () => {
    const plan = await planned("SELECT ward, COUNT(*) AS n FROM visits GROUP BY ROLLUP (ward)");
    const [totals] = plan.totals!;
    const share = toDouble(parseRational(totals!.share), "down");
    const epsilonOf = (all: Plan["measurements"]): number =>
      all.reduce((sum, { l1, noise }) => {
        const { scale } = noise as { readonly scale: string };
        return sum + Number(l1) / toDouble(parseRational(scale), "down");
      }, 0);
    const own = epsilonOf(totals!.measurements);
    const taken = own / (own + epsilonOf(plan.measurements));
    expect(Math.abs(share - taken)).toBeLessThan(1e-3);
    const amiss = (stated: number): number =>
      [...groupingsAmiss({ ...plan, totals: [{ ...totals!, share: stated.toFixed(9) }] })].length;
    expect([0, 0.0009, -0.0009, 0.0011, -0.0011].map((off) => amiss(taken + off))).toEqual([0, 0, 0, 1, 1]);
  });
});
