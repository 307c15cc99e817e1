import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PrivacyLoss, parseRational } from "@lethe/core";
import type { AccountBudget } from "../account/budget.ts";
import type { ReserveRequest } from "../ledger.ts";

/** Runs `use` with the path of a ledger directory that does not exist yet, inside a folder that is removed after. */
export async function withDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const parent = mkdtempSync(join(tmpdir(), "lethe-ledger-"));
  try {
    return await use(join(parent, "ledger"));
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

export const policyHash: string = "ab".repeat(32);

export function pureBudget(epsilon: string, analysts: Readonly<Record<string, string>> = {}): AccountBudget {
  return {
    measure: "pure",
    epsilon: parseRational(epsilon),
    delta: parseRational("0"),
    rho: null,
    analysts: Object.fromEntries(Object.entries(analysts).map(([name, cap]) => [name, parseRational(cap)])),
  };
}

export function pureLoss(epsilon: string): PrivacyLoss {
  return { measure: "pure", epsilon: parseRational(epsilon) };
}

/** A reservation whose hash follows from its text. */
export function request(
  requestId: string,
  loss: PrivacyLoss | string,
  principal = "owner",
  text = `SELECT ${requestId}`,
): ReserveRequest {
  return {
    principal,
    requestId,
    requestHash: createHash("sha256").update(`${principal}\n${text}`).digest("hex"),
    loss: typeof loss === "string" ? pureLoss(loss) : loss,
    event: { kind: "laplace", version: 1, scale: "10", l1: "1" },
    text,
  };
}

/** A clock that stands still. */
export const clock = (): number => 1_700_000_000_000;
