import { paired } from "../paired.ts";
import type { Attack, AttackResult, Effort } from "./attack.ts";
import { canary, errorQuestions } from "./services/expressions.ts";
import { withAndWithoutCanary } from "./services/neighbours.ts";
import type { Laboratory, Reply, Whole, World } from "./services/service.ts";

const asked = { as: "attacker", epsilon: "1/100", delta: "0" };

/** A question that fails for one person's value alone is an exact answer about that person. */
export const errorOracle: Attack = {
  id: "error oracle",
  describes:
    "asks questions that divide by zero, overflow or fail to cast for one person alone, and reads the errors",
  source: "Casacuberta, Shoemate, Vadhan & Wagaman 2022",
  async run(laboratory, effort, _uniform, progress) {
    const questions = errorQuestions(effort.questions);
    const naive = await exactlyAsked(laboratory, questions);
    progress?.(1);
    const differences = await privatelyAsked(laboratory, questions, effort);
    const canaries = canariesIn(questions, differences.texts);
    const result = (service: string, value: number, rest: Partial<AttackResult>): AttackResult => ({
      attack: "error oracle",
      service,
      measure: "questions whose outcomes differ",
      value,
      interval: [value, value],
      trials: questions.length,
      blind: 0,
      ceiling: null,
      control: null,
      note: null,
      ...rest,
    });
    return [
      result("exact answers", naive, { control: 1 }),
      result("Lethe", differences.count, {
        ceiling: 0,
        note: `status, code, message and charge compared; ${differences.answered} of ${questions.length} are answered`,
      }),
      result("Lethe", canaries, { measure: "replies that contain the canary's text", ceiling: 0 }),
    ];
  },
};

async function exactlyAsked(laboratory: Laboratory, questions: readonly string[]): Promise<number> {
  const [without, having] = await outcomes(questions, withAndWithoutCanary(), async (world) => {
    const service = await laboratory.exact(world);
    return { ask: (question: string) => service.ask(question, asked), close: () => service.close() };
  });
  // An error or none: what an exact service's numbers tell is another attack's business.
  return paired(without, having).filter(([one, other]) => statusOf(one) !== statusOf(other)).length;
}

const statusOf = (reply: Reply): string =>
  reply.kind === "rows" ? "rows" : `${reply.code} ${reply.message}`;

async function privatelyAsked(
  laboratory: Laboratory,
  questions: readonly string[],
  { questions: count }: Effort,
): Promise<{ readonly count: number; readonly answered: number; readonly texts: readonly string[] }> {
  const account = { epsilon: String(count), delta: "0", analysts: { attacker: String(count) } };
  const [without, having] = await outcomes(questions, withAndWithoutCanary(), async (world) => {
    const service = await laboratory.lethe(world, account);
    return { ask: (question: string) => service.whole(question, asked), close: () => service.close() };
  });
  const seen = ({ reply, charged }: Whole): string =>
    JSON.stringify([
      statusOf(reply),
      charged,
      reply.kind === "rows" ? [reply.columns, reply.rows.length] : null,
    ]);
  return {
    count: paired(without, having).filter(([one, other]) => seen(one) !== seen(other)).length,
    answered: having.filter(({ reply }) => reply.kind === "rows").length,
    texts: having.map(({ text }) => text),
  };
}

async function outcomes<T>(
  questions: readonly string[],
  worlds: readonly [World, World],
  open: (world: World) => Promise<{ ask(question: string): Promise<T>; close(): Promise<void> }>,
): Promise<readonly [readonly T[], readonly T[]]> {
  const each = async (world: World): Promise<readonly T[]> => {
    const service = await open(world);
    try {
      const replies: T[] = [];
      for (const question of questions) replies.push(await service.ask(question));
      return replies;
    } finally {
      await service.close();
    }
  };
  return [await each(worlds[0]), await each(worlds[1])];
}

/** Questions name the canary themselves, so only what comes back beyond the question's own words counts. */
function canariesIn(questions: readonly string[], texts: readonly string[]): number {
  return paired(questions, texts).filter(
    ([question, text]) => occurrences(text) > 0 && !question.includes(canary.text),
  ).length;
}

const occurrences = (text: string): number => text.split(canary.text).length - 1;
