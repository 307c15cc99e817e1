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

if (noBrowser) console.log(`skipped: ${noBrowser}`);

describe.skipIf(noBrowser !== null)("the screen of help", () => {
  let pages: PageHouse;
  beforeAll(async () => {
    pages = await openPageHouse();
  });
  afterAll(() => pages?.close());

  it("explains an error by its code, from the refusal on, by keyboard", async () => {
    const { page, complaints } = await pages.visit("ada", "#/people/olga");
    const code = page.getByRole("alert").getByRole("link", { name: "serve.absent" });
    await code.press("Enter");
    await page.getByRole("heading", { level: 1, name: "serve.absent" }).waitFor();
    expect(await focused(page)).toBe("H1 serve.absent");
    expect(await page.title()).toBe("serve.absent · Lethe");
    await page.getByText("There is no such thing for you.").waitFor();
    await page.getByText("The request id of a colleague.").waitFor();
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "olga" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("does not lead away from the door, where nobody sees help", async () => {
    const { page } = await pages.visit(null);
    await page.getByLabel("Name").fill("ada");
    await page.getByLabel("Password").fill("not the password");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("serve.sign-in").waitFor();
    expect(await page.getByRole("alert").getByRole("link").count()).toBe(0);
  });

  it("finds errors and words by what they say, and lists the keys of one's screens, which work", async () => {
    const { page, complaints } = await pages.visit("eve");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press("Alt+Shift+H");
    await expect.poll(() => focused(page)).toBe("H1 Help");
    const keys = await page.getByRole("region", { name: "Keys" }).locator("dt").allTextContents();
    const links = await page.getByRole("navigation").getByRole("link").count();
    expect(keys.filter((each) => each.startsWith("Alt+Shift+"))).toHaveLength(links);
    expect(keys).toContain("Alt+Shift+H");
    expect(keys).not.toContain("Alt+Shift+A");
    await page.getByLabel("Look for").fill("adjacency neighbours");
    await expect.poll(() => page.getByRole("status").first().textContent()).toBe("0 errors and 1 word");
    expect(await page.getByRole("region", { name: "Words" }).locator("dt").allTextContents()).toEqual([
      "adjacency",
    ]);
    await page.getByLabel("Look for").fill("LEDGER.budget");
    const found = page.getByRole("region", { name: "Errors" }).getByRole("link");
    await expect.poll(() => found.allTextContents()).toEqual(["ledger.budget"]);
    await found.press("Enter");
    await page.getByText("The budget does not cover the charge.").waitFor();
    expect(complaints).toEqual([]);
  });

  it("shows an address that would be markup as text", async () => {
    const { page, complaints } = await pages.visit("ada", "#/help/%3Cimg%20src=x%20onerror=alert(1)%3E");
    await page.getByRole("heading", { level: 1, name: "No such error" }).waitFor();
    expect(await page.locator("main p code").textContent()).toBe("<img src=x onerror=alert(1)>");
    expect(await page.locator("main img").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("opens an example with a capital of the same letter: ε stays ε", async () => {
    const { page } = await pages.visit("eve", "#/help/ledger.budget");
    await page.getByText("ε 0.5 asked where 0.2 is left.", { exact: true }).waitFor();
  });

  for (const [theme, size, place] of [
    ["light", "desktop", "#/help"],
    ["dark", "phone", "#/help"],
    ["dark", "desktop", "#/help/engine.untrusted"],
    ["light", "phone", "#/help/engine.untrusted"],
  ] as const)
    it(`has no serious fault of access and fits, ${theme}, ${size}, ${place}`, async () => {
      const { page, complaints } = await pages.visit("ada", place, { theme, size });
      await page.getByRole("heading", { level: 1, name: /Help|engine/ }).waitFor();
      expect(await seriousFaults(page)).toEqual([]);
      expect(await isTooWide(page)).toBe(false);
      await picture(page, `help${place.includes(".") ? "-error" : ""}-${size}-${theme}`);
      expect(complaints).toEqual([]);
    });
});
