import {
  type Attack,
  type AttackResult,
  attacks,
  type Effort,
  isFinding,
  judgedEnds,
  type Laboratory,
  mostJudgedEnds,
  reconstructionCurve,
  uniforms,
} from "@lethe/audit";
import { parseRational, ratio, toText } from "@lethe/core";
import { describe, expect, test } from "vitest";
import { laboratory } from "./laboratory.ts";

// Each judged end of an interval is wrong with chance 1e-8.
const effort: Effort = { trials: 24, controls: 256, questions: 60, alpha: 1e-8 };
let judged = 0;

function named(id: string): Attack {
  return attacks.find((attack) => attack.id === id)!;
}

describe.each(attacks.map((attack) => [attack.id, attack] as const))("%s", (_id, attack) => {
  test("does what it is known for where nothing stands in the way, and on Lethe no more than ε allows", async () => {
    const results = await attack.run(laboratory, effort, uniforms(1));
    expect(results.some(({ service }) => service.startsWith("Lethe"))).toBe(true);
    expect(results.filter(isFinding)).toEqual([]);
    judged += results.reduce((sum, result) => sum + judgedEnds(result), 0);
  });
});

test("all of them are judged by no more ends of intervals than share the false alarm of a run", () => {
  expect(judged).toBeGreaterThan(20);
  expect(judged).toBeLessThanOrEqual(mostJudgedEnds);
});

test("reconstruction grows with questions, but not on Lethe", async () => {
  const curve = await reconstructionCurve(
    laboratory,
    { ...effort, trials: 64, controls: 64 },
    uniforms(4),
    [8, 256],
  );
  const right = (service: string): number[] =>
    curve.flatMap(({ result }) => (result.service === service ? [result.value] : []));
  const [few, many] = right("exact answers");
  expect(many! - few!).toBeGreaterThan(0.2);
  expect(curve.filter(({ result }) => isFinding(result))).toEqual([]);
  expect(curve.map(({ questions }) => questions)).toEqual([8, 8, 8, 256, 256, 256]);
});

describe("a house that is worse than it says", () => {
  test("is found out where it spends 32 times the ε that it charges", async () => {
    const dearer = (text: string): string => {
      const { num, den } = parseRational(text);
      return toText(ratio(32n * num, den));
    };
    const leaky: Laboratory = {
      ...laboratory,
      lethe: async (world, account) => {
        const analysts = Object.fromEntries(
          Object.entries(account.analysts).map(([name, cap]) => [name, dearer(cap)]),
        );
        const opened = await laboratory.lethe(world, {
          ...account,
          epsilon: dearer(account.epsilon),
          analysts,
        });
        return {
          ...opened,
          ask: (question, asked) => opened.ask(question, { ...asked, epsilon: dearer(asked.epsilon) }),
        };
      },
    };
    const results = await named("differencing").run(leaky, { ...effort, trials: 80 }, uniforms(2));
    expect(results.filter(isFinding).map(({ service }) => service)).toEqual(["Lethe, ε = 1"]);
  });

  test("is found out where it takes one of two private tables to hold everybody", async () => {
    const narrow: Laboratory = {
      ...laboratory,
      lethe: (world, account) =>
        laboratory.lethe({ ...world, policy: world.policy.replace(/ {2}clinic_b:.*\n/, "") }, account),
    };
    const results = await named("moved unit").run(narrow, { ...effort, trials: 80 }, uniforms(6));
    expect(results.filter(isFinding).map(({ service }) => service)).toEqual(["Lethe, ε = 1"]);
  });

  test("is found out where dying loses charges, an edited budget is ignored, and an old ledger is taken", async () => {
    const forgetful: Laboratory = {
      ...laboratory,
      lethe: async (world, account) => {
        const opened = await laboratory.lethe(world, { ...account, keepsHead: false });
        return { ...opened, cutOff: () => opened.putBack(), edit: async () => undefined };
      },
    };
    const results = await named("budget").run(forgetful, effort, uniforms(5));
    expect(results.filter(isFinding).map(({ measure }) => measure)).toEqual([
      "charges that a crash lost, doubled or answered twice",
      "answers under an edited budget that was not put on record",
      "questions that are answered when an old ledger replaces a spent one",
    ]);
  });

  test.each<readonly [string, string, (seen: { text: string }) => object]>([
    [
      "error oracle",
      "an error of its own for one person",
      () => ({ reply: { kind: "refused", code: "x", message: "y" } }),
    ],
    [
      "metadata",
      "a field more for one person",
      ({ text }) => ({ text: text.replace('"missing":[', '"more":0,"missing":[') }),
    ],
    [
      "amplified-work",
      "tables that are read without their limits",
      ({ text }) => ({
        text: text.replaceAll(/"(?:rows|joinedRows)":(?:30|9|3)\b/g, (found) => `${found}000`),
      }),
    ],
  ])("%s: %s", async (id, _what, changed) => {
    const talkative: Laboratory = {
      ...laboratory,
      lethe: async (world, account) => {
        const opened = await laboratory.lethe(world, account);
        const special = /kanarienvogel|\[0,"hers"\]/.test(JSON.stringify(world.tables));
        return {
          ...opened,
          whole: async (question, asked) => {
            const whole = await opened.whole(question, asked);
            return special ? { ...whole, ...changed(whole) } : whole;
          },
        };
      },
    };
    const results: readonly AttackResult[] = await named(id).run(
      talkative,
      { ...effort, questions: 8 },
      uniforms(3),
    );
    expect(results.filter(isFinding).map(({ service }) => service)).toContain("Lethe");
  });
});
