import type { Attack, AttackResult } from "./attack.ts";
import { crowd, peopleWithSecrets } from "./people.ts";
import type { Reply } from "./service.ts";

const question = "SELECT COUNT(*) AS n FROM people WHERE sick = 1";
const [rushing, affordable] = [64, 10];

/** A budget that two questions can pass at once, or that a repeated request can pass at all, is none. */
export const budget: Attack = {
  id: "budget",
  describes:
    "sends 64 questions at once where 10 can be paid, then replays what was answered and rewrites what was asked",
  source: "Haeberlen, Pierce & Narayan 2011 (the privacy budget as a channel)",
  async run(laboratory) {
    const account = { epsilon: "1", delta: "0", analysts: { attacker: "1" } };
    const service = await laboratory.lethe(peopleWithSecrets(crowd(50, 3, 1)), account);
    const ask = (text: string, requestId: string): Promise<Reply> =>
      service.ask(text, { as: "attacker", epsilon: `1/${affordable}`, delta: "0", requestId });
    try {
      const replies = await Promise.all(
        Array.from({ length: rushing }, (_, at) => ask(question, `race-${at}`)),
      );
      const paid = replies.flatMap((reply, at) => (reply.kind === "rows" ? [at] : []));
      const again = await Promise.all(paid.map((at) => ask(question, `race-${at}`)));
      const others = again.filter(
        (reply, i) => JSON.stringify(reply) !== JSON.stringify(replies[paid[i]!]),
      ).length;
      const forged = await Promise.all(paid.map((at) => ask(`${question} AND id <> 3`, `race-${at}`)));
      return [
        counted(
          "answers beyond the budget",
          paid.length - affordable,
          rushing,
          `${paid.length} of ${rushing} answered`,
        ),
        counted("replays that gave new noise", others, paid.length, null),
        counted(
          "other questions under a paid name",
          forged.filter(({ kind }) => kind === "rows").length,
          paid.length,
          null,
        ),
      ];
    } finally {
      await service.close();
    }
  },
};

function counted(measure: string, value: number, trials: number, note: string | null): AttackResult {
  const rest = { interval: [value, value] as const, blind: 0, ceiling: 0, control: null };
  return { attack: "budget", service: "Lethe", measure, value, trials, note, ...rest };
}
