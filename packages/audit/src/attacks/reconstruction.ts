import { parseRational, ratio } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import { clopperPearson } from "../estimate/clopper-pearson.ts";
import { paired } from "../paired.ts";
import type { Attack, AttackResult, Effort } from "./attack.ts";
import { guessingCeiling } from "./ceiling.ts";
import { leastAbsolute, leastSquares } from "./decode.ts";
import {
  againstAll,
  exactAnswers,
  type NaiveProtection,
  noiseWithoutBudget,
  roundedAnswers,
  suppressedAnswers,
} from "./services/naive.ts";
import { numbersIn, peopleWithSecrets } from "./services/people.ts";
import type { Laboratory, Service } from "./services/service.ts";

const people = 64;
const questions = 512;
const perText = 32;
const prime = 257;
const epsilon = "1";

/** Pseudorandom halves of the people, each by arithmetic on a public number: nothing in such a question looks odd. */
const halves = Array.from({ length: questions }, (_, at) => ({
  a: 1 + ((at * 101) % (prime - 1)),
  b: (at * at * 31 + 7 * at) % prime,
}));
const isIn = ({ a, b }: (typeof halves)[number], id: number): boolean => ((id * a + b) % prime) % 2 === 0;
const design = halves.map((half) => Array.from({ length: people }, (_, id) => (isIn(half, id) ? 1 : 0)));

const decoders = { "least squares": leastSquares, "least absolute errors": leastAbsolute } as const;

/** Too many answers that are too exact give away nearly everybody's bit. */
export const reconstruction: Attack = {
  id: "reconstruction",
  describes: `counts the sick in ${questions} random halves of ${people} people, and solves for each person's bit`,
  source: "Dinur & Nissim 2003; Dwork, McSherry & Talwar 2007",
  async run(laboratory, effort, uniform, progress) {
    const results: AttackResult[] = [];
    const exact = await exactlyAnswered(laboratory, uniform, effort);
    for (const { protection, control } of against) {
      const answers = protectedAnswers(protection, exact, uniform);
      for (const [decoder, solve] of Object.entries(decoders)) {
        results.push(scored(`${protection.name}, ${decoder}`, answers, solve, effort, null, control));
      }
      progress?.(results.length);
    }
    const answers = await letheAnswers(laboratory, uniform, effort);
    const ceiling = guessingCeiling(parseRational(epsilon), ratio(0n), 2);
    for (const [decoder, solve] of Object.entries(decoders)) {
      results.push(scored(`Lethe, ε = ${epsilon}, ${decoder}`, answers, solve, effort, ceiling, null));
    }
    return results;
  },
};

/** The share of right bits at one number of questions, for one service, by least squares. */
export interface ReconstructionPoint {
  readonly questions: number;
  readonly result: AttackResult;
}

/** The attack with fewer questions, on a service without noise, on noise without a budget, and on Lethe at the same ε throughout. */
export async function reconstructionCurve(
  laboratory: Laboratory,
  effort: Effort,
  uniform: () => number,
  counts: readonly number[],
): Promise<readonly ReconstructionPoint[]> {
  const points: ReconstructionPoint[] = [];
  const exact = await exactlyAnswered(laboratory, uniform, effort);
  const noisy = protectedAnswers(noiseWithoutBudget, exact, uniform);
  const ceiling = guessingCeiling(parseRational(epsilon), ratio(0n), 2);
  for (const count of counts) {
    const cut = (played: readonly Played[]): readonly Played[] =>
      played.map(({ secrets, answers }) => ({ secrets, answers: answers.slice(0, count) }));
    const lethe = await letheAnswers(laboratory, uniform, effort, count);
    const [plain, unpaid] = [exactAnswers.name, noiseWithoutBudget.name];
    for (const result of [
      scored(plain, cut(exact), leastSquares, effort, null, null),
      scored(unpaid, cut(noisy), leastSquares, effort, null, null),
      scored(`Lethe, ε = ${epsilon}`, lethe, leastSquares, effort, ceiling, null),
    ]) {
      points.push({ questions: count, result });
    }
  }
  return points;
}

const against = againstAll([exactAnswers, 0.95], [roundedAnswers, 0.95], [suppressedAnswers, 0.95]);

/** Secrets and what was answered about them. */
interface Played {
  readonly secrets: readonly (0 | 1)[];
  readonly answers: readonly (number | null)[];
}

function scored(
  service: string,
  played: readonly Played[],
  solve: (design: readonly (readonly number[])[], answers: readonly number[]) => readonly number[],
  { alpha }: Effort,
  ceiling: number | null,
  control: number | null,
): AttackResult {
  let [right, asked] = [0, 0];
  for (const { secrets, answers } of played) {
    const known = answers.flatMap((answer, at) =>
      answer === null ? [] : [{ answer, row: elementAt(design, at) }],
    );
    const solved = solve(
      known.map(({ row }) => row),
      known.map(({ answer }) => answer),
    );
    // Every bit is guessed to be 0 where no question was answered, since nothing can be solved.
    const shares = known.length === 0 ? secrets.map(() => 0) : solved;
    // Bits share their noise. Yet of independent fair bits an ε-private answer gives away no more than as many coins would, of which
    // each is right with chance e^ε/(1 + e^ε): the interval's lower end holds against the ceiling (Steinke, Nasr & Jagielski 2023, Thm 5.2).
    right += paired(secrets, shares).filter(([secret, share]) => secret === (share > 0.5 ? 1 : 0)).length;
    asked += secrets.length;
  }
  const { lo, hi } = clopperPearson(right, asked, alpha);
  return {
    attack: "reconstruction",
    service,
    measure: "right bits",
    value: right / asked,
    interval: [lo, hi],
    trials: asked,
    blind: 0.5,
    ceiling,
    control,
    note: null,
  };
}

/** Plays the attack against exact answers; each protection then changes these same numbers. */
async function exactlyAnswered(
  laboratory: Laboratory,
  uniform: () => number,
  { controls }: Effort,
): Promise<readonly Played[]> {
  return play(Math.ceil(controls / people), uniform, async (secrets) => {
    const service = await laboratory.exact(peopleWithSecrets(secrets));
    try {
      return await inTexts(service);
    } finally {
      await service.close();
    }
  });
}

function protectedAnswers(
  { protect }: NaiveProtection,
  played: readonly Played[],
  uniform: () => number,
): readonly Played[] {
  return played.map(({ secrets, answers }) => ({
    secrets,
    answers: answers.map((answer) => (answer === null ? null : protect(answer, uniform))),
  }));
}

/**
 * Plays the attack against Lethe. Each question asks for many counts, since one question with many counts costs the same budget as many questions.
 */
async function letheAnswers(
  laboratory: Laboratory,
  uniform: () => number,
  { trials }: Effort,
  count = questions,
): Promise<readonly Played[]> {
  return play(Math.ceil(trials / people), uniform, async (secrets) => {
    const account = { epsilon, delta: "0", analysts: { attacker: epsilon } };
    const service = await laboratory.lethe(peopleWithSecrets(secrets), account);
    try {
      return await inTexts(service, count);
    } finally {
      await service.close();
    }
  });
}

async function inTexts(service: Service, count = questions): Promise<readonly (number | null)[]> {
  const answers: (number | null)[] = [];
  const asked = { as: "attacker", epsilon: `1/${Math.ceil(count / perText)}`, delta: "0" };
  for (let at = 0; at < count; at += perText) {
    const columns = halves
      .slice(at, Math.min(count, at + perText))
      .map((half, place) => `${countOf(half)} AS n${place}`);
    const numbers = numbersIn(await service.ask(`SELECT ${columns.join(", ")} FROM people`, asked));
    for (let place = 0; place < columns.length; place += 1) answers.push(numbers[place] ?? null);
  }
  return answers;
}

const countOf = ({ a, b }: (typeof halves)[number]): string =>
  `COUNT(*) FILTER (WHERE sick = 1 AND ((id * ${a} + ${b}) % ${prime}) % 2 = 0)`;

async function play(
  populations: number,
  uniform: () => number,
  answersTo: (secrets: readonly (0 | 1)[]) => Promise<readonly (number | null)[]>,
): Promise<readonly Played[]> {
  const played: Played[] = [];
  for (let i = 0; i < populations; i += 1) {
    const secrets = Array.from({ length: people }, (): 0 | 1 => (uniform() < 0.5 ? 0 : 1));
    played.push({ secrets, answers: await answersTo(secrets) });
  }
  return played;
}
