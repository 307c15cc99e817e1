import type { SelectionRule } from "@lethe/core/accounting";
import type { Draws, Noise } from "@lethe/core/mechanisms";
import { describe, expect, test } from "vitest";
import { freezeDraws } from "./freeze-draws.ts";
import { recordDraws, selected } from "./record-draws.ts";

const noise: Noise = { mechanism: "discrete-laplace@1", scale: "3" };
const louder: Noise = { mechanism: "discrete-laplace@1", scale: "4" };
const rule: SelectionRule = { rule: "truncated-geometric", epsilon: "1", delta: "1/1000" };
const tree = { branching: 2, height: 2, noise } as Parameters<Draws["tree"]>[0];
const none: ReadonlySet<string> = new Set();
/** A group as a recording names it. */
function nameOf(group: string): string {
  const { draws, parts } = recordDraws(1, none);
  draws.noise(noise, "x")(0n, [group]);
  return [...parts[0]!.drawn.keys()][0]!;
}

describe("recorded draws", () => {
  const groups = Array.from({ length: 400 }, (_, at) => [`g${at}`]);
  test("hang on seed, part and group alone", () => {
    const all = (seed: number, keys: readonly (readonly string[])[]): Map<string, bigint> => {
      const add = recordDraws(seed, none).draws.noise(noise, "n");
      return new Map(keys.map((key) => [key[0]!, add(0n, key) as bigint]));
    };
    const [one, other] = [all(1, groups), all(1, groups.slice(200))];
    for (const [name, drawn] of other) expect(one.get(name)).toBe(drawn);
    expect(new Set(one.values()).size).toBeGreaterThan(8);
    expect([...all(2, groups).values()]).not.toEqual([...one.values()]);
    const { draws } = recordDraws(1, none);
    const [first, second] = [draws.noise(noise, "n"), draws.noise(noise, "n")];
    expect(groups.map((key) => first(0n, key))).toEqual([...one.values()]);
    expect(groups.map((key) => second(0n, key))).not.toEqual([...one.values()]);
  });
  test("are kept with their inputs and outputs, in order", () => {
    const { draws, parts } = recordDraws(1, none);
    const add = draws.noise(noise, "measurement 0");
    const drawn = [add(5n, ["a"]), add(6n, ["a"]), add(7n, ["b"])];
    const [part] = parts;
    expect(part!.name).toBe("measurement 0");
    expect(
      [...part!.drawn.values()].flat().map(({ input, output }) => [[...input.values()], output]),
    ).toEqual([
      [[5n], drawn[0]],
      [[6n], drawn[1]],
      [[7n], drawn[2]],
    ]);
    const release = draws.tree(tree, "tree 0");
    release(new Map([[3, 2n]]), ["a"]);
    expect([...[...parts[1]!.drawn.values()][0]![0]!.input]).toEqual([
      ["1 1", 2n],
      ["2 3", 2n],
    ]);
  });
  test("keep seven of eight groups that may be kept, none without units and all that must be", () => {
    const { draws } = recordDraws(1, none);
    const keep = draws.selection(rule, "selection");
    const kept = (units: bigint): number => groups.filter((key) => keep(units, key)).length;
    expect(kept(0n)).toBe(0);
    // 350 of 400; eight standard deviations are 53.
    expect(Math.abs(kept(1n) - 350)).toBeLessThan(50);
    expect(kept(100n)).toBe(400);
  });
  test("keep none of those that are dropped", () => {
    const dropped = new Set([selected(0, nameOf("g1"))]);
    const keep = recordDraws(1, dropped).draws.selection(rule, "selection");
    expect(keep(100n, ["g1"])).toBe(false);
    expect(keep(100n, ["g2"])).toBe(true);
  });
});

/** A recording of noise for groups a (twice) and b, then of a selection among a, b and c. */
function recorded() {
  const { draws, parts } = recordDraws(1, none);
  const add = draws.noise(noise, "measurement 0");
  const drawn = [add(5n, ["a"]), add(6n, ["a"]), add(7n, ["b"])];
  const keep = draws.selection(rule, "selection");
  for (const name of ["a", "b", "c"]) keep(name === "c" ? 0n : 100n, [name]);
  return { parts, drawn };
}
const fails = (work: () => unknown): void => expect(work).toThrow();

describe("frozen draws", () => {
  test("are handed out whatever the inputs are, which are kept", () => {
    const { parts, drawn } = recorded();
    const frozen = freezeDraws(parts);
    const add = frozen.draws.noise(noise, "measurement 0");
    expect([add(50n, ["a"]), add(60n, ["b"]), add(70n, ["a"])]).toEqual([drawn[0], drawn[2], drawn[1]]);
    const inputs = [...frozen.parts[0]!.drawn.values()].flat().map(({ input }) => [...input.values()]);
    expect(inputs).toEqual([[50n], [70n], [60n]]);
    const keep = frozen.draws.selection(rule, "selection");
    expect(["a", "b", "c"].map((name) => keep(100n, [name]))).toEqual([true, true, false]);
    expect(frozen.differences).toEqual([]);
    expect(frozen.gone()).toEqual([]);
    expect(frozen.unasked()).toEqual([]);
  });
  test.each<[string, (draws: Draws) => unknown, string]>([
    [
      "other noise",
      (draws) => draws.noise(louder, "measurement 0"),
      "draws measurement 0 with other parameters",
    ],
    [
      "another part",
      (draws) => draws.noise(noise, "tree 0"),
      "draws measurement 0 on one, tree 0 on the other",
    ],
    [
      "a group more",
      (draws) => draws.noise(noise, "measurement 0")(1n, ["c"]),
      "draws measurement 0 for a group that the other draws none for",
    ],
    [
      "a draw more of a group",
      (draws) => {
        const add = draws.noise(noise, "measurement 0");
        for (const _ of [1, 2]) add(1n, ["b"]);
      },
      "draws measurement 0 for a group that the other draws none for",
    ],
    [
      "a part more",
      (draws) => {
        draws.noise(noise, "measurement 0");
        draws.selection(rule, "selection");
        draws.tree(tree, "tree 0");
      },
      "draws tree 0 on only one of the two",
    ],
  ])("end a run that asks for %s", (_, ask, what) => {
    const frozen = freezeDraws(recorded().parts);
    fails(() => ask(frozen.draws));
    expect(frozen.differences).toEqual([what]);
  });
  test("say what was left unasked", () => {
    const { parts } = recorded();
    expect(freezeDraws(parts).unasked()).toEqual([
      "draws measurement 0 on only one of the two",
      "draws selection on only one of the two",
    ]);
    const few = freezeDraws(parts);
    few.draws.noise(noise, "measurement 0")(1n, ["a"]);
    few.draws.selection(rule, "selection");
    expect(few.unasked()).toEqual(["draws measurement 0 for fewer groups"]);
  });
  test("keep no group that cannot be kept here, nor one that is not here, and say which are gone", () => {
    const { parts } = recorded();
    const frozen = freezeDraws(parts);
    expect(frozen.gone()).toEqual([]);
    frozen.draws.noise(noise, "measurement 0");
    const keep = frozen.draws.selection(rule, "selection");
    expect(keep(0n, ["a"])).toBe(false);
    expect(keep(9n, ["new"])).toBe(false);
    expect(frozen.gone()).toEqual([selected(1, nameOf("a")), selected(1, nameOf("b"))]);
    expect(frozen.differences).toEqual([]);
  });
});
