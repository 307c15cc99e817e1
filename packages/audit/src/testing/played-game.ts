import type { GuessingGame } from "../attacks/guessing-game.ts";
import type { Cell, Reply, World } from "../attacks/services/service.ts";

export const refused: Reply = { kind: "refused", code: "ledger.budget", message: "nothing is left" };

export function rowsReply(...rows: readonly (readonly Cell[])[]): Reply {
  return { kind: "rows", columns: [], rows };
}

/** A guess, and all that was asked and told on the way to it. */
export interface PlayedGame {
  readonly guess: number;
  readonly asked: readonly { readonly question: string; readonly shares: number; readonly account: number }[];
  readonly told: readonly number[];
}

/** Plays one guess of a game against these answers; `coin` is what each toss of the attacker's own coins shows. */
export async function playedGame(
  game: GuessingGame,
  answer: (question: string, at: number) => Reply,
  coin = 0.25,
  seed = 0,
): Promise<PlayedGame> {
  const asked: { question: string; shares: number; account: number }[] = [];
  const told: number[] = [];
  const guess = await game.guess(
    {
      uniform: () => coin,
      tell: (score) => void told.push(score),
      async ask(question, shares, account = 0) {
        asked.push({ question, shares, account });
        return answer(question, asked.length - 1);
      },
    },
    seed,
  );
  return { guess, asked, told };
}

/** Rows of one world that the other has not, and the other way, table by table, each row as one text. */
export function rowsApart(one: World, other: World): readonly [gone: string[], come: string[]] {
  const [left, right] = [one, other].map(({ tables }) =>
    tables.flatMap(({ name, rows }) => rows.map((row) => `${name}: ${row.join(", ")}`)),
  ) as [string[], string[]];
  const without = (some: readonly string[], others: readonly string[]): string[] => {
    const rest = [...others];
    return some.filter((row) => {
      const at = rest.indexOf(row);
      if (at >= 0) rest.splice(at, 1);
      return at < 0;
    });
  };
  return [without(left, right), without(right, left)];
}
