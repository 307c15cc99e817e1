import { parseRational, type Rational, ratio, toText } from "@lethe/core";
import { add, compare, zero } from "@lethe/core/numeric";
import { describe, expect, test } from "vitest";
import { refused, rowsReply } from "../testing/played-game.ts";
import type { AttackResult } from "./attack.ts";
import { budget } from "./budget.ts";
import type { Account, Laboratory, OpenedLethe, Reply } from "./services/service.ts";
import { uniforms } from "./services/uniforms.ts";

/** The faults that a house's budget may have. */
interface Faults {
  readonly overspends?: number;
  readonly drawsAgain?: boolean;
  readonly answersOthers?: boolean;
  readonly losesCharges?: boolean;
  readonly chargesTwice?: boolean;
  readonly obeysEdits?: boolean;
  readonly forgetsItsHead?: boolean;
  readonly forgetsWhatItSpent?: boolean;
}

/** A house in memory that keeps its budget but for these faults. */
function houseOf(account: Account, faults: Faults): OpenedLethe {
  const granted = add(parseRational(account.epsilon), ratio(BigInt(faults.overspends ?? 0), 10n));
  let answered = new Map<string, { question: string; reply: Reply }>();
  let spent: Rational = zero;
  let isOpen = true;
  let drawn = 0;
  const draw = (): Reply => {
    drawn += 1;
    return rowsReply([drawn]);
  };
  const pay = (epsilon: string): boolean => {
    const all = add(spent, parseRational(epsilon));
    if (compare(all, granted) > 0) return false;
    spent = all;
    return true;
  };
  const ask: OpenedLethe["ask"] = async (question, { epsilon, requestId }) => {
    if (!isOpen) return refused;
    const before = answered.get(requestId!);
    if (before !== undefined && before.question !== question) return faults.answersOthers ? draw() : refused;
    if (before !== undefined) return faults.drawsAgain ? draw() : before.reply;
    if (!pay(epsilon)) return refused;
    const reply = draw();
    answered.set(requestId!, { question, reply });
    return reply;
  };
  return {
    ask,
    close: async () => undefined,
    whole: async () => Promise.reject(new Error("not asked")),
    spent: async () => toText(spent),
    async cutOff(question, asked) {
      const before = spent;
      await ask(question, asked);
      if (faults.losesCharges) spent = before;
      if (faults.chargesTwice) pay(asked.epsilon);
    },
    async edit({ epsilon, analysts }) {
      const isSame =
        epsilon === account.epsilon && JSON.stringify(analysts) === JSON.stringify(account.analysts);
      isOpen = isSame || faults.obeysEdits === true;
      if (faults.forgetsWhatItSpent) spent = zero;
    },
    async putBack() {
      answered = new Map();
      spent = zero;
      isOpen = account.keepsHead === false || faults.forgetsItsHead === true;
    },
  };
}

async function resultsOf(
  faults: Faults,
  progress?: (done: number) => void,
): Promise<readonly AttackResult[]> {
  const laboratory = {
    exact: async () => ({ ask: async () => rowsReply([20]), close: async () => undefined }),
    lethe: async (_world: unknown, account: Account) => houseOf(account, faults),
  } as unknown as Laboratory;
  return budget.run(laboratory, { trials: 1, controls: 1, questions: 1, alpha: 0.01 }, uniforms(1), progress);
}

const measures = {
  beyond: "answers beyond the budget",
  again: "repeated requests that gave new noise",
  rewritten: "other questions that were answered under a paid id",
  dying: "charges that a crash lost, doubled or answered twice",
  edited: "answers under an edited budget that was not put on record",
  old: "questions that are answered when an old ledger replaces a spent one",
} as const;

describe("a budget that is kept", () => {
  test("answers nothing beyond it, and what has no budget answers all", async () => {
    const done: number[] = [];
    const results = await resultsOf({}, (at) => done.push(at));
    expect(done).toEqual([1, 2, 3, 4]);
    const told = results.map(({ service, measure, value, trials, ceiling, control }) => [
      service,
      measure,
      value,
      trials,
      ceiling,
      control,
    ]);
    const lethe = (measure: string, trials: number) => ["Lethe", measure, 0, trials, 0, null];
    expect(told).toEqual([
      ["noise without a budget", measures.beyond, 54, 64, null, 1],
      ["noise without a budget", measures.again, 10, 10, null, 1],
      lethe(measures.beyond, 64),
      lethe(measures.again, 10),
      lethe(measures.rewritten, 10),
      lethe(measures.dying, 10),
      lethe(measures.edited, 5),
      lethe(measures.old, 10),
      ["Lethe, without a head file", measures.old, 10, 10, null, null],
    ]);
    for (const { attack, value, interval, blind } of results)
      expect({ attack, interval, blind }).toEqual({ attack: "budget", interval: [value, value], blind: 0 });
    expect(results.map(({ note }) => note)).toEqual([
      "64 of 64 answered",
      null,
      "10 of 64 answered",
      null,
      null,
      "the service is killed between charge and answer, and asked again",
      "the budget is lowered and raised; analysts are removed, added and given more",
      "all was spent before",
      "all was spent before",
    ]);
  });
});

describe("a budget that is not", () => {
  test.each<[keyof Faults, Faults, Partial<Record<keyof typeof measures, number>>]>([
    ["overspends", { overspends: 3 }, { beyond: 3 }],
    ["drawsAgain", { drawsAgain: true }, { again: 10, dying: 10 }],
    ["answersOthers", { answersOthers: true }, { rewritten: 10, dying: 10 }],
    ["losesCharges", { losesCharges: true }, { dying: 10 }],
    // After five all is spent, which is what ten cost.
    ["chargesTwice", { chargesTwice: true }, { dying: 9 }],
    // Five answers, and what they cost.
    ["obeysEdits", { obeysEdits: true }, { edited: 6 }],
    ["forgetsWhatItSpent", { forgetsWhatItSpent: true }, { edited: 1 }],
    ["forgetsItsHead", { forgetsItsHead: true }, { old: 10 }],
  ])("is found by what is counted: it %s", async (_, faults, due) => {
    const results = (await resultsOf(faults)).filter(({ service }) => service === "Lethe");
    const found = Object.fromEntries(results.map(({ measure, value }) => [measure, value]));
    const all = Object.fromEntries(
      Object.entries(measures).map(([name, measure]) => [measure, due[name as keyof typeof measures] ?? 0]),
    );
    expect(found).toEqual(all);
  });
  test("that is not spent in the end is said not to be", async () => {
    const results = await resultsOf({ overspends: -1 });
    expect(results.filter(({ measure }) => measure === measures.old).map(({ note }) => note)).toEqual([
      "not all was spent before",
      "not all was spent before",
    ]);
    expect(
      results.find(({ service, measure }) => service === "Lethe" && measure === measures.beyond)!.value,
    ).toBe(-1);
  });
});
