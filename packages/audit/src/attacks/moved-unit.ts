import type { GuessingGame } from "./guessing-game.ts";
import type { NaiveProtection } from "./services/naive.ts";
import { numberIn } from "./services/people.ts";
import type { World } from "./services/service.ts";

/** The number of rows of each table taken for the number of all units, which replace-one makes public: told exactly, for nothing. */
const presenceAssumed: NaiveProtection = {
  name: "exact sizes of tables",
  protect: (count) => count,
};

const patients = 40;

/** Two clinics; everybody is a row of one of them. The last person goes to the first, or to the second. */
function world(clinic: number): World {
  const rows = (from: number): readonly (readonly number[])[] =>
    Array.from({ length: patients }, (_, at) => [(from + at * 7) % 90]);
  const table = (name: string, at: number) => ({
    name,
    columns: [{ name: "age", type: "integer" as const }],
    rows: [...rows(at), ...(clinic === at ? [[50]] : [])],
  });
  const declared = (name: string): string =>
    `  ${name}: { file: ${name}.parquet, unit: row, columns: { age: { type: integer, bounds: [0, 90], default: 50 } } }\n`;
  return {
    tables: [table("clinic_a", 0), table("clinic_b", 1)],
    policy: `version: 1
privacy_unit: { name: person, adjacency: replace-one }
tables:
${declared("clinic_a")}${declared("clinic_b")}`,
  };
}

/**
 * The attack that looks for a person in one of two private tables. With several private tables none has a public number of rows: replace-one may
 * replace a person by one whose row lies in another table.
 */
export const movedUnit: GuessingGame = {
  id: "moved unit",
  describes: "counts one of two private tables, to learn which of them holds a person's row",
  source: "Kifer & Machanavajjhala 2011 (which neighbours replace-one has)",
  against: [{ protection: presenceAssumed, control: 1 }],
  epsilon: "1",
  delta: "0",
  accounts: 1,
  crowds: 1,
  worlds: () => [world(0), world(1)],
  async guess({ ask, uniform, tell }) {
    const counted = numberIn(await ask("SELECT COUNT(*) AS n FROM clinic_a", 1));
    if (counted === null) return uniform() < 0.5 ? 0 : 1;
    tell(-counted);
    return counted > patients + 0.5 ? 0 : 1;
  },
};
