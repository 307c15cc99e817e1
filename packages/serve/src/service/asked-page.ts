import { lossToJson, type PrivacyLossText } from "@lethe/core";
import { type AccountLedger, type ChargeReport, owner } from "@lethe/ledger";
import { foldName } from "../people/index.ts";
import { filteredPage } from "./filtered-page.ts";
import type { Page, PageAsked } from "./service.ts";

/** What somebody asked and was charged for, as owners and auditors see it. */
export interface AskedLine {
  /** The place of the charge in the ledger's chain. */
  readonly sequence: number;
  /** ISO 8601. */
  readonly at: string;
  readonly principal: string;
  readonly project: string | null;
  readonly requestId: string;
  readonly text: string;
  readonly price: PrivacyLossText;
  readonly state: ChargeReport["state"];
  /** Of an answer that was received: whose request it answered. */
  readonly sharedBy: string | null;
}

/** Which charges are looked for; what is left out is not looked at. */
export interface AskedFilter {
  readonly person?: string | undefined;
  /** A word that stands in the question's text, such as the name of a table. */
  readonly word?: string | undefined;
  /** Milliseconds since 1970: the first that counts, and the first that counts no more. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Returns a page of charges, of all people or of one. Errors: parameter.invalid. */
export async function askedPage(
  ledger: Pick<AccountLedger, "charges">,
  page: PageAsked,
  { person, word, from, to }: AskedFilter = {},
): Promise<Page<AskedLine>> {
  const named = person === undefined ? null : foldName(person);
  const holds = word === undefined ? null : wordIn(word);
  const keeps = ({ at, principal, text }: ChargeReport): boolean =>
    (named === null || foldName(principal) === named) &&
    (holds === null || holds(text)) &&
    isWithin(at, from, to);
  const all = [named, holds, from, to].every((each) => each === null || each === undefined);
  const { items, before } = await filteredPage(
    {
      read: async (place, most) =>
        (await ledger.charges({ viewer: owner, principal: null, before: place, most })).charges,
      placeOf: ({ sequence }) => sequence,
    },
    page,
    all ? null : keeps,
  );
  return { items: items.map(lineOf), before };
}

/** Whether a time counts; an end that is left out is not looked at. */
export function isWithin(at: number, from: number | undefined, to: number | undefined): boolean {
  return !(from !== undefined && at < from) && !(to !== undefined && at >= to);
}

/** Returns what tells whether a text holds a word by itself, whatever the case: "ride" is none of "rides". */
function wordIn(word: string): (text: string) => boolean {
  const sought = word.toLowerCase();
  const isLetter = (letter: string | undefined): boolean =>
    letter !== undefined && /[\p{L}\p{N}_]/u.test(letter);
  return (text) => {
    const given = text.toLowerCase();
    for (let at = given.indexOf(sought); at >= 0; at = given.indexOf(sought, at + 1))
      if (!isLetter(given[at - 1]) && !isLetter(given[at + sought.length])) return true;
    return false;
  };
}

function lineOf({
  sequence,
  at,
  principal,
  project,
  requestId,
  text,
  loss,
  state,
  sharedBy,
}: ChargeReport): AskedLine {
  const price = lossToJson(loss);
  const when = new Date(at).toISOString();
  return { sequence, at: when, principal, project, requestId, text, price, state, sharedBy };
}
