import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  isTooWide,
  noBrowser,
  openPageHouse,
  type PageHouse,
  picture,
  seriousFaults,
} from "../testing/page-house.ts";
import { wageData } from "../testing/wage-data.ts";

if (noBrowser) console.log(`skipped: ${noBrowser}`);

const question = (least: number): string => `SELECT COUNT(*) AS n FROM people WHERE age > ${least}`;

describe.skipIf(noBrowser !== null)("the screens of what was spent", () => {
  let pages: PageHouse;
  beforeAll(async () => {
    pages = await openPageHouse({ data: wageData });
    for (let least = 20; least < 50; least++)
      await pages.house.send("/v1/query", { as: "analyst", json: { sql: question(least) } });
    const asked = await pages.house.send("/v1/query", {
      as: "bob",
      json: { sql: question(90), epsilon: "2" },
    });
    const id = encodeURIComponent(asked.headers.get("lethe-request") ?? "");
    const made = await pages.house.send(`/v1/releases/${id}/offers`, { as: "bob", json: { to: "ada" } });
    await pages.house.send("/v1/received", { as: "analyst", json: await made.json().then(onlyOffer) });
  });
  afterAll(() => pages?.close());

  it("lists what was asked and received, page by page, and shows an answer and its certificate again for nothing", async () => {
    const { page, complaints } = await pages.visit("ada", "#/history");
    const rows = page.getByRole("region", { name: "What you asked" }).getByRole("row");
    await expect.poll(() => rows.count()).toBe(26);
    await page.getByRole("button", { name: "Show earlier ones" }).press("Enter");
    await expect.poll(() => rows.count()).toBe(32);
    expect(await page.getByRole("button", { name: "Show earlier ones" }).count()).toBe(0);
    expect(await rows.nth(1).textContent()).toMatch(/received from bob.*ε 2.*answered/);
    for (const text of [question(90), question(30)]) {
      await page.getByRole("link", { name: text, exact: true }).press("Enter");
      await page.getByRole("heading", { level: 1, name: "An earlier answer" }).waitFor();
      await page.getByText("Certificate", { exact: true }).last().click();
      await page.getByText('"requestId"').waitFor();
      await page.goBack();
      await expect.poll(() => rows.count()).toBe(26);
      const more = page.getByRole("button", { name: "Show earlier ones" });
      if (await more.count()) await more.click();
    }
    await rows.nth(1).getByRole("link", { name: "Edit" }).click();
    await page.getByRole("heading", { level: 1, name: "Ask" }).waitFor();
    await page.getByText(question(90)).first().waitFor();
    expect(complaints).toEqual([]);
  });

  it("tells what is spent and what would fit", async () => {
    const { page, complaints } = await pages.visit("ada", "#/budget");
    await page.getByText("analyst ada", { exact: false }).first().waitFor();
    // 30 questions at 0.5, and one received that cost 2.
    await expect
      .poll(() => page.getByRole("region", { name: "analyst ada" }).textContent())
      .toContain("17 spent");
    expect(await page.getByRole("region", { name: "the account" }).textContent()).toContain("not shown");
    expect(await page.getByLabel("Of", { exact: true }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("tells those who may see it what others and the account have spent", async () => {
    const { page, complaints } = await pages.visit("olga", "#/budget");
    await page.getByLabel("Of", { exact: true }).selectOption("bob");
    await expect
      .poll(() => page.getByRole("region", { name: "analyst bob" }).textContent())
      .toContain("2 spent");
    expect(await page.getByRole("region", { name: "the account" }).textContent()).toMatch(
      /17 spent.*of 1000.*983 left/,
    );
    expect(complaints).toEqual([]);
  });

  for (const theme of ["light", "dark"] as const)
    for (const size of ["desktop", "phone"] as const)
      it(`have no serious fault of access, and fit: ${theme}, ${size}`, async () => {
        for (const [name, place, heading] of [
          ["ada", "history", "History"],
          ["olga", "budget", "Budget"],
        ] as const) {
          const { page, complaints } = await pages.visit(name, `#/${place}`, { theme, size });
          await page.getByRole("heading", { level: 1, name: heading }).waitFor();
          await expect.poll(() => page.getByText("Loading").count()).toBe(0);
          expect(await seriousFaults(page)).toEqual([]);
          expect(await isTooWide(page)).toBe(false);
          await picture(page, `${place}-${size}-${theme}`);
          expect(complaints).toEqual([]);
        }
      });
});

function onlyOffer(made: unknown): { readonly offer: string } {
  return { offer: (made as { readonly offer: string }).offer };
}
