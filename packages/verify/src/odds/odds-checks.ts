import { type Adjacency, type Event, parseRational, toDouble } from "@lethe/core";
import { type Plan, parseQuestion } from "@lethe/query";
import { failed, notMade, type Verdict, verdict } from "../checks/check.ts";
import type { Certificate, Odds, SpentAccount } from "../format/release.ts";
import { eventOdds } from "./event-odds.ts";
import { type DerivedOdds, falseAlarms } from "./profile-odds.ts";
import { worstOdds } from "./worst-odds.ts";

/** What says of one charge what it tells, and what was run for it. */
export interface ToldOdds extends Pick<Certificate, "odds" | "charge"> {
  readonly ran: Event;
  readonly adjacency: Adjacency;
}

/** A bound that is derived here lies above the truth by less than this share of it; so does one that is stated. */
const room = 0.01;
/** What is stated beyond this share above the bound derived is called loose. */
const loose = 0.02;

/**
 * Checks that no odds are stated that are smaller than what follows from the mechanisms that were run; `asked` is the advantage that the question asks to keep to. Odds of mechanisms
 * that this version does not know are held against those of the worst mechanism of what was charged.
 */
export function oddsHold({ odds, charge, ran, adjacency }: ToldOdds, asked: string | null = null): Verdict {
  if (odds === undefined && asked === null)
    return notMade("no odds are stated: the release is from before they were");
  const derived = eventOdds(ran, adjacency);
  const due = derived ? smaller(derived, worstOdds(charge)) : worstOdds(charge);
  if (asked !== null) {
    const most = toDouble(parseRational(asked), "up");
    const gained = odds?.advantage ?? due.advantage / (1 + room);
    if (!(gained <= most)) return failed("the question asks to keep to an advantage, and more is gained");
  }
  if (odds === undefined) return notMade("no odds are stated; those derived keep to what is asked");
  const amiss = understated(odds, due);
  if (amiss.length > 0 && derived === null)
    return notMade("the odds stated rest on the signer's word: this version does not know all that was run");
  return verdict(amiss, inWords(due, isLoose(odds, due)));
}

/** Whether a question may state an advantage, without its grammar. */
export function mayAsk({ text }: Plan): boolean {
  return /advantage/i.test(text);
}

/** Returns the advantage that a question states in its text; null where it states none. */
export async function askedAdvantage(plan: Plan): Promise<string | null> {
  if (!mayAsk(plan)) return null;
  const { text, parameters } = plan;
  const { options } = await parseQuestion(text, parameters);
  return options.find(({ name, kind }) => name === "advantage" && kind !== "null")?.value ?? null;
}

/** Returns what is stated too small of all that was spent. Where that is the one charge whose odds are stated, these serve. */
export function accountOddsAmiss(
  account: SpentAccount,
  charged: { readonly odds: Odds | undefined; readonly isAll: boolean },
): readonly string[] {
  const worst = worstOdds(account.spent);
  const due = charged.isAll && charged.odds ? smaller(worst, charged.odds) : worst;
  const { membershipAdvantage, truePositives, mu } = account;
  return [
    ...(below(membershipAdvantage, due.advantage, 0)
      ? ["the membership advantage stated is less than that of what is spent"]
      : []),
    ...(truePositives !== undefined && below(truePositives, due.truePositives, room)
      ? ["the true positives stated of the account are fewer than those of what is spent"]
      : []),
    ...(mu !== undefined && muAmiss(mu, due.mu, room)
      ? ["the μ stated of the account is less than that of what is spent"]
      : []),
  ];
}

function understated(odds: Odds, due: DerivedOdds): readonly string[] {
  return [
    ...(below(odds.advantage, due.advantage, room)
      ? [`a test may gain ${percent(due.advantage)} over guessing, and less is stated`]
      : []),
    ...(below(odds.truePositives, due.truePositives, room)
      ? [
          `a test may have ${percent(due.truePositives)} true alarms at ${percent(falseAlarms)} false ones, and fewer are stated`,
        ]
      : []),
    ...(muAmiss(odds.mu, due.mu, room)
      ? ["a μ is stated that is smaller than what was run has, or of what has none"]
      : []),
  ];
}

function below(stated: number, due: number, share: number): boolean {
  return !(stated >= due * (1 - share) - 1e-12);
}

function muAmiss(stated: number | null, due: number | null, share: number): boolean {
  return stated !== null && (due === null || below(stated, due, share));
}

function isLoose(odds: Odds, due: DerivedOdds): boolean {
  return (
    odds.advantage > due.advantage * (1 + loose) ||
    odds.truePositives > due.truePositives * (1 + loose) ||
    (due.mu !== null && (odds.mu === null || odds.mu > due.mu * (1 + loose)))
  );
}

function smaller(a: DerivedOdds, b: DerivedOdds): DerivedOdds {
  return {
    advantage: Math.min(a.advantage, b.advantage),
    mu: a.mu === null || b.mu === null ? (a.mu ?? b.mu) : Math.min(a.mu, b.mu),
    truePositives: Math.min(a.truePositives, b.truePositives),
  };
}

function inWords({ advantage, truePositives }: DerivedOdds, stated: boolean): string {
  const all = `a test of one unit's presence gains at most ${percent(advantage)} over guessing, and at ${percent(falseAlarms)} false alarms has at most ${percent(truePositives)} true ones`;
  return stated ? `${all}; larger odds are stated, which is true of less noise too` : all;
}

/** Three digits, rounded up. */
function percent(chance: number): string {
  const size = 10 ** (Math.floor(Math.log10(Math.max(chance, 1e-12))) - 2);
  return `${Number((Math.ceil((chance / size) * (1 - 1e-9)) * size * 100).toPrecision(6))} %`;
}
