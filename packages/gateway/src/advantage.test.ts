import { parseRational } from "@lethe/core";
import { odds } from "@lethe/core/accounting";
import { verifyRelease } from "@lethe/verify";
import { expect, it } from "vitest";
import { openHouse } from "./testing/open-house.ts";
import { personPolicy, visitsCsv } from "./testing/visits.ts";

it("a question that states an advantage is answered at the price that keeps to it, and verifies", async () => {
  const budget = "{ measure: approximate, epsilon: 10, delta: 1e-3 }";
  const visits = await openHouse(personPolicy(budget), visitsCsv);
  try {
    const text =
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(advantage = 0.1) ward, COUNT(*), AVG(cost) FROM visits GROUP BY ward";
    const release = await visits.ask(text, { epsilon: null });
    const { charge, plan } = release.certificate;
    const { advantage } = odds(plan.event);
    expect(advantage).toBeLessThanOrEqual(0.1);
    expect(advantage).toBeGreaterThan(0.098);
    expect(charge).toEqual(plan.price);
    const { charges } = await visits.report();
    expect(charges.map(({ loss }) => loss)).toEqual([
      {
        measure: "approximate",
        epsilon: parseRational((charge as { epsilon: string }).epsilon),
        delta: parseRational((charge as { delta: string }).delta),
      },
    ]);
    const { checks } = await verifyRelease(JSON.stringify(release), {
      policyText: visits.policyText,
      publicKeyPem: visits.house.ledger.publicKey,
    });
    expect(checks.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    await expect(visits.ask(text, { epsilon: "1" })).rejects.toMatchObject({ code: "query.option" });
    expect((await visits.report()).charges).toHaveLength(1);
  } finally {
    await visits.close();
  }
});
