import type { ConvexModel, ConvexPlan } from "../convex/convex.ts";
import { convexModel, convexPlan } from "../convex/convex-shape.ts";
import { event, loss } from "../format/core-texts.ts";
import { parseJson } from "../format/parse-json.ts";
import { chargeMembers, laterMembers, shaped, signature } from "../format/release-shape.ts";
import { extended, literal, Misshapen, matching, object, type Read, sha256Text } from "../format/shape.ts";
import type { BoostedModel, BoostingPlan } from "./boosting.ts";
import { boostedModel, boostingPlan } from "./boosting-shape.ts";
import type { NetworkModel, NetworkPlan } from "./network.ts";
import { networkModel, networkPlan } from "./network-shape.ts";
import type { ProcedurePlan, ProcedureRelease, ReadProcedure } from "./procedure.ts";
import type { ReleasedTables, SynthesisPlan } from "./synthesis.ts";
import { releasedTables, synthesisPlan } from "./synthesis-shape.ts";

/** The plans and results that this version knows, by kind. */
const kinds: Readonly<
  Record<string, { readonly plan: Read<ProcedurePlan>; readonly result: Read<unknown> }>
> = {
  boosting: { plan: boostingPlan, result: boostedModel },
  convex: { plan: convexPlan, result: convexModel },
  network: { plan: networkPlan, result: networkModel },
  synthesis: { plan: synthesisPlan, result: releasedTables },
};

/** A plan of a kind that this version does not know: its event alone is read, and all else is kept as it is. */
const unknownPlan: Read<ProcedurePlan> = (value, path) => {
  if (typeof value !== "object" || value === null || !("event" in value))
    throw new Misshapen(path, "an object with an event");
  return { ...value, event: event(value.event, `${path}.event`) };
};
const anything: Read<unknown> = (value) => value;

/** Whether JSON claims to be the release of a procedure. */
function isProcedure(json: unknown): json is { readonly certificate: object } {
  return (
    typeof json === "object" &&
    json !== null &&
    "certificate" in json &&
    typeof json.certificate === "object" &&
    json.certificate !== null &&
    "procedure" in json.certificate
  );
}

/** Reads the release of a procedure; null for text that claims to be something else. Errors: release.invalid. */
export function readProcedure(text: string): ReadProcedure | null {
  const json = parseJson(text);
  if (!isProcedure(json)) return null;
  return shaped(() => ({ release: procedureRelease(json, ""), signed: json.certificate }));
}

/** Plan and tables, where a procedure is a synthesis: both were read as such. */
export function asSynthesis({ result, certificate }: ProcedureRelease): {
  readonly plan: SynthesisPlan;
  readonly tables: ReleasedTables;
} | null {
  const { kind, plan } = certificate.procedure;
  if (kind !== "synthesis") return null;
  const path = ".certificate.procedure.plan";
  return { plan: synthesisPlan(plan, path), tables: releasedTables(result, ".result") };
}

/** Plan and model, where a procedure is a boosting: both were read as such. */
export function asBoosting({ result, certificate }: ProcedureRelease): {
  readonly plan: BoostingPlan;
  readonly model: BoostedModel;
} | null {
  const { kind, plan } = certificate.procedure;
  if (kind !== "boosting") return null;
  return { plan: boostingPlan(plan, ".certificate.procedure.plan"), model: boostedModel(result, ".result") };
}

/** Plan and network, where a procedure is the training of one: both were read as such. */
export function asNetwork({ result, certificate }: ProcedureRelease): {
  readonly plan: NetworkPlan;
  readonly model: NetworkModel;
} | null {
  const { kind, plan } = certificate.procedure;
  if (kind !== "network") return null;
  return { plan: networkPlan(plan, ".certificate.procedure.plan"), model: networkModel(result, ".result") };
}

/** Plan and model, where a procedure is the training of a convex model: both were read as such. */
export function asConvex({ result, certificate }: ProcedureRelease): {
  readonly plan: ConvexPlan;
  readonly model: ConvexModel;
} | null {
  const { kind, plan } = certificate.procedure;
  if (kind !== "convex") return null;
  return { plan: convexPlan(plan, ".certificate.procedure.plan"), model: convexModel(result, ".result") };
}

/** Reads the release of a procedure, and of the kinds that this version knows all that its plan and its result hold. */
const procedureRelease: Read<ProcedureRelease> = (value, path) => {
  const known = kinds[kindOf(value)];
  const { confidence: _, ...members } = chargeMembers;
  return object({
    version: literal(1),
    result: known?.result ?? anything,
    certificate: extended(
      {
        ...members,
        procedure: object({
          version: literal(1),
          kind: matching(/^[a-z][a-z-]{0,40}$/, "a short name"),
          policyHash: sha256Text,
          plan: known?.plan ?? unknownPlan,
          price: loss,
        }),
        resultHash: sha256Text,
      },
      laterMembers,
    ),
    signature,
  })(value, path);
};

function kindOf(json: unknown): string {
  if (!isProcedure(json) || !("procedure" in json.certificate)) return "";
  const { procedure } = json.certificate;
  if (typeof procedure !== "object" || procedure === null || !("kind" in procedure)) return "";
  return typeof procedure.kind === "string" && Object.hasOwn(kinds, procedure.kind) ? procedure.kind : "";
}
