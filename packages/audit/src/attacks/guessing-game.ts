import { parseRational, type Rational, ratio, toText } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import { clopperPearson } from "../estimate/clopper-pearson.ts";
import type { Attack, AttackResult, Effort, Score } from "./attack.ts";
import { guessingCeiling } from "./ceiling.ts";
import { type Against, protectedBy } from "./services/naive.ts";
import type { Asked, Laboratory, Opened, Reply, World } from "./services/service.ts";

/** One run of an attacker against one service. */
export interface Session {
  /** Asks at a share of all the loss that the attacker may cause; under the n-th of its accounts. */
  ask(question: string, shares: number, account?: number): Promise<Reply>;
  /** The attacker's own coins, with which a control adds its noise too. */
  uniform(): number;
  /** Records the score of a guess between two worlds, larger for the second, for a ROC curve. */
  tell(score: number): void;
}

/** A game in which the attacker guesses which of K worlds that differ in one person is behind a service. */
export interface GuessingGame {
  readonly id: string;
  readonly describes: string;
  readonly source: string;
  /** The services without proof that it is shown against, with the accuracy that it is known to reach there. */
  readonly against: readonly Against[];
  /** The whole ε that the account allows, as a decimal. */
  readonly epsilon: string;
  readonly delta: string;
  /** The number of accounts that the attacker has. With several, it is the source's budget that limits them. */
  readonly accounts: number;
  /**
   * The number of crowds that the control is played with: 1 where the crowd makes no difference. Lethe is played with one crowd, since its coins vary
   * the answers.
   */
  readonly crowds: number;
  /**
   * Returns equally likely worlds, each the neighbour of each other under their policy's adjacency. Another seed gives another crowd, where that
   * matters.
   */
  worlds(seed: number): readonly World[];
  guess(session: Session, seed: number): Promise<number>;
}

/** Makes an attack of a game. It is played against each naive service, and against Lethe, where every guess has accounts of its own. */
export function attackOf(game: GuessingGame): Attack {
  const { id, describes, source } = game;
  return {
    id,
    describes,
    source,
    async run(laboratory, effort, uniform, progress) {
      const results: AttackResult[] = [];
      for (const { protection, control } of game.against) {
        const open = (world: World): Promise<Opened> =>
          laboratory.exact(world).then((exact) => protectedBy(protection, exact, uniform));
        const played = await playNaive(game, open, effort.controls, uniform);
        results.push(scored(game, protection.name, played, effort.controls, effort, null, control));
        progress?.(results.length);
      }
      const played = await playLethe(game, laboratory, effort.trials, uniform);
      const ceiling = guessingCeiling(
        parseRational(game.epsilon),
        parseRational(game.delta),
        game.worlds(0).length,
      );
      results.push(scored(game, `Lethe, ε = ${game.epsilon}`, played, effort.trials, effort, ceiling, null));
      return results;
    },
  };
}

/** The number of right guesses, and the scores of guesses. */
interface Played {
  right: number;
  readonly scores: Score[];
}

function scored(
  game: GuessingGame,
  service: string,
  { right, scores }: Played,
  trials: number,
  { alpha }: Effort,
  ceiling: number | null,
  control: number | null,
): AttackResult {
  const { lo, hi } = clopperPearson(right, trials, alpha);
  return {
    attack: game.id,
    service,
    measure: "right guesses",
    value: right / trials,
    interval: [lo, hi],
    trials,
    blind: 1 / game.worlds(0).length,
    ceiling,
    control,
    note: null,
    ...(scores.length > 0 ? { scores } : {}),
  };
}

async function playNaive(
  game: GuessingGame,
  open: (world: World) => Promise<Opened>,
  trials: number,
  uniform: () => number,
): Promise<Played> {
  const played: Played = { right: 0, scores: [] };
  for (let seed = 0; seed < game.crowds; seed += 1) {
    const services = await Promise.all(game.worlds(seed).map(open));
    for (let trial = seed; trial < trials; trial += game.crowds) {
      const truth = Math.floor(uniform() * services.length);
      await playOne(game, elementAt(services, truth), truth, trial, uniform, played, seed);
    }
    await Promise.all(services.map((service) => service.close()));
  }
  return played;
}

/** One account a guess: then a source may be shared, since what others are told does not depend on this guess's coins. */
async function playLethe(
  game: GuessingGame,
  laboratory: Laboratory,
  trials: number,
  uniform: () => number,
): Promise<Played> {
  const played: Played = { right: 0, scores: [] };
  const worlds = game.worlds(0);
  const { epsilon, delta } = game;
  if (game.accounts > 1) {
    const analysts = Object.fromEntries(names(game, 0).map((name) => [name, epsilon]));
    for (let trial = 0; trial < trials; trial += 1) {
      const truth = Math.floor(uniform() * worlds.length);
      const service = await laboratory.lethe(elementAt(worlds, truth), { epsilon, delta, analysts });
      await playOne(game, service, truth, 0, uniform, played);
      await service.close();
    }
    return played;
  }
  const analysts = Object.fromEntries(
    Array.from({ length: trials }, (_, trial) => [nameOf(trial, 0), epsilon]),
  );
  const account = { epsilon: times(epsilon, trials), delta: times(delta, trials), analysts };
  const services = await Promise.all(worlds.map((world) => laboratory.lethe(world, account)));
  for (let trial = 0; trial < trials; trial += 1) {
    const truth = Math.floor(uniform() * worlds.length);
    await playOne(game, elementAt(services, truth), truth, trial, uniform, played);
  }
  await Promise.all(services.map((service) => service.close()));
  return played;
}

async function playOne(
  game: GuessingGame,
  service: Opened,
  truth: number,
  trial: number,
  uniform: () => number,
  played: Played,
  seed = 0,
): Promise<void> {
  const session: Session = {
    uniform,
    tell: (score) => {
      if (truth === 0 || truth === 1) played.scores.push({ truth, score });
    },
    ask: (question, shares, account = 0) => {
      const asked: Asked = {
        as: nameOf(trial, account % game.accounts),
        epsilon: part(game.epsilon, shares),
        delta: part(game.delta, shares),
      };
      return service.ask(question, asked);
    },
  };
  played.right += Number((await game.guess(session, seed)) === truth);
}

function names({ accounts }: GuessingGame, trial: number): readonly string[] {
  return Array.from({ length: accounts }, (_, at) => nameOf(trial, at));
}

function nameOf(trial: number, account: number): string {
  return `attacker-${trial}-${account}`;
}

function part(epsilon: string, shares: number): string {
  const { num, den }: Rational = parseRational(epsilon);
  return toText(ratio(num, den * BigInt(shares)));
}

function times(text: string, count: number): string {
  const { num, den } = parseRational(text);
  const product = ratio(num * BigInt(count), den);
  return toText(product);
}
