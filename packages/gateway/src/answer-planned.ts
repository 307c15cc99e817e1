import { LetheError, lossFromJson, lossToJson } from "@lethe/core";
import { canonicalJson } from "@lethe/core/canonical";
import { elementAt } from "@lethe/core/numeric";
import type { Charge, Reservation, ReserveRequest } from "@lethe/ledger";
import { type Plan, questionsOf, stagePlan } from "@lethe/query";
import { certify } from "./certificate/certify.ts";
import { withErrorInReach } from "./error-in-reach.ts";
import { executor } from "./execute-plan.ts";
import type { DrawingHouse } from "./house.ts";
import { learnBounds } from "./learn-bounds.ts";
import { targetNotes } from "./notes/target-notes.ts";
import type { NamedQuestion, Question } from "./question.ts";
import type { CertifiedTarget, Release } from "./release.ts";
import { learnedPlan, type ResolvedQuestion } from "./resolved-question.ts";
import { releaseRows } from "./rows/release-rows.ts";
import { scopesOfPlans } from "./scopes-of-plan.ts";
import { settlePaid } from "./settle-paid.ts";

/** One request that is paid for and answered at once: a question, or one of the two requests of a question with a pilot. */
export interface PlannedRequest {
  readonly question: NamedQuestion;
  readonly resolved: ResolvedQuestion;
  readonly plan: Plan;
  readonly target: CertifiedTarget | null;
  readonly requestHash: string;
  /** The statements that are asked of the database: those of the plan, or of both plans where the question has a pilot. */
  readonly statements: number;
  /** The release of the pilot, which goes into the certificate. */
  readonly pilot?: Release;
  /** Whether the request is the pilot of another. */
  readonly isPilot?: boolean;
  /** The charge, and the answer made from what is released already, where the plan's price does not fit the budget. */
  readonly otherwise?: Pick<ReserveRequest, "loss" | "event"> & {
    readonly release: (paid: Charge) => Promise<Release>;
  };
}

/** The release of a planned request, and whether it was there already, so that nothing was charged. */
export interface PlannedAnswer {
  readonly release: Release;
  readonly isEarlier: boolean;
}

/** Answers one planned request: compile, reserve, execute, noise, post-process, certify, settle. */
export async function answerPlanned(request: PlannedRequest, house: DrawingHouse): Promise<PlannedAnswer> {
  const { question, resolved, plan, target, pilot, otherwise } = request;
  const { engine, ledger, draws } = house;
  // Drift of the schema is refused before anything is charged.
  const executes = await Promise.all(questionsOf(plan).map((each) => executor(each, engine)));
  const execute = elementAt(executes, 0);
  const reserved = await reserve(request, house); // durable before a row is read
  if (reserved.kind === "settled") return { release: JSON.parse(reserved.release), isEarlier: true };

  const run = async (paid: Charge): Promise<Release> => {
    // Bounds that are learned change grids and the scale of noise, and no loss: that is paid already.
    const settled = plan.learned
      ? learnedPlan(resolved, plan, learnBounds(plan, await execute(stagePlan(plan)), paid, draws))
      : plan;
    const answered = await releaseRows(
      settled,
      (each, at) => elementAt(executes, at)(each), // Exact: cannot be logged or sent
      paid,
      draws,
      question.options.confidence,
    );
    const told = { ...answered, notes: [...answered.notes, ...targetNotes(target)] };
    const { isPilot = false, statements } = request;
    // A pilot leaves with the request that it is the pilot of.
    const schedule = isPilot || !house.schedule ? null : { each: house.schedule.each, statements };
    const about = { plan: settled, paid, question, target, pilot: pilot ?? null, schedule };
    return certify(told, about, house);
  };
  const release = await settlePaid(ledger, reserved.charge, (paid) =>
    otherwise && !isPriceOf(plan, paid) ? otherwise.release(paid) : run(paid),
  );
  return { release, isEarlier: false };
}

function isPriceOf({ price }: Plan, { loss }: Charge): boolean {
  return canonicalJson(lossToJson(loss)) === canonicalJson(price);
}

/** Reserves the charge. Errors: those of the ledger; ledger.budget says of a target error what would be in reach instead. */
async function reserve(request: PlannedRequest, { ledger, policy }: DrawingHouse): Promise<Reservation> {
  const scopes = scopesOfPlans([request.plan], request.question.options.project, policy);
  try {
    return await ledger.reserve({ ...requestOf(request), ...scopes });
  } catch (error) {
    if (!(error instanceof LetheError && error.code === "ledger.budget")) throw error;
    const { target, resolved, question } = request;
    if (target === null) throw error;
    throw withErrorInReach(error, resolved, target, await ledger.remaining(question.principal, scopes));
  }
}

function requestOf({ question, plan, requestHash, otherwise, statements }: PlannedRequest): ReserveRequest {
  return {
    principal: question.principal,
    requestId: question.requestId,
    requestHash,
    loss: lossFromJson(plan.price),
    event: plan.event,
    text: shownText(question),
    statements,
    ...(otherwise ? { otherwise: { loss: otherwise.loss, event: otherwise.event } } : {}),
  };
}

/** The question as the ledger shows it: with the values of its parameters, and the day that it reads. */
function shownText({ text, options: { parameters = [], today } }: Question): string {
  const values = [
    ...parameters.map((value, at) => `$${at + 1} = ${JSON.stringify(value)}`),
    ...(today === undefined ? [] : [`today = ${today}`]),
  ];
  if (values.length === 0) return text;
  return `${text} [${values.join(", ")}]`;
}
