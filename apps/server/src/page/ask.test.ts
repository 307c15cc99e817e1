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

describe.skipIf(noBrowser !== null)("the screen that asks", () => {
  let pages: PageHouse;
  beforeAll(async () => {
    pages = await openPageHouse({ data: wageData });
  });
  afterAll(() => pages?.close());

  const editor = (page: Page) => page.getByRole("textbox", { name: "A question in SQL" });
  const price = (page: Page) => page.locator(".price");

  it("asks by keyboard alone: words are completed, the price and the error are there before, and the answer after", async () => {
    const { page, complaints } = await pages.visit("ada");
    await editor(page).focus();
    await page.keyboard.type("select sec");
    await page.getByRole("option", { name: /sector/ }).waitFor();
    // For its first 75 ms the list does not take the key, so that nobody accepts what they have not seen.
    await page.waitForTimeout(200);
    await page.keyboard.press("Enter");
    await page.keyboard.type(", count(*) AS n from people group by sector ");
    await expect.poll(() => price(page).textContent()).toMatch(/Costs ε 0\.5\..*n ± \d+/);
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { name: "Answer" }).waitFor();
    const rows = page.getByRole("region", { name: "Answer" }).last().getByRole("row");
    // A heading, six sectors, and rows without one.
    expect(await rows.count()).toBe(8);
    await expect.poll(() => price(page).textContent()).toContain("Costs nothing");
    // Tab leaves the editor, as it leaves any field.
    await editor(page).focus();
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("BUTTON Ask");
    expect(complaints).toEqual([]);
  });

  it("says how each table of the question is read, before it is paid for", async () => {
    const { page, complaints } = await pages.visit("ada", `#/ask?sql=${encodeURIComponent(bySector)}`);
    const reads = page.getByRole("list", { name: "How tables are read" }).getByRole("listitem");
    await expect
      .poll(() => reads.allTextContents())
      .toEqual(["people is read from its import, which froze the rows of its file"]);
    await editor(page).fill("SHOW TABLES");
    await expect.poll(() => reads.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("marks a refusal at its place, and writes the question that would be accepted", async () => {
    const { page, complaints } = await pages.visit("ada");
    await editor(page).fill("SELECT sectr FROM people");
    await page.getByRole("alert").getByText("query.unknown-column").waitFor();
    await expect.poll(() => page.locator(".cm-lintRange-error").allTextContents()).toEqual(["sectr"]);
    await page.getByRole("button", { name: "Write this instead" }).click();
    await expect.poll(() => price(page).textContent()).toContain("Costs");
    expect(await page.locator(".cm-lintRange-error").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("answers what has no price, and saves it, for nothing", async () => {
    const { page, complaints } = await pages.visit("ada", "#/ask?sql=SHOW+TABLES");
    await expect.poll(() => price(page).textContent()).toContain("Costs nothing");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByRole("cell", { name: "people", exact: true }).waitFor();
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "CSV", exact: true }).click();
    const stream = await (await saving).createReadStream();
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toContain("people");
    expect(complaints).toEqual([]);
  });

  it("saves the answer as CSV, JSON, Arrow and its certificate, for nothing", async () => {
    const { page, complaints } = await pages.visit("ada", `#/ask?sql=${encodeURIComponent(bySector)}`);
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByRole("heading", { name: "Answer" }).waitFor();
    const spent = (): Promise<unknown> =>
      page.evaluate("fetch('/v1/budget').then((answer) => answer.text())");
    const before = await spent();
    const found = { CSV: /^sector,/, JSON: /"signature"/, Arrow: /sector/, Certificate: /"signature"/ };
    for (const [name, holds] of Object.entries(found)) {
      const saving = page.waitForEvent("download");
      await page.getByRole("button", { name, exact: true }).click();
      const stream = await (await saving).createReadStream();
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      expect(Buffer.concat(chunks).toString("latin1")).toMatch(holds);
    }
    expect(await spent()).toBe(before);
    expect(complaints).toEqual([]);
  });

  it("offers the answer to a colleague, who alone can receive it", async () => {
    const { page } = await pages.visit("ada", `#/ask?sql=${encodeURIComponent(bySector)}`);
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByRole("button", { name: "Share …" }).click();
    await expect.poll(() => focused(page)).toMatch(/^INPUT/);
    await page.keyboard.type("bob");
    await page.keyboard.press("Enter");
    const offer = await page.getByLabel("The offer").inputValue();
    const taken = (as: "bob" | "owner") => pages.house.send("/v1/received", { as, json: { offer } });
    expect((await taken("owner")).status).not.toBe(200);
    expect((await taken("bob")).status).toBe(200);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  });

  it("asks once more before a price above a tenth of what is left, and pays nothing when that is declined", async () => {
    const { page } = await pages.visit(
      "olga",
      `#/ask?sql=${encodeURIComponent("SELECT COUNT(*) AS n FROM people")}`,
    );
    await page.getByLabel("Price, ε").fill("150");
    await expect.poll(() => price(page).textContent()).toContain("Costs ε 150");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByRole("dialog", { name: "Pay for this answer?" }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    expect(await page.getByRole("heading", { name: "Answer" }).count()).toBe(0);
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByRole("button", { name: "Pay ε 150" }).press("Enter");
    await page.getByRole("heading", { name: "Answer" }).waitFor();
  });

  it("lets one stop waiting", async () => {
    const { page } = await pages.visit("ada");
    await page.route("**/v1/query", () => undefined);
    await editor(page).fill("SELECT AVG(age) AS a FROM people");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByRole("button", { name: "Stop waiting" }).click();
    await page.getByText("You stopped waiting").waitFor();
  });

  for (const theme of ["light", "dark"] as const)
    for (const size of ["desktop", "phone"] as const)
      it(`has no serious fault of access, and fits: ${theme}, ${size}`, async () => {
        const { page, complaints } = await pages.visit("ada", `#/ask?sql=${encodeURIComponent(bySector)}`, {
          theme,
          size,
        });
        await expect.poll(() => price(page).textContent()).toContain("Costs");
        await page.getByRole("button", { name: "Ask", exact: true }).click();
        await page.getByRole("heading", { name: "Answer" }).waitFor();
        await page.locator("details").last().locator("summary").click();
        expect(await seriousFaults(page)).toEqual([]);
        expect(await isTooWide(page)).toBe(false);
        await picture(page, `ask-${size}-${theme}`);
        expect(complaints).toEqual([]);
      });
});
