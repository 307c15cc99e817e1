import { lossFromJson, parseRational } from "@lethe/core";
import { lossFits } from "@lethe/core/accounting";
import { ratio } from "@lethe/core/numeric";
import { verifyRelease } from "@lethe/verify";
import { afterAll, describe, expect, it } from "vitest";
import type { Release } from "../release.ts";
import { planText } from "../resolved-question.ts";
import { releaseRows } from "../rows/release-rows.ts";
import { openHouse, optionsOf, type TestHouse } from "../testing/open-house.ts";
import { personPolicy, visitsCsv } from "../testing/visits.ts";

const closing: TestHouse[] = [];
afterAll(async () => {
  for (const house of closing) await house.close();
});

const budgets = {
  pure: "{ measure: pure, epsilon: 4000 }",
  approximate: "{ measure: approximate, epsilon: 4000, delta: 1e-2 }",
  zcdp: "{ measure: zcdp, rho: 4000, delta: 1e-5 }",
} as const;

async function opened(measure: keyof typeof budgets = "pure"): Promise<TestHouse> {
  const house = await openHouse(personPolicy(budgets[measure]), visitsCsv);
  closing.push(house);
  return house;
}

const text = `
WITH wards AS (SELECT ward, COUNT(*) AS n FROM visits GROUP BY ward),
     dear AS (SELECT ward, SUM(cost) AS s FROM visits WHERE cost > 100 GROUP BY ward)
SELECT wards.ward, n, s / n AS per_visit, n * 1.0 / (SELECT COUNT(DISTINCT person) FROM visits) AS visits_each
FROM wards JOIN dear ON dear.ward = wards.ward ORDER BY wards.ward`;
const privately = `
WITH a AS (SELECT city, COUNT(*) AS n FROM visits GROUP BY city), b AS (SELECT COUNT(*) AS n FROM visits WHERE stay > 0)
SELECT a.city, a.n * 1.0 / b.n AS share FROM a CROSS JOIN b`;

async function checksOf(release: unknown, { policyText, house }: TestHouse) {
  const { checks } = await verifyRelease(JSON.stringify(release), {
    policyText,
    publicKeyPem: house.ledger.publicKey,
  });
  return checks;
}

describe("several private questions in one text", () => {
  for (const measure of ["pure", "approximate", "zcdp"] as const)
    it(`are charged once, at what the text states, and verify: ${measure}`, async () => {
      const visits = await opened(measure);
      for (const [at, asked] of (measure === "pure" ? [text] : [text, privately]).entries()) {
        const delta = measure === "approximate" ? { delta: "1e-6" } : {};
        const release = await visits.ask(asked, { epsilon: "60", ...delta });
        expect(release.others).toHaveLength(asked === text ? 2 : 1);
        expect(release.over?.rows.length).toBeGreaterThan(1);
        const made = await checksOf(release, visits);
        expect(made.filter(({ outcome, name }) => outcome !== "passed" && name !== "plain-price")).toEqual(
          [],
        );
        expect(made.map(({ name }) => name)).toContain("questions");
        const { charges } = await visits.report();
        expect(charges).toHaveLength(at + 1);
        const charge = charges[at];
        expect(charge && lossFits(charge.loss, lossFromJson(release.certificate.plan.price))).toBe(true);
        if (charge?.loss.measure === "pure") expect(charge.loss.epsilon).toEqual(ratio(60n));
      }
    });

  it("are refused whole where the budget does not hold all of them", async () => {
    const visits = await opened();
    await visits.ask("SELECT COUNT(*) FROM visits", { epsilon: "3950" });
    await expect(visits.ask(text, { epsilon: "60" })).rejects.toMatchObject({ code: "ledger.budget" });
    expect((await visits.report()).charges).toHaveLength(1);
  });

  it("show nothing where the database fails at the last, and are answered under the same charge later", async () => {
    const visits = await opened();
    let runs = 0;
    const failing = {
      run: (query: Parameters<typeof visits.house.engine.run>[0]) => {
        runs += 1;
        return runs < 3 ? visits.house.engine.run(query) : Promise.reject(new Error("city 4945"));
      },
    };
    const refused = visits.ask(text, { epsilon: "60", requestId: "r", engine: failing });
    await expect(refused).rejects.toMatchObject({ code: "engine.failed" });
    expect((await visits.report()).charges.map(({ state }) => state)).toEqual(["failed"]);
    const release = await visits.ask(text, { epsilon: "60", requestId: "r" });
    expect((await visits.report()).charges.map(({ state }) => state)).toEqual(["settled"]);
    expect(await visits.ask(text, { epsilon: "60", requestId: "r" })).toEqual(release);
  });

  it("draw noise once for a question that is asked under several names", async () => {
    const visits = await opened();
    const asked = `WITH a AS (SELECT COUNT(*) AS n FROM visits), b AS (SELECT COUNT(*) AS k FROM visits)
      SELECT n, k, (SELECT COUNT(*) FROM visits) AS again, n - k AS nothing FROM a CROSS JOIN b`;
    const release = await visits.ask(asked, { epsilon: "1/10" });
    expect(release.others).toBeUndefined();
    const [row = []] = release.over?.rows ?? [];
    const values = row.map((cell) =>
      typeof cell === "object" && cell && "value" in cell ? cell.value : null,
    );
    expect(new Set(values.slice(0, 3)).size).toBe(1);
    expect(values[3]).toBe(0);
    const single = await planText(
      "SELECT COUNT(*) AS n FROM visits",
      optionsOf({ epsilon: "1/10" }),
      visits.house.policy,
    );
    expect(release.certificate.plan.event).toEqual(single.event);
  });

  it("are refused before a charge where a target error or learned bounds are asked, and in a workload", async () => {
    const visits = await opened();
    const dear = text.replace("SUM(cost)", "SUM(cost, contribution_bounds_per_row => auto)");
    await expect(visits.ask(dear)).rejects.toMatchObject({ code: "query.unsupported" });
    const targeted = `SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(target_error = 5) COUNT(*) AS n FROM visits UNION ALL SELECT COUNT(*) FROM visits WHERE stay > 0`;
    await expect(visits.ask(targeted, { epsilon: null })).rejects.toMatchObject({ name: "LetheError" });
    expect((await visits.report()).charges).toHaveLength(0);
  });

  it("are never drawn where the record that was paid leaves one out", async () => {
    const visits = await opened();
    const plan = await planText(text, optionsOf({ epsilon: "60" }), visits.house.policy);
    const [first] = plan.event.kind === "compose" ? plan.event.events : [];
    const paid = { loss: lossFromJson(plan.price) } as Parameters<typeof releaseRows>[2];
    const unread = () => Promise.reject(new Error("rows were read"));
    for (const event of [first, { kind: "compose", version: 1, events: [first] }] as (typeof plan.event)[])
      await expect(releaseRows({ ...plan, event }, unread, paid, undefined as never, 0.95)).rejects.toThrow(
        "not that of all its questions",
      );
    const less = { loss: { measure: "pure", epsilon: parseRational("59") } } as typeof paid;
    await expect(releaseRows(plan, unread, less, undefined as never, 0.95)).rejects.toThrow("does not cover");
  });
});

describe("a release of several questions that was tampered with", () => {
  type Copy = { -readonly [K in keyof Release]: Release[K] };
  const forgeries: readonly (readonly [string, string, (copy: Copy) => object])[] = [
    [
      "an answer is another",
      "rows",
      ({ others = [], ...copy }) => ({
        ...copy,
        others: others.map((one) => ({ ...one, rows: others[0]?.rows })),
      }),
    ],
    [
      "what is shown is of other numbers",
      "over",
      ({ over, ...copy }) => ({
        ...copy,
        over: { ...over, rows: over?.rows.map((row) => [row[0], row[1], row[3], row[2]]) },
      }),
    ],
    [
      "the event leaves one question out",
      "questions",
      (copy) => {
        const { plan } = copy.certificate;
        const events = plan.event.kind === "compose" ? plan.event.events.slice(0, 2) : [];
        return {
          ...copy,
          certificate: {
            ...copy.certificate,
            plan: { ...plan, event: { kind: "compose", version: 1, events } },
          },
        };
      },
    ],
    [
      "a question has less noise than was charged",
      "event",
      (copy) => {
        const { plan } = copy.certificate;
        const others = (plan.others ?? []).map(({ name, plan: other }) => ({
          name,
          plan: {
            ...other,
            measurements: other.measurements.map((each) => ({
              ...each,
              noise: { mechanism: "discrete-laplace@1", scale: "1/100" },
            })),
          },
        }));
        return { ...copy, certificate: { ...copy.certificate, plan: { ...plan, others } } };
      },
    ],
    [
      "a question states a lower sensitivity",
      "sensitivity",
      (copy) => {
        const { plan } = copy.certificate;
        const others = (plan.others ?? []).map(({ name, plan: other }) => ({
          name,
          plan: {
            ...other,
            measurements: other.measurements.map((each) => ({ ...each, l1: "1", l2Squared: "1" })),
          },
        }));
        return { ...copy, certificate: { ...copy.certificate, plan: { ...plan, others } } };
      },
    ],
    [
      "a question is of another text",
      "questions",
      (copy) => {
        const { plan } = copy.certificate;
        const others = (plan.others ?? []).map(({ name, plan: other }) => ({
          name,
          plan: { ...other, text: "SELECT 1" },
        }));
        return { ...copy, certificate: { ...copy.certificate, plan: { ...plan, others } } };
      },
    ],
    [
      "the price of a question alone is too low",
      "questions",
      (copy) => {
        const { plan } = copy.certificate;
        const others = (plan.others ?? []).map(({ name, plan: other }) => ({
          name,
          plan: { ...other, price: { measure: "pure", epsilon: "1" } },
        }));
        return { ...copy, certificate: { ...copy.certificate, plan: { ...plan, others } } };
      },
    ],
    [
      "a question filters otherwise",
      "question",
      (copy) => {
        const { plan } = copy.certificate;
        const others = (plan.others ?? []).map(({ name, plan: other }) => ({
          name,
          plan: { ...other, where: null },
        }));
        return { ...copy, certificate: { ...copy.certificate, plan: { ...plan, others } } };
      },
    ],
    [
      "an interval of another answer is narrower",
      "intervals",
      ({ others = [], ...copy }) => ({
        ...copy,
        others: others.map((one) => ({
          ...one,
          rows: one.rows.map((row) =>
            row.map((cell) =>
              typeof cell === "object" && cell && "lower" in cell ? { ...cell, upper: cell.value } : cell,
            ),
          ),
        })),
      }),
    ],
    [
      "a note on another answer is gone",
      "notes",
      ({ others = [], ...copy }) => ({ ...copy, others: others.map((one) => ({ ...one, notes: [] })) }),
    ],
  ];
  it.each(forgeries)("fails where %s", async (_, name, forge) => {
    const visits = await opened();
    const release = await visits.ask(text, { epsilon: "60" });
    const made = await checksOf(forge(structuredClone(release)), visits);
    expect(made.filter(({ outcome }) => outcome === "failed").map((each) => each.name)).toContain(name);
  });

  it.each<readonly [string, (copy: Copy) => object]>([
    ["an answer is left out", ({ others = [], ...copy }) => ({ ...copy, others: others.slice(1) })],
    [
      "answers change their places",
      ({ others = [], ...copy }) => ({ ...copy, others: [...others].reverse() }),
    ],
    [
      "two questions have one name",
      (copy) => {
        const { plan } = copy.certificate;
        const named = <T extends { name: string }>(all: readonly T[] = []) =>
          all.map((one) => ({ ...one, name: "x" }));
        return {
          ...copy,
          others: named(copy.others),
          certificate: { ...copy.certificate, plan: { ...plan, others: named(plan.others) } },
        };
      },
    ],
    [
      "a question has questions of its own",
      (copy) => {
        const { plan } = copy.certificate;
        const others = (plan.others ?? []).map(({ name, plan: other }) => ({
          name,
          plan: { ...other, others: plan.others },
        }));
        return { ...copy, certificate: { ...copy.certificate, plan: { ...plan, others } } };
      },
    ],
  ])("is no release where %s", async (_, forge) => {
    const visits = await opened();
    const release = await visits.ask(text, { epsilon: "60" });
    await expect(checksOf(forge(structuredClone(release)), visits)).rejects.toMatchObject({
      code: "release.invalid",
    });
  });
});
