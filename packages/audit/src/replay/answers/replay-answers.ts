import { canonicalKey } from "@lethe/core/mechanisms";
import { answerDrawing, type Question } from "@lethe/gateway";
import { distanceOf } from "../refuted-claims.ts";
import { movedBeyondPrice } from "../replay-plan.ts";
import { type DrawnPart, inputs } from "./drawn-part.ts";
import { freezeDraws } from "./freeze-draws.ts";
import { type Limit, limitsOf } from "./plans-run.ts";
import { recordDraws } from "./record-draws.ts";
import { type Gateway, type ReplayedHouse, type Run, runScript } from "./run-script.ts";
import { differences } from "./what-leaves.ts";

export interface AnswersReport {
  /** The differences beyond the mechanisms' outputs, and their places; empty where nothing differs. */
  readonly findings: readonly string[];
  /** The ends of the requests on the first database: "answered", or a refusal's code. */
  readonly ended: readonly string[];
  /** The number of mechanisms' outputs that were frozen, and the number of rows that left. */
  readonly draws: number;
  readonly rows: number;
  /** Whether any exact row differs on any neighbour: where none does, the pair says nothing of how far an answer moves. */
  readonly moved: boolean;
}

export interface ReplayAnswersOptions {
  /** The seed of the draws; 1 unless stated. */
  readonly seed?: number;
  /** The gateway that answers; Lethe's own unless stated. */
  readonly gateway?: Gateway;
  /** Whether the first database is replayed on itself too: unless stated it is. */
  readonly itself?: boolean;
}

/**
 * The whole way of questions, from text to signed bytes and the ledger's records, over neighbouring databases: on the first every
 * draw of a mechanism is recorded, on itself and on each other one the same outputs are handed out, whatever the exact rows are.
 * Then all that leaves must be the same, byte by byte; every draw must be asked for with the same parameters; and what the
 * mechanisms were given, like the exact rows themselves, must be no farther apart than the price assumes. Groups that only one of
 * two neighbours has are not kept: that they might be is what selection pays for.
 * The houses must share policy, clock and ledger's key. Findings name parts, never values.
 */
export async function replayAnswers(
  questions: readonly Question[],
  [first, ...others]: readonly [ReplayedHouse, ...ReplayedHouse[]],
  { seed = 1, gateway = answerDrawing, itself = true }: ReplayAnswersOptions = {},
): Promise<AnswersReport> {
  const dropped = new Set<string>();
  for (;;) {
    const recording = recordDraws(seed, dropped);
    const base = { parts: recording.parts, run: await runScript(questions, first, recording.draws, gateway) };
    const findings = [...failures(base.run)];
    let moved = false;
    const before = dropped.size;
    for (const [at, house] of [first, ...others].entries()) {
      if (at === 0 && !itself) continue;
      const frozen = freezeDraws(base.parts);
      const run = await runScript(questions, house, frozen.draws, gateway);
      for (const group of frozen.gone()) dropped.add(group);
      const isSame = numbers(base.run) === numbers(run);
      if (!isSame) moved = true;
      const found = [
        ...frozen.differences,
        ...(frozen.differences.length > 0 ? [] : frozen.unasked()),
        ...differences(base.run.left, run.left),
        ...movements(base, { parts: frozen.parts, run }),
        ...(at === 0 && !isSame ? ["the same rows gave other numbers"] : []),
      ];
      const where = at === 0 ? "not a function of its data and draws" : `neighbour ${at}`;
      findings.push(...new Set(found.map((what) => `${where}: ${what}`)));
    }
    // With what is gone on one of them not kept, once more.
    if (dropped.size === before) return report(base, findings, moved);
  }
}

interface Replayed {
  readonly parts: readonly DrawnPart[];
  readonly run: Run;
}

/** Whether a database can answer must not hang on its rows, and a plan that never runs shows nothing. */
function failures({ left, asPlanned }: Run): string[] {
  const failed = left.said.flatMap((said) =>
    said.kind === "refused" &&
    ["engine.failed", "not coded", "internal.invariant"].includes(`${said.error.code}`)
      ? ["the first database could not answer"]
      : [],
  );
  return [
    ...failed,
    ...(asPlanned ? [] : ["asks the first database for something that no certified plan asks for"]),
  ];
}

function movements(base: Replayed, other: Replayed): string[] {
  const statements =
    `${base.run.statements}` === `${other.run.statements}`
      ? []
      : ["asks the database for more on one neighbour"];
  const exact = base.run.measured.flatMap(({ plan, rows }, at) =>
    movedBeyondPrice(plan, rows, other.run.measured[at]?.rows ?? null),
  );
  // A part of this name is prepared once for each plan that has it.
  const limits = base.run.measured.map(({ plan }) => limitsOf(plan));
  const seen = new Map<string, number>();
  const moved = new Map<string, Limit>();
  const given: string[] = [];
  for (const [at, part] of base.parts.entries()) {
    const nth = seen.get(part.name) ?? 0;
    seen.set(part.name, nth + 1);
    const ofPlan = limits.filter((each) => each.has(part.name))[nth];
    const limit = ofPlan?.get(part.name);
    const neighbour = other.parts[at];
    if (ofPlan === undefined || limit === undefined || neighbour === undefined) continue;
    const [l1, l2Squared] = distanceOf(inputs(part), inputs(neighbour));
    const vector = `${limits.indexOf(ofPlan)} ${limit.vector}`;
    const before = moved.get(vector) ?? { l1: 0n, l2Squared: 0n };
    const now = { vector: limit.vector, l1: before.l1 + l1, l2Squared: before.l2Squared + l2Squared };
    moved.set(vector, now);
    if (now.l1 > limit.l1)
      given.push(`${limit.vector} is given inputs ℓ1 ${now.l1} apart, ${limit.l1} are paid for`);
    if (now.l2Squared > limit.l2Squared)
      given.push(
        `${limit.vector} is given inputs ℓ2² ${now.l2Squared} apart, ${limit.l2Squared} are paid for`,
      );
  }
  return [...statements, ...exact, ...given];
}

/** Returns a text of all exact rows, whatever their order. It is compared here, and never shown. */
function numbers({ measured }: Run): string {
  return measured
    .flatMap(({ rows }) => rows ?? [])
    .map((groups) =>
      groups
        .map(({ key, units, sums }) => `${canonicalKey(key)} ${units} ${sums.join(" ")}`)
        .sort()
        .join("\n"),
    )
    .join("\n\n");
}

function report({ parts, run }: Replayed, findings: readonly string[], moved: boolean): AnswersReport {
  const { said } = run.left;
  const draws = parts.map(({ drawn }) => [...drawn.values()].reduce((sum, each) => sum + each.length, 0));
  const rows = said.map((one) => (one.kind === "answered" ? one.release.rows.length : 0));
  return {
    findings: [...new Set(findings)],
    ended: said.map((one) => (one.kind === "answered" ? one.kind : `${one.error.code}`)),
    draws: draws.reduce((a, b) => a + b, 0),
    rows: rows.reduce((a, b) => a + b, 0),
    moved,
  };
}
