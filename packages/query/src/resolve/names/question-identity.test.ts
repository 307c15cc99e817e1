import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "../../parse/index.ts";
import { readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../question/resolve-question.ts";
import { questionIdentity } from "./question-identity.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 10 }
tables:
  people:
    file: people.parquet
    unit: id
    columns:
      id: { type: integer }
      age: { type: integer, bounds: [0, 100] }
      town: { type: text, categories: [Ur, Kish, n, v], default: Ur }
  visits:
    file: visits.parquet
    unit: { through: person_id, references: people.id }
    max_rows_contributed_per_group: 3
    columns:
      person_id: { type: integer }
      cost: { type: number, bounds: [0, 100] }
      kind: { type: text, categories: [n, v, "source 1"], default: n }
  towns:
    file: towns.parquet
    public: true
    key: town
    columns:
      town: { type: text, categories: [Ur, Kish, n, v], default: Ur }
      region: { type: text, categories: [n, s], default: n }
`);

async function identityOf(text: string, parameters: readonly (string | number)[] = []): Promise<string> {
  return questionIdentity(resolveQuestion(await parseQuestion(text, parameters), policy));
}

/** A question with names left open: tables and subqueries in capitals, columns behind an @. */
const templates: readonly string[] = [
  "SELECT AVG(age) AS @x FROM people AS A GROUP BY town",
  "SELECT A.town, COUNT(*) AS @x, SUM(B.cost) AS @y FROM people AS A JOIN visits AS B ON B.person_id = A.id WHERE B.kind = 'v' GROUP BY A.town HAVING SUM(B.cost) > 3 ORDER BY 2",
  "SELECT A.region, COUNT(*) AS @x FROM people AS B JOIN towns AS A ON B.town = A.town GROUP BY A.region",
  "SELECT AVG(A.@x) AS @y FROM (SELECT id, SUM(cost) AS @x FROM people AS B JOIN visits AS C ON C.person_id = B.id GROUP BY B.id) AS A",
  "SELECT COUNT(*) AS @x FROM (SELECT age AS @y, town FROM people AS B WHERE age > 3) AS A WHERE A.@y < 50",
  "WITH A AS (SELECT town AS @y FROM people AS B UNION ALL SELECT town FROM people AS C) SELECT A.@y, COUNT(*) AS @x FROM A GROUP BY A.@y",
  "SELECT COUNT(*) FILTER (WHERE EXISTS (SELECT 1 FROM visits AS A WHERE A.person_id = B.id AND A.cost > 3)) AS @x FROM people AS B",
  "SELECT COUNT(*) AS @x FROM (SELECT person_id, cost, ROW_NUMBER() OVER (PARTITION BY person_id ORDER BY cost) AS @y FROM visits AS B) AS A WHERE A.@y = 1",
];

const names = ["n", "v", "a b", "source", "kind", "aggregate 1", "visits_2", "column 1", "x1"];

function written(template: string, of: Readonly<Record<string, string>>): string {
  const quoted = (name: string): string => `"${name}"`;
  return template
    .replace(/\b([ABC])\b(?=\.|\b)/g, (all, letter: string, at: number) =>
      template[at - 1] === "'" ? all : quoted(of[letter]!),
    )
    .replace(/@([xy])/g, (_, letter: string) => quoted(of[letter]!));
}

describe("the identity of a question", () => {
  it.each(templates)(
    "does not depend on the names of tables, subqueries and columns: %s",
    async (template) => {
      const due = await identityOf(written(template, { A: "ta", B: "tb", C: "tc", x: "cx", y: "cy" }));
      await fc.assert(
        fc.asyncProperty(
          fc.shuffledSubarray(names, { minLength: 3, maxLength: 3 }),
          fc.shuffledSubarray(names, { minLength: 2, maxLength: 2 }),
          async ([A, B, C], [x, y]) => {
            expect(await identityOf(written(template, { A: A!, B: B!, C: C!, x: x!, y: y! }))).toBe(due);
          },
        ),
        { seed: 1, numRuns: 25 },
      );
    },
  );

  it("is another for each of these, whatever stands in the place of names", async () => {
    const questions = [
      "SELECT COUNT(*) AS n FROM people",
      "SELECT COUNT(age) AS n FROM people",
      "SELECT COUNT(*) AS n FROM visits",
      "SELECT COUNT(*) AS n FROM visits WHERE kind = 'n'",
      "SELECT COUNT(*) AS n FROM visits WHERE kind = 'v'",
      "SELECT COUNT(*) AS n FROM visits WHERE kind = 'source 1'",
      "SELECT COUNT(*) AS n, SUM(cost) AS m FROM visits",
      "SELECT SUM(cost) AS m, COUNT(*) AS n FROM visits",
      "SELECT SUM(cost) AS m, COUNT(*) AS n FROM visits HAVING COUNT(*) > 3",
      "SELECT SUM(cost) AS m, COUNT(*) AS n FROM visits HAVING SUM(cost) > 3",
      "SELECT SUM(cost) - COUNT(*) AS n FROM visits",
      "SELECT COUNT(*) - SUM(cost) AS n FROM visits",
      "SELECT town, COUNT(*) AS n FROM people GROUP BY town",
      "SELECT town, COUNT(*) AS n FROM people GROUP BY town ORDER BY n",
      "SELECT town, COUNT(*) AS n FROM people GROUP BY town ORDER BY town",
      "SELECT town, COUNT(*) AS n FROM people GROUP BY ROLLUP (town)",
      "SELECT town, age, COUNT(*) AS n FROM people GROUP BY town, age ORDER BY town",
      "SELECT town, age, COUNT(*) AS n FROM people GROUP BY town, age ORDER BY age",
      // One name in two places of a join, each way round.
      "SELECT COUNT(*) AS n FROM people AS v JOIN visits AS n ON n.person_id = v.id WHERE v.town = 'n'",
      "SELECT COUNT(*) AS n FROM people AS n JOIN visits AS v ON v.person_id = n.id WHERE v.kind = 'n'",
      "SELECT COUNT(*) AS n FROM visits AS v JOIN people AS n ON v.person_id = n.id WHERE n.town = 'n'",
      // Which of two reads of one table it is.
      "SELECT COUNT(*) AS n FROM visits AS a JOIN visits AS b ON a.person_id = b.person_id WHERE a.cost > 3",
      "SELECT COUNT(*) AS n FROM visits AS a JOIN visits AS b ON a.person_id = b.person_id WHERE b.cost > 3",
      "SELECT AVG(a.x) AS n FROM (SELECT person_id, SUM(cost) AS x, COUNT(*) AS y FROM visits GROUP BY person_id) AS a",
      "SELECT AVG(a.y) AS n FROM (SELECT person_id, SUM(cost) AS x, COUNT(*) AS y FROM visits GROUP BY person_id) AS a",
      "SELECT AVG(a.x) AS n FROM (SELECT person_id, MIN(cost) AS x, MAX(cost) AS y FROM visits GROUP BY person_id) AS a",
      "SELECT AVG(a.y) AS n FROM (SELECT person_id, MIN(cost) AS x, MAX(cost) AS y FROM visits GROUP BY person_id) AS a",
    ];
    const identities = await Promise.all(questions.map((text) => identityOf(text)));
    for (const [at, identity] of identities.entries())
      expect([questions[at], questions[identities.indexOf(identity)]]).toEqual([
        questions[at],
        questions[at],
      ]);
  });

  it("does not depend on comments, spaces and the case of words, and does on the values of parameters", async () => {
    const due = await identityOf("SELECT COUNT(*) FROM visits WHERE cost > $1", [3]);
    const text = "select /* how many? */ count ( * ) -- in all\n  FROM visits where cost>$1 ";
    expect(await identityOf(text, [3])).toBe(due);
    expect(await identityOf(text, [4])).not.toBe(due);
  });

  it.each([
    ["SELECT COUNT(*) FROM visits WHERE cost > $1", "SELECT COUNT(*) FROM visits WHERE cost > 3", [3]],
    ["SELECT AVG(cost) FROM visits WHERE kind = $1", "SELECT AVG(cost) FROM visits WHERE kind = 'v'", ["v"]],
    [
      "SELECT COUNT(*) FROM visits WHERE cost BETWEEN $2 AND $1",
      "SELECT COUNT(*) FROM visits WHERE cost BETWEEN 1.5 AND 4",
      [4, 1.5],
    ],
    [
      "SELECT COUNT(*) FROM (SELECT age FROM people WHERE town = $1) AS a WHERE age < $2",
      "SELECT COUNT(*) FROM (SELECT age FROM people WHERE town = 'Ur') AS a WHERE age < 30",
      ["Ur", 30],
    ],
  ])("is that of the same question with its values in the text: %s", async (given, literal, values) => {
    expect(await identityOf(given, values)).toBe(await identityOf(literal));
  });

  it("is that of the same question as Metabase writes it", async () => {
    const written =
      '-- Metabase:: userID: 1 queryType: MBQL\nSELECT "public"."people"."town" AS "town", COUNT(*) AS "count" FROM "public"."people" GROUP BY "public"."people"."town" ORDER BY "public"."people"."town" ASC';
    const plain = "SELECT town, COUNT(*) FROM people GROUP BY town ORDER BY town";
    expect(await identityOf(written)).toBe(await identityOf(plain));
  });

  it("keeps the names that ends of intervals speak of", async () => {
    const ends = (name: string): string =>
      `SELECT COUNT(*) AS ${name}, SUM(cost) AS other, DP_INTERVAL_LOW(${name}) AS low FROM visits`;
    expect(await identityOf(ends("a"))).not.toBe(await identityOf(ends("b")));
  });
});
