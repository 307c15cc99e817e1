import { lossFromJson, parseRational, toText } from "@lethe/core";
import { lossFits } from "@lethe/core/accounting";
import { compare, multiply, ratio } from "@lethe/core/numeric";
import type { Engine } from "@lethe/query";
import { verifyRelease } from "@lethe/verify";
import { afterAll, describe, expect, it } from "vitest";
import { openHouse, type TestHouse } from "../testing/open-house.ts";
import { personPolicy, visitsCsv } from "../testing/visits.ts";
import { answerWorkload } from "./answer-workload.ts";
import type { Rounds, Workload, WorkloadOptions } from "./workload.ts";
import type { WorkloadRelease } from "./workload-release.ts";

const closing: TestHouse[] = [];
afterAll(async () => {
  for (const house of closing) await house.close();
});

const budgets = {
  pure: "{ measure: pure, epsilon: 100000 }",
  approximate: "{ measure: approximate, epsilon: 100000, delta: 1e-2 }",
  zcdp: "{ measure: zcdp, rho: 100000, delta: 1e-5 }",
} as const;

async function opened(measure: keyof typeof budgets = "pure"): Promise<TestHouse> {
  const house = await openHouse(personPolicy(budgets[measure]), visitsCsv);
  closing.push(house);
  return house;
}

const texts = [
  "SELECT COUNT(*) AS n, COUNT(DISTINCT person) AS people FROM visits",
  "SELECT ward, COUNT(*) AS n FROM visits GROUP BY ward",
];

function workloadOf(asked: {
  readonly texts?: readonly string[];
  readonly requestId?: string;
  readonly rounds?: Rounds;
  readonly options?: Partial<WorkloadOptions>;
}): Workload {
  const { requestId = "w", options = {}, rounds } = asked;
  return {
    title: "two questions",
    texts: asked.texts ?? texts,
    principal: "owner",
    requestId,
    ...(rounds ? { rounds } : {}),
    options: {
      epsilon: parseRational("2"),
      delta: null,
      confidence: 0.95,
      acceptUninformative: true,
      ...options,
    },
  };
}

async function failures(
  release: WorkloadRelease,
  { policyText, house }: TestHouse,
): Promise<readonly unknown[]> {
  const given = { policyText, publicKeyPem: house.ledger.publicKey };
  const { checks } = await verifyRelease(JSON.stringify(release), given);
  expect(checks.length).toBeGreaterThan(20);
  return checks.filter(
    ({ name, outcome }) => outcome === "failed" || (outcome === "not-made" && name !== "plain-price"),
  );
}

describe("several questions under one charge", () => {
  for (const measure of ["pure", "approximate", "zcdp"] as const) {
    it(`are paid once, at no more than was asked and hardly below, and verify: ${measure}`, async () => {
      const visitors = await opened(measure);
      for (const delta of measure === "approximate" ? [null, parseRational("1e-6")] : [null]) {
        const before = (await visitors.report()).charges.length;
        const asked = workloadOf({ requestId: `w ${delta}`, options: { delta } });
        const release = await answerWorkload(asked, visitors.house);
        expect(release.answers.map(({ rows }) => rows.length)).toEqual([1, 2]);
        expect(await failures(release, visitors)).toEqual([]);
        const { charges } = await visitors.report();
        expect(charges.length).toBe(before + 1);
        const { loss, text } = charges[before]!;
        expect(text).toBe("two questions");
        expect(lossFits(loss, lossFromJson(release.certificate.charge))).toBe(true);
        if (loss.measure === "zcdp") continue;
        expect(compare(loss.epsilon, ratio(2n))).toBeLessThanOrEqual(0);
        expect(compare(loss.epsilon, multiply(ratio(2n), ratio(98n, 100n)))).toBeGreaterThan(0);
      }
    });
  }

  it("share the price as the answers of one question do", async () => {
    const visitors = await opened();
    // Neither has its noise together with the other, as counts of rows and of units would.
    const text = "SELECT COUNT(*), COUNT(DISTINCT ward) FROM visits";
    const one = await answerWorkload(workloadOf({ requestId: "1", texts: [text] }), visitors.house);
    const alone = await visitors.ask(text, { epsilon: "2" });
    expect(one.certificate.workload.plans[0]).toEqual(alone.certificate.plan);
    const both = await answerWorkload(
      workloadOf({
        requestId: "2",
        texts: ["SELECT COUNT(*) FROM visits", "SELECT COUNT(DISTINCT ward) FROM visits"],
      }),
      visitors.house,
    );
    const noises = both.certificate.workload.plans.flatMap(({ measurements }) =>
      measurements.map(({ noise }) => noise),
    );
    expect(noises).toEqual(alone.certificate.plan.measurements.map(({ noise }) => noise));
  });

  it("give the same bytes when they are asked again, at no charge, and are refused under another hash", async () => {
    const visitors = await opened();
    const first = await answerWorkload(workloadOf({}), visitors.house);
    const again = await answerWorkload(workloadOf({}), visitors.house);
    expect(JSON.stringify(again)).toBe(JSON.stringify(first));
    expect((await visitors.report()).charges).toHaveLength(1);
    for (const other of [
      workloadOf({ texts: texts.slice(1) }),
      workloadOf({ options: { epsilon: parseRational("1") } }),
      workloadOf({ rounds: { count: 2, next: () => texts } }),
      { ...workloadOf({}), title: "other" },
    ])
      await expect(answerWorkload(other, visitors.house)).rejects.toMatchObject({ code: "ledger.request" });
    await expect(visitors.ask(texts[0]!, { requestId: "w" })).rejects.toMatchObject({
      code: "ledger.request",
    });
  });

  it("keep their charge when the database fails at the second, and answer under it later", async () => {
    const visitors = await opened();
    let runs = 0;
    const failing: Engine = {
      dialect: visitors.house.engine.dialect,
      storage: (table) => visitors.house.engine.storage(table),
      rows: (query) => visitors.house.engine.rows(query),
      published: (query) => visitors.house.engine.published(query),
      close: async () => undefined,
      run: (query) => {
        runs += 1;
        return runs < 2
          ? visitors.house.engine.run(query)
          : Promise.reject(new Error("cannot cast 'city4945'"));
      },
    };
    const refused = answerWorkload(workloadOf({}), { ...visitors.house, engine: failing });
    await expect(refused).rejects.toMatchObject({ code: "engine.failed" });
    await expect(refused).rejects.not.toThrow(/4945/);
    expect((await visitors.report()).charges.map(({ state }) => state)).toEqual(["failed"]);
    const release = await answerWorkload(workloadOf({}), visitors.house);
    expect(await failures(release, visitors)).toEqual([]);
    expect((await visitors.report()).charges.map(({ state }) => state)).toEqual(["settled"]);
  });

  it.each([
    ["no question", [], {}, "query.option"],
    [
      "a price inside a question",
      ["SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1) COUNT(*) FROM visits"],
      {},
      "query.option",
    ],
    [
      "bounds that are learned",
      ["SELECT SUM(cost, contribution_bounds_per_row => auto) FROM visits"],
      {},
      "query.unsupported",
    ],
    [
      "a text that asks several private questions",
      ["SELECT COUNT(*) AS n FROM visits UNION ALL SELECT COUNT(*) FROM visits WHERE stay > 0"],
      {},
      "query.unsupported",
    ],
    ["a text that is no question", ["SELECT * FROM visits"], {}, undefined],
  ] as const)("refuse %s before anything is charged", async (_, asked, options, code) => {
    const visitors = await opened();
    const refused = answerWorkload(workloadOf({ texts: asked, options }), visitors.house);
    await expect(refused).rejects.toMatchObject(code ? { code } : { name: "LetheError" });
    expect((await visitors.report()).charges).toHaveLength(0);
  });
});

describe("rounds", () => {
  const round = (limit: number): string[] => [`SELECT COUNT(*) AS n FROM visits WHERE stay < ${limit}`];

  it("ask what follows from the answers before, under the charge of all", async () => {
    const visitors = await opened();
    const seen: number[] = [];
    const next: Rounds["next"] = (answers) => {
      seen.push(answers.length);
      expect(answers.at(-1)?.certificate.plan.text).toBe(round(answers.length)[0]);
      return round(answers.length + 1);
    };
    const asked = workloadOf({ texts: round(1), rounds: { count: 3, next } });
    const release = await answerWorkload(asked, visitors.house);
    expect(seen).toEqual([1, 2]);
    expect(release.certificate.workload.plans.map(({ text }) => text)).toEqual([1, 2, 3].flatMap(round));
    expect(await failures(release, visitors)).toEqual([]);
    const [charge, ...ofRounds] = (await visitors.report()).charges;
    // The answers of all rounds but the last are durable, at no price, before the next is asked.
    expect(
      ofRounds.map(({ requestId, state, loss }) => [requestId, state, JSON.stringify(loss.measure)]),
    ).toEqual([
      ["w (round 1)", "settled", '"pure"'],
      ["w (round 2)", "settled", '"pure"'],
    ]);
    for (const { loss } of ofRounds)
      expect(toText(loss.measure === "pure" ? loss.epsilon : ratio(1n))).toBe("0");
    expect(charge?.loss).toMatchObject({ measure: "pure" });
    expect(toText(charge?.loss.measure === "pure" ? charge.loss.epsilon : ratio(0n))).toBe("2");
  });

  it("fail where a round asks for more than was paid for, and release nothing", async () => {
    const visitors = await opened();
    for (const [at, more] of [
      ["SELECT SUM(stay) AS n FROM visits"],
      ["SELECT COUNT(*) AS n, SUM(stay) FROM visits"],
      [...round(1), ...round(2)],
      [],
    ].entries()) {
      const asked = workloadOf({
        requestId: `${at}`,
        texts: round(1),
        rounds: { count: 2, next: () => more },
      });
      await expect(answerWorkload(asked, visitors.house)).rejects.toMatchObject({ name: "LetheError" });
    }
    const { charges } = await visitors.report();
    expect(charges.filter(({ requestId }) => !requestId.includes("round")).map(({ state }) => state)).toEqual(
      ["failed", "failed", "failed", "failed"],
    );
  });

  it("never show a second draw: asked again after a failure, or at once, they go on from the same answers", async () => {
    const visitors = await opened();
    const shown = new Set<unknown>();
    const failing: Rounds["next"] = (answers) => {
      shown.add(JSON.stringify(answers[0]?.rows));
      return [`SELECT nothing_${shown.size} FROM visits`];
    };
    const options = { epsilon: parseRational("1/100") };
    for (let again = 0; again < 5; again += 1) {
      const asked = workloadOf({ texts: round(1), rounds: { count: 2, next: failing }, options });
      await expect(answerWorkload(asked, visitors.house)).rejects.toMatchObject({ name: "LetheError" });
    }
    expect(shown.size).toBe(1);
    const seen = new Set<unknown>();
    const next: Rounds["next"] = (answers) => {
      seen.add(JSON.stringify(answers[0]?.rows));
      return round(2);
    };
    const asked = workloadOf({ requestId: "at once", texts: round(1), rounds: { count: 2, next }, options });
    const releases = await Promise.all(
      Array.from({ length: 8 }, () => answerWorkload(asked, visitors.house)),
    );
    expect(seen.size).toBe(1);
    expect(new Set(releases.map((release) => JSON.stringify(release))).size).toBe(1);
  });

  it("need an id that leaves room for theirs", async () => {
    const visitors = await opened();
    const asked = workloadOf({
      requestId: "i".repeat(195),
      texts: round(1),
      rounds: { count: 2, next: () => round(2) },
    });
    await expect(answerWorkload(asked, visitors.house)).rejects.toMatchObject({ code: "parameter.invalid" });
    expect((await visitors.report()).charges).toEqual([]);
  });
});

describe("a release of a workload that was tampered with fails", () => {
  it("wherever it was changed", async () => {
    const visitors = await opened();
    const release = await answerWorkload(workloadOf({}), visitors.house);
    const json = JSON.stringify(release);
    const forgeries: readonly [string, (copy: WorkloadRelease & Record<string, never>) => unknown][] = [
      ["rows", (copy) => ({ ...copy, answers: [copy.answers[1], copy.answers[1]] })],
      ["workload", (copy) => ({ ...copy, answers: copy.answers.slice(1) })],
      [
        "workload",
        (copy) => ({
          ...copy,
          certificate: {
            ...copy.certificate,
            workload: { ...copy.certificate.workload, event: copy.certificate.workload.plans[0]?.event },
          },
        }),
      ],
      [
        "price",
        (copy) => ({
          ...copy,
          certificate: { ...copy.certificate, charge: { measure: "pure", epsilon: "1/2" } },
        }),
      ],
    ];
    for (const [name, forge] of forgeries) {
      const { checks } = await verifyRelease(JSON.stringify(forge(JSON.parse(json))), {
        policyText: visitors.policyText,
        publicKeyPem: visitors.house.ledger.publicKey,
      });
      const failed = checks.filter(({ outcome }) => outcome === "failed").map((each) => each.name);
      expect(failed).toContain(name);
    }
  });
});
