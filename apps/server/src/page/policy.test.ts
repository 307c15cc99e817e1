import type { Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { policyText } from "../testing/app-house.ts";
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

/** How much of the text lies outside of the editor, in pixels. */
const hiddenPart =
  "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('.editor').shadowRoot.querySelector('.cm-scroller'))";

describe.skipIf(noBrowser !== null)("the policy's screen", () => {
  let pages: PageHouse;
  beforeEach(async () => {
    pages = await openPageHouse();
  });
  afterEach(() => pages?.close());

  const raised = policyText.replace("epsilon: 100000", "epsilon: 200000");
  const served = async (): Promise<string> => {
    const response = await pages.house.send("/v1/policy", { as: "auditor" });
    return ((await response.json()) as { text: string }).text;
  };
  const write = async (page: Page, text: string): Promise<void> => {
    const editor = page.getByRole("textbox", { name: "The draft of the policy" });
    await editor.focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(text);
  };
  const changes = (page: Page) => page.getByRole("region", { name: "Changed parts" });

  it("lets an owner raise a cap in the text by keyboard, says what that means, and puts it on record", async () => {
    const { page, complaints } = await pages.visit("olga", "#/policy");
    await page.getByText("This is the policy in force.").waitFor();
    await write(page, `${raised}${"# a remark\n".repeat(40)}`);
    // The whole text is shown: the page scrolls, and not the editor.
    expect(await page.evaluate(hiddenPart)).toBe(0);
    await write(page, raised);
    const row = changes(page).getByRole("row", { name: /budget\.epsilon/ });
    await expect.poll(() => row.textContent()).toMatch(/100000.*200000.*promises less.*tell more/);
    expect(await served()).toBe(policyText);
    await page.getByRole("button", { name: "Accept …" }).press("Enter");
    const dialog = page.getByRole("dialog");
    expect(await dialog.textContent()).toContain("ε 100000 → 200000 (raised)");
    expect(await dialog.textContent()).toContain("cannot be taken back");
    // Without a reason nothing is sent.
    await dialog.getByRole("button", { name: "Put in force" }).press("Enter");
    expect(await served()).toBe(policyText);
    await dialog.getByLabel("Reason").fill("a second survey");
    expect(await seriousFaults(page)).toEqual([]);
    await picture(page, "accept");
    await page.keyboard.press("Enter");
    await expect.poll(served).toBe(raised);
    await page.getByText("This is the policy in force.").waitFor();
    await expect
      .poll(() => page.getByRole("region", { name: "In force" }).textContent())
      .toContain("by olga");
    const [record, ...more] = (await pages.house.ledger.report()).budgets;
    expect([record, more]).toMatchObject([{ kind: "apply", reason: "a second survey" }, []]);
    expect(complaints).toEqual([]);
  });

  it("changes a cap and bounds in the form by keyboard, and leaves the rest of the text as it is written", async () => {
    const { page, complaints } = await pages.visit("olga", "#/policy");
    await page.getByRole("button", { name: "Form", exact: true }).press("Enter");
    const budget = page.locator("details", { has: page.locator("> summary", { hasText: /^Budget$/ }) });
    await budget.getByLabel("Epsilon", { exact: true }).first().fill("150000");
    await page.keyboard.press("Tab");
    await page.locator("summary", { hasText: /^people$/ }).press("Enter");
    await page.locator("summary", { hasText: /^age$/ }).press("Enter");
    await page.getByLabel("Bounds, the upper end").first().fill("110");
    await page.keyboard.press("Enter");
    const text = policyText.replace("100000", "150000").replace("[0, 100]", "[0, 110]");
    await changes(page)
      .getByRole("row", { name: /age\.bounds/ })
      .waitFor();
    await page.getByLabel("Bounds, the upper end").first().fill("-1");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => page.getByRole("region", { name: "Lint" }).getByRole("alert").textContent())
      .toContain("line 10");
    await page.getByLabel("Bounds, the upper end").first().fill("110");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Accept …" }).press("Enter");
    await page.getByRole("dialog").getByLabel("Reason").fill("a third survey");
    await page.keyboard.press("Enter");
    await expect.poll(served).toBe(text);
    expect((await pages.house.ledger.report()).budgets).toMatchObject([{ reason: "a third survey" }]);
    expect(complaints).toEqual([]);
  });

  it("adds a column in the form and takes it away; what was typed in the text stands in the form", async () => {
    const { page, complaints } = await pages.visit("olga", "#/policy");
    await write(page, policyText.replace("[0, 100]", "[7, 77]"));
    await page.getByRole("button", { name: "Form", exact: true }).press("Enter");
    await page.locator("summary", { hasText: /^people$/ }).press("Enter");
    await page.locator("summary", { hasText: /^age$/ }).press("Enter");
    await expect.poll(() => page.getByLabel("Bounds, the upper end").first().inputValue()).toBe("77");
    await page.getByLabel("Another of Columns").fill("wage");
    await page.keyboard.press("Enter");
    await changes(page)
      .getByRole("row", { name: /columns\.wage/ })
      .waitFor();
    await page.getByRole("button", { name: "Text", exact: true }).press("Enter");
    const editor = page.getByRole("textbox", { name: "The draft of the policy" });
    await expect.poll(() => editor.textContent()).toContain("wage: { type: text }");
    await page.getByRole("button", { name: "Form", exact: true }).press("Enter");
    await page.locator("summary", { hasText: /^people$/ }).press("Enter");
    await page.getByRole("button", { name: "Remove wage from Columns" }).press("Enter");
    await expect.poll(() => changes(page).textContent()).not.toContain("wage");
    // Bounds of what became a text have no place there: they are shown, and can be taken away.
    await page.locator("summary", { hasText: /^age$/ }).press("Enter");
    await page.getByLabel("Type").first().selectOption("text");
    const left = page.getByLabel("Bounds", { exact: true }).first();
    await expect.poll(() => left.inputValue()).toBe("[7, 77]");
    await left.fill("");
    await page.keyboard.press("Enter");
    await changes(page)
      .getByRole("row", { name: /age\.type/ })
      .waitFor();
    expect(complaints).toEqual([]);
  });

  it("names the line of a fault and of advice, and asks the service for what is a policy alone", async () => {
    const { page, complaints } = await pages.visit("olga", "#/policy");
    const asked: string[] = [];
    page.on("request", (request) => void asked.push(new URL(request.url()).pathname));
    await write(page, policyText.replace("[0, 100]", "[100, 0]"));
    const lint = page.getByRole("region", { name: "Lint" });
    await expect.poll(() => lint.getByRole("alert").textContent()).toMatch(/line 10.*policy\.invalid/);
    expect(await changes(page).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Accept …" }).count()).toBe(0);
    expect(asked).not.toContain("/v1/policy/check");
    await picture(page, "fault");
    await write(page, policyText.replace("unit: row", "unit: row\n    trusted: true"));
    await lint.getByText("line 9").waitFor();
    await changes(page).getByText("rests on the owner's word").waitFor();
    await page.getByRole("button", { name: "Drop the draft" }).press("Enter");
    await page.getByText("This is the policy in force.").waitFor();
    expect(complaints).toEqual([]);
  });

  it("shows what the ledger refuses, and offers no acceptance of it", async () => {
    const { page } = await pages.visit("olga", "#/policy");
    await write(page, policyText.replace("measure: pure, epsilon: 100000", "measure: zcdp, rho: 1"));
    const section = page.getByRole("region", { name: "Changes", exact: true });
    await expect.poll(() => section.getByRole("alert").textContent()).toContain("policy.changed");
    expect(await page.getByRole("button", { name: "Accept …" }).count()).toBe(0);
  });

  it("keeps a draft while its owner looks elsewhere, and says where the account stays as it is", async () => {
    const { page, complaints } = await pages.visit("olga", "#/policy");
    const text = policyText.replace("[0, 100]", "[0, 120]");
    await write(page, text);
    await changes(page).getByText("bounds").first().waitFor();
    await page.keyboard.press("Alt+Shift+B");
    await page.getByRole("heading", { level: 1, name: "Budget" }).waitFor();
    await page.keyboard.press("Alt+Shift+P");
    await page.getByRole("heading", { level: 1, name: "Policy" }).waitFor();
    await expect.poll(() => focused(page)).toBe("H1 Policy");
    await page.getByRole("button", { name: "Accept …" }).press("Enter");
    expect(await page.getByRole("dialog").textContent()).toContain("the account stays as it is");
    await page.getByRole("dialog").getByRole("button", { name: "Put in force" }).press("Enter");
    await expect.poll(served).toBe(text);
    expect((await pages.house.ledger.report()).budgets).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("is read by an auditor, who can change nothing, and by no analyst", async () => {
    const auditor = await pages.visit("max", "#/policy");
    const text = auditor.page.getByRole("textbox", { name: "The policy's text" });
    await expect.poll(() => text.textContent()).toContain("add-or-remove-one");
    await text.focus();
    await auditor.page.keyboard.insertText("nothing");
    expect(await text.textContent()).not.toContain("nothing");
    for (const name of ["Accept …", "Drop the draft"])
      expect(await auditor.page.getByRole("button", { name }).count()).toBe(0);
    const analyst = await pages.visit("ada", "#/policy");
    await analyst.page.getByText("No screen that you may see has this address").waitFor();
    expect(await analyst.page.content()).not.toContain("add-or-remove-one");
    for (const as of ["auditor", "analyst"] as const) {
      const json = { text: raised, agreed: [], reason: "mine" };
      expect((await pages.house.send("/v1/policy", { as, method: "PUT", json })).status).toBe(403);
      expect((await pages.house.send("/v1/policy/check", { as, json: { text: raised } })).status).toBe(403);
    }
    expect((await pages.house.send("/v1/policy", { as: "analyst" })).status).toBe(403);
    expect([...auditor.complaints, ...analyst.complaints]).toEqual([]);
  });

  it("shows markup in a policy as text", async () => {
    const { page, complaints } = await pages.visit("olga", "#/policy");
    const markup = "<img src=x onerror=alert(1)>";
    await write(page, policyText.replace('["=north", south', `["${markup}", south`));
    await expect.poll(() => changes(page).textContent()).toContain(markup);
    await write(page, policyText.replace("unit: row", `unit: "${markup}"`));
    await page.getByRole("region", { name: "Lint" }).getByRole("alert").waitFor();
    expect(await page.locator("main img").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  for (const [theme, size, name] of [
    ["light", "desktop", "olga"],
    ["dark", "desktop", "max"],
    ["light", "phone", "max"],
    ["dark", "phone", "olga"],
  ] as const)
    it(`has no serious fault of access and fits, ${theme}, ${size}, ${name}`, async () => {
      const { page, complaints } = await pages.visit(name, "#/policy", { theme, size });
      await page.getByRole("region", { name: "Lint" }).getByText("line").first().waitFor();
      if (name === "olga") {
        await write(page, raised.replace("[0, 100]", "[0, 120]"));
        await changes(page).waitFor();
      }
      await page.waitForLoadState("networkidle");
      expect(await seriousFaults(page)).toEqual([]);
      expect(await isTooWide(page)).toBe(false);
      await picture(page, `policy-${size}-${theme}`);
      await page.getByRole("button", { name: "Form", exact: true }).click();
      await page.locator("summary", { hasText: /^people$/ }).click();
      await page.locator("summary", { hasText: /^age$/ }).click();
      expect(await page.getByLabel("Bounds, the upper end").isDisabled()).toBe(name === "max");
      expect(await seriousFaults(page)).toEqual([]);
      expect(await isTooWide(page)).toBe(false);
      await picture(page, `form-${size}-${theme}`);
      expect(complaints).toEqual([]);
    });
});
