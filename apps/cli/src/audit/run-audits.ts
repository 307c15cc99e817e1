import {
  type AttackResult,
  type AuditRow,
  type AuditStep,
  answersAudit,
  attackAudit,
  attackRow,
  audits,
  forgeriesAudit,
  fullEffort,
  fullRequest,
  quickEffort,
  quickRequest,
  type ReconstructionPoint,
  soakEffort,
  soakSteps,
} from "@lethe/audit";
import { LetheError } from "@lethe/core";
import { showProgress } from "../progress/show-progress.ts";
import { auditPolicy, policyAudit, policySubjects } from "./audit-policy.ts";

export interface AuditRun {
  /** Ids of audits, with commas; where left out, all audits of Lethe, and that of the policy where one was named. */
  readonly only: string | undefined;
  /** Names of subjects or attacks, with commas; all where left out. */
  readonly subjects: string | undefined;
  readonly policy: { readonly path: string; readonly named: boolean };
  readonly quick: boolean;
  /** The number of fresh seeds; null for one run. */
  readonly soak: number | null;
  readonly seed: number;
  /** Whether reconstruction is also measured against the number of questions, which only a drawing shows. */
  readonly curve: boolean;
}

/** The results of the audits. */
export interface Audited {
  readonly rows: readonly AuditRow[];
  /** The attacks' own figures, from which some of the rows are made. */
  readonly attacks: readonly AttackResult[];
  readonly curve: readonly ReconstructionPoint[];
}

/** Returns an audit with neither attacks nor curves. */
export function rowsAlone(rows: readonly AuditRow[]): Audited {
  return { rows, attacks: [], curve: [] };
}

interface Step {
  /** The subjects whose rows it makes: all, or those that were chosen. */
  readonly subjects: readonly string[];
  make(progress: (note: string) => void, chosen: readonly string[]): Promise<Audited>;
}

/** Runs everything that was chosen, in order, and shows progress. Errors: cli.usage. */
export async function runAudits(run: AuditRun): Promise<Audited> {
  const steps = named(await stepsOf(run), run.subjects);
  const done: Audited[] = [];
  const progress = showProgress(steps.length);
  try {
    for (const { subjects, make } of steps) {
      const subject = subjects.join(", ");
      progress.at(done.length, subject);
      done.push(await make((note) => progress.at(done.length, `${subject}, ${note}`), subjects));
    }
  } finally {
    progress.end();
  }
  return {
    rows: done.flatMap(({ rows }) => rows),
    attacks: done.flatMap(({ attacks }) => attacks),
    curve: done.flatMap(({ curve }) => curve),
  };
}

function named(steps: readonly Step[], subjects: string | undefined): readonly Step[] {
  if (subjects === undefined) return steps;
  const names = listed(subjects);
  const known = steps.flatMap((step) => step.subjects);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) {
    return steps.flatMap((step) => {
      const own = step.subjects.filter((subject) => names.includes(subject));
      return own.length === 0 ? [] : [{ ...step, subjects: own }];
    });
  }
  throw new LetheError("cli.usage", `these audits have no subject "${unknown}"`, {
    fix: `name some of ${known.join(", ")}`,
  });
}

/** Names with commas between them. */
function listed(names: string): readonly string[] {
  return names.split(",").map((name) => name.trim());
}

async function stepsOf({ only, policy, quick, soak, seed, curve }: AuditRun): Promise<readonly Step[]> {
  const ids = chosen(only, policy.named);
  const own = audits.filter(({ id }) => ids.includes(id));
  const request = { ...(quick ? quickRequest : fullRequest), seed };
  const one =
    soak === null
      ? own.flatMap((each) => each.steps(request)).map(plainStep)
      : soaking(only === undefined ? null : ids, seed, soak);
  const plain = [...(ids.includes(policyAudit.id) ? [policyStep(policy.path)] : []), ...one];
  if (![answersAudit, forgeriesAudit, attackAudit].some(({ id }) => ids.includes(id))) return plain;
  const { laboratory } = await import("./laboratory.ts");
  const answers = ids.includes(answersAudit.id) ? answersAudit.steps(laboratory, seed).map(plainStep) : [];
  const forgeries = ids.includes(forgeriesAudit.id) ? forgeriesAudit.steps(laboratory).map(plainStep) : [];
  const steps = [...plain, ...answers, ...forgeries];
  if (!ids.includes(attackAudit.id)) return steps;
  const effort = soak !== null ? soakEffort : quick ? quickEffort : fullEffort;
  const attacking = attackAudit.steps(laboratory, effort, seed).map(
    ({ subject, make }): Step => ({
      subjects: [subject],
      async make(progress) {
        const attacks = await make((services) => progress(`services done: ${services}`));
        return { rows: attacks.map(attackRow), attacks, curve: [] };
      },
    }),
  );
  const points = quick ? quickCurve : fullCurve;
  const growing: Step = {
    subjects: ["reconstruction by questions"],
    make: async () => ({
      ...rowsAlone([]),
      curve: await attackAudit.curve(laboratory, { ...effort, trials: points.people }, seed, points.counts),
    }),
  };
  return [...steps, ...attacking, ...(curve ? [growing] : [])];
}

function plainStep({ subject, make }: AuditStep): Step {
  return { subjects: [subject], make: async () => rowsAlone([await make()]) };
}

function policyStep(path: string): Step {
  return {
    subjects: policySubjects(path),
    make: async (_progress, chosen) => rowsAlone(await auditPolicy(path, chosen)),
  };
}

/**
 * Returns the steps of a soak: those of the named audits that draw coins, or all that do, over this many seeds. Errors: cli.usage for one that draws
 * none.
 */
function soaking(named: readonly string[] | null, first: number, seeds: number): readonly Step[] {
  const { draws, falseAlarm } = fullRequest;
  const steps = soakSteps({ first, seeds, draws, falseAlarm, spent: secondsOfWork });
  const known = [...new Set(steps.map(({ audit }) => audit)), ...beside];
  const unknown = named?.find((id) => !known.includes(id));
  if (unknown !== undefined) {
    throw new LetheError("cli.usage", `no part of ${unknown} depends on seeds, so a soak leaves it out`, {
      fix: `run it without --soak, or name some of ${known.join(", ")}`,
    });
  }
  return steps
    .filter(({ audit }) => named?.includes(audit) ?? true)
    .map(
      ({ subject, make }): Step => ({
        subjects: [subject],
        make: async (progress) => rowsAlone([await make((done) => progress(`seed ${done} of ${seeds}`))]),
      }),
    );
}

function secondsOfWork(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Numbers of questions, and how many people's bits are guessed at each. */
const quickCurve = { people: 256, counts: [8, 64, 256] } as const;
const fullCurve = { people: 640, counts: [8, 16, 32, 64, 128, 256, 512] } as const;

/** The audits that need a database, which stand beside the registry, and run once in a soak too. */
const beside: readonly string[] = [answersAudit, forgeriesAudit, attackAudit, policyAudit].map(
  ({ id }) => id,
);

function chosen(only: string | undefined, isNamed: boolean): readonly string[] {
  const known = [...audits.map(({ id }) => id), ...beside];
  if (only === undefined) return known.filter((id) => isNamed || id !== policyAudit.id);
  const ids = listed(only);
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown === undefined) return ids;
  throw new LetheError("cli.usage", `there is no audit "${unknown}"`, {
    fix: `name some of ${known.join(", ")}`,
  });
}
