import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noBrowser, type PageHouse, type Visit } from "../../testing/page-house.ts";
import { openHostileHouse, type Shown, strayAddresses } from "./testing/hostile-house.ts";
import { asShown, payloads } from "./testing/payloads.ts";
import { look, watch } from "./testing/watch.ts";

if (noBrowser) console.log(`skipped: ${noBrowser}`);

/** A text as it is looked for: without blanks, since an editor shows each line by itself. */
const tight = (text: string): string => text.replaceAll(/\s+/g, "");

/** Goes to an address and waits until what it shows is there, the earlier parts of lists too. */
async function open(page: Page, address: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
  await page.locator("main h1").waitFor();
  await expect.poll(() => page.locator(".loading").count()).toBe(0);
  const earlier = page.getByRole("button", { name: "Show earlier ones" });
  while (await earlier.isVisible()) {
    await earlier.click();
    await expect
      .poll(() => page.locator("main button:disabled", { hasText: "Show earlier" }).count())
      .toBe(0);
  }
}

describe.skipIf(noBrowser !== null)("texts of others", () => {
  let pages: PageHouse;
  let shown: readonly Shown[];
  beforeAll(async () => {
    ({ pages, shown } = await openHostileHouse());
  });
  afterAll(() => pages?.close());
  const visits = new Map<string, Visit>();
  const visitOf = async (name: string): Promise<Visit> => {
    const held = visits.get(name) ?? (await pages.visit(name, "#/help"));
    if (!visits.has(name)) await watch(held);
    visits.set(name, held);
    return held;
  };

  it("stand as they are wherever a page shows them, nothing of them runs, and nothing in them is hidden", async () => {
    const faults: unknown[] = [];
    for (const { sight, due } of shown) {
      const { page, complaints } = await visitOf(sight.as);
      await open(page, sight.address);
      const lacking = async () => {
        const seen = await look(page);
        const text = tight(seen.text);
        return { seen, lacks: due.filter(({ payload }) => !text.includes(tight(asShown(payload)))) };
      };
      let { seen, lacks } = await lacking();
      for (let turn = 0; turn < 200 && lacks.length > 0; turn += 1) {
        await page.waitForTimeout(100);
        ({ seen, lacks } = await lacking());
      }
      const { foreign, hidden } = seen;
      if (lacks.length + foreign.length + hidden.length + complaints.length > 0)
        faults.push(JSON.stringify({ sight, lacks, foreign, hidden, complaints }));
    }
    expect(faults).toEqual([]);
  });

  it("in the address lead nowhere, run nothing and are shown as they are", async () => {
    const faults: string[] = [];
    for (const { as, address } of strayAddresses()) {
      const { page, complaints } = await visitOf(as);
      await open(page, address);
      const { foreign, hidden } = await look(page);
      if (foreign.length + hidden.length + complaints.length > 0)
        faults.push(JSON.stringify({ address, foreign, hidden, complaints }));
    }
    expect(faults).toEqual([]);
  });

  it("that are dropped into the page are shown as they are: releases, policies, attack reports, heads, offers", async () => {
    const { page, complaints } = await visitOf("olga");
    const check = async (what: string): Promise<void> => {
      const { foreign, hidden } = await look(page);
      expect({ what, foreign, hidden, complaints }).toEqual({
        what,
        foreign: [],
        hidden: [],
        complaints: [],
      });
    };
    const [id = ""] = shown.flatMap(({ sight }) => /^#\/history\/(q[^?]*)/.exec(sight.address)?.[1] ?? []);
    const response = await pages.house.send(`/v1/releases/${id}`, { as: "bob" });
    const hostile = JSON.parse((await response.text()).replaceAll('"bob"', JSON.stringify(payloads[1])));
    hostile.certificate.plan.text = payloads.join("\n");
    hostile.certificate.engine = payloads;
    hostile.certificate.requestId = payloads[3];
    await open(page, "#/release");
    for (const payload of [
      JSON.stringify(hostile),
      ...payloads,
      JSON.stringify(payloads),
      "{}",
      "[]",
      "null",
    ]) {
      await page.getByLabel("The release", { exact: true }).fill(payload);
      await page.getByRole("button", { name: "Verify in this browser" }).click();
      await page.locator(".panel[role=status], [role=alert]").first().waitFor();
    }
    await check("a release");
    await page.getByLabel("The release: open a file").setInputFiles({
      name: "\u202e<img src=x onerror=ran()>.json",
      mimeType: "text/html",
      buffer: Buffer.from(JSON.stringify(hostile)),
    });
    await page.getByText("Read ‹202e›<img").waitFor();
    await page.getByRole("button", { name: "Verify in this browser" }).click();
    await page.locator(".panel.problem").first().waitFor();
    await check("a file");
    await open(page, "#/audit/attacks");
    const row = (text: string) =>
      Object.fromEntries(
        ["audit", "subject", "of", "claim", "how", "measured", "finding"].map((part) => [part, text]),
      );
    const rows = payloads.map((payload) => ({ ...row(payload), interval: null, ceiling: null }));
    await page.getByLabel("The report", { exact: true }).fill(JSON.stringify(rows));
    await expect.poll(async () => (await look(page)).text).toContain(asShown(payloads[4] ?? ""));
    await check("a report of attacks");
    await open(page, "#/policy");
    const editor = page.getByRole("textbox", { name: "The draft of the policy" });
    // Each replaces what is selected, which is coloured: the browser must not write its colours into the page.
    for (const text of [...payloads, payloads.map((each) => `${JSON.stringify(each)}: 1`).join("\n")]) {
      await editor.focus();
      await page.keyboard.press("Control+a");
      await page.keyboard.insertText(text);
      await page.getByRole("alert").first().waitFor();
    }
    await check("a draft of the policy");
  });

  it("would be seen if one ran, or became an element", async () => {
    const visit = await pages.visit("max", "#/help");
    await watch(visit);
    const { page, complaints } = visit;
    // What is put into a screen that is still to come is gone when it comes.
    await page.getByRole("heading", { level: 1, name: "Help" }).waitFor();
    await expect.poll(() => page.locator(".loading").count()).toBe(0);
    await page.evaluate("ran()");
    await expect.poll(() => complaints).toContain("ran: a text ran as a script");
    expect((await look(page)).foreign).toEqual([]);
    const make = (code: string) => page.evaluate(`(() => { ${code} })()`);
    await make("document.querySelector('main').append(document.createElement('iframe'))");
    await make("document.querySelector('main h1').append('a\\u202eb')");
    await make("document.querySelector('main a').setAttribute('href', 'javascript:1')");
    const { foreign, hidden } = await look(page);
    expect([foreign.length, hidden.length]).toEqual([2, 1]);
    // Trusted Types refuse what makes markup of text, and the policy what would run inline.
    await expect(make("document.body.innerHTML = '<b>'")).rejects.toThrow("TrustedHTML");
    await expect(make("document.body.setAttribute('onclick', 'ran()')")).rejects.toThrow("TrustedScript");
    await expect(make("setTimeout('ran()')")).rejects.toThrow("TrustedScript");
    await make("document.querySelector('main a').click()");
    await expect
      .poll(() => complaints.filter((told) => told.startsWith("policy:")).length)
      .toBeGreaterThan(3);
    expect(complaints.filter((told) => told.startsWith("ran:")).length).toBe(1);
  });
});
