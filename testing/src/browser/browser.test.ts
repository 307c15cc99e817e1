import * as core from "@lethe/core";
import * as local from "@lethe/core/local";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bundle, bundle } from "./bundle.ts";
import { chromiumPath, openVisitor, type Visitor } from "./chromium.ts";

const lethe = { ...core, ...local };
type Lethe = typeof lethe;
/** The most bytes that a page may load for mechanisms and accountants without PLD, minified and gzipped. */
const lightLimit = 60_000;

/** The mechanisms of training and synthesis, which open what an engine or a kernel has sealed: a page that counts its bytes has neither. */
const ofTraining = [
  "correlated-gradients/",
  "noisy-gradients/",
  "table-session/",
  "scores/choose-sealed.ts",
  "vector-noise/release-sealed-vector.ts",
];

let [full, light]: Bundle[] = [];
beforeAll(async () => {
  full = await bundle("testing/whole.ts");
  light = await bundle("light.ts");
  for (const [name, { minifiedBytes, gzippedBytes }] of Object.entries({ light, full })) {
    console.log(`${name} bundle of core: ${minifiedBytes} bytes minified, ${gzippedBytes} gzipped`);
  }
});

describe("a bundle of core for a page", () => {
  it("weighs less than 60 kB gzipped with all mechanisms but those of training, and all accountants but PLD", () => {
    expect(light!.gzippedBytes).toBeLessThan(lightLimit);
    expect(light!.gzippedBytes).toBeLessThan(full!.gzippedBytes);
  });
  it("has in its light form no file of PLD, and all mechanisms of the full one but those of training", () => {
    const of = (folder: string, { modules }: Bundle): string[] =>
      modules.filter((file) => file.startsWith(`packages/core/src/${folder}/`)).sort();
    // Mechanisms name their dominating pairs, which are numbers; what composes them stays out.
    const composed = (made: Bundle): string[] =>
      of("losses/pld", made).filter((file) => !file.startsWith("packages/core/src/losses/pld/pairs/"));
    expect(composed(light!)).toEqual([]);
    expect(composed(full!).length).toBeGreaterThan(5);
    const isOfTraining = (file: string): boolean =>
      ofTraining.some((room) => file.startsWith(`packages/core/src/mechanisms/${room}`));
    const ofFull = of("mechanisms", full!);
    expect(of("mechanisms", light!)).toEqual(ofFull.filter((file) => !isOfTraining(file)));
    expect(ofFull.filter(isOfTraining).length).toBeGreaterThan(5);
    expect(of("accountants/adaptive", light!)).toEqual(of("accountants/adaptive", full!));
  });
  it("names nothing of Node", () => {
    for (const { code, modules } of [light!, full!]) {
      expect(code).not.toMatch(/\bnode:|\brequire\(|\bprocess\./);
      expect(modules.filter((file) => !file.startsWith("packages/core/src/"))).toEqual([]);
    }
  });
});

if (chromiumPath === null)
  console.log("skipped: no Chromium on this machine (Debian: apt-get install chromium)");

describe.skipIf(chromiumPath === null)("in headless Chromium", () => {
  let visitor: Visitor;
  let [fullPage, lightPage]: Page[] = [];
  beforeAll(async () => {
    visitor = await openVisitor(chromiumPath!);
    fullPage = await visitor.visit(full!.code);
    lightPage = await visitor.visit(light!.code);
  });
  afterAll(() => visitor?.close());

  // sgd-33 of the reference numbers.
  const run = { units: 60_000, batch: 256, noiseMultiplier: 1.1, steps: 14_062 } as const;
  const delta = 1e-5;

  /** Expects the same number, up to what two versions of one engine may round differently. */
  const near = (found: number, due: number): void => {
    expect(Math.abs(found - due)).toBeLessThanOrEqual(1e-9 * Math.abs(due));
  };

  it("the full bundle computes the ε of a DP-SGD run by PLD, as Node does", async () => {
    const inPage = await fullPage!.evaluate(
      ([sgd, at]) => {
        const { account, dpSgdEvent } = (globalThis as unknown as { Lethe: Lethe }).Lethe;
        return account(dpSgdEvent(sgd)).epsilon(at);
      },
      [run, delta] as const,
    );
    const due = lethe.account(lethe.dpSgdEvent(run)).epsilon(delta);
    near(inPage.lower, due.lower);
    near(inPage.upper, due.upper);
    expect(inPage.provenance).toEqual(due.provenance);
    expect(Math.abs(inPage.upper - 2.381686)).toBeLessThan(2e-4);
    expect(inPage.upper - inPage.lower).toBeLessThan(1e-3);
  });

  it("the light bundle computes it by Rényi divergences, as Node does", async () => {
    const inPage = await lightPage!.evaluate(
      ([sgd, at]) => {
        const { account, dpSgdEvent } = (globalThis as unknown as { Lethe: Lethe }).Lethe;
        return account(dpSgdEvent(sgd)).epsilon(at).upper;
      },
      [run, delta] as const,
    );
    const due = lethe.account(lethe.dpSgdEvent(run)).by("renyi")!.epsilon(delta).upper;
    near(inPage, due);
    // Orders are continuous here, and whole numbers among others where the reference comes from.
    expect(inPage).toBeLessThan(2.596556 + 2e-4);
    expect(inPage).toBeGreaterThan(2.381686);
  });

  it("10,000 units randomize their own answers, and the collector's intervals hold", async () => {
    const options = 4;
    // 10,000 units, of whom 40, 30, 20 and 10 % have the options 0 … 3.
    const truths = Array.from({ length: 10_000 }, (_, i) => [0, 0, 0, 0, 1, 1, 1, 2, 2, 3][i % 10]!);
    const { parameters, reports } = await lightPage!.evaluate(
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
