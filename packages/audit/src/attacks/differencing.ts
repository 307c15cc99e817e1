import type { GuessingGame, Session } from "./guessing-game.ts";
import { againstAll, exactAnswers, noiseWithoutBudget, suppressedAnswers } from "./services/naive.ts";
import { crowd, numberIn, peopleWithSecrets } from "./services/people.ts";

const [size, target] = [200, 117];
const worlds: GuessingGame["worlds"] = () => [
  peopleWithSecrets(crowd(size, target, 0)),
  peopleWithSecrets(crowd(size, target, 1)),
];
const everybody = "SELECT COUNT(*) AS n FROM people WHERE sick = 1";
const allButOne = `${everybody} AND id <> ${target}`;

/** Everybody, and everybody but one: the difference is that one. */
export const differencing: GuessingGame = {
  id: "differencing",
  describes: "counts the sick with and without one person, and subtracts",
  source: "Denning, Denning & Schwartz 1979 (trackers)",
  against: againstAll([exactAnswers, 1], [suppressedAnswers, 1]),
  epsilon: "1",
  delta: "0",
  accounts: 1,
  crowds: 1,
  worlds,
  async guess({ ask, uniform, tell }) {
    const [all, but] = [numberIn(await ask(everybody, 2)), numberIn(await ask(allButOne, 2))];
    if (all === null || but === null) return coin(uniform);
    tell(all - but);
    return all - but > 0.5 ? 1 : 0;
  },
};

const questionsAsked = 200;

/** The same question again and again under many names: noise that is not paid for averages out. */
export const averaging: GuessingGame = {
  id: "averaging",
  describes: "asks for one person 200 times under 8 accounts, and averages",
  source: "Denning 1980; Asghar & Kaafar 2020",
  against: againstAll([exactAnswers, 1], [noiseWithoutBudget, 0.97]),
  epsilon: "1",
  delta: "0",
  accounts: 8,
  crowds: 1,
  worlds,
  async guess({ ask, uniform }) {
    const answers: number[] = [];
    for (let i = 0; i < questionsAsked; i += 1) {
      // An attacker under a budget buys few questions that are worth something rather than many that are not.
      const answer = numberIn(
        await ask(`SELECT COUNT(*) AS n FROM people WHERE sick = 1 AND id = ${target}`, 8, i),
      );
      if (answer === null) break;
      answers.push(answer);
    }
    if (answers.length === 0) return coin(uniform);
    return answers.reduce((sum, each) => sum + each, 0) / answers.length > 0.5 ? 1 : 0;
  },
};

function coin(uniform: Session["uniform"]): number {
  return uniform() < 0.5 ? 0 : 1;
}
