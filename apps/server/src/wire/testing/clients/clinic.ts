import type { Place } from "./wire-client.ts";

/** The age from which each client counts: another for each, so that none is answered by what another paid. */
const firstAge = 18;

export const policy = (analysts: readonly string[]): string => `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 1000, analysts: { ${analysts.map((name) => `${name}: 10`).join(", ")} } }
defaults: { epsilon: 0.5 }
tables:
  people:
    file: people.csv
    unit: row
    columns:
      age: { type: integer, bounds: [16, 70] }
      sector: { type: text, categories: [care, trade, building, teaching, transport], default: care }
      wage: { type: number, bounds: [0, 120] }
      hired: { type: date, bounds: [2000-01-01, 2026-12-31] }
`;

/** The keys of the answers, in order: care is the default, so that none is NULL. */
export const sectors = ["building", "care", "teaching", "trade", "transport"] as const;

/** The columns of the table, in order. */
export const columns = ["age", "sector", "wage", "hired"] as const;

/** 3,000 people: ages, sectors of unlike sizes, and wages that grow with age. */
export function people(): string {
  const rows = Array.from({ length: 3_000 }, (_, at) => {
    const age = 18 + ((at * 7919) % 49);
    const sector = ["care", "care", "care", "trade", "trade", "building", "teaching", "transport"][at % 8];
    const wage = (9 + age / 4 + ((at * 104_729) % 1_700) / 100).toFixed(2);
    const hired = new Date(Date.UTC(2004 + (at % 22), at % 12, 1 + (at % 28))).toISOString().slice(0, 10);
    return `${age},${sector},${wage},${hired}`;
  });
  return `${columns.join(",")}\n${rows.join("\n")}\n`;
}

/** The question that the client of this number asks. */
export function questionsOf(client: number): Pick<Place, "age" | "questions"> {
  const age = firstAge + client;
  const means = (from: string): string =>
    `SELECT sector, AVG(wage) AS mean FROM people WHERE age >= ${from} GROUP BY sector ORDER BY sector`;
  return {
    age,
    questions: {
      literal: means(String(age)),
      prepared: means("$1"),
      slow: `SELECT COUNT(*) AS n FROM people WHERE age < ${age + 20}`,
      refused: "SELECT AVG(salary) AS mean FROM people",
    },
  };
}
