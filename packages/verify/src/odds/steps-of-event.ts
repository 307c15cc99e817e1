import { type Adjacency, type Event, parseRational, toDouble } from "@lethe/core";
import type { LossStep } from "./loss-step.ts";
import { listedStep } from "./loss-step.ts";
import {
  keptAlone,
  laplaceStep,
  latticeGaussianStep,
  sampledGaussianStep,
  sampledRoundedStep,
  worstStep,
} from "./noise-steps.ts";

/** What an event runs: Gaussians, whose μ² add up, and all other steps. */
export interface EventSteps {
  readonly muSquared: number;
  readonly others: readonly { readonly step: LossStep; readonly times: number }[];
}

const nothing: EventSteps = { muSquared: 0, others: [] };
const gaussian = (muSquared: number): EventSteps => ({ muSquared, others: [] });
const one = (step: LossStep): EventSteps => ({ muSquared: 0, others: [{ step, times: 1 }] });

/** The steps of an event; null where it has some that are not known here. */
export function stepsOfEvent(event: Event, adjacency: Adjacency): EventSteps | null {
  switch (event.kind) {
    case "constant":
      return nothing;
    case "compose":
      return together(event.events.map((part) => stepsOfEvent(part, adjacency)));
    case "repeat":
      return repeated(stepsOfEvent(event.event, adjacency), number(event.count));
    case "laplace":
      return number(event.l1) === 0 ? nothing : one(laplaceStep(number(event.scale), number(event.l1)));
    case "rounded-gaussian":
      return gaussian(number(event.l2Squared) / number(event.sigma) ** 2);
    case "gaussian":
      return gaussian((number(event.sensitivity) / number(event.sigma)) ** 2);
    case "gaussian-dp":
      return gaussian(number(event.muSquared));
    case "discrete-gaussian": {
      // A vector that moves in several coordinates has no worst pair that is known.
      const step = number(event.l2Squared) === 1 ? latticeGaussianStep(number(event.sigmaSquared)) : null;
      return step && one(step);
    }
    case "pure":
      return one(worstStep(number(event.epsilon), 0));
    case "approximate":
      return one(worstStep(number(event.epsilon), number(event.delta)));
    case "finite-pair":
      return one(
        listedStep(
          event.p.map((p, at) => ({ p: number(p), q: number(event.q[at] ?? "0") })),
          false,
        ),
      );
    case "poisson-sample":
      return sampled(event, adjacency);
    case "select-groups":
      return repeated(selected(event.rule), number(event.groups));
    default:
      return null;
  }
}

type Rule = Extract<Event, { readonly kind: "select-groups" }>["rule"];

/** The selection of one group: that it is kept tells all where a group of one unit is, and else what the rule's noise tells. */
function selected(rule: Rule): EventSteps {
  switch (rule.rule) {
    case "truncated-geometric":
      return one(worstStep(number(rule.epsilon), number(rule.delta)));
    case "laplace-threshold": {
      const scale = number(rule.scale);
      return one(worstStep(1 / scale, keptAlone.laplace(scale, number(rule.threshold))));
    }
    case "gaussian-threshold": {
      const sigma = number(rule.sigma);
      const told = worstStep(0, keptAlone.gaussian(sigma, number(rule.threshold)));
      return { muSquared: 1 / sigma ** 2, others: [{ step: told, times: 1 }] };
    }
  }
}

/** The largest σ at which the outcomes of one rounded number are listed: for a larger one rounding hides nothing to speak of. */
const mostListed = 50;

/** A Gaussian on a sample. Where a unit is replaced, the pair of a sample is not known here. */
function sampled(
  { event, rate: text }: Extract<Event, { readonly kind: "poisson-sample" }>,
  adjacency: Adjacency,
): EventSteps | null {
  const [whole, rate] = [stepsOfEvent(event, adjacency), number(text)];
  if (whole === null || rate === 1 || whole === nothing) return whole;
  if (adjacency !== "add-or-remove-one" || whole.others.length > 0) return null;
  if (event.kind === "rounded-gaussian" && number(event.l2Squared) === 1 && number(event.sigma) <= mostListed)
    return one(sampledRoundedStep(rate, number(event.sigma)));
  return whole.muSquared === 0 ? nothing : one(sampledGaussianStep(rate, Math.sqrt(whole.muSquared)));
}

function repeated(once: EventSteps | null, times: number): EventSteps | null {
  return (
    once && {
      muSquared: once.muSquared * times,
      others: once.others.map((part) => ({ ...part, times: part.times * times })),
    }
  );
}

function together(parts: readonly (EventSteps | null)[]): EventSteps | null {
  const known = parts.filter((part) => part !== null);
  if (known.length < parts.length) return null;
  return {
    muSquared: known.reduce((sum, { muSquared }) => sum + muSquared, 0),
    others: known.flatMap(({ others }) => others),
  };
}

function number(text: string): number {
  return toDouble(parseRational(text), "up");
}
