import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { password } from "../testing/app-house.ts";
import {
  isTooWide,
  noBrowser,
  openPageHouse,
  type PageHouse,
  picture,
  seriousFaults,
} from "../testing/page-house.ts";

if (noBrowser) console.log(`skipped: ${noBrowser}`);

describe.skipIf(noBrowser !== null)("the screen of people and tokens", () => {
  let pages: PageHouse;
  beforeAll(async () => {
    pages = await openPageHouse();
  });
  afterAll(() => pages?.close());
  const tokensOf = async (name: string) => (await pages.house.people.store.byName(name))?.tokens ?? [];

  it("lets a person in by keyboard, changes their roles, and keeps them out", async () => {
    const { page, complaints } = await pages.visit("olga", "#/people");
    await page.getByRole("button", { name: "Let a person in" }).press("Enter");
    await page.getByLabel("Name").fill("zoe");
    await page.getByLabel("auditor").press("Space");
    await page.getByLabel("First password").fill("a long password to begin with");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "zoe" }).waitFor();
    expect((await pages.house.people.store.byName("zoe"))?.roles).toEqual(["analyst", "auditor"]);
    await page.getByText("Change", { exact: true }).press("Enter");
    await page.getByLabel("analyst").press("Space");
    await page.getByRole("button", { name: "Save" }).press("Enter");
    await expect.poll(async () => (await pages.house.people.store.byName("zoe"))?.roles).toEqual(["auditor"]);
    await page.getByRole("button", { name: "Keep out …" }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Keep out" }).press("Enter");
    await page.getByText("kept out: no password, token or session works").waitFor();
    expect((await pages.house.people.store.byName("zoe"))?.disabled).toBe(true);
    await page.getByRole("link", { name: "Everybody" }).press("Enter");
    const row = page.getByRole("row", { name: /zoe/ });
    await expect.poll(() => row.textContent()).toContain("kept out");
    expect(complaints).toEqual([]);
  });

  it("says why somebody cannot be let in", async () => {
    const { page } = await pages.visit("olga", "#/people");
    await page.getByRole("button", { name: "Let a person in" }).click();
    await page.getByLabel("Name").fill("ada");
    await page.getByRole("button", { name: "Let in", exact: true }).click();
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("people.invalid");
    await page.keyboard.press("Escape");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  it("shows a new token once, keeps it nowhere, and revokes it", async () => {
    const { page, complaints } = await pages.visit("ada", "#/people");
    const before = (await tokensOf("ada")).length;
    await page.getByRole("button", { name: "Make a token" }).press("Enter");
    await page.getByLabel("Name").fill("notebook");
    await page.getByLabel("Most ε a question may cost").fill("0.25");
    await page.keyboard.press("Enter");
    const token = await page.getByRole("dialog").locator("code").textContent();
    expect(token).toMatch(/^lethe_/);
    const known = await pages.house.send("/v1/me", { headers: { authorization: `Bearer ${token}` } });
    expect(known.status).toBe(200);
    await page.getByRole("button", { name: "Done" }).press("Enter");
    await page.getByRole("row", { name: /notebook.*0\.25/ }).waitFor();
    const left = await page.evaluate<string>(
      "document.documentElement.outerHTML + JSON.stringify([{...localStorage}, {...sessionStorage}, history.state, location.href, document.cookie])",
    );
    expect(left).not.toContain(token);
    expect(left).not.toContain("lethe_");
    await page.getByRole("button", { name: "Revoke notebook" }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }).press("Enter");
    await expect.poll(async () => (await tokensOf("ada")).length).toBe(before);
    const after = await pages.house.send("/v1/me", { headers: { authorization: `Bearer ${token}` } });
    expect(after.status).toBe(401);
    expect(complaints).toEqual([]);
  });

  it("ends another session, and not this one; a wrong password signs nobody out, a new one everybody", async () => {
    const other = await pages.visit("bob");
    const { page, complaints } = await pages.visit("bob", "#/people");
    const sessions = page.getByRole("region", { name: "Sessions" }).last();
    await expect.poll(() => sessions.getByRole("row").count()).toBe(3);
    await sessions.getByRole("button", { name: /^End (?!this)/ }).click();
    await expect.poll(() => sessions.getByRole("row").count()).toBe(2);
    await other.page.getByRole("link", { name: "Budget" }).click();
    await other.page.getByText("Your session has ended").waitFor();
    await page.getByLabel("Your password until now").fill("not it");
    await page.getByLabel("New password").fill("a long password from now on");
    await page.getByRole("button", { name: "Set the password" }).click();
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("serve.sign-in");
    await page.getByLabel("Your password until now").fill(password);
    await page.getByRole("button", { name: "Set the password" }).click();
    await page.getByText("Your session has ended").waitFor();
    expect(complaints).toEqual([]);
  });

  it("shows an analyst themselves alone, and an auditor no tokens of others", async () => {
    const analyst = await pages.visit("ada", "#/people/olga");
    await expect.poll(() => analyst.page.getByRole("alert").textContent()).toContain("serve.absent");
    const auditor = await pages.visit("max", "#/people/ada");
    await auditor.page.getByRole("region", { name: "Caps and spending" }).waitFor();
    expect(await auditor.page.getByRole("button", { name: "Make a token" }).count()).toBe(0);
    expect(await auditor.page.getByText("Change", { exact: true }).count()).toBe(0);
    expect([...analyst.complaints, ...auditor.complaints]).toEqual([]);
  });

  it("shows a project whose name would be markup as text", async () => {
    const name = "<img src=x onerror=alert(1)>\u202e";
    await pages.house.send("/v1/people/eve", { as: "owner", method: "PATCH", json: { projects: [name] } });
    const { page, complaints } = await pages.visit("olga", "#/people");
    const row = page.getByRole("row", { name: /eve/ });
    await row.waitFor();
    expect(await row.textContent()).toContain("<img src=x onerror=alert(1)>‹202e›");
    expect(await page.locator("main img").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  for (const [theme, size, place] of [
    ["light", "desktop", "#/people"],
    ["dark", "desktop", "#/people/ada"],
    ["light", "phone", "#/people/ada"],
    ["dark", "phone", "#/people"],
  ] as const)
    it(`has no serious fault of access and fits, ${theme}, ${size}, ${place}`, async () => {
      const { page, complaints } = await pages.visit("olga", place, { theme, size });
      await page.getByRole("region").first().waitFor();
      await page.waitForLoadState("networkidle");
      expect(await seriousFaults(page)).toEqual([]);
      expect(await isTooWide(page)).toBe(false);
      await picture(page, `${place.replaceAll(/\W/g, "")}-${size}-${theme}`);
      if (place === "#/people/ada") {
        await page.getByRole("button", { name: "Make a token" }).click();
        expect(await seriousFaults(page)).toEqual([]);
        await picture(page, `token-${size}-${theme}`);
      }
      expect(complaints).toEqual([]);
    });
});
