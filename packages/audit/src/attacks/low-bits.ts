import { naiveLaplaceGives } from "../known-bad/naive-laplace.ts";
import type { GuessingGame } from "./guessing-game.ts";
import { doubleLaplace, type NaiveProtection } from "./services/naive.ts";
import { crowd, numberIn, peopleWithSecrets } from "./services/people.ts";

const noiseInDoubles: NaiveProtection = {
  name: "Laplace noise in doubles",
  protect: (count, uniform) => count + doubleLaplace(1, uniform),
};

const [size, target] = [200, 117];

/** Not every double can be reached from every value: an answer's last bits can rule a value out for certain. */
export const lowBits: GuessingGame = {
  id: "low bits",
  describes:
    "asks once at ε = 1, and checks from which true count the textbook sampler could have made that double",
  source: "Mironov 2012; Haney, Desfontaines, Hartman, Shrestha & Hay 2022",
  against: [{ protection: noiseInDoubles, control: 0.75 }],
  epsilon: "1",
  delta: "0",
  accounts: 1,
  crowds: 1,
  worlds: () => [peopleWithSecrets(crowd(size, target, 0)), peopleWithSecrets(crowd(size, target, 1))],
  async guess({ ask, uniform }) {
    const answer = numberIn(
      await ask(`SELECT COUNT(*) AS n FROM people WHERE sick = 1 AND id = ${target}`, 1),
    );
    if (answer === null) return uniform() < 0.5 ? 0 : 1;
    const [from0, from1] = [naiveLaplaceGives(0, answer), naiveLaplaceGives(1, answer)];
    if (from0 !== from1) return from1 ? 1 : 0;
    return answer > 0.5 ? 1 : 0;
  },
};
