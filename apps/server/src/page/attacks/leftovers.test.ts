import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { password } from "../../testing/app-house.ts";
import { noBrowser, openPageHouse, type PageHouse } from "../../testing/page-house.ts";
import { wageData } from "../../testing/wage-data.ts";
import { look } from "./testing/watch.ts";

if (noBrowser) console.log(`skipped: ${noBrowser}`);

const sql = "SELECT COUNT(*) AS zebras FROM people WHERE age > 42";

/** A promise, and what keeps it. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

describe.skipIf(noBrowser !== null)("what a session leaves in the browser", () => {
  let pages: PageHouse;
  beforeAll(async () => {
    pages = await openPageHouse({ data: wageData });
    await pages.house.send("/v1/query", { as: "analyst", json: { sql } });
  });
  afterAll(() => pages?.close());
  const draft = (page: Page) => page.getByRole("textbox", { name: "A question in SQL" });
  const open = async (name: string, place: string, heading: string): Promise<Page> => {
    const { page } = await pages.visit(name, place);
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    return page;
  };
  const beside = async (page: Page, place: string, heading: string): Promise<Page> => {
    const other = await page.context().newPage();
    await other.goto(`${pages.url}/${place}`);
    await other.getByRole("heading", { level: 1, name: heading }).waitFor();
    return other;
  };
  const signIn = async (page: Page, name: string): Promise<void> => {
    await page.getByLabel("Name").fill(name);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
  };
  const isDoor = (page: Page) => page.getByRole("button", { name: "Sign in" }).waitFor();
  /** All that a page keeps: what it shows, its address, its stores, cookies that it can read, caches and databases. */
  const kept = async (page: Page): Promise<string> => {
    const stores = await page.evaluate<string>(`(async () => JSON.stringify([
      location.href, history.state, document.cookie, { ...localStorage }, { ...sessionStorage },
      await globalThis.caches?.keys(), (await indexedDB.databases()).map(({ name }) => name),
    ]))()`);
    return `${stores} ${(await look(page)).text}`;
  };

  it("is nothing after a sign-out: no text, no draft, no address, also by the browser's button for back and a reload", async () => {
    const page = await open("ada", "#/history", "History");
    await page.getByRole("link", { name: /zebras/ }).click();
    await page.getByRole("heading", { name: "An earlier answer" }).waitFor();
    await page.getByRole("link", { name: "Back to the history" }).click();
    await page.getByRole("link", { name: "Edit" }).click();
    await expect.poll(() => draft(page).textContent()).toContain("zebras");
    await expect.poll(() => page.evaluate("location.hash")).toBe("#/ask");
    await page.getByRole("button", { name: "Sign out" }).click();
    await isDoor(page);
    const cookies = await page.context().cookies();
    expect(cookies).toEqual([]);
    for (const step of ["stay", "back", "back", "back", "reload", "forward"] as const) {
      if (step === "back") await page.goBack();
      if (step === "forward") await page.goForward();
      if (step === "reload") await page.reload();
      await isDoor(page);
      const all = await kept(page);
      expect({ step, all: /zebra|\bada\b|lethe\.draft/i.exec(all)?.[0] ?? null }).toEqual({
        step,
        all: null,
      });
    }
    // Whoever signs in next begins with nothing.
    await page.goto(`${pages.url}/`);
    await signIn(page, "bob");
    await page.getByRole("heading", { level: 1, name: "Ask" }).waitFor();
    expect(await kept(page)).not.toMatch(/zebra|\bada\b/);
  });

  it("is nothing in the other windows either: a sign-out in one ends them all, with their drafts and addresses", async () => {
    const first = await open("ada", "#/ask", "Ask");
    const others = [await beside(first, "#/history", "History"), await beside(first, "#/ask", "Ask")];
    for (const page of [first, others[1] as Page]) await draft(page).fill("SELECT zebras");
    await expect.poll(() => first.evaluate("JSON.stringify({ ...sessionStorage })")).toContain("zebras");
    await (others[0] as Page).getByRole("button", { name: "Sign out" }).click();
    for (const page of [first, ...others]) {
      await isDoor(page);
      expect(await kept(page)).not.toMatch(/zebra|\bada\b|lethe\.draft/);
    }
    await first.getByText("You signed out in another window").waitFor();
  });

  it.each(["after", "before"] as const)(
    "is nothing in another window where what it asked is refused %s it hears of the sign-out",
    async (when) => {
      const first = await open("ada", "#/ask", "Ask");
      const second = await beside(first, "#/history", "History");
      // Its question is held, or else the answer to the sign-out, by which the other window would tell of it.
      const held = gate();
      const isAsked = gate();
      const isHeld = when === "after" ? first : second;
      await isHeld.route(when === "after" ? "**/v1/query" : "**/v1/session", async (route) => {
        if (when === "after") {
          isAsked.open();
          await held.opened;
          await route.continue();
        } else {
          const response = await route.fetch();
          isAsked.open();
          await held.opened;
          await route.fulfill({ response });
        }
      });
      await draft(first).fill(sql);
      await first.getByText("is shown again").waitFor();
      const refused = first.waitForResponse((response) => response.status() === 401);
      const signOut = () => second.getByRole("button", { name: "Sign out" }).click();
      if (when === "after") {
        await first.getByRole("button", { name: "Ask", exact: true }).click();
        await isAsked.opened;
        await signOut();
        await isDoor(first);
        held.open();
        await refused;
      } else {
        await signOut();
        await isAsked.opened;
        await draft(first).fill(`${sql} AND age > 43`);
        await refused;
        await first.getByText("Your session has ended").waitFor();
        held.open();
      }
      await first.getByText("You signed out in another window").waitFor();
      expect(await kept(first)).not.toMatch(/zebra|\bada\b|lethe\.draft/);
    },
  );

  it("is not shown as one person's while it asks as another's: each window follows the sign-in of the others", async () => {
    const first = await open("ada", "#/history", "History");
    await first.getByRole("link", { name: /zebras/ }).waitFor();
    const second = await first.context().newPage();
    // A sign-in that ends no session by hand, as that by a provider.
    await second.request.post(`${pages.url}/v1/session`, {
      data: { name: "bob", password },
      headers: { origin: pages.url },
    });
    await second.goto(`${pages.url}/#/history`);
    await second.getByText("You have asked nothing yet.").waitFor();
    await first.getByText("You have asked nothing yet.").waitFor();
    expect(await kept(first)).not.toMatch(/zebra|\bada\b/);
    await first.locator(".who", { hasText: "bob" }).waitFor();
  });

  it("is where one was, with what one wrote, when a session ends by itself; and nothing for anybody else", async () => {
    for (const next of ["ada", "bob"]) {
      const page = await open("ada", "#/ask", "Ask");
      await draft(page).fill("SELECT zebras FROM nowhere");
      await page.getByRole("alert").waitFor();
      // Another device ends it.
      await pages.house.send("/v1/sessions?of=ada", { as: "owner", method: "DELETE" });
      await draft(page).fill("SELECT zebras FROM elsewhere");
      await page.getByText("Your session has ended").waitFor();
      expect((await look(page)).text).not.toMatch(/zebra|\bada\b/);
      await signIn(page, next);
      await page.getByRole("heading", { level: 1, name: "Ask" }).waitFor();
      if (next === "ada")
        await expect.poll(() => draft(page).textContent()).toBe("SELECT zebras FROM elsewhere");
      else expect(await kept(page)).not.toMatch(/zebra|\bada\b/);
    }
  });

  it("keeps the draft of a policy over a reload, and not over a sign-out", async () => {
    const page = await open("olga", "#/policy", "Policy");
    const editor = page.getByRole("textbox", { name: "The draft of the policy" });
    await editor.focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText("# a zebra of a remark");
    await expect.poll(() => page.evaluate("JSON.stringify({ ...sessionStorage })")).toContain("zebra");
    await page.reload();
    await expect.poll(() => editor.textContent()).toContain("zebra");
    await page.getByRole("button", { name: "Sign out" }).click();
    await isDoor(page);
    await signIn(page, "olga");
    await page.getByRole("link", { name: "Policy" }).click();
    await expect.poll(() => editor.textContent()).toContain("privacy_unit");
    expect(await editor.textContent()).not.toContain("zebra");
  });

  it("is not what a browser froze: a page that comes back asks first who is signed in", async () => {
    const page = await open("ada", "#/history", "History");
    await page.getByRole("link", { name: /zebras/ }).waitFor();
    const event = (name: string) =>
      page.evaluate(`dispatchEvent(new PageTransitionEvent("${name}", { persisted: true }))`);
    await event("pagehide");
    await expect.poll(async () => (await look(page)).text).not.toMatch(/zebra/);
    await page.context().clearCookies();
    await event("pageshow");
    await isDoor(page);
  });

  it("stores no answer that is personal: all that comes from the service but its own code", async () => {
    const { page } = await pages.visit("olga", "#/help");
    const kept: string[] = [];
    let many = 0;
    page.on("response", (response) => {
      const { pathname } = new URL(response.url());
      many += 1;
      const rule = response.headers()["cache-control"] ?? "none";
      const isCode = /^\/(assets|verify)\//.test(pathname);
      if (!isCode && rule !== "no-store") kept.push(`${pathname} ${rule}`);
    });
    for (const place of [
      "ask",
      "dashboards",
      "budget",
      "history",
      "release",
      "policy",
      "audit",
      "audit/asked",
      "audit/log",
      "audit/ledger",
      "people",
      "people/ada",
    ]) {
      await page.evaluate(`location.hash = "#/${place}"`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
    }
    await page.reload();
    expect(many).toBeGreaterThan(20);
    expect(kept).toEqual([]);
  });
});
