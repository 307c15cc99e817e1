import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  focused,
  isTooWide,
  noBrowser,
  openPageHouse,
  type PageHouse,
  picture,
  seriousFaults,
} from "../testing/page-house.ts";
import { wageData } from "../testing/wage-data.ts";

if (noBrowser) console.log(`skipped: ${noBrowser}`);

const bySector = "SELECT sector, COUNT(*) AS n, AVG(wage) AS mean FROM people GROUP BY sector";
const older = "SELECT COUNT(*) AS n FROM people WHERE age > 40";

describe.skipIf(noBrowser !== null)("the screen of dashboards", () => {
  let pages: PageHouse;
  beforeAll(async () => {
    pages = await openPageHouse({ data: wageData });
  });
  afterAll(() => pages?.close());

  /** What a person has spent in all, as their own cap says. */
  const spent = async (page: Page): Promise<number> => {
    const { scopes } = await page.evaluate<{
      readonly scopes: readonly { readonly periods: readonly { readonly spent: string | null }[] }[];
    }>("fetch('/v1/budget').then((answer) => answer.json())");
    const told = scopes.flatMap(({ periods }) => periods.flatMap((period) => period.spent ?? []));
    const [above = Number.NaN, below = 1] = (told[0] ?? "").split("/").map(Number);
    return above / below;
  };
  const make = async (
    as: "analyst" | "bob",
    name: string,
    readers: readonly string[] = [],
  ): Promise<string> => {
    const questions = [
      { title: "Wages by sector", sql: bySector, epsilon: null },
      { title: "Older people", sql: older, epsilon: "0.25" },
      { title: "Tables", sql: "SHOW TABLES", epsilon: null },
      { title: "Mean age", sql: "SELECT AVG(age) AS mean FROM people", epsilon: "1" },
    ];
    const made = await pages.house.send("/v1/dashboards", { as, json: { name, questions, readers } });
    return ((await made.json()) as { readonly id: string }).id;
  };

  it("saves a question where it is asked, by keyboard alone, and shows it in its dashboard", async () => {
    const { page, complaints } = await pages.visit("ada", `#/ask?sql=${encodeURIComponent(older)}`);
    await page.getByRole("button", { name: "Save …" }).press("Enter");
    await expect.poll(() => focused(page)).toMatch(/^INPUT/);
    await page.keyboard.type("People above 40");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Of the week");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Of the week" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Of the week" }).waitFor();
    await page.getByRole("heading", { level: 2, name: "People above 40" }).waitFor();
    await page.getByText("You have not paid for an answer. Expected: n ±").waitFor();
    // A second one goes beside it.
    await page.getByRole("link", { name: "Edit People above 40" }).press("Enter");
    await page.getByRole("button", { name: "Save …" }).press("Enter");
    await page.getByLabel("Title").fill("The same again");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Of the week" }).click();
    await page.getByRole("heading", { level: 2, name: "The same again" }).waitFor();
    await page.getByRole("button", { name: "Take out People above 40" }).press("Enter");
    await expect
      .poll(() => page.getByRole("heading", { level: 2 }).allTextContents())
      .toEqual(["The same again"]);
    expect(complaints).toEqual([]);
  });

  it("pays for nothing when it is opened; the price stands before each payment; what was paid is free again", async () => {
    const id = await make("analyst", "Wages");
    const { page, complaints } = await pages.visit("ada", `#/dashboards/${id}`);
    const before = await spent(page);
    const card = (name: string) => page.getByRole("region", { name, exact: true }).first();
    await card("Tables").getByRole("cell", { name: "people", exact: true }).waitFor();
    expect(
      await card("Tables")
        .getByRole("button", { name: / for ε / })
        .count(),
    ).toBe(0);
    await card("Older people").getByRole("button", { name: "Ask for ε 0.25 …" }).press("Enter");
    await page.getByRole("dialog", { name: "Pay for this answer?" }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    expect(await spent(page)).toBe(before);
    await card("Older people").getByRole("button", { name: "Ask for ε 0.25 …" }).click();
    await page.getByRole("button", { name: "Pay ε 0.25" }).press("Enter");
    await card("Older people").getByRole("row").nth(1).waitFor();
    const shown = await card("Older people").getByRole("row").nth(1).textContent();
    expect(await spent(page)).toBe(before + 0.25);
    await page.reload();
    await card("Older people").getByRole("row").nth(1).waitFor();
    expect(await card("Older people").getByRole("row").nth(1).textContent()).toBe(shown);
    expect(await spent(page)).toBe(before + 0.25);
    expect(complaints).toEqual([]);
  });

  it("refreshes an answer at the price that it shows first", async () => {
    const id = await make("bob", "Wages");
    await pages.house.send("/v1/query", { as: "bob", json: { sql: older, epsilon: "0.25" } });
    const { page, complaints } = await pages.visit("bob", `#/dashboards/${id}`);
    const before = await spent(page);
    await page.getByRole("button", { name: "Refresh for ε 0.25 …" }).click();
    const dialog = page.getByRole("dialog", { name: "Pay for a new answer?" });
    await dialog.getByText("It costs ε 0.25").waitFor();
    await dialog.getByText("Expected: n ±").waitFor();
    await dialog.getByRole("button", { name: "Pay ε 0.25" }).click();
    await expect.poll(() => spent(page)).toBe(before + 0.25);
    await expect.poll(() => page.getByRole("progressbar").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("lets a reader read, who pays alone and changes nothing", async () => {
    const id = await make("bob", "For others", ["ada"]);
    const { page, complaints } = await pages.visit("ada", "#/dashboards");
    await page.getByRole("link", { name: "For others" }).press("Enter");
    await page.getByText("Of bob, read by ada").waitFor();
    await page.getByRole("button", { name: "Ask for ε 0.5 …" }).waitFor();
    for (const name of ["Edit …", "Remove …", "Take out Mean age"])
      expect(await page.getByRole("button", { name }).count()).toBe(0);
    expect(complaints).toEqual([]);
    const { page: other } = await pages.visit("olga", `#/dashboards/${id}`);
    await other.getByText("serve.absent").waitFor();
  });

  it("makes, renames and removes a dashboard", async () => {
    const { page, complaints } = await pages.visit("olga", "#/dashboards");
    await page.getByRole("button", { name: "New dashboard …" }).press("Enter");
    await page.getByLabel("Name").fill("Plans");
    await page.getByLabel("Read by").fill("bob, ada");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Plans" }).waitFor();
    await page.getByRole("button", { name: "Edit …" }).press("Enter");
    await page.getByLabel("Name").fill("Better plans");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Better plans" }).waitFor();
    await page.getByText("Yours, read by bob, ada").waitFor();
    await page.getByRole("button", { name: "Remove …" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Dashboards" }).waitFor();
    await page.getByText("No dashboard is there yet").waitFor();
    expect(complaints).toEqual([]);
  });

  it("overwrites nothing that another window saved: it says so, and shows what is there", async () => {
    const id = await make("analyst", "Shared with myself");
    const [first, second] = [
      await pages.visit("ada", `#/dashboards/${id}`),
      await pages.visit("ada", `#/dashboards/${id}`),
    ];
    await second.page.getByRole("heading", { name: "Mean age" }).waitFor();
    await first.page.getByRole("button", { name: "Take out Mean age" }).press("Enter");
    await expect.poll(() => first.page.getByRole("heading", { name: "Mean age" }).count()).toBe(0);
    // By the form.
    await second.page.getByRole("button", { name: "Edit …" }).click();
    await second.page.getByLabel("Name").fill("Of the second window");
    await second.page.keyboard.press("Enter");
    const dialog = second.page.getByRole("dialog");
    await dialog.getByRole("link", { name: "serve.changed" }).waitFor();
    expect(await seriousFaults(second.page)).toEqual([]);
    await picture(second.page, "dashboard-changed");
    await dialog.getByRole("button", { name: "Show it as it is now" }).press("Enter");
    await expect.poll(() => second.page.getByRole("heading", { name: "Mean age" }).count()).toBe(0);
    await second.page.getByRole("heading", { level: 1, name: "Shared with myself" }).waitFor();
    await second.page.getByRole("button", { name: "Take out Tables" }).press("Enter");
    await expect.poll(() => second.page.getByRole("heading", { name: "Tables" }).count()).toBe(0);
    // By a button of a card.
    await first.page.getByRole("button", { name: "Take out Older people" }).press("Enter");
    await first.page.getByText("Your change was not saved").waitFor();
    await first.page.getByRole("button", { name: "Show it as it is now" }).press("Enter");
    await expect
      .poll(() => first.page.getByRole("heading", { level: 2 }).allTextContents())
      .toEqual(["Wages by sector", "Older people"]);
    expect(await first.page.getByText("Your change was not saved").count()).toBe(0);
    expect([...first.complaints, ...second.complaints]).toEqual([]);
  });

  for (const theme of ["light", "dark"] as const)
    for (const size of ["desktop", "phone"] as const)
      it(`has no serious fault of access, and fits: ${theme}, ${size}`, async () => {
        const id = await make("analyst", `Wages, ${theme} ${size}`, ["bob"]);
        await pages.house.send("/v1/query", { as: "analyst", json: { sql: bySector } });
        const { page, complaints } = await pages.visit("ada", `#/dashboards/${id}`, { theme, size });
        await page.getByRole("button", { name: "Ask for ε 1 …" }).waitFor();
        await page.getByRole("row").nth(1).waitFor();
        expect(await seriousFaults(page)).toEqual([]);
        expect(await isTooWide(page)).toBe(false);
        await picture(page, `dashboard-${size}-${theme}`);
        await page.getByRole("link", { name: "All dashboards" }).click();
        await page.getByRole("row").nth(1).waitFor();
        expect(await seriousFaults(page)).toEqual([]);
        expect(await isTooWide(page)).toBe(false);
        await picture(page, `dashboards-${size}-${theme}`);
        expect(complaints).toEqual([]);
      });
});
