import { elementAt } from "@lethe/core/numeric";
import type { GuessingGame } from "./guessing-game.ts";
import { againstAll, exactAnswers, suppressedAnswers } from "./services/naive.ts";
import { onePerson } from "./services/people.ts";
import type { Reply, World } from "./services/service.ts";

const diagnoses = ["asthma", "cancer", "diabetes", "flu", "none"] as const;
const [towns, years] = [20, 60];
const people = 400;

/** A stream of numbers that is the same in every run: the crowd is no secret. */
function* numbers(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

const target = { town: 7, born: 1961, sex: "f" } as const;

function world(diagnosis: string): World {
  const next = numbers(2016);
  const below = (bound: number): number => Math.floor(next.next().value * bound);
  const crowd = Array.from({ length: people }, () => {
    const row = [
      below(towns),
      1940 + below(years),
      below(2) === 0 ? "f" : "m",
      elementAt(diagnoses, below(5)),
    ] as const;
    // The target is the only one of its town, year and sex, as most people are of theirs.
    const same = row[0] === target.town && row[1] === target.born && row[2] === target.sex;
    return same ? [row[0], row[1], "m", row[3]] : row;
  });
  return {
    tables: [
      {
        name: "patients",
        columns: [
          { name: "town", type: "integer" },
          { name: "born", type: "integer" },
          { name: "sex", type: "text" },
          { name: "diagnosis", type: "text" },
        ],
        rows: [...crowd, [target.town, target.born, target.sex, diagnosis]],
      },
    ],
    policy: onePerson(
      "patients",
      `{ town: { type: integer, bounds: [0, ${towns - 1}] }, born: { type: integer, bounds: [1940, 1999] }, ` +
        `sex: { type: text, categories: [f, m] }, diagnosis: { type: text, categories: [${diagnoses.join(", ")}] } }`,
    ),
  };
}

const by = "SELECT diagnosis, COUNT(*) AS n FROM patients";
const her = `town = ${target.town} AND born = ${target.born} AND sex = '${target.sex}'`;

/** Town, year of birth and sex single most people out; what else the table says of them follows. */
export const linkage: GuessingGame = {
  id: "linkage",
  describes:
    "finds one person's diagnosis by her town, year of birth and sex, from a direct count or from a difference of counts",
  source: "Sweeney 2000",
  against: againstAll([exactAnswers, 1], [suppressedAnswers, 1]),
  epsilon: "1",
  delta: "0",
  accounts: 1,
  crowds: 1,
  worlds: () => diagnoses.map(world),
  async guess({ ask, uniform }) {
    const direct = countsOf(await ask(`${by} WHERE ${her} GROUP BY diagnosis`, 3));
    const all = countsOf(await ask(`${by} GROUP BY diagnosis`, 3));
    const others = countsOf(await ask(`${by} WHERE NOT (${her}) GROUP BY diagnosis`, 3));
    // Both tell the same number with their own noise: the direct one with a third of the variance of all three together.
    const signs = diagnoses.map(
      (name) => 2 * (direct.get(name) ?? 0) + (all.get(name) ?? 0) - (others.get(name) ?? 0),
    );
    const best = Math.max(...signs);
    const tied = signs.flatMap((sign, at) => (sign === best ? [at] : []));
    return elementAt(tied, Math.floor(uniform() * tied.length));
  },
};

function countsOf(reply: Reply): ReadonlyMap<string, number> {
  if (reply.kind === "refused") return new Map();
  return new Map(reply.rows.map((row) => [String(row[0]), Number(row.at(-1))]));
}
