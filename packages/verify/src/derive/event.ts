import { type Event, parseRational, toText } from "@lethe/core";
import { canonicalJson } from "@lethe/core/canonical";
import type { Noise } from "@lethe/core/mechanisms";
import type { Plan } from "@lethe/query";
import { drawnOnce } from "../together/drawn-once.ts";
import { groupsTouched } from "./sensitivity.ts";

/** The mechanisms that were run, each as a text with its numbers in lowest terms, and how often each was. */
export type Tally = ReadonlyMap<string, bigint>;

const lowest = (text: string): string => toText(parseRational(text));

/** Counts the mechanisms that an event says were run, which are its leaves. Constants are left out, for they cost nothing. */
export function tallyOfEvent(event: Event): Tally {
  const tally = new Map<string, bigint>();
  const visit = (part: Event, times: bigint): void => {
    switch (part.kind) {
      case "compose":
        for (const child of part.events) visit(child, times);
        return;
      case "repeat":
        visit(part.event, times * BigInt(parseRational(part.count).num));
        return;
      case "constant":
        return;
      case "laplace":
      case "rounded-gaussian":
      case "discrete-gaussian":
      case "select-groups":
        count(tally, leaf(part), times);
        return;
      default:
        count(tally, `${part.kind} ${canonicalJson(part)}`, times);
    }
  };
  visit(event, 1n);
  return tally;
}

/** Counts the mechanisms that the plan's measurements and keys mean; where bounds are learned, its stages and the noises as they are priced. */
export function tallyOfPlan(plan: Plan): Tally {
  const tally = new Map<string, bigint>();
  const { learned } = plan;
  const listed = learned
    ? [...learned.stages, ...learned.nominal]
    : [
        ...drawnOnce(plan.measurements, plan),
        ...(plan.trees ?? []),
        ...(plan.totals ?? []).flatMap(({ measurements }) => measurements),
      ];
  for (const { noise, l1, l2Squared } of listed) {
    const event = eventOfNoise(noise, l1, l2Squared);
    if (event) count(tally, leaf(event), 1n);
  }
  const { program } = plan.keys;
  if (program.kind === "private") {
    const groups = groupsTouched(plan).toString();
    count(tally, leaf({ kind: "select-groups", version: 1, rule: program.rule, groups }), 1n);
  }
  return tally;
}

/** The events that a plan can run. Any other event is named by its whole text, which no plan derives, so it never fits one. */
type Leaf = Extract<
  Event,
  { readonly kind: "laplace" | "rounded-gaussian" | "discrete-gaussian" | "select-groups" }
>;

function eventOfNoise(noise: Noise, l1: string, l2Squared: string): Leaf | null {
  switch (noise.mechanism) {
    case "discrete-laplace@1":
      return { kind: "laplace", version: 1, scale: noise.scale, l1 };
    case "rounded-gaussian@1":
      return { kind: "rounded-gaussian", version: 1, sigma: noise.sigma, l2Squared };
    case "discrete-gaussian@1":
      return { kind: "discrete-gaussian", version: 1, sigmaSquared: noise.sigmaSquared, l2Squared };
    case "constant@1":
      return null;
  }
}

function leaf(event: Leaf): string {
  switch (event.kind) {
    case "laplace":
      return `laplace noise of scale ${lowest(event.scale)} at ℓ1 ${lowest(event.l1)}`;
    case "rounded-gaussian":
      return `rounded Gaussian noise of σ ${lowest(event.sigma)} at ℓ2² ${lowest(event.l2Squared)}`;
    case "discrete-gaussian":
      return `discrete Gaussian noise of σ² ${lowest(event.sigmaSquared)} at ℓ2² ${lowest(event.l2Squared)}`;
    case "select-groups": {
      const { rule, minUnits = "1", ...numbers } = event.rule;
      const parameters = Object.entries(numbers).map(([name, text]) => `${name} ${lowest(text)}`);
      return `selection by ${rule} (${parameters.sort().join(", ")}, from ${lowest(minUnits)} units) over ${lowest(event.groups)} groups a unit`;
    }
  }
}

function count(tally: Map<string, bigint>, name: string, times: bigint): void {
  tally.set(name, (tally.get(name) ?? 0n) + times);
}

/** Returns every difference of two tallies, in words; empty when they are equal. */
export function differences(stated: Tally, derived: Tally): readonly string[] {
  return [...new Set([...stated.keys(), ...derived.keys()])]
    .filter((name) => stated.get(name) !== derived.get(name))
    .map(
      (name) => `${name}: stated ${stated.get(name) ?? 0n} times, derived ${derived.get(name) ?? 0n} times`,
    );
}
