import { readFileSync } from "node:fs";
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

if (noBrowser) console.log(`skipped: ${noBrowser}`);

/** A question whose text would be markup, and would turn what follows it. */
const hostile = "SELECT COUNT(*) AS n FROM people WHERE name <> '<img src=x onerror=alert(1)>\u202e'";
const question = (least: number): string => `SELECT COUNT(*) AS n FROM people WHERE age > ${least}`;

/** What `lethe audit --json` writes, with a finding whose text would be markup. */
const report = [
  { subject: "loop", of: "lethe", finding: null, measured: "paid once" },
  { subject: "squat", of: "lethe", finding: "found <img src=x onerror=alert(1)>", measured: "9 ids" },
  { subject: "known leak", of: "control", finding: "seen", measured: "caught" },
].map((row) => ({ audit: "wire", claim: "holds", how: "asked", interval: null, ceiling: null, ...row }));

describe.skipIf(noBrowser !== null)("the screen of the audit", () => {
  let pages: PageHouse;
  beforeAll(async () => {
    pages = await openPageHouse();
    const ask = (as: "analyst" | "bob", sql: string) =>
      pages.house.send("/v1/query", { as, json: { sql, epsilon: "1" } });
    for (let least = 1; least <= 26; least++) await ask("analyst", question(least));
    await ask("bob", hostile);
  });
  afterAll(() => pages?.close());
  const rows = (page: Page, name: string) =>
    page.getByRole("region", { name, exact: true }).locator("tbody tr");
  const check = (page: Page, chain: string) =>
    page
      .getByRole("region", { name: chain, exact: true })
      .getByRole("button", { name: "Check in this browser" });
  /** Has the browser receive other records of the ledger than the service sent. */
  const tamper = (page: Page, change: (record: { sequence: number; payload: string }) => void) =>
    page.route("**/v1/ledger?**", async (route) => {
      const response = await route.fetch();
      const told = (await response.json()) as { items: { sequence: number; payload: string }[] };
      told.items.forEach(change);
      await route.fulfill({ response, json: told });
    });

  it("follows both chains in the browser, by keyboard, and tells their heads", async () => {
    const { page, complaints } = await pages.visit("max");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press("Alt+Shift+U");
    await expect.poll(() => focused(page)).toBe("H1 Audit");
    const ledger = page.getByRole("region", { name: "The ledger" });
    const newest = (await pages.house.ledger.records(null, 1)).records[0];
    await ledger.getByText(`${newest?.sequence}:${newest?.hash}`).waitFor();
    expect(newest?.sequence).toBe(54);
    await check(page, "The ledger").press("Enter");
    await ledger.getByText("The chain holds.").waitFor();
    expect(await ledger.getByRole("status").textContent()).toContain("All 55 entries were followed");
    const log = page.getByRole("region", { name: "The audit log" });
    await check(page, "The audit log").press("Enter");
    await log.getByText("The chain holds.").waitFor();
    expect(complaints).toEqual([]);
  });

  it("tells a chain that was tampered with as broken, and where", async () => {
    const { page, complaints } = await pages.visit("max", "#/audit");
    await tamper(page, (record) => {
      if (record.sequence === 17) record.payload = record.payload.replace(/"ada"/, '"bob"');
    });
    await check(page, "The ledger").click();
    const alert = page.getByRole("region", { name: "The ledger" }).getByRole("alert");
    await expect.poll(() => alert.textContent()).toContain("the ledger's chain does not hold at record 17");
    await alert.getByRole("link", { name: "ledger.corrupt" }).waitFor();
    expect(await page.getByText("The chain holds.").count()).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
    await picture(page, "audit-broken");
    expect(complaints).toEqual([]);
  });

  it("compares the chain with a head that was kept, and refuses what is none", async () => {
    const { page } = await pages.visit("olga", "#/audit");
    const region = page.getByRole("region", { name: "The ledger" });
    const kept = region.getByLabel("A head that you kept");
    await kept.fill("12");
    expect(await check(page, "The ledger").isDisabled()).toBe(true);
    const record = (await pages.house.ledger.records(13, 1)).records[0];
    await kept.fill(`${record?.sequence}:${record?.hash}`);
    await page.keyboard.press("Enter");
    await region.getByText("The entry that you kept is one of them.").waitFor();
    await kept.fill(`12:${"0".repeat(64)}`);
    await page.keyboard.press("Enter");
    await region.getByText("This is not the chain that you knew.").waitFor();
  });

  it("lists who asked what, shows earlier ones, and leads to the release", async () => {
    const { page, complaints } = await pages.visit("max", "#/audit/asked");
    const lines = rows(page, "Questions");
    await expect.poll(() => lines.count()).toBe(25);
    expect(await lines.first().locator("code").textContent()).toBe(hostile.replace("\u202e", "‹202e›"));
    expect(await page.locator("main img").count()).toBe(0);
    await page.getByRole("button", { name: "Show earlier ones" }).press("Enter");
    await expect.poll(() => lines.count()).toBe(27);
    expect(await page.getByRole("button", { name: "Show earlier ones" }).count()).toBe(0);
    await lines.last().getByRole("link").click();
    await page.getByRole("heading", { level: 1, name: "Release" }).waitFor();
    await page.getByRole("heading", { name: "How it was made" }).waitFor();
    await page.getByText(question(1)).first().waitFor();
    expect(complaints).toEqual([]);
  });

  it("finds questions by person, word and time, at an address that one can keep", async () => {
    const { page, complaints } = await pages.visit("olga", "#/audit/asked");
    const lines = rows(page, "Questions");
    await lines.first().waitFor();
    await page.getByLabel("Person").fill("BOB");
    await page.keyboard.press("Enter");
    await expect.poll(() => lines.count()).toBe(1);
    await page.getByLabel("Word in the question").fill("age");
    await page.getByRole("button", { name: "Look", exact: true }).press("Enter");
    await page.getByText("Nothing that you look for was asked.").waitFor();
    await page.getByLabel("Person").fill("");
    await page.getByLabel("Word in the question").fill("7");
    await page.keyboard.press("Enter");
    await expect.poll(() => lines.count()).toBe(1);
    expect(await lines.first().textContent()).toContain(question(7));
    await page.reload();
    await expect.poll(() => lines.count()).toBe(1);
    expect(await page.getByLabel("Word in the question").inputValue()).toBe("7");
    await page.getByLabel("From (UTC)").fill("2100-01-01T00:00");
    await page.getByRole("button", { name: "Look", exact: true }).click();
    await page.getByText("Nothing that you look for was asked.").waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await expect.poll(() => lines.count()).toBe(25);
    expect(await page.getByLabel("From (UTC)").inputValue()).toBe("");
    expect(complaints).toEqual([]);
  });

  it("shows the audit log by person and action, and saves all of it as the service tells it", async () => {
    const { page, complaints } = await pages.visit("max", "#/audit/log");
    const entries = rows(page, "Entries of the audit log");
    await expect.poll(() => entries.count()).toBe(25);
    await page.getByLabel("Action").selectOption("asked a question");
    await page.getByLabel("Person").fill("bob");
    await page.keyboard.press("Enter");
    await expect.poll(() => entries.count()).toBe(1);
    expect(await entries.first().textContent()).toMatch(/asked as .*: charged, record \d+ of.*bob.*by token/);
    await page.getByRole("button", { name: "Show all" }).click();
    await expect.poll(() => entries.count()).toBe(25);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save all as a file" }).press("Enter"),
    ]);
    expect(file.suggestedFilename()).toBe("audit-log.json");
    const saved = JSON.parse(readFileSync(await file.path(), "utf8")) as { sequence: number; hash: string }[];
    expect(saved.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: saved.length }, (_, at) => saved.length - 1 - at),
    );
    const newest = (await pages.house.audit.page((saved[0]?.sequence ?? 0) + 1, 1))[0];
    expect(saved[0]).toEqual(newest);
    expect(complaints).toEqual([]);
  });

  it("shows the ledger's records as they are kept", async () => {
    const { page, complaints } = await pages.visit("olga", "#/audit/ledger");
    const records = rows(page, "Records of the ledger");
    await expect.poll(() => records.count()).toBe(25);
    for (const many of [50, 55]) {
      await page.getByRole("button", { name: "Show earlier ones" }).press("Enter");
      await expect.poll(() => records.count()).toBe(many);
    }
    expect(await records.last().textContent()).toContain("genesis");
    await records.last().locator("summary").press("Enter");
    await records.last().getByText('"policyHash"').waitFor();
    expect(complaints).toEqual([]);
  });

  it("starts no attack, tells the command, and shows a report from a file as a table", async () => {
    const { page, complaints } = await pages.visit("max", "#/audit/attacks");
    await page.getByText("This page starts no attack").waitFor();
    await page.getByLabel("Address of the copy").fill("https://copy.example/x?$(y)");
    await page
      .getByText(
        "lethe audit --server https://copy.example --token-file ada.token --other-token-file bob.token --epsilon 6 --json > attacks.json",
        { exact: true },
      )
      .waitFor();
    await page.getByLabel("Address of the copy").fill("copy");
    await page.getByText("An address begins with https:// or http://.").waitFor();
    const before = pages.house.lines.length;
    await page.getByLabel("The report: open a file").setInputFiles({
      name: "attacks.json",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify(report)),
    });
    await page.getByText("1 of 3 rows shows something wrong.").waitFor();
    const lines = rows(page, "Rows of the report");
    expect(await lines.locator(".badge").allTextContents()).toEqual(["FINDING", "ok", "caught"]);
    expect(await lines.first().textContent()).toContain("<img src=x onerror=alert(1)>");
    expect(await page.locator("main img").count()).toBe(0);
    await page.getByLabel("The report", { exact: true }).fill("{}");
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("This is not what");
    expect(pages.house.lines.length).toBe(before);
    expect(complaints).toEqual([]);
  });

  it("is for no analyst and no operator, who get no data of it", async () => {
    for (const name of ["ada", "eve"]) {
      const { page, complaints } = await pages.visit(name, "#/audit/asked");
      await page.getByRole("heading", { level: 1, name: "Nothing here" }).waitFor();
      expect(await page.getByRole("navigation").getByRole("link", { name: "Audit" }).count()).toBe(0);
      await page.keyboard.press("Alt+Shift+U");
      expect(await page.getByRole("table").count()).toBe(0);
      const told = await page.evaluate<readonly [number, string][]>(
        "Promise.all(['charges', 'ledger', 'audit-log'].map((path) => fetch('/v1/' + path).then(async (answer) => [answer.status, await answer.text()])))",
      );
      for (const [status, text] of told) {
        expect(status).toBe(403);
        expect(text).not.toMatch(/SELECT|previous|genesis/);
      }
      expect(complaints).toEqual([]);
    }
  });

  for (const [theme, size] of [
    ["light", "desktop"],
    ["dark", "phone"],
    ["dark", "desktop"],
    ["light", "phone"],
  ] as const)
    it(`has no serious fault of access and fits, ${theme}, ${size}`, async () => {
      for (const place of ["", "/asked", "/log", "/ledger", "/attacks"]) {
        const { page, complaints } = await pages.visit("max", `#/audit${place}`, { theme, size });
        await page.getByRole("navigation", { name: "Audit" }).waitFor();
        if (place === "/attacks")
          await page.getByLabel("The report", { exact: true }).fill(JSON.stringify(report));
        if (place === "") await check(page, "The ledger").click();
        await page
          .getByText(/The chain holds|rows shows|Save all as a file/)
          .first()
          .waitFor();
        expect(await seriousFaults(page)).toEqual([]);
        expect(await isTooWide(page)).toBe(false);
        await picture(page, `audit${place.replace("/", "-")}-${size}-${theme}`);
        expect(complaints).toEqual([]);
        await page.context().close();
      }
    });
});
