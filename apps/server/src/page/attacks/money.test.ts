import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noBrowser, openPageHouse, type PageHouse } from "../../testing/page-house.ts";
import { wageData } from "../../testing/wage-data.ts";

if (noBrowser) console.log(`skipped: ${noBrowser}`);

describe.skipIf(noBrowser !== null)("nothing is paid twice, and nothing unasked", () => {
  let pages: PageHouse;
  let number = 30;
  beforeAll(async () => {
    pages = await openPageHouse({ data: wageData });
  });
  afterAll(() => pages?.close());
  /** A question that nobody has asked. */
  const fresh = (): string => {
    number += 1;
    return `SELECT COUNT(*) AS n FROM people WHERE age > ${number}`;
  };
  const address = (sql: string, epsilon?: string): string =>
    `#/ask?${new URLSearchParams({ sql, ...(epsilon === undefined ? {} : { epsilon }) })}`;
  /** The number of charges so far, of questions and of answers that were received. */
  const charges = async (): Promise<number> => {
    const response = await pages.house.send("/v1/charges?limit=200", { as: "auditor" });
    return ((await response.json()) as { readonly items: readonly unknown[] }).items.length;
  };
  const price = (page: Page) => page.locator(".price");
  const ask = (page: Page) => page.getByRole("button", { name: "Ask", exact: true });
  /** Holds a key: the first press, and so many that the keyboard repeats. */
  const hold = async (page: Page, key: string, repeats = 30): Promise<void> => {
    for (let turn = 0; turn <= repeats; turn += 1) await page.keyboard.down(key);
    await page.keyboard.up(key);
  };
  const answered = (page: Page) => page.getByRole("heading", { name: "Answer" }).waitFor();
  const dashboard = async (...texts: readonly string[]): Promise<string> => {
    const questions = texts.map((sql) => ({ title: "Q", sql, epsilon: "0.25" }));
    const made = await pages.house.send("/v1/dashboards", {
      as: "analyst",
      json: { name: "D", questions, readers: [] },
    });
    return ((await made.json()) as { readonly id: string }).id;
  };

  it("a link to a question pays nothing, however long one looks at it, or holds a key", async () => {
    const before = await charges();
    const { page, complaints } = await pages.visit("ada", address(fresh(), "5"));
    await expect.poll(() => price(page).textContent()).toContain("Costs ε 5");
    await hold(page, "Enter");
    await hold(page, "Space");
    await page.keyboard.press("Control+Enter");
    expect(await charges()).toBe(before);
    expect(complaints).toEqual([]);
  });

  it("a double click, a key that is held, and two windows at once pay once", async () => {
    const { page } = await pages.visit("ada", address(fresh()));
    await expect.poll(() => price(page).textContent()).toContain("Costs ε");
    let before = await charges();
    await ask(page).dblclick();
    await answered(page);
    expect(await charges()).toBe(before + 1);
    await page.evaluate(`location.hash = ${JSON.stringify(address(fresh()))}`);
    await expect.poll(() => price(page).textContent()).toContain("Costs ε");
    before = await charges();
    await page.getByRole("textbox", { name: "A question in SQL" }).focus();
    await page.keyboard.down("Control");
    await hold(page, "Enter");
    await page.keyboard.up("Control");
    await expect.poll(() => price(page).textContent()).toContain("Costs nothing");
    expect(await charges()).toBe(before + 1);
    const sql = fresh();
    const windows = [page, await page.context().newPage()];
    for (const each of windows) {
      await each.goto(`${pages.url}/${address(sql)}`);
      await each.reload();
      await expect.poll(() => price(each).textContent()).toContain("Costs ε");
    }
    before = await charges();
    await Promise.all(windows.map((each) => ask(each).click()));
    await Promise.all(
      windows.map((each) => expect.poll(() => price(each).textContent()).toContain("Costs nothing")),
    );
    expect(await charges()).toBe(before + 1);
  });

  it("a reload while a slow answer is on its way pays once, and the answer is there for nothing after it", async () => {
    const { page } = await pages.visit("ada", address(fresh()));
    await expect.poll(() => price(page).textContent()).toContain("Costs ε");
    const before = await charges();
    await page.route("**/v1/query", async (route) => {
      // It arrives at the service, and the answer never comes.
      await route.fetch().catch(() => undefined);
    });
    await ask(page).click();
    await expect.poll(charges).toBe(before + 1);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.reload();
    // The page may still tell the price, where the answer is not there yet: to ask pays nothing more all the same.
    await expect.poll(() => price(page).textContent()).toContain("Costs");
    await ask(page).click();
    await answered(page);
    expect(await charges()).toBe(before + 1);
  });

  it("a key that is held from before confirms nothing, in no dialog of payment", async () => {
    const before = await charges();
    const { page } = await pages.visit("ada", `#/dashboards/${await dashboard(fresh())}`);
    for (const key of ["Enter", "Space"]) {
      await page.getByRole("button", { name: "Ask for ε 0.25 …" }).focus();
      await page.keyboard.down("Enter");
      const pay = page.getByRole("button", { name: "Pay ε 0.25" });
      await pay.waitFor();
      // Not even where it has the focus, as with a mouse in the other hand.
      await pay.focus();
      for (let turn = 0; turn < 30; turn += 1) await page.keyboard.down("Enter");
      await page.keyboard.up("Enter");
      expect(await page.getByRole("dialog").count()).toBe(1);
      await page.keyboard.press("Escape");
      await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
      expect([key, await charges()]).toEqual([key, before]);
    }
    // A press of its own does.
    await page.getByRole("button", { name: "Ask for ε 0.25 …" }).press("Enter");
    await page.getByRole("button", { name: "Pay ε 0.25" }).press("Enter");
    await page.getByRole("row").nth(1).waitFor();
    expect(await charges()).toBe(before + 1);
  });

  it("a confirmation that is clicked twice before anything is drawn pays once, also for a refresh", async () => {
    const { page } = await pages.visit("ada", `#/dashboards/${await dashboard(fresh())}`);
    for (const name of ["Ask for ε 0.25 …", "Refresh for ε 0.25 …"]) {
      const before = await charges();
      await page.getByRole("button", { name }).click();
      await page.getByRole("button", { name: "Pay ε 0.25" }).waitFor();
      await page.evaluate(
        "(() => { const pay = [...document.querySelectorAll('dialog button')].find((each) => each.textContent.startsWith('Pay')); pay.click(); pay.click(); pay.click(); })()",
      );
      await page
        .getByRole("button", { name: "Refresh for ε 0.25 …" })
        .and(page.locator(":enabled"))
        .waitFor();
      await expect.poll(() => page.getByRole("progressbar").count()).toBe(0);
      expect([name, await charges()]).toEqual([name, before + 1]);
    }
  });

  it("opening a dashboard, its list, and every other screen pays nothing", async () => {
    const paid = fresh();
    await pages.house.send("/v1/query", { as: "analyst", json: { sql: paid, epsilon: "0.25" } });
    const id = await dashboard(paid, fresh(), fresh());
    const before = await charges();
    const { page } = await pages.visit("ada", `#/dashboards/${id}`);
    await page.getByRole("row").nth(1).waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Ask for ε 0.25 …" }).count()).toBe(2);
    for (const place of [
      "dashboards",
      "history",
      "budget",
      "release",
      "people",
      "help",
      "ask",
      `dashboards/${id}`,
    ]) {
      await page.evaluate(`location.hash = "#/${place}"`);
      await page.reload();
      await page.getByRole("heading", { level: 1 }).waitFor();
      await expect.poll(() => page.locator(".loading").count()).toBe(0);
    }
    expect(await charges()).toBe(before);
  });

  it("a link to an offered answer charges nobody: its price is shown first, and it is paid once", async () => {
    const asked = await pages.house.send("/v1/query", {
      as: "analyst",
      json: { sql: fresh(), epsilon: "0.75" },
    });
    const id = encodeURIComponent(asked.headers.get("lethe-request") ?? "");
    const offered = await pages.house.send(`/v1/releases/${id}/offers`, {
      as: "analyst",
      json: { to: "bob" },
    });
    const { offer } = (await offered.json()) as { readonly offer: string };
    const before = await charges();
    const { page, complaints } = await pages.visit("bob", `#/history/x?offer=${encodeURIComponent(offer)}`);
    for (const screen of ["history", "release"]) {
      await page.evaluate(`location.hash = "#/${screen}/x?offer=${encodeURIComponent(offer)}"`);
      await page.getByRole("button", { name: "Receive it for ε 0.75 …" }).waitFor();
      await hold(page, "Enter");
      expect(await charges()).toBe(before);
    }
    // By the way that the page offers.
    await page.getByRole("link", { name: "History" }).click();
    await page.getByRole("button", { name: "Receive an answer …" }).click();
    await page.getByLabel("The offer").fill(offer);
    await page.getByRole("button", { name: "See its price" }).click();
    await page.getByRole("button", { name: "Receive it for ε 0.75 …" }).click();
    await page.getByRole("button", { name: "Pay ε 0.75" }).dblclick();
    await page.getByRole("region", { name: "Answer" }).waitFor();
    expect(await charges()).toBe(before + 1);
    await page.reload();
    await page.getByRole("region", { name: "Answer" }).waitFor();
    expect(await charges()).toBe(before + 1);
    // Another's offer tells nothing, not even its price.
    const { page: stranger } = await pages.visit("olga", `#/history/x?offer=${encodeURIComponent(offer)}`);
    await expect.poll(() => stranger.getByRole("alert").textContent()).toContain("serve.offer");
    expect(await stranger.getByText("0.75").count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
