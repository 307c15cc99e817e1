import { elementAt } from "@lethe/core/numeric";
import type { GuessingGame } from "./guessing-game.ts";
import { againstAll, exactAnswers, suppressedAnswers } from "./services/naive.ts";
import type { World } from "./services/service.ts";

const [markers, participants] = [400, 20];

/** Deterministic genomes: the attacker knows the target's, and the frequencies in the population (all ½), and not who took part. */
function genome(person: number, seed: number): readonly (0 | 1)[] {
  let state = Math.imul(person + 1 + 64 * seed, 0x85ebca6b) >>> 0;
  return Array.from({ length: markers }, () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) & 1) as 0 | 1;
  });
}

/** The study with the target in it, or with somebody else in the target's place. */
function world(inside: boolean, seed: number): World {
  const others = Array.from({ length: participants - 1 }, (_, at) => at + 2);
  const people = [...others, inside ? 0 : 1];
  return {
    tables: [
      {
        name: "genotypes",
        columns: [
          { name: "person", type: "text" },
          { name: "marker", type: "integer" },
        ],
        rows: people.flatMap((person, place) =>
          genome(person, seed).flatMap((allele, marker) => (allele === 1 ? [[`p${place}`, marker]] : [])),
        ),
      },
    ],
    policy: `version: 1
privacy_unit: { name: person, adjacency: replace-one }
tables:
  genotypes:
    file: genotypes.parquet
    unit: person
    max_groups_contributed: ${markers}
    max_rows_contributed_per_group: 1
    columns:
      person: { type: text }
      marker: { type: integer, bounds: [0, ${markers - 1}] }
`,
  };
}

/** Aggregates about many attributes say who is in the sample: the target's alleles go with the sample's frequencies. */
export const membership: GuessingGame = {
  id: "membership",
  describes: "compares one genome with the frequencies of 400 markers in a study of 20 people",
  source: "Homer et al. 2008; Dwork, Smith, Steinke, Ullman & Vadhan 2015",
  against: againstAll([exactAnswers, 0.95], [suppressedAnswers, 0.95]),
  epsilon: "1",
  delta: "0",
  accounts: 1,
  crowds: 8,
  worlds: (seed) => [world(false, seed), world(true, seed)],
  async guess({ ask, uniform }, seed) {
    const reply = await ask("SELECT marker, COUNT(*) AS n FROM genotypes GROUP BY marker", 1);
    if (reply.kind === "refused") return uniform() < 0.5 ? 0 : 1;
    const target = genome(0, seed);
    let score = 0;
    for (const row of reply.rows) {
      score += (elementAt(target, Number(row[0])) - 0.5) * (Number(row.at(-1)) / participants - 0.5);
    }
    // Inside, each marker adds ¼ of a person's share on average; outside, nothing.
    return score > markers / (8 * participants) ? 1 : 0;
  },
};
