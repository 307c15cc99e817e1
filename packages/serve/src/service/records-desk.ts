import { LetheError } from "@lethe/core";
import { canonicalJson } from "@lethe/core/canonical";
import { type AccountLedger, changeText, type RecordPage } from "@lethe/ledger";
import {
  checkViews,
  lintPolicy,
  type Policy,
  type PolicyWarning,
  policyHash,
  readPolicy,
  unitHash,
} from "@lethe/query";
import { absent, type Principal } from "../access/index.ts";
import { type AuditEntry, type AuditLogStore, actorOf } from "../audit-log/index.ts";
import { type AskedFilter, type AskedLine, askedPage } from "./asked-page.ts";
import { type ChangedPart, changedParts } from "./changed-parts.ts";
import { type FactFilter, factPage } from "./fact-page.ts";
import type { Gate } from "./gate.ts";
import { placeOf } from "./place-of.ts";
import type { Page, PageAsked } from "./service.ts";

/** The policy as its owner wrote it, and what may be said of it. */
export interface ShownPolicy {
  readonly text: string;
  readonly hash: string;
  readonly advice: readonly PolicyWarning[];
}

/** What another policy would change. */
export interface PolicyCheck {
  readonly hash: string | null;
  /** The parts that differ from the policy that is served. */
  readonly differs: readonly ChangedPart[];
  /** The changes of the account that would have to be put on record, in words. */
  readonly budget: readonly string[];
  readonly advice: readonly PolicyWarning[];
  /** Why it cannot be served; null where it can. */
  readonly refused: {
    readonly code: string;
    readonly message: string;
    readonly fix: string;
    /** The place in the text; null where it is the whole of it that is refused. */
    readonly line: number | null;
    readonly column: number | null;
  } | null;
}

/** A policy that an owner agreed to. */
export interface AcceptedPolicy {
  readonly text: string;
  /** What would be put on record, in the words of a {@link PolicyCheck}. */
  readonly agreed: readonly string[];
  /** Kept in the ledger for ever. */
  readonly reason: string;
}

/** Keeps the policy where the service finds it when it starts. */
export interface PolicyKeeper {
  /** Writes a policy beside the one that is there, durable when it returns, and returns what puts it in its place. */
  prepare(text: string): Promise<{ readonly put: () => Promise<void> }>;
  /** Has the service start again. */
  readonly again: () => void;
}

/** The records of the house, which owners and auditors read: each look is written to the audit log. */
export interface RecordsDesk {
  /** The policy that is served. Errors: serve.forbidden; log.lost. */
  policy(who: Principal): Promise<ShownPolicy>;
  /** Says what a policy would change, and changes nothing. Errors: serve.forbidden; log.lost. */
  checkPolicy(who: Principal, text: string): Promise<PolicyCheck>;
  /**
   * Puts a policy in place: its budget on record in the ledger, and its text where the service finds it, which then starts again under it. Until then no question is charged.
   * Errors: serve.policy where it is refused, or would change the account otherwise than was agreed to; serve.absent where the service may not; serve.forbidden; log.lost.
   */
  acceptPolicy(who: Principal, accepted: AcceptedPolicy): Promise<void>;
  /**
   * Records of the ledger's chain as they are kept, newest first, so that anyone may check them. The time of an answer's record tells how long its execution took, which stays outside the guarantee: so this is for owners and
   * auditors. Errors: serve.forbidden; parameter.invalid; log.lost.
   */
  ledger(who: Principal, page: PageAsked): Promise<Page<RecordPage["records"][number]>>;
  /** What was asked and charged, by anybody, newest first; a page may hold fewer than it has room for. Errors: serve.forbidden; parameter.invalid; log.lost. */
  asked(who: Principal, page: PageAsked, filter?: AskedFilter): Promise<Page<AskedLine>>;
  /** Entries of the audit log, newest first; with a filter, a page may hold fewer than it has room for. Errors: serve.forbidden; parameter.invalid; log.lost. */
  auditLog(who: Principal, page: PageAsked, filter?: FactFilter): Promise<Page<AuditEntry>>;
}

/** What the desk is made of. */
export interface RecordsParts {
  readonly gate: Gate;
  readonly audit: AuditLogStore;
  readonly policy: Policy;
  /** The policy's file, as it was read. */
  readonly policyText: string;
  readonly ledger: Pick<AccountLedger, "propose" | "apply" | "records" | "charges">;
  /** Null where the policy is not the service's to change. */
  readonly keeper: PolicyKeeper | null;
}

/** Opens the desk over its parts. */
export function openRecordsDesk({
  gate,
  audit,
  policy,
  policyText,
  ledger,
  keeper,
}: RecordsParts): RecordsDesk {
  return {
    async policy(who) {
      await gate.read("policy.read", who, null);
      return { text: policyText, hash: policyHash(policy), advice: lintPolicy(policy) };
    },
    async checkPolicy(who, text) {
      gate.pass("policy.change", who, null);
      const none = { hash: null, differs: [], budget: [], advice: [] };
      let next: Policy;
      try {
        next = readPolicy(text);
        await checkViews(next);
      } catch (error) {
        return { ...none, refused: refusalOf(error) };
      }
      const found = {
        hash: policyHash(next),
        differs: changedParts(policy, next),
        advice: lintPolicy(next),
      };
      try {
        const { changes } = await ledger.propose({ budget: next.budget, policyHash: unitHash(next) });
        return { ...found, budget: changes.map(changeText), refused: null };
      } catch (error) {
        return { ...found, budget: [], refused: refusalOf(error) };
      }
    },
    async acceptPolicy(who, { text, agreed, reason }) {
      gate.pass("policy.change", who, null);
      if (keeper === null) throw absent();
      const next = await sound(text);
      const application = { budget: next.budget, policyHash: unitHash(next), reason };
      const { changes } = await ledger.propose(application).catch(refuse);
      if (canonicalJson(changes.map(changeText)) !== canonicalJson(agreed))
        throw notAsAgreed("it would change the account otherwise than was agreed to");
      const prepared = await keeper.prepare(text);
      // The ledger decides again under its lock, by the very changes that were agreed to.
      await ledger.apply(application, changes).catch(refuse);
      await prepared.put();
      const [from, to] = [policyHash(policy), policyHash(next)];
      await gate.trail.write(actorOf(who), { kind: "policy-changed", from, to });
      keeper.again();
    },
    async ledger(who, page) {
      await gate.read("ledger.read", who, null);
      const { records, before } = await ledger.records(placeOf(page.before), page.most);
      return { items: records, before: before === null ? null : String(before) };
    },
    async asked(who, page, filter) {
      await gate.read("ledger.read", who, null);
      return askedPage(ledger, page, filter);
    },
    async auditLog(who, page, filter) {
      await gate.read("audit-log.read", who, null);
      return factPage(audit, page, filter);
    },
  };
}

/** Reads a policy, its views too. Errors: serve.policy. */
async function sound(text: string): Promise<Policy> {
  try {
    const policy = readPolicy(text);
    await checkViews(policy);
    return policy;
  } catch (error) {
    return refuse(error);
  }
}

function refuse(error: unknown): never {
  const { message, fix } = refusalOf(error);
  throw notAsAgreed(message, fix);
}

function notAsAgreed(why: string, fix = "check it again, and agree to what that says"): LetheError {
  return new LetheError("serve.policy", `the policy cannot be put in place: ${why}`, { fix });
}

/** The codes of refusals that are about the text that was sent. */
const ofTheText = /^(?:policy|query|ledger\.budget|parameter)/;

function refusalOf(error: unknown): NonNullable<PolicyCheck["refused"]> {
  if (!(error instanceof LetheError) || !ofTheText.test(error.code)) throw error;
  const { code, message, fix, fields } = error;
  const place = (number: unknown): number | null => (typeof number === "number" ? number : null);
  return { code, message, fix, line: place(fields.line), column: place(fields.column) };
}
