import { LetheError, type PrivacyLoss, type Rational, toDecimal } from "@lethe/core";
import { lossLeft } from "@lethe/core/accounting";
import { compare, max, min, subtract, zero } from "@lethe/core/numeric";
import type { Balance } from "../account/balance.ts";
import { deltaOf, mainOf, symbolOf, withMain } from "../account/main-number.ts";

/** Returns the loss that is left for a principal: the account's rest, and no more of ε or ρ than its own sub-cap leaves. */
export function leftFor(balance: Balance, principal: string): PrivacyLoss {
  const left = lossLeft(balance.granted, balance.spent);
  const sub = balance.analysts.get(principal);
  return sub ? withMain(left, min(mainOf(left), max(zero, subtract(sub.granted, sub.spent)))) : left;
}

/** Writes a number with four digits that count, however small it is. */
function shown(value: Rational, direction: "up" | "down"): string {
  const zeros = value.den.toString().length - value.num.toString().length;
  return toDecimal(value, direction, Math.min(Math.max(6, zeros + 4), 300));
}

function told(loss: PrivacyLoss, direction: "up" | "down"): string {
  const delta = deltaOf(loss);
  const main = `${symbolOf(loss.measure)} ${shown(mainOf(loss), direction)}`;
  return delta ? `${main}, δ ${shown(delta, direction)}` : main;
}

/** The error ledger.budget. It says what was granted, spent and asked, and what is left, rounded down: so much would fit. */
export function overBudget(balance: Balance, principal: string, asked: PrivacyLoss): LetheError {
  const { measure, granted, spent } = balance;
  const sub = balance.analysts.get(principal);
  const left = leftFor(balance, principal);
  const bySubCap = sub !== undefined && compare(subtract(sub.granted, sub.spent), mainOf(asked)) < 0;
  const fits = told(left, "down");
  return new LetheError(
    "ledger.budget",
    `${bySubCap ? `${principal}'s share of the budget` : "the budget"} does not cover the question: it costs` +
      ` ${told(asked, "up")}, and ${fits} is left (the account: granted ${told(granted, "down")}, spent ${told(spent, "up")})`,
    {
      fix:
        mainOf(left).num === 0n
          ? "nothing more fits; the owner of the data may raise the budget with lethe budget grant"
          : `a question of at most ${fits} fits; the owner of the data may raise the budget with lethe budget grant`,
      fields: {
        measure,
        principal,
        granted: told(granted, "down"),
        spent: told(spent, "up"),
        left: fits,
        asked: told(asked, "up"),
        fits: shown(mainOf(left), "down"),
      },
    },
  );
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

export function unknownPrincipal(principal: string): LetheError {
  return new LetheError("ledger.principal", `no analyst "${principal}" holds a share of the budget`, {
    fix: "ask as one of the analysts in the policy; the owner may list this one there, then lethe budget apply",
    fields: { principal },
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
