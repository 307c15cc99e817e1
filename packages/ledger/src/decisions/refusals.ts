import { LetheError, type PrivacyLoss, type Rational, toDecimal } from "@lethe/core";
import { deltaOf, mainOf, symbolOf } from "../account/main-number.ts";
import { charged } from "../records/advance.ts";
import type { Books } from "../scopes/books.ts";
import type { Unasked } from "../scopes/may-ask.ts";
import type { Meter } from "../scopes/meter.ts";
import type { Lack } from "../scopes/post-charge.ts";
import { type Asker, type ScopeName, scopeWords } from "../scopes/scope-name.ts";
import { grantedOf, leftFor, maySee } from "./left-for.ts";

/** Writes a number with four digits that count, however small it is. */
function shown(value: Rational, direction: "up" | "down"): string {
  const zeros = value.den.toString().length - value.num.toString().length;
  return toDecimal(value, direction, Math.min(Math.max(6, zeros + 4), 300));
}

/** Writes a loss as a refusal says it. */
export function told(loss: PrivacyLoss, direction: "up" | "down"): string {
  const delta = deltaOf(loss);
  const main = `${symbolOf(loss.measure)} ${shown(mainOf(loss), direction)}`;
  return delta ? `${main}, δ ${shown(delta, direction)}` : main;
}

/**
 * The error ledger.budget. It says which cap does not cover the question, what was granted and asked, and what would fit, rounded down. What was spent
 * it says only where the asker may see it: otherwise colleagues' spending would be the difference.
 */
export function overBudget(books: Books, asker: Asker, asked: PrivacyLoss): LetheError {
  const { account } = books;
  const { principal } = asker;
  const outcome = charged(books, asker, asked);
  const lack: Lack = "account" in outcome ? { scope: ["analyst", principal], per: "ever" } : outcome;
  const isAccount = lack.scope[0] === "account";
  const seesAccount = maySee(account, principal, ["account"]);
  const lifetime = account.meters[0] as Meter;
  const granted = grantedOf(lifetime);
  const fits = told(leftFor(books, asker, principal), "down");
  const window = lack.per === "ever" ? "" : ` for this ${lack.per}`;
  const budget = `${isAccount && seesAccount ? "the budget" : nameOf(lack.scope, principal)}${window}`;
  const sees = maySee(account, principal, lack.scope);
  const cap = capWords(books, lack);
  const terms = [
    ...(isAccount && lack.per === "ever" ? [] : [cap]),
    ...(granted === null
      ? []
      : [
          `the account: granted ${told(granted, "down")}${seesAccount ? `, spent ${told(lifetime.spent, "up")}` : ""}`,
        ]),
  ];
  const costs = `it costs ${told(asked, "up")}${sees ? `, and ${fits} is left` : ""}`;
  return new LetheError(
    "ledger.budget",
    `${budget} does not cover the question: ${costs} (${terms.join("; ")})`,
    {
      fix: fixFor(leftFor(books, asker, principal), sees),
      fields: {
        measure: account.measure,
        principal,
        scope: scopeWords(lack.scope),
        ...(granted === null ? {} : { granted: told(granted, "down") }),
        ...(seesAccount ? { spent: told(lifetime.spent, "up") } : {}),
        ...(sees ? { left: fits } : {}),
        asked: told(asked, "up"),
        fits: shown(mainOf(leftFor(books, asker, principal)), "down"),
      },
    },
  );
}

function fixFor(left: PrivacyLoss, sees: boolean): string {
  const raise = "the owner of the data may raise the budget with lethe budget grant";
  if (mainOf(left).num === 0n) return `nothing more fits; ${raise}`;
  const most = told(left, "down");
  return sees
    ? `a question of at most ${most} fits; ${raise}`
    : `ask for less: the caps that you may see leave ${most}; ${raise}`;
}

function nameOf(name: ScopeName, principal: string): string {
  switch (name[0]) {
    case "account":
      return "the account's budget";
    case "analyst":
      return `${principal}'s share of the budget`;
    case "member":
      return `${principal}'s share of the budget of project ${name[2]}`;
    default:
      return `the budget of ${scopeWords(name)}`;
  }
}

function capWords({ account, scope }: Books, { scope: name, per }: Lack): string {
  const meters: readonly Meter[] = name[0] === "account" ? account.meters : (scope(name)?.meters ?? []);
  const meter = meters.find((each) => each.per === per);
  const { main = null, delta = null } = meter?.limit ?? {};
  const numbers = [
    ...(main ? [`${symbolOf(account.measure)} ${shown(main, "down")}`] : []),
    ...(delta ? [`δ ${shown(delta, "down")}`] : []),
  ];
  return `${scopeWords(name)}${per === "ever" ? "" : ` a ${per}`}: granted ${numbers.join(", ")}`;
}

/** The error for what may not be charged at all: ledger.budget for what is closed, ledger.principal for who may not ask. */
export function refusalOf({ why, scope }: Unasked, { principal }: Asker): LetheError {
  if (why === "closed") return scope[0] === "account" ? closedAccount() : closedScope(scope);
  if (why === "revoked") return revoked(principal);
  return scope[0] === "analyst"
    ? unknownPrincipal(principal)
    : unknownProject(scope[0] === "member" ? scope[2] : String(scope[1]));
}

export function closedAccount(): LetheError {
  return new LetheError(
    "ledger.budget",
    "the owner of the data closed this account: nothing more is charged",
    {
      fix: "what was answered before is answered again under its request id; the owner may take closed out of the policy's budget, then lethe budget apply",
    },
  );
}

function closedScope(scope: ScopeName): LetheError {
  return new LetheError(
    "ledger.budget",
    `the owner of the data closed the budget of ${scopeWords(scope)}: nothing more is charged to it`,
    { fix: "ask without it, or ask the owner to open it again with lethe budget reopen" },
  );
}

function revoked(principal: string): LetheError {
  return new LetheError("ledger.principal", `${principal} may not ask any more`, {
    fix: "the owner of the data took the right to ask away, and may give it back with lethe budget reopen",
    fields: { principal },
  });
}

export function unknownPrincipal(principal: string): LetheError {
  return new LetheError("ledger.principal", `no analyst "${principal}" holds a share of the budget`, {
    fix: "ask as one of the analysts in the policy; the owner may list this one there, then lethe budget apply",
    fields: { principal },
  });
}

/** The same words for a project that is not there and for one whose members the asker is not of. */
function unknownProject(project: string): LetheError {
  return new LetheError("ledger.principal", `you may not ask in a project "${project}"`, {
    fix: "name a project of the policy in which you may ask, or none",
    fields: { project },
  });
}

/** The error ledger.failures. Its words are constant, since how an execution failed may depend on the data. */
export function tooManyFailures(): LetheError {
  return new LetheError("ledger.failures", "too many executions on this account did not finish", {
    fix: "the owner of the data may look into the log and allow more with lethe budget grant",
  });
}

export function foreignRequest(requestId: string, what: string): LetheError {
  return new LetheError("ledger.request", `the request id "${requestId}" ${what}`, {
    fix: "choose a new request id for a new question",
    fields: { requestId },
  });
}
