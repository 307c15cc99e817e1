import { type BitSource, ratio } from "@lethe/core";
import { discreteLaplace } from "@lethe/core/samplers";
import { clopperPearson } from "../estimate/clopper-pearson.ts";
import type { Attack, AttackResult, Effort } from "./attack.ts";
import { canary } from "./services/expressions.ts";
import { withAndWithoutCanary } from "./services/neighbours.ts";
import type { Laboratory, Opened } from "./services/service.ts";

/**
 * Time as an oracle. Lethe promises nothing about time: these are told, so that an owner can judge what stands before the service
 * (SECURITY, "What Lethe does not promise").
 */
export const timing: Attack = {
  id: "timing",
  describes:
    "guesses the size of the noise from the number of random words that it took, and a person's presence from the time of an answer",
  source: "Jin, McMurtry, Rubinstein & Ohrimenko 2022; Haeberlen, Pierce & Narayan 2011",
  async run(laboratory, effort, uniform, progress) {
    const bits: BitSource = { word: () => Math.floor(uniform() * 2 ** 32) };
    const samplers = [
      coinsTell("counting coins", countingGeometric, bits, effort),
      coinsTell("Lethe's samplers", discreteLaplace(scale), bits, effort),
    ];
    progress?.(1);
    const answers = [
      await naiveAnswers(laboratory, effort, uniform),
      await letheAnswers(laboratory, effort, uniform, "Lethe", [0, 1]),
      // What the clock makes of two services that hold the same: what it says above is worth no less than this.
      await letheAnswers(laboratory, effort, uniform, "Lethe, the same data twice", [0, 0]),
    ];
    return [...samplers, ...answers];
  },
};

const scale = ratio(20n);

/** Laplace noise by counting coins until one falls: the textbook's geometric, whose time is its value. */
const countingGeometric = {
  sample(bits: BitSource): bigint {
    for (;;) {
      let count = 0n;
      while (bits.word() < Math.exp(-1 / 20) * 2 ** 32) count += 1n;
      const negative = (bits.word() & 1) === 1;
      if (count !== 0n || !negative) return negative ? -count : count;
    }
  },
};

/** One thing that happened in one of two cases, and how long it took. */
interface Timed {
  readonly second: boolean;
  readonly took: number;
}

function coinsTell(
  service: string,
  sampler: { sample(bits: BitSource): bigint },
  bits: BitSource,
  { alpha, trials }: Effort,
): AttackResult {
  const median = 14n; // of |Z| at scale 20: 20·ln 2 = 13.9
  const timed = Array.from({ length: 20 * trials }, (): Timed => {
    let took = 0;
    const drawn = sampler.sample({
      word() {
        took += 1;
        return bits.word();
      },
    });
    return { second: (drawn < 0n ? -drawn : drawn) >= median, took };
  });
  return told(
    service,
    "right guesses whether |noise| is above its median, by the random words drawn",
    timed,
    alpha,
  );
}

async function naiveAnswers(
  laboratory: Laboratory,
  effort: Effort,
  uniform: () => number,
): Promise<AttackResult> {
  const slow = `CASE WHEN name = '${canary.text}' THEN 4000000 ELSE 1 END`;
  const question = `SELECT COUNT(*) AS n FROM people WHERE LENGTH(REPEAT('x', ${slow})) > 1`;
  const [without, having] = withAndWithoutCanary();
  const services = await Promise.all([laboratory.exact(without), laboratory.exact(having)]);
  const timed = await timedAnswers(services, question, laboratory, effort, uniform);
  return told("exact answers", answered, timed, effort.alpha);
}

async function letheAnswers(
  laboratory: Laboratory,
  effort: Effort,
  uniform: () => number,
  service: string,
  [one, other]: readonly [0 | 1, 0 | 1],
): Promise<AttackResult> {
  // REPEAT is refused, so the longest way round that is left: texts replaced within texts, for the one person.
  const long = "REPLACE(REPLACE(REPLACE(name, '-', name), 'a', name), 'e', name)";
  const question = `SELECT COUNT(*) AS n FROM people WHERE LENGTH(${long}) > 1`;
  const account = { epsilon: "100", delta: "0", analysts: { attacker: "100" } };
  const open = (at: 0 | 1): Promise<Opened> => laboratory.lethe(withAndWithoutCanary()[at], account);
  const services = await Promise.all([open(one), open(other)]);
  const timed = await timedAnswers(services, question, laboratory, effort, uniform);
  return told(service, answered, timed, effort.alpha);
}

const answered = "right guesses of who is in the data, by the time of an answer";

async function timedAnswers(
  services: readonly [Opened, Opened],
  question: string,
  { now }: Laboratory,
  { trials }: Effort,
  uniform: () => number,
): Promise<readonly Timed[]> {
  const timed: Timed[] = [];
  for (let at = -4; at < Math.min(200, trials); at += 1) {
    const second = uniform() < 0.5;
    const from = now();
    await services[second ? 1 : 0].ask(question, { as: "attacker", epsilon: "1/4", delta: "0" });
    if (at >= 0) timed.push({ second, took: now() - from }); // the first ones open files and compile
  }
  for (const service of services) await service.close();
  return timed;
}

/** A threshold is chosen on one half and judged on the other. */
function told(service: string, measure: string, timed: readonly Timed[], alpha: number): AttackResult {
  const half = Math.floor(timed.length / 2);
  const [learn, judge] = [timed.slice(0, half), timed.slice(half)];
  const rightAt = (cut: number, among: readonly Timed[]): number =>
    among.filter(({ second, took }) => second === took > cut).length;
  const cuts = [...new Set(learn.map(({ took }) => took))].sort((a, b) => a - b);
  const stride = Math.max(1, Math.floor(cuts.length / 200));
  const candidates = cuts.filter((_, at) => at % stride === 0);
  const cut = candidates.reduce(
    (best, each) => (rightAt(each, learn) > rightAt(best, learn) ? each : best),
    candidates[0] ?? 0,
  );
  const right = rightAt(cut, judge);
  const { lo, hi } = clopperPearson(right, judge.length, alpha);
  return {
    attack: "timing",
    service,
    measure,
    value: right / judge.length,
    interval: [lo, hi],
    trials: judge.length,
    blind: 0.5,
    ceiling: null,
    control: null,
    note: "Lethe promises nothing about time, so this is shown and not judged",
  };
}
