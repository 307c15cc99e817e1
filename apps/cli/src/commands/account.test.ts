import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import oracle from "../../../../testing/oracles/accounting.json" with { type: "json" };
import { inFolder, lethe } from "../testing/command-line.ts";

interface Known {
  readonly id: string;
  readonly n?: number;
  readonly batch?: number;
  readonly q?: number;
  readonly sigma: number;
  readonly steps: number;
  readonly delta: number;
  readonly epsilon?: number;
  readonly pld: number;
  readonly rdp_cks: number;
  readonly rdp_mironov: number;
  readonly atol: number;
  readonly value: number;
  readonly rtol: number;
}
const known = (id: string): Known => oracle.cases.find((each) => each.id === id) as unknown as Known;

const sampled = ({ n, batch, q }: Known): string[] =>
  q === undefined ? ["--n", `${n}`, "--batch", `${batch}`] : ["--rate", `${q}`];
const json = async (...argv: string[]) => {
  const { out, error } = await lethe("account", ...argv, "--json");
  expect(error).toBe("");
  return JSON.parse(out);
};

describe("lethe account dpsgd", () => {
  it.each(["sgd-31", "sgd-38"])(
    "%s: PLD, both Rényi conversions, as the references have them",
    async (id) => {
      const run = known(id);
      const report = await json(
        "dpsgd",
        ...sampled(run),
        ...["--sigma", `${run.sigma}`, "--steps", `${run.steps}`, "--delta", `${run.delta}`],
      );
      const [{ best, representations, textbooks }] = report.answers;
      const answered = (id: string) =>
        representations.find((each: { representation: string }) => each.representation === id);
      expect(best.lower).toBeLessThanOrEqual(run.pld + run.atol);
      expect(Math.abs(best.upper - run.pld)).toBeLessThan(run.atol);
      expect(Math.abs(answered("pld").upper - run.pld)).toBeLessThan(run.atol);
      // The references search a list of orders; a continuum is never above it, and not far below.
      for (const [value, listed] of [
        [answered("renyi").upper, run.rdp_cks],
        [textbooks[0].value, run.rdp_mironov],
      ]) {
        expect(value).toBeLessThan(listed + run.atol);
        expect(value).toBeGreaterThan(listed * 0.99);
      }
      for (const { value, says } of textbooks) {
        if (value === null) expect(says).toMatch(/^does not apply because \S/);
        else expect(value).toBeGreaterThan(best.upper);
      }
    },
  );

  it("says for people what it says for programs, rounded toward more loss", async () => {
    const run = [
      "dpsgd",
      "--n",
      "60000",
      "--batch",
      "256",
      "--sigma",
      "1.1",
      "--epochs",
      "15",
      "--delta",
      "1e-5",
    ];
    const { out } = await lethe("account", ...run);
    const [{ best }] = (await json(...run)).answers;
    expect(out).toMatch(
      /^DP-SGD {2}batch 256 of 60000, σ 1\.1, 3,515 steps; Poisson samples; add-or-remove-one\n/,
    );
    const said = /^ε ≤ (\S+) at δ = 1e-5, and not below (\S+)$/m.exec(out)!;
    expect(Number(said[1])).toBeGreaterThanOrEqual(best.upper);
    expect(Number(said[2])).toBeLessThanOrEqual(best.lower);
    expect(out).toMatch(/^PLD +1\.133/m);
    expect(out).toMatch(/^Rényi +1\.2[78]/m);
    expect(out).toMatch(/^Rényi by Mironov 2017, Prop\. 3 +1\.59/m);
    expect(out).toMatch(
      /^advanced composition +– +does not apply because the classical Gaussian formula holds for ε ≤ 1/m,
    );
  });

  it("compares with advanced composition where its steps are within its domain", async () => {
    const { answers } = await json(
      "dpsgd",
      "--rate",
      "0.001",
      "--sigma",
      "8",
      "--steps",
      "100",
      "--delta",
      "1e-5",
    );
    const [{ best, textbooks }] = answers;
    expect(textbooks.map(({ value }: { value: number | null }) => value !== null)).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    for (const { value } of textbooks) expect(value).toBeGreaterThan(best.upper);
  });

  it("finds the noise that keeps to a target, and spends nearly all of it", async () => {
    const run = known("calib-1");
    const report = await json(
      ...["dpsgd", "--find", "sigma", "--rate", `${run.q}`, "--steps", `${run.steps}`],
      ...["--epsilon", `${run.epsilon}`, "--delta", `${run.delta}`],
    );
    expect(report.found.parameter).toBe("sigma");
    expect(Math.abs(Number(report.found.value) / run.value - 1)).toBeLessThan(2 * run.rtol);
    const { upper } = report.answers[0].best;
    expect(upper).toBeLessThanOrEqual(run.epsilon!);
    expect(upper).toBeGreaterThan(run.epsilon! * 0.999);
  });

  it("finds the steps that keep to a target: one more would not", async () => {
    const run = ["dpsgd", "--rate", "0.1", "--sigma", "3", "--delta", "1e-6"];
    const report = await json(...run, "--find", "steps", "--epsilon", "1");
    const steps = Number(report.found.value);
    expect(report.answers[0].best.upper).toBeLessThanOrEqual(1);
    const [{ best }] = (await json(...run, "--steps", `${steps + 1}`)).answers;
    expect(best.upper).toBeGreaterThan(1);
  });

  it("answers for a billion steps", async () => {
    const run = ["dpsgd", "--rate", "1e-4", "--sigma", "50", "--steps", "1000000000"];
    const [{ best }] = (await json(...run, "--delta", "1e-6", "--accuracy", "0.02")).answers;
    // 0.2432 in the limit: a Gaussian of μ = rate·√steps·√(e^(1/σ²) − 1).
    expect(best.lower).toBeLessThan(0.244);
    expect(best.upper).toBeGreaterThan(0.242);
    expect(best.upper).toBeLessThan(0.27);
  });

  const good = ["--n", "60000", "--batch", "256", "--sigma", "1.1", "--epochs", "15", "--delta", "1e-5"];
  const changed = (option: string, value: string): string[] =>
    good.map((word, i) => (good[i - 1] === option ? value : word));
  it.each([
    ["--sigma", "0", "sigma must be > 0"],
    ["--sigma", "-1", "sigma must be > 0"],
    ["--sigma", "NaN", "sigma must be a decimal number or a fraction"],
    ["--batch", "60001", "batch must be above 0 and at most n = 60000"],
    ["--batch", "0", "batch must be > 0"],
    ["--n", "0", "n must be an integer ≥ 1"],
    ["--n", "1.5", "n must be an integer ≥ 1"],
    ["--epochs", "0", "epochs must be > 0"],
    ["--epochs", "1e-9", "epochs must be long enough for one step"],
    ["--delta", "1", "delta must be at least 0 and below 1"],
    ["--delta", "1e-400", "delta must be 0 or at least 1e-300"],
    ["--delta", "-1e-5", "delta must be at least 0 and below 1"],
    ["--delta", "Infinity", "delta must be a decimal number or a fraction"],
  ])("refuses %s %s by name", async (option, value, message) => {
    const said = await lethe("account", "dpsgd", ...changed(option, value));
    expect(said).toMatchObject({ code: "parameter.invalid", out: "" });
    expect(said.error).toContain(message);
  });

  it.each([
    [
      ["--rate", "1.5", "--sigma", "1", "--steps", "1", "--delta", "1e-5"],
      "rate must be above 0 and at most 1",
    ],
    [
      ["--rate", "0", "--sigma", "1", "--steps", "1", "--delta", "1e-5"],
      "rate must be above 0 and at most 1",
    ],
    [["--rate", "0.1", "--sigma", "1", "--steps", "0", "--delta", "1e-5"], "steps must be an integer ≥ 1"],
    [
      ["--rate", "0.1", "--sigma", "1", "--steps", "1", "--epsilon", "-1"],
      "epsilon must be at least 0 and finite",
    ],
    [
      ["--rate", "0.1", "--sigma", "1", "--steps", "1", "--delta", "0.1", "--accuracy", "0"],
      "accuracy must be > 0",
    ],
    [
      ["--find", "steps", "--rate", "1", "--sigma", "0.1", "--epsilon", "0.1", "--delta", "1e-5"],
      "no value in the range of the search certifies",
    ],
  ])("refuses %j", async (argv, message) => {
    const said = await lethe("account", "dpsgd", ...argv);
    expect(said).toMatchObject({ code: "parameter.invalid", out: "" });
    expect(said.error).toContain(message);
  });

  it.each([
    [[], "needs --n"],
    [["--rate", "0.1", "--n", "5"], "--rate says the same"],
    [["--rate", "0.1", "--steps", "1"], "needs --sigma"],
    [["--rate", "0.1", "--sigma", "1"], "needs --steps"],
    [["--rate", "0.1", "--sigma", "1", "--steps", "1", "--epochs", "1"], "--epochs says the same"],
    [["--rate", "0.1", "--sigma", "1", "--steps", "1"], "asked for ε at a δ, or for δ at an ε"],
    [["--find", "sigma", "--rate", "0.1", "--steps", "1", "--delta", "1e-5"], "needs the target"],
    [["--find", "gold"], "argument 'gold' is invalid"],
    [
      ["--rate", "0.1", "--sigma", "1", "--steps", "1", "--delta", "0.1", "--plot", "out.png"],
      "ends in .svg",
    ],
  ])("is not understood as %j", async (argv, message) => {
    const said = await lethe("account", "dpsgd", ...argv);
    expect(said).toMatchObject({ code: "cli.usage", out: "" });
    expect(said.error).toContain(message);
  });
});

describe("lethe account of an event tree", () => {
  const laplace = { kind: "laplace", version: 1, scale: "10", l1: "1" };
  const plan = { kind: "repeat", version: 1, count: "100", event: laplace };
  const google = {
    class_name: "SelfComposedDpEvent",
    event: { class_name: "GaussianDpEvent", noise_multiplier: 5 },
    count: 4,
  };

  it("reads Lethe's own, and prints ε by representation with what it rests on", () =>
    inFolder({ "plan.json": JSON.stringify(plan) }, async () => {
      const [{ best, representations }] = (await json("plan.json", "--delta", "1e-6")).answers;
      const { value } = known("dlap-comp-1");
      expect(Math.abs(best.upper - value)).toBeLessThan(1e-4);
      expect(
        representations.map(({ representation }: { representation: string }) => representation),
      ).toContain("pure");
      for (const { provenance, lower, upper } of representations) {
        expect(provenance.upper).toMatch(/\S/);
        expect(lower).toBeLessThanOrEqual(upper);
      }
      const { out } = await lethe("account", "event", "plan.json", "--epsilon", "4.7745675881");
      expect(out).toMatch(/^δ ≤ \S+ at ε = /m);
    }));

  it("reads what dp_accounting writes, with names and as bare lists", () =>
    inFolder(
      {
        "named.json": JSON.stringify(google),
        "bare.json": JSON.stringify(["m", "SelfComposedDpEvent", ["m", "GaussianDpEvent", 5], 4]),
      },
      async () => {
        const [named] = (await json("named.json", "--delta", "1e-5")).answers;
        const [bare] = (await json("bare.json", "--delta", "1e-5")).answers;
        expect(named).toEqual(bare);
        const [{ best }] = (await json("gaussian", "--sigma", "5", "--count", "4", "--delta", "1e-5"))
          .answers;
        expect(named.best.upper).toBeCloseTo(best.upper, 4);
      },
    ));

  it.each<[string, string, string, RegExp]>([
    ["broken JSON", '{"kind": ', "parameter.invalid", /plan\.json is not JSON/],
    ["an empty file", "", "parameter.invalid", /is not JSON/],
    ["no event", "17", "parameter.invalid", /event must be a JSON object/],
    ["an unknown kind", '{"kind": "magic", "version": 1}', "parameter.invalid", /unknown event magic@1/],
    ["an unknown class", '{"class_name": "Magic"}', "parameter.invalid", /class_name must be one of/],
    [
      "a number of its own",
      '{"kind":"laplace","version":1,"scale":0.5,"l1":"1"}',
      "parameter.invalid",
      /scale must be/,
    ],
    [
      "a scale of 0",
      '{"kind":"laplace","version":1,"scale":"0","l1":"1"}',
      "parameter.invalid",
      /scale must be > 0/,
    ],
    ["no privacy", '{"class_name": "NonPrivateDpEvent"}', "account.unprovable", /no finite loss/],
    [
      "nothing provable",
      '{"kind":"shuffle","version":1,"reports":"100","epsilon":"1"}',
      "account.unprovable",
      /fix: \S/,
    ],
  ])("with %s is refused", (_, text, code, message) =>
    inFolder({ "plan.json": text }, async () => {
      const said = await lethe("account", "plan.json", "--delta", "1e-6");
      expect(said).toMatchObject({ code, out: "" });
      expect(said.error).toMatch(message);
    }),
  );

  it("that is not there is refused by its path", () =>
    inFolder({}, async () => {
      expect(await lethe("account", "plan.json", "--delta", "1e-6")).toMatchObject({
        code: "cli.file",
        error: expect.stringContaining("plan.json"),
      });
      expect((await lethe("account")).code).toBe("cli.usage");
    }));
});

describe("lethe account of one mechanism", () => {
  it.each(["ag-sigma-1", "ag-sigma-2"])("%s: the least σ of Gaussian noise", async (id) => {
    const { epsilon, delta, value } = known(id);
    const report = await json("gaussian", "--epsilon", `${epsilon}`, "--delta", `${delta}`);
    expect(Math.abs(Number(report.found.value) / value - 1)).toBeLessThan(1e-9);
    expect(report.answers[0].best.upper).toBeLessThanOrEqual(epsilon! * (1 + 1e-9));
  });

  it("compares one Gaussian with the classical formulas inside their domain alone", async () => {
    const [inside] = (await json("gaussian", "--sigma", "10", "--delta", "1e-5")).answers;
    const [outside] = (await json("gaussian", "--sigma", "1", "--delta", "1e-5")).answers;
    expect(inside.textbooks).toHaveLength(3);
    for (const { value } of inside.textbooks) expect(value).toBeGreaterThan(inside.best.upper);
    expect(outside.textbooks.slice(1).map(({ value }: { value: number | null }) => value)).toEqual([
      null,
      null,
    ]);
  });

  it("prices Laplace noise, shuffled reports and random allocation", async () => {
    const [laplace] = (await json("laplace", "--scale", "2", "--delta", "0")).answers;
    expect(laplace.best.upper).toBeCloseTo(0.5, 9);
    const least = await json("laplace", "--epsilon", "0.5", "--delta", "0");
    expect(Number(least.found.value)).toBeCloseTo(2, 3);
    const [shuffled] = (await json("shuffle", "--reports", "10000", "--local", "1", "--delta", "1e-6"))
      .answers;
    expect(shuffled.best.upper).toBeLessThan(0.0531);
    const [allocated] = (await json("allocation", "--steps", "100", "--sigma", "1", "--delta", "1e-6"))
      .answers;
    expect(allocated.best.upper).toBeGreaterThan(0.84);
    expect(allocated.best.upper).toBeLessThan(0.9);
  });

  it.each([
    [["gaussian", "--sigma", "0", "--delta", "1e-5"], "sigma must be > 0"],
    [["gaussian", "--epsilon", "0", "--delta", "1e-5"], "epsilon"],
    [["gaussian", "--sigma", "1", "--count", "0", "--delta", "1e-5"], "count must be an integer ≥ 1"],
    [["gaussian", "--sigma", "1", "--sensitivity", "-1", "--delta", "1e-5"], "sensitivity must be > 0"],
    [["laplace", "--scale", "x", "--delta", "1e-5"], "scale must be"],
    [["shuffle", "--reports", "0", "--local", "1", "--delta", "1e-5"], "reports must be an integer ≥ 1"],
    [["shuffle", "--reports", "9", "--local", "0", "--delta", "1e-5"], "local must be > 0"],
    [
      ["allocation", "--steps", "5", "--selected", "6", "--sigma", "1", "--delta", "1e-5"],
      "at most steps = 5",
    ],
  ])("refuses %j", async (argv, message) => {
    const said = await lethe("account", ...argv);
    expect(said).toMatchObject({ code: "parameter.invalid", out: "" });
    expect(said.error).toContain(message);
  });
});

describe("lethe account --plot", () => {
  it("draws three labelled panels, and writes the same as data", () =>
    inFolder({}, async () => {
      const argv = ["gaussian", "--sigma", "2", "--count", "10", "--delta", "1e-5"];
      const drawn = await lethe("account", ...argv, "--plot", "out.svg", "--data", "out.json");
      expect(drawn.error).toBe("");
      const svg = readFileSync("out.svg", "utf8");
      expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" /);
      const [, , ...panels] = svg.split("<svg ");
      expect(panels).toHaveLength(3);
      for (const panel of panels) {
        const points = [...panel.matchAll(/ d="([^"]*)"/g)].map(([, path]) => path!.split(",").length);
        expect(Math.max(...points)).toBeGreaterThan(25);
      }
      expect(svg).not.toMatch(/NaN|Infinity|undefined/);
      for (const words of [
        "Privacy profile",
        "Trade-off",
        "Growth",
        "type I error",
        "type II error",
        "runs",
        "δ →",
        "↑ ε",
      ])
        expect(svg).toContain(words);

      const figures = JSON.parse(readFileSync("out.json", "utf8"));
      expect(figures.map(({ id }: { id: string }) => id)).toEqual(["epsilon-of-delta", "tradeoff", "growth"]);
      for (const { lines } of figures) {
        expect(lines.length).toBeGreaterThan(0);
        for (const { points } of lines)
          for (const { lower, upper } of points) if (upper !== null) expect(lower).toBeLessThanOrEqual(upper);
      }
      expect((await json(...argv, "--data", "out.json")).figures).toEqual(figures);
    }));

  it("draws a run whose ε is 0 at its δ", () =>
    inFolder({}, async () => {
      const drawn = await lethe(
        "account",
        "gaussian",
        "--sigma",
        "1000",
        "--delta",
        "0.1",
        "--plot",
        "out.svg",
      );
      expect(drawn).toMatchObject({ error: "", code: null });
      expect(readFileSync("out.svg", "utf8")).not.toMatch(/NaN|Infinity|undefined/);
    }));

  it("overwrites nothing of another kind, and names a folder that is not there", () =>
    inFolder({ "people.csv": "x" }, async () => {
      const argv = ["account", "gaussian", "--sigma", "2", "--delta", "1e-5"];
      expect((await lethe(...argv, "--plot", "people.csv")).code).toBe("cli.usage");
      expect((await lethe(...argv, "--data", "people.csv")).code).toBe("cli.usage");
      expect(readFileSync("people.csv", "utf8")).toBe("x");
      expect(await lethe(...argv, "--plot", "nowhere/out.svg")).toMatchObject({
        code: "cli.file",
        error: expect.stringContaining("nowhere/out.svg"),
      });
      writeFileSync("out.svg", "older");
      expect((await lethe(...argv, "--plot", "out.svg")).code).toBeNull();
      expect(existsSync("out.svg") && readFileSync("out.svg", "utf8")).not.toBe("older");
    }));
});

describe("neighbours beyond one unit who comes", () => {
  const run = ["dpsgd", "--rate", "0.01", "--sigma", "1.1", "--steps", "100"];

  it("--group: what several units together see, and who they may be", async () => {
    const report = await json(...run, "--group", "2", "--delta", "1e-5");
    const [{ best }] = report.answers;
    expect(best.upper).toBeLessThan(1.1826);
    expect(best.lower).toBeGreaterThan(1.1822);
    expect(report.details).toMatch(/as 2 units together see it$/);
    expect(report.event).toMatchObject({ kind: "group", size: "2", event: { kind: "repeat", count: "100" } });
    const replaced = await json(...run, "--group", "2", "--adjacency", "replace-one", "--delta", "1e-5");
    expect(replaced.answers[0].best.lower).toBeGreaterThan(best.upper);
    const alone = await json(...run, "--group", "1", "--delta", "1e-5");
    expect(alone.event.kind).toBe("repeat");
    const { error } = await lethe("account", ...run, "--group", "0", "--delta", "1e-5");
    expect(error).toMatch(/group must be/);
  });

  it("--group: what is found keeps to the target for all of them", async () => {
    const target = ["--epsilon", "1", "--delta", "1e-5"];
    const sigmaOf = async (...more: string[]) =>
      Number((await json("gaussian", ...target, ...more)).found.value);
    const [one, three] = [await sigmaOf(), await sigmaOf("--group", "3")];
    expect(three / one).toBeCloseTo(3, 6);
    const steps = await json(
      "dpsgd",
      "--rate",
      "0.01",
      "--sigma",
      "2",
      "--find",
      "steps",
      ...target,
      "--group",
      "2",
    );
    expect(steps.answers[0].best.upper).toBeLessThanOrEqual(1);
    expect(Number(steps.found.value)).toBeGreaterThan(1);
    const scale = await json("laplace", ...target, "--group", "2");
    expect(scale.answers[0].best.upper).toBeLessThanOrEqual(1);
  });

  it("--batch-limit: priced at the units there may be", async () => {
    const cut = [
      "dpsgd",
      "--n",
      "5000",
      "--batch",
      "50",
      "--sigma",
      "1.1",
      "--steps",
      "100",
      "--delta",
      "1e-5",
    ];
    const upper = async (...more: string[]) => (await json(...cut, ...more)).answers[0].best.upper as number;
    const [whole, few, many] = [
      await upper(),
      await upper("--batch-limit", "70"),
      await upper("--batch-limit", "70", "--max-n", "6000"),
    ];
    expect(few).toBeGreaterThan(whole);
    expect(many).toBeGreaterThan(few + 0.1);
    expect(await upper("--batch-limit", "5000")).toBe(whole);
    const { out } = await lethe("account", ...cut, "--batch-limit", "70", "--max-n", "6000");
    expect(out).toContain("Poisson samples, cut to 70, of at most 6,000 units");
    const { error } = await lethe("account", ...cut, "--max-n", "6000");
    expect(error).toMatch(/add --batch-limit/);
    const unknown = await lethe("account", ...run, "--batch-limit", "70", "--delta", "1e-5");
    expect(unknown.error).toMatch(/--max-n/);
  });

  it("draws the growth of a group's loss as one group sees the whole run", async () => {
    await inFolder({}, async (folder) => {
      const file = `${folder}/figures.json`;
      await lethe("account", ...run, "--group", "2", "--delta", "1e-5", "--data", file);
      const figures = JSON.parse(readFileSync(file, "utf8"));
      const growth = figures.find(({ id }: { id: string }) => id === "growth");
      const pld = growth.lines.find(({ name }: { name: string }) => name === "PLD");
      const at = pld.points.find(({ x }: { x: number }) => x >= 100);
      expect(at.upper).toBeGreaterThan(1.17);
    });
  });
});
