import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumPath } from "./chromium.ts";

const example = fileURLToPath(new URL("../../../examples/local-training/", import.meta.url));

interface Report {
  readonly task: string;
  readonly report: number;
}

interface Interval {
  readonly low: number;
  readonly high: number;
}

interface Estimates {
  readonly cells: Readonly<Record<string, readonly (Interval & { readonly share: number })[]>>;
  readonly sleep: Interval & { readonly mean: number };
  readonly model: {
    readonly chances: readonly {
      readonly coffee: string;
      readonly screen: string;
      readonly rested: number;
    }[];
    readonly sql: string;
  } | null;
}

/** The collector's half of the example. */
interface Aggregate {
  emptyCounts(): Record<string, number[]>;
  addReport(counts: Record<string, number[]>, sent: unknown): boolean;
  estimates(
    counts: Record<string, number[]>,
    options?: { readonly confidence?: number; readonly epsilon?: string },
  ): Estimates;
}

/** The shares and the mean of made-up people, which the collector does not know. */
interface Truth {
  readonly cells: Readonly<Record<string, readonly number[]>>;
  readonly sleep: number;
}

const aggregate = (await import(pathToFileURL(`${example}aggregate.js`).href)) as Aggregate;

/** Starts the example's server. It ends by itself, or with the tests. */
async function started(
  ...options: string[]
): Promise<{ readonly child: ChildProcess; readonly base: string }> {
  const child = spawn(process.execPath, [`${example}serve.mjs`, ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  const [base] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(line)) ?? [];
  if (!base) throw new Error(`no address in ${line}`);
  return { child, base };
}

let [child, base]: [ChildProcess | null, string] = [null, ""];
beforeAll(async () => {
  ({ child, base } = await started("--idle", "600"));
});
afterAll(() => child?.kill("SIGTERM"));

const send = (body: string, type = "application/json"): Promise<Response> =>
  fetch(`${base}/reports`, { method: "POST", headers: { "content-type": type }, body });

describe("the server of the local training", () => {
  it("lets a page run its own scripts and styles, and nothing else", async () => {
    for (const path of [
      "/",
      "/estimates.html",
      "/randomize.js",
      "/core/light.mjs",
      "/estimates.json",
      "/none",
    ]) {
      const { headers } = await fetch(base + path);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy).not.toMatch(/unsafe|data:|\*|https?:/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("set-cookie")).toBeNull();
    }
  });

  it("serves its own files and core's, to this machine's own name alone", async () => {
    for (const path of [
      "/serve.mjs",
      "/aggregate.js",
      "/../package.json",
      "/core/../package.json",
      "/core/index.d.mts",
    ])
      expect((await fetch(base + path)).status, path).toBe(404);
    const named = request(`${base}/`, { headers: { host: "elsewhere.example" } }).end();
    const [answer] = await once(named, "response");
    expect(answer.statusCode).toBe(421);
    answer.resume();
  });

  it.each([
    ["no list", '{"task":"coffee","report":1}', 400],
    ["no JSON", "coffee", 400],
    ["another task", '[{"task":"name","report":1}]', 400],
    ["a task that every object has", '[{"task":"constructor","report":0}]', 400],
    ["no option of it", '[{"task":"coffee","report":8}]', 400],
    ["half an option", '[{"task":"coffee","report":0.5}]', 400],
    ["more than a report", '[{"task":"coffee","report":1,"who":"me"}]', 400],
    ["one that is wrong among others", '[{"task":"coffee","report":1},{"task":"coffee","report":-1}]', 400],
    ["more than 1 MiB", `[${'{"task":"coffee","report":1},'.repeat(40_000)}{}]`, 400],
  ])("counts nothing of what is %s", async (_, body, status) => {
    const before = await (await fetch(`${base}/estimates.json`)).text();
    expect((await send(body)).status).toBe(status);
    expect(await (await fetch(`${base}/estimates.json`)).text()).toBe(before);
  });

  it("takes no form of another site", async () => {
    expect((await send('[{"task":"coffee","report":1}]', "text/plain")).status).toBe(415);
    expect((await fetch(`${base}/estimates.json`, { method: "DELETE" })).status).toBe(405);
  });

  it("stops by itself when nobody asks", async () => {
    const short = await started("--idle", "0.2");
    const [code] = await once(short.child, "exit");
    expect(code).toBe(0);
  });
});

/** The least distance from n·p that a count of chance p passes with probability at most α, by Bernstein's inequality on both sides. */
function within(n: number, p: number, alpha: number): number {
  const rate = Math.log(2 / alpha);
  return rate / 3 + Math.sqrt((rate / 3) ** 2 + 2 * n * p * (1 - p) * rate);
}

if (chromiumPath === null)
  console.log("skipped: no Chromium on this machine (Debian: apt-get install chromium)");

describe.skipIf(chromiumPath === null)("local training in headless Chromium", () => {
  let browser: Browser;
  let page: Page;
  const asked: { readonly url: string; readonly body: string | null }[] = [];
  const complaints: string[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath ?? "", args: ["--no-sandbox"] });
    page = await browser.newPage();
    page.on("request", (each) => asked.push({ url: each.url(), body: each.postData() }));
    page.on("pageerror", ({ message }) => complaints.push(message));
    page.on("console", (each) => {
      if (each.type() === "error") complaints.push(each.text());
    });
  });
  afterAll(() => browser?.close());

  it("sends one report of a visitor, and nothing else", async () => {
    await page.goto(`${base}/`);
    await page.waitForSelector("body[data-ready]");
    const button = page.getByRole("button", { name: "Roll the dice and send" });
    expect(await button.isDisabled()).toBe(true);
    for (const value of ["no", "2 cups", "over 40 min"]) await page.check(`input[value="${value}"]`);
    expect(await page.locator(".bar.own").textContent()).toBe("not rested, 2 cups51.4 %");
    asked.length = 0;
    await button.click();
    await page.waitForSelector(".done");
    expect(asked).toHaveLength(1);
    const [{ url, body } = { url: "", body: "" }] = asked;
    expect(url).toBe(`${base}/reports`);
    expect(body).toMatch(/^\[\{"task":"(?:coffee|screen|sleep)","report":\d\}\]$/);
    expect(await page.locator("#sent pre").textContent()).toBe(body?.slice(1, -1));
    expect(await button.isDisabled()).toBe(true);
    expect(complaints).toEqual([]);
  });

  /** Runs a piece of a program in the page, with the page's own modules. As text: what makes tests run changes imports. */
  const inPage = <T>(program: string): Promise<T> => page.evaluate(`(async () => { ${program} })()`);

  /** Returns the reports of people, each of whom rolls dice of its own in the page. */
  const reportsOf = (people: string): Promise<readonly Report[]> =>
    inPage(`
      const { reportOf } = await import("/randomize.js");
      const { secureEntropy } = await import("/core/light.mjs");
      const { madeUpPeople } = await import("/crowd.js");
      const bits = secureEntropy();
      return (${people}).map((each) => reportOf(each, bits).report);
    `);

  it("randomizes at ε 2 and at no other ε, whichever task it draws (false alarm below 1e-6)", async () => {
    const visitors = 60_000;
    // The cell of no with 2 cups is the seventh of coffee's, and that of no with over 40 min the last of screen's; 3 of 12 hours are a quarter.
    const told = { rested: "no", coffee: "2 cups", screen: "over 40 min", sleep: 3 };
    const own = { coffee: 6, screen: 7 } as const;
    const reports = await reportsOf(`Array.from({ length: ${visitors} }, () => (${JSON.stringify(told)}))`);
    // Fewer than 25 counts are compared, each with a chance of at most 2e-8.
    const alpha = 2e-8;
    const expectCount = (count: number, n: number, p: number): void =>
      expect(Math.abs(count - n * p)).toBeLessThan(within(n, p, alpha));
    const truthAt = (epsilon: number, options: number): number =>
      Math.exp(epsilon) / (Math.exp(epsilon) + options - 1);
    for (const [task, cell] of Object.entries(own)) {
      const of = reports.filter((each) => each.task === task).map(({ report }) => report);
      expectCount(of.length, visitors, 1 / 3);
      for (let option = 0; option < 8; option++) {
        const truth = truthAt(2, 8);
        const count = of.filter((report) => report === option).length;
        expectCount(count, of.length, option === cell ? truth : (1 - truth) / 7);
        if (option !== cell) continue;
        // A tenth more or less of ε would be told.
        for (const wrong of [1.8, 2.2])
          expect(Math.abs(count - of.length * truthAt(wrong, 8))).toBeGreaterThan(
            within(of.length, truthAt(wrong, 8), alpha),
          );
      }
    }
    const ends = reports.filter(({ task }) => task === "sleep").map(({ report }) => report);
    const upper = (epsilon: number): number => 0.75 * (1 - truthAt(epsilon, 2)) + 0.25 * truthAt(epsilon, 2);
    expectCount(ends.filter((end) => end === 1).length, ends.length, upper(2));
  });

  it("lets the collector find the crowd's shares, its mean and its model, each in its interval (false alarm below 1e-6)", async () => {
    const crowd = "madeUpPeople(48_000)";
    const truth = await inPage<Truth>(`
      const { madeUpPeople, truthOf } = await import("/crowd.js");
      return truthOf(${crowd});
    `);
    const counts = aggregate.emptyCounts();
    for (const report of await reportsOf(crowd)) expect(aggregate.addReport(counts, report)).toBe(true);
    // Every interval of the three tasks holds but for a chance of 3e-8.
    const found = aggregate.estimates(counts, { confidence: 1 - 1e-8 });
    const { cells, sleep } = truth;
    const misses = ({ cells: shares, sleep: mean }: Estimates): number =>
      ["coffee", "screen"].flatMap((task) =>
        (shares[task] ?? []).filter(({ low, high }, at) => {
          const share = cells[task]?.[at] ?? Number.NaN;
          return !(low <= share && share <= high);
        }),
      ).length + (mean.low <= sleep && sleep <= mean.high ? 0 : 1);
    expect(misses(found)).toBe(0);
    for (const { low, high } of found.cells.coffee ?? []) expect(high - low).toBeLessThan(0.11);
    expect(found.sleep.high - found.sleep.low).toBeLessThan(0.9);
    // A collector that believes in less noise than there was finds shares that are not there.
    expect(misses(aggregate.estimates(counts, { confidence: 0.95, epsilon: "2.6" }))).toBeGreaterThan(2);
    expect(misses(aggregate.estimates(counts, { confidence: 0.95, epsilon: "1.5" }))).toBeGreaterThan(2);
    // By the crowd's habits the chance is 0.95 of who drank none and looked at none, and 0.06 at the other end. To pass these bounds two cells must
    // be off by 4 and by 5.6 deviations at once, which happens with a chance below 1e-9.
    const chance = (coffee: string, screen: string): number =>
      found.model?.chances.find((each) => each.coffee === coffee && each.screen === screen)?.rested ??
      Number.NaN;
    expect(chance("none", "not at all")).toBeGreaterThan(0.85);
    expect(chance("3 or more", "over 40 min")).toBeLessThan(0.2);
    expect(found.model?.sql).toContain('AS "prediction"');
  });

  it("shows estimates, intervals, the truth of made-up people and the model on a page", async () => {
    complaints.length = 0;
    await page.goto(`${base}/estimates.html`);
    await page.waitForSelector("body[data-ready]");
    expect(await page.locator("#told").textContent()).toMatch(/^1 report came/);
    await page.click("#crowd");
    await page.waitForSelector('body[data-reports="24001"]');
    expect(await page.locator(".groups .fill").count()).toBe(16);
    expect(await page.locator(".groups .reach").count()).toBe(16);
    expect(await page.locator(".groups .truth").count()).toBe(16);
    expect(await page.locator(".heat").count()).toBe(16);
    expect(await page.locator(".big").textContent()).toMatch(/^\d\.\d\d h$/);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      // Nothing sticks out of the page.
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    }
    expect(complaints).toEqual([]);
    expect(asked.every(({ url }) => url.startsWith(`${base}/`))).toBe(true);
  });
});
