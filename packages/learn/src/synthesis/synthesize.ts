import { tableSensitivity } from "@lethe/core/mechanisms";
import { runAim, type SynthesisRound } from "./aim/index.ts";
import { runMst } from "./mst/index.ts";
import type { Learned, SynthesisPlan } from "./plan/index.ts";
import { runResiduals } from "./residuals/index.ts";
import type { MarginalSource } from "./source/index.ts";

export type { SynthesisRound };

/**
 * Runs a plan that was charged, over a source of its session. Everything that it returns follows from noisy answers.
 * Errors: those of the source.
 */
export async function synthesize(
  plan: SynthesisPlan,
  source: MarginalSource,
  progress?: (round: SynthesisRound) => void,
): Promise<Learned> {
  const { method, session, stages, modelBytes } = plan;
  if (method === "mst") return runMst(stages, source);
  if (method === "residuals") return runResiduals(stages, source);
  const { l2Squared } = tableSensitivity(session.adjacency, session.rowsPerUnit);
  return runAim(stages, source, {
    ...{ measure: session.measure, l2Squared, modelBytes },
    ...(progress ? { progress } : {}),
  });
}
