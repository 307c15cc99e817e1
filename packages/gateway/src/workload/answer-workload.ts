import { invalidParameter, LetheError, lossFromJson } from "@lethe/core";
import { lossFits, zeroLoss } from "@lethe/core/accounting";
import { canonicalJson, sha256 } from "@lethe/core/canonical";
import { drawing } from "@lethe/core/mechanisms";
import type { Charge } from "@lethe/ledger";
import {
  composesPlans,
  keyNotice,
  type Plan,
  policyHash,
  uninformative,
  type WorkloadPlan,
} from "@lethe/query";
import { certifyWorkload } from "../certificate/certify.ts";
import { executor } from "../execute-plan.ts";
import type { DrawingHouse, House } from "../house.ts";
import { workloadHash } from "../request-hash.ts";
import { releaseRows } from "../rows/release-rows.ts";
import { scopesOfPlans } from "../scopes-of-plan.ts";
import { settlePaid } from "../settle-paid.ts";
import { planTexts } from "./plan-texts.ts";
import type { PlannedAnswer, Workload } from "./workload.ts";
import type { WorkloadRelease } from "./workload-release.ts";

/**
 * The journey of several questions under one charge: planned together, paid once before a row is read, answered one by one, and made durable as a
 * whole before any answer leaves. Errors: coded refusals, never a value of the data.
 */
export async function answerWorkload(
  workload: Workload,
  { entropy, ...house }: House,
): Promise<WorkloadRelease> {
  return answerWorkloadDrawing(workload, { ...house, draws: drawing(entropy) });
}

/** {@link answerWorkload}, whatever draws: an audit's recording too, which nothing else can make. */
export async function answerWorkloadDrawing(
  workload: Workload,
  house: DrawingHouse,
): Promise<WorkloadRelease> {
  const { ledger, policy, engine } = house;
  demandShortId(workload);
  const plan = await planWholeWorkload(workload, house);
  await tellOfWorkload(workload, plan, house);
  for (const part of plan.plans) await executor(part, engine); // drift of the schema is refused before anything is charged
  const reserved = await ledger.reserve({
    principal: workload.principal,
    requestId: workload.requestId,
    requestHash: workloadHash(workload, policyHash(policy)),
    loss: lossFromJson(plan.price),
    event: plan.event,
    text: workload.title,
    ...scopesOfPlans(plan.plans, workload.options.project, policy),
  });
  if (reserved.kind === "settled") return JSON.parse(reserved.release);
  return settlePaid(ledger, reserved.charge, async (paid) => {
    const { answers, answered } = await answerRounds(workload, plan, paid, house);
    return certifyWorkload(
      answers,
      { workload: answered, paid, confidence: workload.options.confidence },
      house,
    );
  });
}

/** Plans all rounds: as long as a round's questions are not known, those of the round before stand for them, at the same price. */
export function planWholeWorkload(
  { texts, rounds, options }: Workload,
  { policy }: Pick<House, "policy">,
): Promise<WorkloadPlan> {
  return planTexts(Array.from({ length: rounds?.count ?? 1 }, () => texts).flat(), options, policy);
}

interface AnsweredWorkload {
  readonly answers: readonly PlannedAnswer[];
  /** The plans that were run: of the same record and price as those that were charged. */
  readonly answered: WorkloadPlan;
}

/**
 * Answers round by round. What a later round asks follows from the answers before, so these are durable before it is asked: whoever asks again,
 * or at once, goes on from the same answers, and no noise is drawn twice that a later question shows.
 */
async function answerRounds(
  workload: Workload,
  charged: WorkloadPlan,
  paid: Charge,
  house: DrawingHouse,
): Promise<AnsweredWorkload> {
  const { texts: first, rounds, options } = workload;
  const count = rounds?.count ?? 1;
  const texts = [...first];
  const answers: PlannedAnswer[] = [];
  let planned = charged;
  for (let round = 0; round < count; round += 1) {
    if (round > 0) {
      texts.push(...(rounds?.next(answers) ?? []));
      const latest = texts.slice(-first.length);
      const unknown = Array.from({ length: count - round - 1 }, () => latest).flat();
      planned = await planTexts([...texts, ...unknown], options, house.policy);
    }
    demandPaid(planned, charged, paid);
    const plans = planned.plans.slice(answers.length, texts.length);
    const draw = (): Promise<readonly PlannedAnswer[]> => drawAnswers(plans, paid, workload, house);
    answers.push(...(await (round < count - 1 ? durableRound(workload, round, draw, house) : draw())));
  }
  const answered = { ...planned, plans: answers.map(({ certificate: { plan } }) => plan) };
  demandPaid(answered, charged, paid);
  return { answers, answered };
}

async function drawAnswers(
  plans: readonly Plan[],
  paid: Charge,
  { options }: Workload,
  { engine, draws }: DrawingHouse,
): Promise<readonly PlannedAnswer[]> {
  const answers: PlannedAnswer[] = [];
  for (const plan of plans) {
    const execute = await executor(plan, engine);
    const answered = await releaseRows(plan, execute, paid, draws, options.confidence);
    answers.push({ ...answered, certificate: { plan } });
  }
  return answers;
}

/** Makes the answers of a round durable under a request of their own, which costs nothing: of several runs the first to settle is taken by all. */
async function durableRound(
  workload: Workload,
  round: number,
  draw: () => Promise<readonly PlannedAnswer[]>,
  { ledger, policy }: DrawingHouse,
): Promise<readonly PlannedAnswer[]> {
  const { principal, title, options } = workload;
  const reserved = await ledger.reserve({
    principal,
    requestId: roundId(workload, round),
    requestHash: sha256(canonicalJson({ workload: workloadHash(workload, policyHash(policy)), round })),
    loss: zeroLoss(policy.budget.measure),
    event: { kind: "constant", version: 1 },
    text: `${title} (round ${round + 1})`,
    ...scopesOfPlans([], options.project, policy),
  });
  if (reserved.kind === "settled") return JSON.parse(reserved.release);
  return settlePaid(ledger, reserved.charge, draw);
}

/** The request that the answers of a round are kept under. */
function roundId({ requestId }: Workload, round: number): string {
  return `${requestId} (round ${round + 1})`;
}

/** The longest name of a request, less the mark of a round. */
const longestId = 200 - " (round 999)".length;

/** Errors: parameter.invalid, before anything is charged. */
function demandShortId({ requestId, rounds }: Workload): void {
  if (rounds && requestId.length > longestId)
    throw invalidParameter("the request id", requestId, `a text of at most ${longestId} characters`);
}

/** Sees to it that what is run is what was paid for: the same record, whose price the charge covers. Errors: internal.invariant. */
function demandPaid(planned: WorkloadPlan, charged: WorkloadPlan, paid: Charge): void {
  const same = canonicalJson(planned.event) === canonicalJson(charged.event) && composesPlans(planned);
  if (same && lossFits(lossFromJson(planned.price), paid.loss)) return;
  throw new LetheError("internal.invariant", "the charge does not cover the workload", {
    fix: "let every round ask for the same measurements",
  });
}

/** Tells what follows from the plans alone before a charge, and refuses a workload of which some answer would say next to nothing. Errors: query.uninformative. */
async function tellOfWorkload(
  { principal, requestId, options }: Workload,
  { plans }: WorkloadPlan,
  { policy, ledger, notice }: DrawingHouse,
): Promise<void> {
  if ((await ledger.settled(requestId, principal)) !== null) return;
  const notices = plans.map((plan) => keyNotice(plan)).filter((words) => words !== null);
  for (const words of new Set(notices)) notice?.(words);
  if (options.acceptUninformative === true) return;
  const [warning] = plans.flatMap((plan) => uninformative(plan, policy, options.confidence));
  if (!warning) return;
  throw new LetheError("query.uninformative", warning.message, {
    fix: `${warning.fix}; to pay all the same: --yes, or acceptUninformative: true`,
  });
}
