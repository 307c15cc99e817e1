import { verify } from "node:crypto";
import { LetheError } from "@lethe/core";
import { canonicalJson, sha256 } from "@lethe/core/canonical";
import { checkedDomain, type Domain, sizesOf } from "@lethe/learn/synthesis";
import { parseJson } from "@lethe/verify";
import { z } from "zod";
import type { SyntheticTablePlan } from "./plan-table.ts";
import { type SynthesisRelease, synthesisKind } from "./synthesize-table.ts";

const finite = z.number();
const category = z.union([z.string(), finite, z.boolean()]);
const attribute = z.discriminatedUnion("kind", [
  z.object({
    ...{ kind: z.literal("categories"), name: z.string(), nullable: z.boolean() },
    categories: z.array(category),
  }),
  z.object({
    ...{ kind: z.literal("bins"), name: z.string(), nullable: z.boolean(), integer: z.boolean() },
    edges: z.array(finite),
  }),
]);
const releaseShape = z.object({
  version: z.literal(1),
  result: z.object({
    version: z.literal(1),
    merged: z.array(z.array(z.int().min(0)).nullable()),
    measurements: z.array(
      z.object({
        attributes: z.array(z.int().min(0)),
        values: z.array(finite),
        variances: z.union([z.number().positive(), z.array(z.number().positive())]),
      }),
    ),
    residuals: z
      .array(
        z.object({
          attributes: z.array(z.int().min(0)),
          values: z.array(finite),
          variance: z.number().positive(),
        }),
      )
      .optional(),
  }),
  certificate: z.object({
    requestId: z.string(),
    resultHash: z.string(),
    ledger: z.object({ publicKey: z.string() }),
    procedure: z.object({
      kind: z.literal(synthesisKind),
      plan: z.object({
        method: z.enum(["mst", "aim", "residuals", "aim-grem"]),
        source: z.string(),
        domain: z.array(attribute),
        target: z.string().optional(),
      }),
    }),
  }),
  signature: z.string(),
});

/**
 * Reads what lethe synthesize wrote with --release or printed with --format json: that it is whole, is what its certificate names, and that the
 * certificate has the signature of the key in it. Whether the key is an owner's, only the owner says. Errors: release.invalid.
 */
export function readSynthesisRelease(text: string): SynthesisRelease {
  const value = parseJson(text);
  const held = typeof value === "object" && value !== null && "release" in value ? value.release : value;
  if (!isRelease(held)) throw invalid("it does not hold the tables of a synthesis and their certificate");
  demandOwnResult(held);
  const { domain } = synthesisPlanOf(held);
  if (!fits(held, domain)) throw invalid("its tables are not of its plan's columns");
  return held;
}

/** The plan of a release. Errors: release.invalid for a release of something else. */
export function synthesisPlanOf({ certificate }: SynthesisRelease): SyntheticTablePlan {
  const { plan, kind } = certificate.procedure;
  if (kind === synthesisKind && isPlan(plan)) return plan;
  throw invalid("it is not of a synthetic table");
}

function isPlan(plan: object): plan is SyntheticTablePlan {
  return "domain" in plan && "method" in plan && "source" in plan;
}

function isRelease(value: unknown): value is SynthesisRelease {
  return releaseShape.safeParse(value).success;
}

/** Errors: release.invalid. */
function demandOwnResult({ result, certificate, signature }: SynthesisRelease): void {
  if (sha256(canonicalJson(result)) !== certificate.resultHash)
    throw invalid("its tables are not those that its certificate names");
  const signed = Buffer.from(canonicalJson(certificate));
  if (!holds(signed, certificate.ledger.publicKey, signature))
    throw invalid("its signature is not of its certificate");
}

function holds(signed: Buffer, publicKey: string, signature: string): boolean {
  try {
    return verify(null, signed, publicKey, Buffer.from(signature, "hex"));
  } catch {
    return false;
  }
}

/** Whether every value has its place, and every table a number for each of its cells. */
function fits({ result }: SynthesisRelease, domain: Domain): boolean {
  try {
    checkedDomain(domain);
  } catch {
    return false;
  }
  const sizes = sizesOf(domain);
  const { merged, measurements, residuals = [] } = result;
  if (merged.length !== sizes.length || measurements.length === 0) return false;
  const counted = merged.map((places, at) => (places === null ? (sizes[at] ?? 0) : new Set(places).size));
  const whole = merged.every(
    (places, at) =>
      places === null || (places.length === sizes[at] && places.every((place) => place < (counted[at] ?? 0))),
  );
  const rising = (attributes: readonly number[]): boolean =>
    attributes.length >= 1 &&
    attributes.every((each, at) => each < sizes.length && each > (attributes[at - 1] ?? -1));
  const cellsOf = (attributes: readonly number[], less: number): number =>
    attributes.reduce((product, each) => product * ((counted[each] ?? 0) - less), 1);
  return (
    whole &&
    measurements.every(({ attributes, values, variances }) => {
      const cells = cellsOf(attributes, 0);
      const known = typeof variances === "number" || variances.length === cells;
      return rising(attributes) && values.length === cells && known;
    }) &&
    // A contrast for every value but one of each attribute.
    residuals.every(
      ({ attributes, values }) =>
        rising(attributes) && values.length >= 1 && values.length === cellsOf(attributes, 1),
    )
  );
}

function invalid(why: string): LetheError {
  return new LetheError("release.invalid", `this is no release of a synthetic table: ${why}`, {
    fix: "give the file that lethe synthesize --release wrote, unchanged",
  });
}
