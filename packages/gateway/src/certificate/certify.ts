import { lossFromJson, lossToJson } from "@lethe/core";
import { canonicalJson, sha256 } from "@lethe/core/canonical";
import { elementAt } from "@lethe/core/numeric";
import type { Charge } from "@lethe/ledger";
import type { Plan, WorkloadPlan } from "@lethe/query";
import type { DrawingHouse } from "../house.ts";
import type { Question } from "../question.ts";
import type { Certificate, CertifiedSchedule, CertifiedTarget, Release } from "../release.ts";
import type { AnsweredRows } from "../rows/answered-rows.ts";
import type { WorkloadCertificate, WorkloadRelease } from "../workload/workload-release.ts";
import { certifiedAccount } from "./account-state.ts";
import { certifiedOdds } from "./certified-odds.ts";
import { provableLosses } from "./provable-losses.ts";

export interface Certified {
  readonly plan: Plan;
  readonly paid: Charge;
  readonly question: Question;
  readonly target: CertifiedTarget | null;
  readonly pilot: Release | null;
  /** The schedule that is kept for the answer; null where none is. */
  readonly schedule: CertifiedSchedule | null;
  /** The moment that the certificate states, in milliseconds since 1970. Under a schedule it is that of the slot, since the end of an execution depends on the data. */
  readonly at: number;
}

/** Puts a signed certificate on an answer: everything from which price and noise can be derived again. */
export async function certify(
  answered: AnsweredRows,
  { plan, paid, question, target, pilot, schedule, at }: Certified,
  { ledger }: DrawingHouse,
): Promise<Release> {
  const told = certifiedOdds(plan.event, plan.adjacency, paid.loss);
  const certificate: Certificate = {
    version: 1,
    requestId: paid.requestId,
    principal: paid.principal,
    at: new Date(at).toISOString(),
    plan,
    charge: lossToJson(paid.loss),
    losses: provableLosses(plan),
    odds: told,
    confidence: question.options.confidence,
    ...(schedule ? { schedule } : {}),
    account: await certifiedAccount(ledger, paid.principal, { loss: paid.loss, odds: told }),
    ledger: { sequence: paid.sequence, hash: paid.hash, publicKey: ledger.publicKey },
    rowsHash: sha256(canonicalJson(answered)),
    ...(target ? { target } : {}),
    ...(pilot ? { pilot } : {}),
  };
  return sealed(answered, certificate, ledger);
}

/** Puts a signed certificate on the answers of a workload. */
export async function certifyWorkload(
  planned: readonly AnsweredRows[],
  {
    workload,
    paid,
    confidence,
  }: { readonly workload: WorkloadPlan; readonly paid: Charge; readonly confidence: number },
  { ledger, clock }: DrawingHouse,
): Promise<WorkloadRelease> {
  const answers = planned.map(({ columns, rows, groupings, over, missing, notes }) => ({
    columns,
    rows,
    ...(groupings ? { groupings } : {}),
    ...(over ? { over } : {}),
    missing,
    notes,
  }));
  const told = certifiedOdds(workload.event, elementAt(workload.plans, 0).adjacency, paid.loss);
  const certificate: WorkloadCertificate = {
    version: 1,
    requestId: paid.requestId,
    principal: paid.principal,
    at: new Date(clock()).toISOString(),
    workload,
    charge: lossToJson(paid.loss),
    losses: provableLosses(workload),
    odds: told,
    confidence,
    account: await certifiedAccount(ledger, paid.principal, { loss: paid.loss, odds: told }),
    ledger: { sequence: paid.sequence, hash: paid.hash, publicKey: ledger.publicKey },
    answersHash: sha256(canonicalJson(answers)),
  };
  return { version: 1, answers, certificate, signature: await ledger.sign(canonicalJson(certificate)) };
}

/** The same rows once more, as the answer to the request whose pilot they are: all that was paid is the pilot's charge. */
export async function certifyPilotAlone(
  answered: AnsweredRows,
  pilot: Release,
  { question: { requestId }, schedule, at }: Pick<Certified, "question" | "schedule" | "at">,
  { ledger }: DrawingHouse,
): Promise<Release> {
  const { charge, plan } = pilot.certificate;
  const loss = lossFromJson(charge);
  const told = certifiedOdds(plan.event, plan.adjacency, loss);
  const certificate: Certificate = {
    ...pilot.certificate,
    odds: told,
    ...(schedule ? { schedule } : {}),
    requestId,
    at: new Date(at).toISOString(),
    account: await certifiedAccount(ledger, pilot.certificate.principal, { loss, odds: told }),
    rowsHash: sha256(canonicalJson(answered)),
    pilot,
  };
  return sealed(answered, certificate, ledger);
}

async function sealed(
  answered: AnsweredRows,
  certificate: Certificate,
  ledger: DrawingHouse["ledger"],
): Promise<Release> {
  return { version: 1, ...answered, certificate, signature: await ledger.sign(canonicalJson(certificate)) };
}
