import { lossToJson } from "@lethe/core";
import type { Release } from "@lethe/gateway";
import type { ChargeReport, Ledger } from "@lethe/ledger";
import { owner } from "@lethe/ledger";
import { absent, allowed, type Principal } from "../access/index.ts";
import { type Door, requestIdOfKey } from "../ask/index.ts";
import type { Gate } from "./gate.ts";
import { type Offers, offerMs } from "./offers.ts";
import { placeOf } from "./place-of.ts";
import type { RequestLine, RequestNamed, Service, SignedCertificate } from "./service.ts";

/** What requests of before are told from. */
export interface RequestsParts {
  readonly door: Pick<Door, "stateOf" | "stopWaiting" | "isUnderWay">;
  readonly ledger: Pick<Ledger, "charge" | "charges" | "settled">;
  readonly gate: Gate;
  /** Null where the service makes no offers. */
  readonly offers: Offers | null;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Opens what is told of requests that were made earlier. */
export function openRequests(
  parts: RequestsParts,
): Pick<Service, "request" | "stopWaiting" | "requests" | "certificates"> {
  const { door, ledger, gate, offers, now } = parts;
  const chargeOf = async (
    route: "request.read" | "request.cancel",
    who: Principal,
    { id, isKey }: RequestNamed,
  ): Promise<ChargeReport> => {
    const { name } = who;
    const requestId = isKey ? requestIdOfKey(name, id) : id;
    gate.pass(route, who, { owner: name });
    const charge = await ledger.charge({ requestId, principal: name });
    if (charge === null) throw absent();
    return charge;
  };
  const lineOf = async (charge: ChargeReport): Promise<RequestLine> => {
    const { requestId, principal, at, text, loss, sharedBy } = charge;
    return {
      requestId,
      principal,
      at: new Date(at).toISOString(),
      text,
      price: lossToJson(loss),
      state: await door.stateOf(charge),
      sharedBy,
      // What was received is the receiver's: the text by which it is given again is made anew.
      offer:
        sharedBy === null || offers === null
          ? null
          : offers.textOf({ from: sharedBy, requestId, to: principal, until: now() + offerMs }),
    };
  };
  return {
    request: async (who, named) => lineOf(await chargeOf("request.read", who, named)),
    stopWaiting: async (who, named) => {
      const { principal, requestId } = await chargeOf("request.cancel", who, named);
      door.stopWaiting(principal, requestId);
    },
    requests: async (who, page) => {
      gate.pass("release.list", who, null);
      const { name } = who;
      const asked = { viewer: name, principal: name, before: placeOf(page.before), most: page.most };
      const { charges, before } = await ledger.charges(asked);
      return {
        items: await Promise.all(charges.map(lineOf)),
        before: before === null ? null : String(before),
      };
    },
    certificates: async (who, { of, ...page }) => {
      const principal = of ?? (seesAll(who, gate) ? null : who.name);
      if (of !== null) await gate.read("certificate.read", who, { owner: of });
      else if (principal === null) await gate.read("certificate.list", who, null);
      else gate.pass("certificate.list", who, null);
      const asked = { viewer: owner, principal, before: placeOf(page.before), most: page.most };
      const { charges, before } = await ledger.charges(asked);
      const found = await Promise.all(charges.map(certificateOf));
      return {
        items: found.filter((each) => each !== null),
        before: before === null ? null : String(before),
      };
    },
  };

  /** The certificate of a request that was answered and whose answer has left. What was received is listed where it was paid for. */
  async function certificateOf({
    requestId,
    principal,
    sharedBy,
  }: ChargeReport): Promise<SignedCertificate | null> {
    if (sharedBy !== null) return null;
    const settled = await ledger.settled(requestId, principal);
    if (settled === null || (await door.isUnderWay(principal, requestId))) return null;
    const { certificate, signature } = JSON.parse(settled.release) as Release;
    return { certificate, signature };
  }
}

/** Whether somebody may read the certificates of others. */
function seesAll(who: Principal, { access }: Gate): boolean {
  return allowed("certificate.read", { ...who, name: "" }, { owner: "another" }, access) === "allowed";
}
