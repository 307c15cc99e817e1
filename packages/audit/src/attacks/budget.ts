import { parseRational, ratio } from "@lethe/core";
import { compare, subtract } from "@lethe/core/numeric";
import { paired } from "../paired.ts";
import type { Attack, AttackResult } from "./attack.ts";
import { noiseWithoutBudget, protectedBy } from "./services/naive.ts";
import { crowd, peopleWithSecrets } from "./services/people.ts";
import type { Account, Asked, Laboratory, OpenedLethe, Reply, Service } from "./services/service.ts";

const question = "SELECT COUNT(*) AS n FROM people WHERE sick = 1";
const [rushing, affordable] = [64, 10];
const price = `1/${affordable}`;
const world = peopleWithSecrets(crowd(50, 3, 1));
const account: Account = { epsilon: "1", delta: "0", analysts: { attacker: "1" } };
const under = (requestId: string): Asked => ({ as: "attacker", epsilon: price, delta: "0", requestId });

/** A budget that two questions can pass at once, or that a repeated request, a crash or an old file gets past, is none. */
export const budget: Attack = {
  id: "budget",
  describes:
    "sends 64 questions at once when the budget pays for 10, repeats answered requests, asks other questions under their ids, kills the service between charge and answer, edits the policy's budget, and puts an old ledger back",
  source: "Haeberlen, Pierce & Narayan 2011 (the privacy budget as a channel)",
  async run(laboratory, _effort, uniform, progress) {
    const naive = protectedBy(noiseWithoutBudget, await laboratory.exact(world), uniform);
    const unpaid = await closing(naive, rush);
    progress?.(1);
    const lethe = await closing(await laboratory.lethe(world, account), rush);
    progress?.(2);
    const broken = await closing(await laboratory.lethe(world, account), crashes);
    progress?.(3);
    const edited = await closing(await laboratory.lethe(world, account), edits);
    progress?.(4);
    const [kept, unkept] = [await putBack(laboratory, true), await putBack(laboratory, false)];
    const plain = (result: Counted): AttackResult => counted(noiseWithoutBudget.name, result, { control: 1 });
    const safe = (result: Counted): AttackResult => counted("Lethe", result, { ceiling: 0 });
    return [
      plain(unpaid.beyond),
      plain(unpaid.again),
      ...[lethe.beyond, lethe.again, lethe.rewritten, broken, edited, kept].map(safe),
      // Nothing is promised where no head is kept: the ledger cannot know.
      counted("Lethe, without a head file", unkept, {}),
    ];
  },
};

interface Counted {
  readonly measure: string;
  readonly value: number;
  readonly trials: number;
  readonly note: string | null;
}

function counted(
  service: string,
  { measure, value, trials, note }: Counted,
  judged: Partial<Pick<AttackResult, "ceiling" | "control">>,
): AttackResult {
  const rest = { interval: [value, value] as const, blind: 0, ceiling: null, control: null };
  return { attack: "budget", service, measure, value, trials, note, ...rest, ...judged };
}

async function closing<S extends Service & { close(): Promise<void> }, T>(
  service: S,
  use: (service: S) => Promise<T>,
): Promise<T> {
  try {
    return await use(service);
  } finally {
    await service.close();
  }
}

/** All at once; then what was answered again, and other questions under its names. */
async function rush(service: Service): Promise<Record<"beyond" | "again" | "rewritten", Counted>> {
  const ask = (text: string, at: number): Promise<Reply> => service.ask(text, under(`race-${at}`));
  const replies = await Promise.all(Array.from({ length: rushing }, (_, at) => ask(question, at)));
  const paid = replies
    .flatMap((reply, at) => (reply.kind === "rows" ? [{ at, reply }] : []))
    .slice(0, affordable);
  const answered = replies.filter(({ kind }) => kind === "rows").length;
  const again = await Promise.all(paid.map(({ at }) => ask(question, at)));
  const rewritten = await Promise.all(paid.map(({ at }) => ask(`${question} AND id <> 3`, at)));
  return {
    beyond: {
      measure: "answers beyond the budget",
      value: answered - affordable,
      trials: rushing,
      note: `${answered} of ${rushing} answered`,
    },
    again: {
      measure: "repeated requests that gave new noise",
      value: paired(again, paid).filter(
        ([reply, first]) => JSON.stringify(reply) !== JSON.stringify(first.reply),
      ).length,
      trials: paid.length,
      note: null,
    },
    rewritten: {
      measure: "other questions that were answered under a paid id",
      value: rewritten.filter(({ kind }) => kind === "rows").length,
      trials: paid.length,
      note: null,
    },
  };
}

/** Killed between charge and answer: the charge must stand, once, whatever is asked under its name afterwards. */
async function crashes(service: OpenedLethe): Promise<Counted> {
  let wrong = 0;
  for (let at = 0; at < affordable; at += 1) {
    await service.cutOff(question, under(`crash-${at}`));
    const charged = await service.spent();
    const reply = await service.ask(question, under(`crash-${at}`));
    const other = await service.ask(`${question} AND id <> 3`, under(`crash-${at}`));
    const due = ratio(BigInt(at + 1), BigInt(affordable));
    const isCharged = [charged, await service.spent()].every((all) => compare(parseRational(all), due) === 0);
    const replies = await Promise.all([1, 2].map(() => service.ask(question, under(`crash-${at}`))));
    const isSame = replies.every((each) => JSON.stringify(each) === JSON.stringify(reply));
    if (!(isCharged && isSame && other.kind === "refused")) wrong += 1;
  }
  return {
    measure: "charges that a crash lost, doubled or answered twice",
    value: wrong,
    trials: affordable,
    note: "the service is killed between charge and answer, and asked again",
  };
}

/** A policy that says less, or more, or names others, than the ledger: whoever asks under it must get nothing. */
async function edits(service: OpenedLethe): Promise<Counted> {
  await service.ask(question, under("paid"));
  const before = await service.spent();
  const budgets = [
    { ...account, epsilon: "1/1000" },
    { ...account, epsilon: "1000" },
    { ...account, analysts: {} },
    { ...account, analysts: { another: "1/100" } },
    { ...account, analysts: { attacker: "1000" } },
  ];
  let wrong = 0;
  for (const [at, budget] of budgets.entries()) {
    await service.edit(budget);
    if ((await service.ask(question, under(`edited-${at}`))).kind === "rows") wrong += 1;
  }
  await service.edit(account);
  if ((await service.spent()) !== before) wrong += 1;
  return {
    measure: "answers under an edited budget that was not put on record",
    value: wrong,
    trials: budgets.length,
    note: "the budget is lowered and raised; analysts are removed, added and given more",
  };
}

/** All is spent, and the ledger of the beginning put back. */
async function putBack(laboratory: Laboratory, keepsHead: boolean): Promise<Counted> {
  return closing(await laboratory.lethe(world, { ...account, keepsHead }), async (service) => {
    const ask = (name: string, at: number): Promise<Reply> => service.ask(question, under(`${name}-${at}`));
    for (let at = 0; at < affordable; at += 1) await ask("before", at);
    const left = subtract(parseRational(account.epsilon), parseRational(await service.spent()));
    await service.putBack();
    let answered = 0;
    for (let at = 0; at < affordable; at += 1) if ((await ask("after", at)).kind === "rows") answered += 1;
    return {
      measure: "questions that are answered when an old ledger replaces a spent one",
      value: answered,
      trials: affordable,
      note: left.num === 0n ? "all was spent before" : "not all was spent before",
    };
  });
}
