import { verifyRelease } from "@lethe/verify";
import { afterAll, describe, expect, it } from "vitest";
import { asShown, isEstimate, type Release } from "../release.ts";
import { planText } from "../resolved-question.ts";
import { openHouse, optionsOf, type TestHouse } from "../testing/open-house.ts";
import { personPolicy, visitsCsv } from "../testing/visits.ts";

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

async function checksOf(release: unknown, { policyText, house }: TestHouse) {
  const { checks } = await verifyRelease(JSON.stringify(release), {
    policyText,
    publicKeyPem: house.ledger.publicKey,
  });
  return checks;
}

const numbersOf = (release: Release): readonly (number | null)[] =>
  asShown(release).rows.flatMap((row) => row.flatMap((cell) => (isEstimate(cell) ? [cell.value] : [])));

const mean = "(SELECT AVG(cost) FROM visits)";

describe("a question that reads the value of an answer", () => {
  for (const measure of ["pure", "approximate", "zcdp"] as const)
    it(`is answered after it, under one charge, and verifies: ${measure}`, async () => {
      const visits = await opened(measure);
      const text = `SELECT COUNT(*) AS n FROM visits WHERE cost > (SELECT SUM(cost) FROM visits) / 1000`;
      const release = await visits.ask(text, { epsilon: "60" });
      expect(release.released).toHaveLength(1);
      expect((await visits.report()).charges).toHaveLength(1);
      const made = await checksOf(release, visits);
      expect(made.filter(({ outcome, name }) => outcome !== "passed" && name !== "plain-price")).toEqual([]);
      expect(made.map(({ name }) => name)).toContain("released");
    });

  it("counts the rows beyond the number that was released", async () => {
    const visits = await opened();
    const release = await visits.ask(`SELECT COUNT(*) AS n FROM visits WHERE cost > ${mean}`, {
      epsilon: "4000",
    });
    const [{ value } = { value: null }] = release.released ?? [];
    const again = await visits.ask(`SELECT COUNT(*) AS n FROM visits WHERE cost > ${value}`, {
      epsilon: "4000",
    });
    const [[one = null] = [], [other = null] = []] = [numbersOf(release), numbersOf(again)];
    expect(Math.abs(Number(one) - Number(other))).toBeLessThan(2);
    const all = await visits.ask("SELECT COUNT(*) AS n FROM visits", { epsilon: "4000" });
    expect(Number(one)).toBeLessThan(Number(numbersOf(all)[0]));
    expect(Number(one)).toBeGreaterThan(0);
  });

  it("tells the value, and that intervals do not cover its noise", async () => {
    const visits = await opened();
    const release = await visits.ask(`SELECT COUNT(*) AS n FROM visits WHERE cost > ${mean}`, {
      epsilon: "60",
    });
    const { notes } = asShown(release);
    const value = Number(Number(release.released?.[0]?.value).toPrecision(6));
    expect(notes).toContain(`${mean} was released as ${value}`);
    expect(notes.some((note) => note.startsWith(`the released value of ${mean} stands in its place`))).toBe(
      true,
    );
  });

  it("is planned alike whatever the value is", async () => {
    const visits = await opened();
    const text = `SELECT COUNT(*) AS n FROM visits WHERE cost > ${mean}`;
    const plans = [];
    for (let at = 0; at < 3; at += 1)
      plans.push((await visits.ask(text, { epsilon: "0.5", requestId: `r${at}` })).certificate.plan);
    expect(plans[1]).toEqual(plans[0]);
    expect(plans[2]).toEqual(plans[0]);
    expect(plans[0]).toEqual(await planText(text, optionsOf({ epsilon: "0.5" }), visits.house.policy));
  });
});

describe("groups that are shown by their names alone", () => {
  it("are all that are public, and a note says that this tells nothing of their rows", async () => {
    const visits = await opened("approximate");
    const release = await visits.ask("SELECT DISTINCT ward FROM visits", { epsilon: "1" });
    const counted = await visits.ask("SELECT ward, COUNT(*) FROM visits GROUP BY ward", { epsilon: "1" });
    expect(release.rows).toEqual(counted.rows.map(([ward]) => [ward]));
    expect(release.notes.some((note) => note.includes("does not say that it has rows"))).toBe(true);
    expect(counted.notes.some((note) => note.includes("does not say that it has rows"))).toBe(false);
    expect((await checksOf(release, visits)).filter(({ outcome }) => outcome === "failed")).toEqual([]);
  });

  it("are those that are selected, where keys are data", async () => {
    const visits = await opened("approximate");
    const release = await visits.ask("SELECT city FROM visits GROUP BY city", {
      epsilon: "1000",
      delta: "1e-6",
    });
    expect(release.rows.length).toBeGreaterThan(0);
    expect(release.missing.length).toBeGreaterThan(0);
    expect((await checksOf(release, visits)).filter(({ outcome }) => outcome === "failed")).toEqual([]);
  });
});
