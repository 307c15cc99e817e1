import {
  type AttackResult,
  type AuditRow,
  type AuditStep,
  answersAudit,
  attackAudit,
  attackRow,
  audits,
  fullEffort,
  fullRequest,
  quickEffort,
  quickRequest,
  type ReconstructionPoint,
  soakEffort,
  soakSteps,
} from "@lethe/audit";
import { LetheError } from "@lethe/core";
import { auditPolicy, policyAudit } from "./audit-policy.ts";
import { showProgress } from "./progress.ts";

export interface AuditRun {
  /** Ids of audits, with commas; where left out, all that are of Lethe, and of the policy where one was named. */
  readonly only: string | undefined;
  /** Names of subjects or attacks, with commas; all where left out. */
  readonly subjects: string | undefined;
  readonly policy: { readonly path: string; readonly named: boolean };
  readonly quick: boolean;
  /** So many fresh seeds; null for one run. */
  readonly soak: number | null;
  readonly seed: number;
  /** Whether reconstruction is also measured against the number of questions, which only a drawing shows. */
  readonly curve: boolean;
}

/** What the audits came to. */
export interface Audited {
  readonly rows: readonly AuditRow[];
  /** The attacks' own figures, of which some of the rows are made. */
  readonly attacks: readonly AttackResult[];
  readonly curve: readonly ReconstructionPoint[];
}

/** An audit with neither attacks nor curves. */
export function rowsAlone(rows: readonly AuditRow[]): Audited {
  return { rows, attacks: [], curve: [] };
}

interface Step {
  readonly subject: string;
  make(progress: (note: string) => void): Promise<Audited>;
}

/** Everything that was chosen, in order, with progress. Errors: cli.usage. */
export async function runAudits(run: AuditRun): Promise<Audited> {
  const steps = named(await stepsOf(run), run.subjects);
  const done: Audited[] = [];
  const progress = showProgress(steps.length);
  try {
    for (const { subject, make } of steps) {
      progress.at(done.length, subject);
      done.push(await make((note) => progress.at(done.length, `${subject}, ${note}`)));
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
  const names = subjects.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !steps.some(({ subject }) => subject === name));
  if (unknown === undefined) return steps.filter(({ subject }) => names.includes(subject));
  throw new LetheError("cli.usage", `these audits have no subject ${unknown}`, {
    fix: "name some that the table of lethe audit --quick shows",
  });
}

async function stepsOf({ only, policy, quick, soak, seed, curve }: AuditRun): Promise<readonly Step[]> {
  const ids = chosen(only, policy.named);
  const own = audits.filter(({ id }) => ids.includes(id));
  const request = { ...(quick ? quickRequest : fullRequest), seed };
  const one =
    soak === null ? own.flatMap((each) => each.steps(request)).map(plainStep) : soaking(ids, seed, soak);
  const ofPolicy: Step = {
    subject: policy.path,
    make: async () => rowsAlone(await auditPolicy(policy.path)),
  };
  const plain = [...(ids.includes(policyAudit.id) ? [ofPolicy] : []), ...one];
  if (![answersAudit.id, attackAudit.id].some((id) => ids.includes(id))) return plain;
  const { laboratory } = await import("./laboratory.ts");
  const answers = ids.includes(answersAudit.id) ? answersAudit.steps(laboratory, seed).map(plainStep) : [];
  const steps = [...plain, ...answers];
  if (!ids.includes(attackAudit.id)) return steps;
  const effort = soak !== null ? soakEffort : quick ? quickEffort : fullEffort;
  const attacking = attackAudit.steps(laboratory, effort, seed).map(
    ({ subject, make }): Step => ({
      subject,
      async make(progress) {
        const attacks = await make((services) => progress(`services done: ${services}`));
        return { rows: attacks.map(attackRow), attacks, curve: [] };
      },
    }),
  );
  const points = quick ? quickCurve : fullCurve;
  const growing: Step = {
    subject: "reconstruction by questions",
    make: async () => ({
      ...rowsAlone([]),
      curve: await attackAudit.curve(laboratory, { ...effort, trials: points.people }, seed, points.counts),
    }),
  };
  return [...steps, ...attacking, ...(curve ? [growing] : [])];
}

function plainStep({ subject, make }: AuditStep): Step {
  return { subject, make: async () => rowsAlone([await make()]) };
}

/** Those of the chosen audits that draw coins, over so many seeds. */
function soaking(ids: readonly string[], first: number, seeds: number): readonly Step[] {
  const { draws, falseAlarm } = fullRequest;
  return soakSteps({ first, seeds, draws, falseAlarm, spent: secondsOfWork })
    .filter(({ audit }) => ids.includes(audit))
    .map(
      ({ subject, make }): Step => ({
        subject,
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

function chosen(only: string | undefined, isNamed: boolean): readonly string[] {
  const known = [policyAudit.id, ...audits.map(({ id }) => id), answersAudit.id, attackAudit.id];
  if (only === undefined) return known.filter((id) => isNamed || id !== policyAudit.id);
  const ids = only.split(",").map((id) => id.trim());
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown === undefined) return ids;
  throw new LetheError("cli.usage", `there is no audit ${unknown}`, {
    fix: `name some of ${known.join(", ")}`,
  });
}
