import { readFileSync, writeFileSync } from "node:fs";
import type { Event } from "@lethe/core";
import { expect, it, vi } from "vitest";
import type { Figure } from "../plot/figure.ts";
import { inFolder, lethe } from "../testing/command-line.ts";
import { answer } from "./answer.ts";
import type { AccountFlags } from "./flags.ts";

const drawFigures = vi.hoisted(() =>
  vi.fn<(figures: readonly Figure[], words: object) => Promise<string>>(() => Promise.resolve("<svg/>")),
);
vi.mock("../plot/draw-figures.ts", () => ({ drawFigures }));

const laplace: Event = { kind: "continuous-laplace", version: 1, scale: "2", sensitivity: "1" };
const flags: AccountFlags = { adjacency: "add-or-remove-one", delta: "0" };
const said = { title: "Noise", details: "scale 2" };

/** Prints an answer, and returns what was printed. */
async function printed(
  more: Partial<AccountFlags>,
  found: Parameters<typeof answer>[3] = null,
  base: AccountFlags = flags,
): Promise<string> {
  const lines: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((text) => void lines.push(text));
  try {
    await answer(said, laplace, { ...base, ...more }, found);
    return lines.join("\n");
  } finally {
    log.mockRestore();
  }
}

it("an answer is printed for people, or with --json for programs, with figures only where they are drawn", () =>
  inFolder({}, async () => {
    expect(await printed({})).toMatch(
      /^Noise {2}scale 2; add-or-remove-one\n\nOdds {4}a test of membership gains at most 22\.2 % .*\n\nε ≤ 0\.5\S* at δ = 0/,
    );
    const report = JSON.parse(await printed({ json: true }));
    expect(report).toMatchObject({ title: "Noise", details: "scale 2", found: null, event: laplace });
    expect(report).not.toHaveProperty("figures");
    const drawn = JSON.parse(await printed({ json: true, data: "out.JSON" }));
    expect(drawn.figures).toEqual(JSON.parse(readFileSync("out.JSON", "utf8")));
    expect(readFileSync("out.JSON", "utf8")).toMatch(/\]\n$/);
    expect(drawFigures).not.toHaveBeenCalled();
  }));

it("a group is told in the details where it is more than one", async () => {
  expect(await printed({ group: "3" })).toMatch(/^Noise {2}scale 2; as 3 units together see it; add-or/);
  for (const group of [{}, { group: "1" }]) expect(await printed(group)).toMatch(/^Noise {2}scale 2; add-or/);
});

it("a plot's headline is the first answer, and it is marked at the first δ above 0, or at 1e-6", () =>
  inFolder({}, async () => {
    const markOf = async (more: Partial<AccountFlags>): Promise<readonly [unknown, string]> => {
      drawFigures.mockClear();
      await printed({ ...more, plot: "out.SVG" });
      const [figures, words] = drawFigures.mock.calls[0]!;
      return [words, figures[0]!.mark!.text];
    };
    expect(await markOf({ delta: "1/100" })).toEqual([
      {
        title: expect.stringMatching(/^Noise: ε = 0\.\d+ at δ = 1\/100$/),
        subtitle: "scale 2; add-or-remove-one",
      },
      expect.stringMatching(/ at δ = 1\/100$/),
    ]);
    const [words, mark] = await markOf({ delta: "0" });
    expect(words).toMatchObject({ title: expect.stringMatching(/^Noise: ε = 0\.5\S* at δ = 0$/) });
    expect(mark).toMatch(/ at δ = 1e-6$/);
    const { delta: _delta, ...undated } = flags;
    drawFigures.mockClear();
    await printed({ epsilon: "0.25", plot: "out.svg" }, null, undated);
    expect(drawFigures.mock.calls[0]![1]).toMatchObject({
      title: expect.stringMatching(/^Noise: δ = 0\.\d+ at ε = 0\.25$/),
    });
    expect(readFileSync("out.svg", "utf8")).toBe("<svg/>");
  }));

it("a headline claims the upper end of what is proven", () =>
  inFolder({}, async () => {
    drawFigures.mockClear();
    // Of a zCDP claim nothing is proven from below: its interval begins at 0.
    const claimed: Event = { kind: "zcdp", version: 1, rho: "1/10" };
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
    try {
      await answer(said, claimed, { ...flags, delta: "1e-6", plot: "out.svg" }, null);
    } finally {
      log.mockRestore();
    }
    // ε(δ) of 0.1-zCDP is at most ρ + 2√(ρ ln 1/δ) = 2.45.
    const [, words] = drawFigures.mock.calls[0]!;
    const [, claim] = /ε = ([\d.]+) at/.exec((words as { readonly title: string }).title)!;
    expect(Number(claim)).toBeGreaterThan(1.5);
    expect(Number(claim)).toBeLessThan(2.46);
  }));

it("what was found is reported at its target alone", async () => {
  const found = { parameter: "scale", value: "2" };
  const text = await printed({ epsilon: "1/2", delta: "0" }, found);
  expect(text).toMatch(/\n\nFound {3}scale 2\n\nOdds .*\n\nε ≤ 0\.5/);
  expect(text).not.toContain("δ ≤");
  expect(await printed({ epsilon: "1/2", delta: "0" })).toContain("\n\nδ ≤ 0 at ε = 1/2");
});

it.each([
  [{ plot: "out.png" }, "--plot writes a file that ends in .svg", "name it --plot out.svg"],
  [{ data: "out.csv" }, "--data writes a file that ends in .json", "name it --data out.json"],
])("a file of another kind is refused before anything is computed: %j", (more, message, fix) =>
  inFolder({ "out.png": "x", "out.csv": "x" }, async () => {
    await expect(printed(more)).rejects.toMatchObject({ code: "cli.usage", message, fix });
    writeFileSync("folder", "");
    await expect(printed({ data: "folder/out.json" })).rejects.toMatchObject({
      code: "cli.file",
      message: "cannot write the figures folder/out.json (ENOTDIR)",
    });
  }),
);

it("every mechanism is told by its noise, its sensitivity and number of runs", async () => {
  const head = async (...argv: string[]): Promise<string> =>
    (await lethe("account", ...argv, "--delta", "1e-5")).out.split("\n")[0]!;
  expect(await head("gaussian", "--sigma", "20")).toBe(
    "Gaussian noise  σ 20, sensitivity 1; add-or-remove-one",
  );
  expect(await head("gaussian", "--sigma", "90", "--sensitivity", "1/2", "--count", "2000")).toBe(
    "Gaussian noise  σ 90, sensitivity 1/2, 2,000 times; add-or-remove-one",
  );
  expect(await head("laplace", "--scale", "4", "--count", "2", "--adjacency", "replace-one")).toBe(
    "Laplace noise  scale 4, sensitivity 1, 2 times; replace-one",
  );
  expect(await head("shuffle", "--reports", "10000", "--local", "1/2")).toBe(
    "Shuffled reports  10,000 reports, each 1/2-DP; replace-one",
  );
  expect(await head("allocation", "--steps", "4", "--selected", "4", "--sigma", "9")).toBe(
    "Random allocation  4 of 4 steps, σ 9; add-or-remove-one",
  );
});

it("noise of several sensitivities and runs is one event, read as it is written", async () => {
  const eventOf = async (...argv: string[]): Promise<unknown> =>
    JSON.parse((await lethe("account", ...argv, "--delta", "1e-5", "--json")).out).event;
  const gaussian = { kind: "gaussian", version: 1, sigma: "90", sensitivity: "1/2" };
  expect(await eventOf("gaussian", "--sigma", "90", "--sensitivity", "0.5")).toEqual(gaussian);
  expect(await eventOf("gaussian", "--sigma", "90", "--sensitivity", "0.5", "--count", "3")).toEqual({
    kind: "repeat",
    version: 1,
    count: "3",
    event: gaussian,
  });
  expect(await eventOf("laplace", "--scale", "4", "--sensitivity", "2")).toEqual({
    kind: "continuous-laplace",
    version: 1,
    scale: "4",
    sensitivity: "2",
  });
});

it("the least σ grows with the sensitivity, and with the root of number of runs", async () => {
  const sigma = async (...more: string[]): Promise<number> => {
    const words = ["--epsilon", "1", "--delta", "1e-5", "--json", ...more];
    return Number(JSON.parse((await lethe("account", "gaussian", ...words)).out).found.value);
  };
  const one = await sigma();
  expect((await sigma("--sensitivity", "3")) / one).toBeCloseTo(3, 9);
  expect((await sigma("--count", "4")) / one).toBeCloseTo(2, 9);
});
