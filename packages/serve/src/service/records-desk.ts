import { LetheError } from "@lethe/core";
import { type AccountLedger, changeText } from "@lethe/ledger";
import { lintPolicy, type Policy, type PolicyWarning, policyHash, readPolicy, unitHash } from "@lethe/query";
import type { Principal } from "../access/index.ts";
import type { AuditEntry, AuditLogStore } from "../audit-log/index.ts";
import { changedPaths } from "./changed-paths.ts";
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
  readonly differs: readonly string[];
  /** The changes of the account that would have to be put on record, in words. */
  readonly budget: readonly string[];
  readonly advice: readonly PolicyWarning[];
  /** Why it cannot be served; null where it can. */
  readonly refused: { readonly code: string; readonly message: string; readonly fix: string } | null;
}

/** The records of the house, which owners and auditors read: each look is written to the audit log. */
export interface RecordsDesk {
  /** The policy that is served. Errors: serve.forbidden; log.lost. */
  policy(who: Principal): Promise<ShownPolicy>;
  /** Says what a policy would change, and changes nothing. Errors: serve.forbidden; log.lost. */
  checkPolicy(who: Principal, text: string): Promise<PolicyCheck>;
  /** Entries of the audit log, newest first. Errors: serve.forbidden; parameter.invalid; log.lost. */
  auditLog(who: Principal, page: PageAsked): Promise<Page<AuditEntry>>;
}

/** What the desk is made of. */
export interface RecordsParts {
  readonly gate: Gate;
  readonly audit: AuditLogStore;
  readonly policy: Policy;
  /** The policy's file, as it was read. */
  readonly policyText: string;
  readonly ledger: Pick<AccountLedger, "propose">;
}

/** Opens the desk over its parts. */
export function openRecordsDesk({ gate, audit, policy, policyText, ledger }: RecordsParts): RecordsDesk {
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
      } catch (error) {
        return { ...none, refused: refusalOf(error) };
      }
      const found = {
        hash: policyHash(next),
        differs: changedPaths(policy, next),
        advice: lintPolicy(next),
      };
      try {
        const { changes } = await ledger.propose({ budget: next.budget, policyHash: unitHash(next) });
        return { ...found, budget: changes.map(changeText), refused: null };
      } catch (error) {
        return { ...found, budget: [], refused: refusalOf(error) };
      }
    },
    async auditLog(who, { before, most }) {
      await gate.read("audit-log.read", who, null);
      const items = await audit.page(placeOf(before), most);
      const last = items.at(-1)?.sequence ?? 0;
      return { items, before: last > 0 && items.length === most ? String(last) : null };
    },
  };
}

/** The families whose refusals are about the text that was sent. */
const ofTheText: ReadonlySet<string> = new Set([
  "policy.invalid",
  "policy.unreadable",
  "policy.roles",
  "policy.changed",
  "ledger.budget",
  "parameter.invalid",
]);

function refusalOf(error: unknown): NonNullable<PolicyCheck["refused"]> {
  if (!(error instanceof LetheError) || !ofTheText.has(error.code)) throw error;
  const { code, message, fix } = error;
  return { code, message, fix };
}
