import { invalidParameter, type PrivacyLoss, type Rational, toText } from "@lethe/core";
import { compare } from "@lethe/core/numeric";
import { askedOptions, type Release } from "@lethe/gateway";
import { type Ledger, owner, type ScopeBalance, scopeWords } from "@lethe/ledger";
import { allowed, type Principal, type Route } from "../access/index.ts";
import type { Asker, AskRequest, Door, Waiting } from "../ask/index.ts";
import type { Gate } from "./gate.ts";
import { noteAsked } from "./note-asked.ts";
import { Offers } from "./offers.ts";
import { openRequests } from "./open-requests.ts";
import { openShares } from "./open-shares.ts";
import type { ServedQuestion, ServedScope, Service } from "./service.ts";

/** What the service is made of. */
export interface ServiceParts {
  readonly door: Door;
  readonly ledger: Ledger;
  readonly gate: Gate;
  /** The most ε that one question may cost where no token says less; null for what the policy allows. */
  readonly maxEpsilonPerQuestion?: Rational | null;
  /** What offers of answers are made with: a secret that is the same after each start, and the clock, in milliseconds since 1970. Null where no offers are made. */
  readonly offers?: { readonly secret: Uint8Array; readonly now: () => number } | null;
}

/** Opens the service over its parts. */
export function openService(parts: ServiceParts): Service {
  const { door, ledger, gate } = parts;
  const may = (route: Route, who: Principal): void => gate.pass(route, who, null);
  const asker = (who: Principal): Asker => ({
    principal: who.name,
    maxEpsilonPerQuestion: leastCap(who, parts.maxEpsilonPerQuestion ?? null),
  });
  const offering = {
    offers: parts.offers ? new Offers(parts.offers.secret) : null,
    now: parts.offers?.now ?? (() => 0),
  };
  const released = async (route: Route, who: Principal, id: string, of: string | null): Promise<Release> => {
    const name = of ?? who.name;
    // Before it is looked for: how long that takes would tell whether another has it.
    gate.pass(route, who, { owner: name });
    // Under a release schedule an answer is settled before it leaves.
    const found = await ledger.settled(id, name);
    const settled = (await door.isUnderWay(name, id)) ? null : found;
    await gate.read(route, who, { owner: settled === null ? null : name }, id);
    return JSON.parse(settled?.release ?? "null") as Release;
  };
  return {
    ask: async (who, question, waiting) => {
      may("question.ask", who);
      return noteAsked(gate.trail, who, question, (charged) =>
        door.ask(asker(who), requestOf(question), waitingWith(waiting, charged)),
      );
    },
    explain: async (who, question, waiting) => {
      may("question.explain", who);
      return door.explain(asker(who), requestOf(question), waiting);
    },
    describe: async (who, sql, waiting) => {
      may("tables.describe", who);
      return door.describe(asker(who), sql, waiting);
    },
    tables: async (who) => {
      may("tables.list", who);
      return door.tables(asker(who));
    },
    budget: async (who, of, project) => {
      const name = of ?? who.name;
      await gate.read("budget.read", who, { owner: name });
      may("account.caps", who);
      const viewer = allowed("account.spending", who, null, gate.access) === "allowed" ? owner : name;
      const scopes = await Promise.all([
        ledger.balance(["account"], viewer),
        ledger.balance(["analyst", name], name),
        ...(project === undefined
          ? []
          : [ledger.balance(["member", name, project], name), ledger.balance(["project", project], viewer)]),
      ]);
      // What one spent is on record also where no policy lists one.
      return { scopes: scopes.filter(({ listed, scope }) => listed || scope[0] === "analyst").map(scopeOf) };
    },
    ...openRequests({ door, ledger, gate, ...offering }),
    ...openShares({ door, ledger, gate, asker, ...offering }),
    certificate: async (who, id, of) => {
      const { certificate, signature } = await released("certificate.read", who, id, of);
      return { certificate, signature };
    },
    release: (who, id, of) => released("release.read", who, id, of),
  };
}

/** The signal is made where somebody has to wait, so that it is looked at then and not before. */
function waitingWith(waiting: Waiting | undefined, charged: Waiting["charged"]): Waiting {
  return {
    charged,
    get signal() {
      return waiting?.signal;
    },
  };
}

/** The smaller of two caps on one question, that of the token and that of the service. */
function leastCap({ proof }: Principal, cap: Rational | null): Rational | null {
  const own = proof.kind === "token" ? proof.maxEpsilon : null;
  if (own === null || cap === null) return own ?? cap;
  return compare(own, cap) <= 0 ? own : cap;
}

/** A question as the door takes it. Errors: parameter.invalid for numbers that are none, and for options that contradict one another. */
function requestOf({ sql, requestId, fresh = false, made = false, ...options }: ServedQuestion): AskRequest {
  if (fresh && made)
    throw invalidParameter("made", true, "left out beside fresh, which pays for a new answer");
  if (requestId !== null && (fresh || made))
    throw invalidParameter(
      fresh ? "fresh" : "made",
      true,
      "left out beside a request id, which names its own answer",
    );
  return {
    text: sql,
    options: askedOptions(options, sql),
    ...(requestId === null
      ? { repeats: made ? "made" : fresh ? "anew" : "earlier" }
      : { idempotencyKey: requestId }),
  };
}

function scopeOf({ scope, measure, periods }: ScopeBalance): ServedScope {
  return {
    name: scopeWords(scope),
    periods: periods.map(({ per, cap, spent }) => ({
      per: per === "ever" ? "lifetime" : per,
      granted: written(cap?.main),
      spent: written(spent && mainOf(spent)),
      delta:
        measure === "pure" ? null : { granted: written(cap?.delta), spent: written(spent && deltaOf(spent)) },
    })),
  };
}

function written(number: Rational | null | undefined): string | null {
  return number ? toText(number) : null;
}

function mainOf(loss: PrivacyLoss): Rational {
  return loss.measure === "zcdp" ? loss.rho : loss.epsilon;
}

function deltaOf(loss: PrivacyLoss): Rational | null {
  return loss.measure === "pure" ? null : loss.delta;
}
