import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isTooWide, noBrowser, openPageHouse, type PageHouse, picture } from "../../testing/page-house.ts";
import { wageData } from "../../testing/wage-data.ts";

if (noBrowser) console.log(`skipped: ${noBrowser}`);

/** The longest name that a person may have, without a place to break it. */
const long = `${"Wolfeschlegelsteinhausenbergerdorff-".repeat(2)}`.slice(0, 63);
const policy = wageData.policy
  .replace(
    "budget: { measure: pure, epsilon: 1000 }",
    `budget: { measure: pure, epsilon: 1000, analysts: { ada: { epsilon: 100, windows: [{ per: day, epsilon: 10 }, { per: month, epsilon: 50 }] }, bob: 0.7000001, ${JSON.stringify(long)}: 3 }, projects: { ${JSON.stringify(long)}: { epsilon: 10 } } }`,
  )
  .replace(
    "sector:",
    `${JSON.stringify(long.slice(0, 60))}: { type: integer, bounds: [0, 1000000000000] }\n      sector:`,
  );
const people = wageData.people
  .split("\n")
  .map((row, at) => (row === "" ? "" : row.replace(/,([^,]*)$/, `,${at === 0 ? long.slice(0, 60) : 1},$1`)))
  .join("\n");

/** All four where somebody looks at the pictures; two that differ in both otherwise. */
const sights = (["light", "dark"] as const).flatMap((theme) =>
  (["desktop", "phone"] as const)
    .filter((size) => process.env.LETHE_PICTURES || (theme === "dark") === (size === "phone"))
    .map((size) => ({ theme, size })),
);

describe.skipIf(noBrowser !== null)("every screen", () => {
  let pages: PageHouse;
  /** The screens: who opens which address. */
  const places: [string, string, string][] = [];
  beforeAll(async () => {
    pages = await openPageHouse({ data: { policy, people } });
    const { send } = pages.house;
    await send("/v1/people", {
      as: "owner",
      json: { name: long, roles: ["analyst", "auditor", "operator"], projects: [long] },
    });
    const longSql = `SELECT sector, COUNT(*) AS ${JSON.stringify(long)}, AVG(wage) AS mean FROM people WHERE age > 20 AND age < 90 AND sector IN ('care', 'construction', 'education', 'industry') GROUP BY sector ORDER BY mean DESC`;
    const asked = await send("/v1/query", { as: "analyst", json: { sql: longSql, epsilon: "1/3" } });
    const id = encodeURIComponent(asked.headers.get("lethe-request") ?? "");
    await send("/v1/query", { as: "bob", json: { sql: "SELECT COUNT(*) AS n FROM people", epsilon: "0.7" } });
    const questions = [
      { title: long, sql: longSql, epsilon: "1/3" },
      { title: "Not paid yet", sql: "SELECT AVG(age) AS mean FROM people", epsilon: null },
    ];
    const made = await send("/v1/dashboards", {
      as: "analyst",
      json: { name: long, questions, readers: ["bob", long] },
    });
    const dashboard = ((await made.json()) as { readonly id: string }).id;
    const offered = await send(`/v1/releases/${id}/offers`, { as: "analyst", json: { to: "bob" } });
    const { offer } = (await offered.json()) as { readonly offer: string };
    places.push(
      ["ask", "ada", "ask"],
      ["ask-refused", "bob", "ask?sql=SELECT+wage+FROM+people"],
      ["dashboards", "ada", "dashboards"],
      ["dashboards-empty", "olga", "dashboards"],
      ["dashboard", "ada", `dashboards/${dashboard}`],
      ["budget", "ada", "budget"],
      ["budget-owner", "olga", "budget"],
      ["history", "ada", "history"],
      ["history-empty", "olga", "history"],
      ["answer", "ada", `history/${id}`],
      ["offered", "bob", `history/x?offer=${encodeURIComponent(offer)}`],
      ["release", "ada", `release/${id}`],
      ["release-any", "max", "release"],
      ["policy", "olga", "policy"],
      ["audit", "max", "audit"],
      ["audit-asked", "max", "audit/asked"],
      ["audit-log", "max", "audit/log"],
      ["audit-ledger", "max", "audit/ledger"],
      ["audit-attacks", "max", "audit/attacks"],
      ["people", "olga", "people"],
      ["person", "olga", `people/${encodeURIComponent(long)}`],
      ["you", "eve", "people"],
      ["help", "eve", "help"],
      ["help-error", "eve", "help/ledger.budget"],
      ["nowhere", "eve", "ask"],
    );
  });
  afterAll(() => pages?.close());

  for (const { theme, size } of sights)
    it(`fits, keeps to its policy of content and asks nobody else, with the longest names: ${theme}, ${size}`, async () => {
      const faults: unknown[] = [];
      for (const name of new Set(places.map(([, as]) => as))) {
        const { page, complaints } = await pages.visit(name, "#/help", { theme, size });
        for (const [screen, , place] of places.filter(([, as]) => as === name)) {
          await page.evaluate(`location.hash = ${JSON.stringify(`#/${place}`)}`);
          await page.locator("main h1").waitFor();
          await expect.poll(() => page.locator(".loading").count()).toBe(0);
          if (process.env.LETHE_PICTURES) await page.waitForLoadState("networkidle");
          await picture(page, `every-${screen}-${size}-${theme}`);
          if (await isTooWide(page)) faults.push(`${screen} is too wide`);
        }
        faults.push(...complaints);
      }
      expect(faults).toEqual([]);
    });
});
