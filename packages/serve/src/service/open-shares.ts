import { LetheError } from "@lethe/core";
import type { Release } from "@lethe/gateway";
import { type ChargeReport, exactText, type Ledger } from "@lethe/ledger";
import { absent, type Principal } from "../access/index.ts";
import type { Asker, Door } from "../ask/index.ts";
import { actorOf, type ReceivedFact } from "../audit-log/index.ts";
import { checkPersonName } from "../people/index.ts";
import type { Gate } from "./gate.ts";
import { noOffer, type Offers, offerMs } from "./offers.ts";
import type { ServedAnswer, Service } from "./service.ts";

/** What sharing is made of. */
export interface SharesParts {
  readonly door: Pick<Door, "receive" | "isUnderWay">;
  readonly ledger: Pick<Ledger, "settled" | "charge">;
  readonly gate: Gate;
  /** Null where the service makes no offers. */
  readonly offers: Offers | null;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly asker: (who: Principal) => Asker;
}

/** Opens the two halves of sharing: whoever paid, or an owner, offers an answer to one person; that person takes it, at the expense of their own caps. */
export function openShares(parts: SharesParts): Pick<Service, "offer" | "receive"> {
  const { door, ledger, gate, offers, now, asker } = parts;
  return {
    async offer(who, { requestId, of, to }) {
      if (offers === null) throw absent();
      const from = of ?? who.name;
      // Before it is looked for: how long that takes would tell whether another has it.
      gate.pass("share.offer", who, { owner: from });
      checkPersonName(to);
      const found = await ledger.settled(requestId, from);
      const settled = (await door.isUnderWay(from, requestId)) ? null : found;
      gate.pass("share.offer", who, { owner: settled === null ? null : from });
      requireOnePayment(settled?.release ?? "{}");
      const until = now() + offerMs;
      // Whether anybody has the name is not looked for: who offers learns nothing of it.
      const offer = offers.textOf({ from, requestId, to, until });
      await gate.trail.write(actorOf(who), { kind: "offered", request: requestId, person: from, to });
      return { offer, until: new Date(until).toISOString() };
    },
    async receive(who, { offer: text, project, made = false }) {
      gate.pass("share.take", who, null);
      if (offers === null) throw absent();
      const { from, requestId, until } = offers.read(text, who.name);
      const own = { requestId, principal: from, receiver: who.name };
      const before = await ledger.charge(own);
      if (before === null && !(now() < until)) throw noOffer();
      if (before === null && made) throw notReceived(await ledger.charge({ requestId, principal: from }));
      const noted = (outcome: ReceivedFact["outcome"], place: number | null): Promise<void> => {
        const fact = { kind: "received", request: requestId, person: from, ledger: place, outcome } as const;
        return outcome === "charged"
          ? gate.trail.write(actorOf(who), fact)
          : gate.trail.count(actorOf(who), fact, `${from} ${requestId}`);
      };
      const release = await door
        .receive(asker(who), { from, requestId, ...(project === undefined ? {} : { project }) })
        .catch(async (error: unknown) => {
          if (error instanceof LetheError) await noted(error.code, null).catch(() => undefined);
          throw error;
        });
      const charge = await ledger.charge(own);
      await noted(before === null ? "charged" : "repeated", charge?.sequence ?? null);
      return answerOf(JSON.parse(release) as Release, before !== null);
    },
  };
}

/** The answer as the receiver gets it: nothing was charged where it was received before. */
function answerOf(release: Release, isRepeat: boolean): ServedAnswer {
  const columns = release.columns.map(({ name }) => name);
  const repeat = isRepeat ? { asOf: release.certificate.at, columns } : null;
  return { kind: "release", release, repeat, standing: null };
}

/** The refusal of an answer that was offered, and that its receiver would pay for. It names the price to whom the offer is for. */
function notReceived(charge: ChargeReport | null): LetheError {
  const { measure: _, ...parts } = charge?.loss ?? { measure: null };
  const price = Object.entries(parts).map(([name, part]) => [name, exactText(part)]);
  return new LetheError("query.option", "the answer was offered to you, and you have not received it", {
    fix: "receive it without made: your caps are then charged what it cost",
    fields: Object.fromEntries(price),
  });
}

/** Passes an answer that one charge paid for. One with a pilot holds a second answer, which the receiver's caps would get for nothing. Errors: serve.offer. */
function requireOnePayment(text: string): void {
  const { certificate } = JSON.parse(text) as Partial<Release>;
  if (certificate?.pilot === undefined) return;
  throw new LetheError("serve.offer", "an answer with a pilot was paid for twice, and is not offered", {
    fix: "have the receiver ask the question themselves, or ask it once with the epsilon that it took, and offer that answer",
  });
}
