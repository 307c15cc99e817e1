import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { password } from "../testing/app-house.ts";
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

describe.skipIf(noBrowser !== null)("the frame of the console", () => {
  let pages: PageHouse;
  beforeAll(async () => {
    pages = await openPageHouse();
  });
  afterAll(() => pages?.close());

  it("signs in by keyboard alone, keeps the place that the address names, and signs out", async () => {
    const { page, complaints } = await pages.visit(null, "#/budget");
    await page.getByRole("heading", { name: "Lethe" }).waitFor();
    for (const text of ["ada", password]) {
      await page.keyboard.press("Tab");
      await page.keyboard.type(text);
    }
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Budget" }).waitFor();
    await expect.poll(() => page.title()).toBe("Budget · Lethe");
    await page.getByRole("button", { name: "Sign out" }).press("Enter");
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("says why a sign-in was refused, by the error's code", async () => {
    const { page } = await pages.visit();
    await page.getByLabel("Name").fill("ada");
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("serve.sign-in");
  });

  it("goes back and forward, and moves the focus to the heading of the screen that it shows", async () => {
    const { page, complaints } = await pages.visit("ada");
    await page.getByRole("heading", { level: 1, name: "Ask" }).waitFor();
    await page.getByRole("link", { name: "History" }).click();
    await expect.poll(() => focused(page)).toBe("H1 History");
    await page.keyboard.press("Alt+Shift+B");
    await expect.poll(() => focused(page)).toBe("H1 Budget");
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "History" }).waitFor();
    await page.goForward();
    await page.getByRole("heading", { level: 1, name: "Budget" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("shows each person the screens of their roles, and says that other addresses lead nowhere", async () => {
    const { page } = await pages.visit("max", "#/ask");
    await page.getByRole("heading", { level: 1, name: "Nothing here" }).waitFor();
    const links = await page.getByRole("navigation").getByRole("link").allTextContents();
    expect(links).toContain("Budget");
    expect(links).not.toContain("Ask");
  });

  it("skips to the content at the first Tab", async () => {
    const { page } = await pages.visit("ada");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await focused(page)).toMatch(/^MAIN /);
  });

  it("asks to sign in again when the session has ended, and goes on where one was", async () => {
    const { page } = await pages.visit("ada", "#/history");
    await page.getByRole("heading", { level: 1, name: "History" }).waitFor();
    await page.context().clearCookies();
    await page.getByRole("link", { name: "Budget" }).click();
    await page.getByText("Your session has ended").waitFor();
    await page.getByLabel("Name").fill("ada");
    await page.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Budget" }).waitFor();
  });

  it("keeps the theme that was chosen", async () => {
    const { page } = await pages.visit("ada");
    const paper = (): Promise<string> =>
      page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    await page.getByLabel("Theme").selectOption("dark");
    const dark = await paper();
    await page.reload();
    expect(await paper()).toBe(dark);
    await page.getByLabel("Theme").selectOption("light");
    expect(await paper()).not.toBe(dark);
  });

  for (const theme of ["light", "dark"] as const)
    it(`has no serious fault of access in ${theme}, and fits a phone`, async () => {
      const door = await pages.visit(null, "", { theme, size: "phone" });
      await door.page.getByRole("button", { name: "Sign in" }).waitFor();
      expect(await seriousFaults(door.page)).toEqual([]);
      await picture(door.page, `sign-in-phone-${theme}`);
      const { page, complaints } = await pages.visit("ada", "#/nowhere", { theme, size: "phone" });
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("link", { name: "Budget" }).waitFor();
      expect(await seriousFaults(page)).toEqual([]);
      expect(await isTooWide(page)).toBe(false);
      await picture(page, `menu-phone-${theme}`);
      expect([...door.complaints, ...complaints]).toEqual([]);
    });
});
