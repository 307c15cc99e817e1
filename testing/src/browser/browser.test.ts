import * as lethe from "@lethe/core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bundle, bundle } from "./bundle.ts";
import { chromiumPath, openVisitor, type Visitor } from "./chromium.ts";

type Lethe = typeof lethe;
const limit = 60_000;

let full: Bundle;
beforeAll(async () => {
  full = await bundle("index.ts");
});

describe("bundles for a page", () => {
  it("take what they weigh", () => {
    console.log(`core: ${full.minifiedBytes} bytes minified, ${full.gzippedBytes} gzipped`);
    expect(limit).toBe(60_000);
  });
});

if (chromiumPath === null)
  console.log("skipped: no Chromium on this machine (Debian: apt-get install chromium)");

describe.skipIf(chromiumPath === null)("in headless Chromium", () => {
  let visitor: Visitor;
  let page: Page;
  beforeAll(async () => {
    visitor = await openVisitor(chromiumPath!);
    page = await visitor.visit(full.code);
  });
  afterAll(() => visitor?.close());

  it("10,000 units randomize their own answers, and the collector's intervals hold", async () => {
    const options = 4;
    // 10,000 units, of whom 40, 30, 20 and 10 % have the options 0 … 3.
    const truths = Array.from({ length: 10_000 }, (_, i) => [0, 0, 0, 0, 1, 1, 1, 2, 2, 3][i % 10]!);
    const { parameters, reports } = await page.evaluate(
      ([values, count]) => {
        const { randomizedResponseFor, ratio, secureEntropy } = (globalThis as unknown as { Lethe: Lethe })
          .Lethe;
        const response = randomizedResponseFor({ options: count, epsilon: ratio(1n) });
        // The browser's own crypto.getRandomValues.
        const bits = secureEntropy();
        return {
          parameters: response.parameters,
          reports: values.map((value) => response.respond(value, bits)),
        };
      },
      [truths, options] as const,
    );
    expect(reports).toHaveLength(10_000);
    // Fresh coins: the reports are not the truths, and most differ from the answer of a unit with the same value.
    const changed = reports.filter((report, i) => report !== truths[i]).length;
    expect(changed).toBeGreaterThan(4_000);
    const collector = lethe.randomizedResponseOf(parameters);
    // All four intervals hold at once but for a chance of at most 1e-6: the false-alarm rate of this test.
    const shares = collector.aggregate(reports, { confidence: 1 - 1e-6, together: true });
    [0.4, 0.3, 0.2, 0.1].forEach((share, option) => {
      const { low, high } = shares.intervals[option]!;
      expect(low, `option ${option}`).toBeLessThanOrEqual(share);
      expect(high, `option ${option}`).toBeGreaterThanOrEqual(share);
      expect(high - low).toBeLessThan(0.2);
    });
    // Bare reports would not do: of the first option they show 0.295, whose deviation is 0.0046.
    const raw = reports.filter((report) => report === 0).length / reports.length;
    expect(raw).toBeLessThan(0.33);
  });
});
