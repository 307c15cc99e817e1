import { isLimitText } from "../scopes/limit.ts";
import { periods } from "../scopes/period.ts";
import { isScopeName, scopeKey } from "../scopes/scope-name.ts";
import type { StatedBudget } from "./stated-budget.ts";

/** Whether a value has the form of a budget that a policy states: every part of it, and no other. */
export function isStatedBudget(value: unknown): value is StatedBudget {
  if (!isRecord(value)) return false;
  const { measure, account, scopes, closed, showAccount, ...others } = value;
  return (
    Object.keys(others).length === 0 &&
    ["pure", "approximate", "zcdp"].includes(String(measure)) &&
    areCaps(account) &&
    Array.isArray(scopes) &&
    scopes.every(isStatedScope) &&
    inOrder(scopes.map(({ name }) => scopeKey(name))) &&
    typeof closed === "boolean" &&
    typeof showAccount === "boolean"
  );
}

function isStatedScope(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { name, caps, ...others } = value;
  return Object.keys(others).length === 0 && isScopeName(name) && name[0] !== "account" && areCaps(caps);
}

function areCaps(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(isCap) &&
    inOrder(value.map(({ per }) => String(periods.indexOf(per))))
  );
}

function isCap(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { per, limit, reserved, ...others } = value;
  return (
    Object.keys(others).length === 0 &&
    (periods as readonly unknown[]).includes(per) &&
    isLimitText(limit) &&
    (reserved === null || isLimitText(reserved))
  );
}

/** Whether texts stand in order, each once. */
function inOrder(texts: readonly string[]): boolean {
  return texts.every((text, at) => at === 0 || text > String(texts[at - 1]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
