import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { policyText } from "../testing/app-house.ts";
import {
  isTooWide,
  noBrowser,
  openPageHouse,
  type PageHouse,
  picture,
  seriousFaults,
} from "../testing/page-house.ts";

if (noBrowser) console.log(`skipped: ${noBrowser}`);

/** A question whose text would be markup, and would turn what follows it. */
const sql =
  "SELECT town, COUNT(*) AS n FROM people WHERE name <> '<img src=x onerror=alert(1)>\u202e' GROUP BY town";

describe.skipIf(noBrowser !== null)("the release's screen", () => {
  let pages: PageHouse;
  let id: string;
  let release: string;
  beforeAll(async () => {
    pages = await openPageHouse();
    const asked = await pages.house.send("/v1/query", { as: "analyst", json: { sql, epsilon: "1" } });
    release = await asked.text();
    id = asked.headers.get("lethe-request") ?? "";
  });
  afterAll(() => pages?.close());
  const place = (query = ""): string => `#/release/${encodeURIComponent(id)}${query}`;
  const badges = (words: string): string => `.checks .badge:has-text("${words}")`;

  it("verifies a release in the browser by keyboard: everything of it, where policy and key are given", async () => {
    const { page, complaints } = await pages.visit("ada", place());
    await page.getByText("Add the policy and the owner's key").press("Enter");
    await page.getByLabel("The ledger's public key", { exact: true }).fill(pages.house.ledger.publicKey);
    await page.getByLabel("The policy", { exact: true }).fill(policyText);
    await page.getByRole("button", { name: "Verify in this browser" }).press("Enter");
    await page.getByText("No check failed.").waitFor();
    expect(await page.locator(badges("failed")).count()).toBe(0);
    // What the account has spent is not shown to analysts, so that its sums are left open.
    expect(await page.locator(".checks li", { hasText: "not made" }).allTextContents()).toEqual([
      expect.stringContaining("account"),
    ]);
    expect(await page.locator(badges("passed")).count()).toBeGreaterThan(20);
    await page.getByText("This question, planned again here, gives the very same plan.").waitFor();
    expect(complaints).toEqual([]);
  });

  it("asks the service for nothing while it verifies, and what it may do is the thread's alone", async () => {
    const { page, complaints } = await pages.visit("ada", place());
    await page.getByRole("button", { name: "Verify in this browser" }).click();
    await page.getByText("No check failed.").waitFor();
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Verify in this browser" }).click();
    await page.getByText("No check failed.").waitFor();
    await expect(
      page.evaluate("WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))"),
    ).rejects.toThrow();
    expect(complaints.every((told) => told.includes("wasm-eval"))).toBe(true);
  });

  it("finds a release that was changed, and says which check failed", async () => {
    const { page } = await pages.visit("ada", "#/release");
    const changed = JSON.parse(release);
    changed.certificate.principal = "mallory";
    await page.getByLabel("The release", { exact: true }).fill(JSON.stringify(changed));
    await page.getByRole("button", { name: "Verify in this browser" }).click();
    await page.getByText("This release does not hold.").waitFor();
    expect(await page.locator(".checks li").first().textContent()).toContain("signature");
    await page.getByLabel("The release", { exact: true }).fill("{}");
    await page.getByRole("button", { name: "Verify in this browser" }).click();
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("release.invalid");
  });

  it("takes a file, whatever its name, and shows a hostile text as text", async () => {
    const { page, complaints } = await pages.visit("eve", "#/release");
    const name = "a\u202e<img src=x onerror=alert(1)>.json";
    await page
      .getByLabel("The release: open a file")
      .setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(release) });
    await page.getByText("Read a‹202e›<img src=x onerror=alert(1)>.json.").waitFor();
    await page.getByRole("button", { name: "Verify in this browser" }).click();
    await page.getByText("No check failed.").waitFor();
    const own = await pages.visit("ada", place());
    await own.page.getByRole("heading", { name: "How it was made" }).waitFor();
    expect(await own.page.locator("dl code").first().textContent()).toBe(sql.replace("\u202e", "‹202e›"));
    expect(await own.page.locator("main img").count()).toBe(0);
    expect([...complaints, ...own.complaints]).toEqual([]);
  });

  it("shows an owner another's release with the policy in force, and an auditor the certificate without rows", async () => {
    const owner = await pages.visit("olga", place("?of=ada"));
    await owner.page.getByRole("region", { name: "Answer" }).waitFor();
    await owner.page.getByRole("button", { name: "Verify in this browser" }).click();
    await owner.page.getByText("No check failed.").waitFor();
    expect(await owner.page.locator(badges("not made")).count()).toBe(2);
    const auditor = await pages.visit("max", place("?of=ada"));
    await auditor.page.getByRole("heading", { name: "How it was made" }).waitFor();
    expect(await auditor.page.getByRole("region", { name: "Answer" }).count()).toBe(0);
    const other = await pages.visit("bob", place("?of=ada"));
    await expect.poll(() => other.page.getByRole("alert").textContent()).toContain("serve.absent");
    expect([...owner.complaints, ...auditor.complaints]).toEqual([]);
  });

  for (const [theme, size] of [
    ["light", "desktop"],
    ["dark", "phone"],
  ] as const)
    it(`has no serious fault of access and fits, ${theme}, ${size}`, async () => {
      const { page, complaints } = await pages.visit("ada", place(), { theme, size });
      await page.getByRole("button", { name: "Verify in this browser" }).click();
      await page.getByText("No check failed.").waitFor();
      expect(await seriousFaults(page)).toEqual([]);
      expect(await isTooWide(page)).toBe(false);
      await picture(page, `release-${size}-${theme}`);
      expect(complaints).toEqual([]);
    });
});
