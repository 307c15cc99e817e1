import type { GuessingGame } from "./guessing-game.ts";
import {
  againstAll,
  exactAnswers,
  noiseWithoutBudget,
  roundedAnswers,
  suppressedAnswers,
} from "./services/naive.ts";
import type { World } from "./services/service.ts";

const rare = "Ondine's curse";

/** Illnesses as they are written in a register: nobody declared them, so they are data. The last person has the rare one, or a common one. */
function world(secret: number): World {
  const common = Array.from({ length: 101 }, () => [["flu"], ["asthma"], ["measles"]]).flat();
  return {
    tables: [
      {
        name: "register",
        columns: [{ name: "illness", type: "text" }],
        rows: [...common, [secret === 1 ? rare : "flu"]],
      },
    ],
    policy: `version: 1
privacy_unit: { name: person, adjacency: replace-one }
tables:
  register:
    file: register.parquet
    unit: row
    columns: { illness: { type: text } }
`,
  };
}

/** A group that only one person could have made is that person's answer, whatever number stands beside it. */
export const groupKey: GuessingGame = {
  id: "group key",
  describes: "groups by a free text, and looks for a value that only one person has",
  source: "Korolova, Kenthapadi, Mishra & Ntoulas 2009; Desfontaines, Voss, Gipson & Mandayam 2022",
  against: againstAll(
    [exactAnswers, 1],
    [roundedAnswers, 1],
    [suppressedAnswers, 1],
    [noiseWithoutBudget, 1],
  ),
  epsilon: "1",
  delta: "1e-6",
  accounts: 1,
  crowds: 1,
  worlds: () => [world(0), world(1)],
  async guess({ ask, uniform }) {
    const reply = await ask("SELECT illness, COUNT(*) AS n FROM register GROUP BY illness", 1);
    if (reply.kind === "refused") return uniform() < 0.5 ? 0 : 1;
    if (reply.rows.some((row) => row[0] === rare)) return 1;
    const flu = reply.rows.find((row) => row[0] === "flu")?.at(-1);
    if (typeof flu !== "number") return 0;
    // Rounded or noisy counts leave no group out: absent, the value is nobody's.
    if (flu % 5 === 0 || !Number.isInteger(flu)) return 0;
    // Suppressed or private, it may only be left out: then the common group's count, one higher in the other world, is all there is.
    return flu > 101.5 ? 0 : 1;
  },
};
