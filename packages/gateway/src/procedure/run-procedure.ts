import {
  LetheError,
  lossFromJson,
  lossToJson,
  type PrivacyLossText,
  parseRational,
  price,
} from "@lethe/core";
import { lossFits, type Odds } from "@lethe/core/accounting";
import { canonicalJson, sha256 } from "@lethe/core/canonical";
import { drawing } from "@lethe/core/mechanisms";
import type { Charge } from "@lethe/ledger";
import { policyHash } from "@lethe/query";
import { certifiedAccount } from "../certificate/account-state.ts";
import { certifiedOdds } from "../certificate/certified-odds.ts";
import { provableLosses } from "../certificate/provable-losses.ts";
import type { DrawingHouse, House } from "../house.ts";
import { scopesOfTables } from "../scopes-of-plan.ts";
import { settlePaid } from "../settle-paid.ts";
import type {
  Procedure,
  ProcedureCertificate,
  ProcedurePlan,
  ProcedureRelease,
  ProcedureRequest,
} from "./procedure.ts";

/** The part of a house that a procedure needs: it reads its rows by itself. */
type ProcedureHouse = Pick<House, "policy" | "ledger" | "entropy" | "clock">;

/**
 * The journey of a procedure: its whole record is charged before a row is read, it runs once, and its result is durable before it leaves. A run that
 * died is run again under the same charge: nobody saw a number of it. Errors: coded refusals, never a value of the data.
 */
export async function runProcedure<T>(
  procedure: Procedure<T>,
  request: ProcedureRequest,
  { entropy, ...house }: ProcedureHouse,
): Promise<ProcedureRelease<T>> {
  const { ledger, policy } = house;
  const { kind, title, prepare, run } = procedure;
  // A copy: what is signed is what was charged, whatever the run does with its own.
  const plan: ProcedurePlan = JSON.parse(canonicalJson(procedure.plan));
  const hash = policyHash(policy);
  demandCovered(procedure, request);
  await prepare?.();
  const reserved = await ledger.reserve({
    principal: request.principal,
    requestId: request.requestId,
    requestHash: sha256(
      canonicalJson({
        principal: request.principal,
        procedure: { kind, title, plan },
        policyHash: hash,
        price: request.price,
        ...(request.project === undefined ? {} : { project: request.project }),
      }),
    ),
    loss: lossFromJson(request.price),
    event: plan.event,
    text: title,
    ...scopesOfTables(procedure.tables, request.project, policy),
  });
  if (reserved.kind === "settled") return JSON.parse(reserved.release);
  return settlePaid(ledger, reserved.charge, async (paid) => {
    const result = await resultOf(() => run(paid, drawing(entropy)));
    const told = certifiedOdds(procedure.ran ?? plan.event, policy.privacyUnit.adjacency, paid.loss);
    return certifyProcedure(result, { kind, plan, request, paid, policyHash: hash, odds: told }, house);
  });
}

/** What a record costs in an account's measure. @example priceOfEvent(event, { measure: "pure" }) */
export function priceOfEvent(
  event: Procedure<unknown>["plan"]["event"],
  account: { readonly measure: PrivacyLossText["measure"]; readonly delta: string },
): PrivacyLossText {
  const { measure } = account;
  return lossToJson(
    price(event, measure === "approximate" ? { measure, delta: parseRational(account.delta) } : { measure }),
  );
}

/** Errors: internal.invariant for a price that is below that of the record. */
function demandCovered({ plan }: Procedure<unknown>, { price: stated }: ProcedureRequest): void {
  const { measure } = stated;
  const delta = "delta" in stated ? stated.delta : "0";
  if (lossFits(lossFromJson(priceOfEvent(plan.event, { measure, delta })), lossFromJson(stated))) return;
  throw new LetheError("internal.invariant", "the price does not cover the procedure", {
    fix: "state the price of the plan's own event",
  });
}

/** Whatever a run raises, and whatever it gives that is no JSON, becomes one constant: its own words may hold data. */
async function resultOf<T>(run: () => Promise<T>): Promise<T> {
  try {
    return JSON.parse(canonicalJson(await run()));
  } catch {
    throw new LetheError(
      "engine.failed",
      "the computation could not be finished; details are with the owner",
      {
        fix: "ask the owner of the data",
      },
    );
  }
}

interface Ran {
  readonly kind: string;
  readonly plan: ProcedurePlan;
  readonly request: ProcedureRequest;
  readonly paid: Charge;
  readonly policyHash: string;
  readonly odds: Odds;
}

async function certifyProcedure<T>(
  result: T,
  { kind, plan, request, paid, policyHash, odds: told }: Ran,
  { ledger, clock }: Pick<DrawingHouse, "ledger" | "clock">,
): Promise<ProcedureRelease<T>> {
  const procedure = { version: 1, kind, policyHash, plan, price: request.price } as const;
  const certificate: ProcedureCertificate = {
    version: 1,
    requestId: paid.requestId,
    principal: paid.principal,
    at: new Date(clock()).toISOString(),
    procedure,
    charge: lossToJson(paid.loss),
    losses: provableLosses({ event: plan.event, price: request.price }),
    odds: told,
    account: await certifiedAccount(ledger, paid.principal, { loss: paid.loss, odds: told }),
    ledger: { sequence: paid.sequence, hash: paid.hash, publicKey: ledger.publicKey },
    resultHash: sha256(canonicalJson(result)),
  };
  return { version: 1, result, certificate, signature: await ledger.sign(canonicalJson(certificate)) };
}
