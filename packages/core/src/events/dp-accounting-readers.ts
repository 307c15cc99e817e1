import { invalidParameter, LetheError } from "../errors/lethe-error.ts";
import type { Adjacency } from "../losses/measures/adjacency.ts";
import {
  add,
  ceil,
  compare,
  divide,
  multiply,
  one,
  type Rational,
  ratio,
  subtract,
  toText,
  zero,
} from "../numeric/rational.ts";
import { count, type Fields, number, numbers, positive, weightsOfSum1 } from "./dp-accounting-fields.ts";
import { negativeBinomialStop } from "./negative-binomial-stop.ts";
import { treeHeight } from "./tree-aggregation-event.ts";

/** The reader of one class: its fields in their order of declaration, and its meaning under an adjacency as an event. */
export interface Reader {
  readonly fields: readonly string[];
  /** `sensitivity` is how far the sum of one record's value of norm 1 moves between neighbours. */
  read(fields: Fields, context: Context): unknown;
}

export interface Context {
  readonly adjacency: Adjacency;
  child(json: unknown, adjacency: Adjacency): unknown;
}

/** A sum of values of norm ≤ 1 moves by 1 when a value comes or goes, by 2 when one replaces another. */
const reach: Readonly<Record<Adjacency, bigint>> = { "add-or-remove-one": 1n, "replace-one": 2n };

const constant = { kind: "constant", version: 1 };

function refused(className: string, why: string, fix: string): LetheError {
  return new LetheError("account.unprovable", `${className}: ${why}`, { fix, fields: { event: className } });
}

function gaussian(sigma: Rational, sensitivity: Rational): unknown {
  return { kind: "gaussian", version: 1, sigma: toText(sigma), sensitivity: toText(sensitivity) };
}

function repeated(event: unknown, times: bigint): unknown {
  return times === 0n ? constant : { kind: "repeat", version: 1, count: times.toString(), event };
}

/** Every class of dp_accounting 0.6 and of its repository since. A class that is not here is refused. */
export const readers: Readonly<Record<string, Reader>> = {
  NoOpDpEvent: { fields: [], read: () => constant },
  NonPrivateDpEvent: {
    fields: [],
    read() {
      throw refused(
        "NonPrivateDpEvent",
        "an answer without privacy has no finite loss",
        "take it out of the account",
      );
    },
  },
  UnsupportedDpEvent: {
    fields: [],
    read() {
      throw refused("UnsupportedDpEvent", "nothing is known of its loss", "record what was run");
    },
  },
  GaussianDpEvent: {
    fields: ["noise_multiplier"],
    read: (fields, { adjacency }) => gaussian(positive(fields, "noise_multiplier"), ratio(reach[adjacency])),
  },
  LaplaceDpEvent: {
    fields: ["noise_multiplier"],
    // A vector of ℓ1 norm 1 is no worse than one number: ../mechanisms/ideal/ideal.proof.md
    read: (fields, { adjacency }) => ({
      kind: "continuous-laplace",
      version: 1,
      scale: toText(positive(fields, "noise_multiplier")),
      sensitivity: reach[adjacency].toString(),
    }),
  },
  DiscreteLaplaceDpEvent: {
    fields: ["noise_parameter", "sensitivity"],
    read: (fields, { adjacency }) => ({
      kind: "laplace",
      version: 1,
      scale: toText(divide(one, positive(fields, "noise_parameter"))),
      l1: (reach[adjacency] * count(fields.sensitivity, "sensitivity")).toString(),
    }),
  },
  DiscreteGaussianDpEvent: {
    fields: ["sigma", "sensitivity", "dimension"],
    read(fields, { adjacency }) {
      const sigma = positive(fields, "sigma");
      const moved = multiply(
        fields.sensitivity === undefined ? one : positive(fields, "sensitivity"),
        ratio(reach[adjacency]),
      );
      return {
        kind: "discrete-gaussian",
        version: 1,
        sigmaSquared: toText(multiply(sigma, sigma)),
        l2Squared: ceil(multiply(moved, moved)).toString(),
      };
    },
  },
  EpsilonDeltaDpEvent: {
    fields: ["epsilon", "delta"],
    read: (fields) => ({
      kind: "approximate",
      version: 1,
      epsilon: toText(number(fields, "epsilon")),
      delta: toText(number(fields, "delta")),
    }),
  },
  ZCDpEvent: {
    fields: ["rho", "xi"],
    // D_α ≤ ξ + ρα ≤ (ξ + ρ)α for every α ≥ 1.
    read(fields) {
      const xi = fields.xi === undefined ? zero : number(fields, "xi");
      const rho = number(fields, "rho");
      if (!(compare(xi, zero) >= 0)) throw invalidParameter("xi", fields.xi, "≥ 0");
      if (!(compare(rho, zero) >= 0)) throw invalidParameter("rho", fields.rho, "≥ 0");
      return { kind: "zcdp", version: 1, rho: toText(add(rho, xi)) };
    },
  },
  ExponentialMechanismDpEvent: {
    fields: ["epsilon"],
    read: (fields) => ({
      kind: "bounded-range",
      version: 1,
      epsilon: toText(number(fields, "epsilon")),
      of: "exponential-mechanism",
    }),
  },
  PermuteAndFlipDpEvent: {
    fields: ["epsilon"],
    read: (fields) => ({
      kind: "pure",
      version: 1,
      epsilon: toText(number(fields, "epsilon")),
      of: "permute-and-flip",
    }),
  },
  RandomizedResponseDpEvent: {
    fields: ["noise_parameter", "num_buckets"],
    read(fields, { adjacency }) {
      const noise = number(fields, "noise_parameter");
      const buckets = count(fields.num_buckets, "num_buckets", 1);
      if (!(compare(noise, zero) >= 0 && compare(noise, one) <= 0)) {
        throw invalidParameter("noise_parameter", fields.noise_parameter, "at least 0 and at most 1");
      }
      if (adjacency !== "replace-one") {
        throw refused(
          "RandomizedResponseDpEvent",
          "its neighbours give another answer, they do not leave",
          "account it under replace-one",
        );
      }
      if (buckets === 1n) return constant;
      if (noise.num === 0n) {
        throw refused(
          "RandomizedResponseDpEvent",
          "without noise it has no finite loss",
          "give noise_parameter > 0",
        );
      }
      const other = divide(noise, ratio(buckets));
      const own = add(subtract(one, noise), other);
      const rest = buckets === 2n ? [] : [toText(multiply(other, ratio(buckets - 2n)))];
      return {
        kind: "finite-pair",
        version: 1,
        p: [toText(own), toText(other), ...rest],
        q: [toText(other), toText(own), ...rest],
        of: "randomized-response",
      };
    },
  },
  ComposedDpEvent: {
    fields: ["events"],
    read(fields, { adjacency, child }) {
      if (!Array.isArray(fields.events)) throw invalidParameter("events", fields.events, "a list of events");
      return { kind: "compose", version: 1, events: fields.events.map((each) => child(each, adjacency)) };
    },
  },
  SelfComposedDpEvent: {
    fields: ["event", "count"],
    read: (fields, { adjacency, child }) =>
      repeated(child(fields.event, adjacency), count(fields.count, "count")),
  },
  PoissonSampledDpEvent: {
    fields: ["sampling_probability", "event"],
    read: (fields, { child }) => ({
      kind: "poisson-sample",
      version: 1,
      rate: toText(number(fields, "sampling_probability")),
      event: child(fields.event, "add-or-remove-one"),
    }),
  },
  SampledWithReplacementDpEvent: {
    fields: ["source_dataset_size", "sample_size", "event"],
    read() {
      throw refused(
        "SampledWithReplacementDpEvent",
        "a record drawn twice is a group of itself, and no theorem here covers it",
        "sample without replacement, or by Poisson",
      );
    },
  },
  SampledWithoutReplacementDpEvent: {
    fields: ["source_dataset_size", "sample_size", "event"],
    read: (fields, { child }) => ({
      kind: "sample-without-replacement",
      version: 1,
      population: count(fields.source_dataset_size, "source_dataset_size", 1).toString(),
      sample: count(fields.sample_size, "sample_size", 1).toString(),
      event: child(fields.event, "replace-one"),
    }),
  },
  SingleEpochTreeAggregationDpEvent: {
    fields: ["noise_multiplier", "step_counts"],
    read(fields, { adjacency }) {
      const steps = Array.isArray(fields.step_counts) ? fields.step_counts : [fields.step_counts];
      const heights = steps.map((each) => treeHeight(Number(count(each, "step_counts", 1))));
      if (heights.length === 0) throw invalidParameter("step_counts", "an empty list", "one tree or more");
      const node = gaussian(positive(fields, "noise_multiplier"), ratio(reach[adjacency]));
      return repeated(node, BigInt(Math.max(...heights)));
    },
  },
  RepeatAndSelectDpEvent: {
    fields: ["event", "mean", "shape"],
    read(fields, { adjacency, child }) {
      const event = child(fields.event, adjacency);
      const mean = number(fields, "mean");
      if (!(compare(mean, one) >= 0)) throw invalidParameter("mean", fields.mean, "≥ 1");
      if (fields.shape === Number.POSITIVE_INFINITY || fields.shape === "Infinity") {
        const trials = { law: "poisson", mean: toText(mean) };
        return { kind: "repeat-and-select", version: 1, trials, event };
      }
      const shape = number(fields, "shape");
      if (!(compare(shape, zero) >= 0)) throw invalidParameter("shape", fields.shape, "≥ 0");
      if (compare(mean, one) === 0) return event;
      const stop = toText(negativeBinomialStop(shape, mean));
      const trials = { law: "negative-binomial", shape: toText(shape), stop };
      return { kind: "repeat-and-select", version: 1, trials, event };
    },
  },
  MixtureOfGaussiansDpEvent: {
    fields: ["standard_deviation", "sensitivities", "sampling_probs"],
    read(fields, { adjacency }) {
      const sigma = positive(fields, "standard_deviation");
      const moves = numbers(fields, "sensitivities");
      const shifts = moves.filter(({ num }) => num !== 0n);
      const [shift] = shifts;
      const weights = weightsOfSum1(numbers(fields, "sampling_probs"), moves);
      if (shift === undefined) return constant;
      if (adjacency !== "add-or-remove-one") {
        throw refused(
          "MixtureOfGaussiansDpEvent",
          "its neighbours have one record more, they do not replace one",
          "account it under add-or-remove-one",
        );
      }
      if (shifts.some(({ num }) => num > 0n) && shifts.some(({ num }) => num < 0n)) {
        throw refused(
          "MixtureOfGaussiansDpEvent",
          "its moves go both ways, of which their sizes alone are known here",
          "give the sizes of the moves, which is no less",
        );
      }
      if (shifts.length > 1) {
        const size = (move: Rational): string => toText(move.num < 0n ? subtract(zero, move) : move);
        const drawn = moves.map((move, i) => ({ weight: toText(weights[i] as Rational), move: size(move) }));
        return { kind: "gaussian-mixture", version: 1, sigma: toText(sigma), moves: drawn };
      }
      const size = shift.num < 0n ? subtract(zero, shift) : shift;
      const rate = toText(weights[moves.indexOf(shift)] as Rational);
      return { kind: "poisson-sample", version: 1, rate, event: gaussian(sigma, size) };
    },
  },
  TruncatedSubsampledGaussianDpEvent: {
    fields: ["dataset_size", "sampling_probability", "truncated_batch_size", "noise_multiplier"],
    read(fields) {
      const population = count(fields.dataset_size, "dataset_size");
      const limit = count(fields.truncated_batch_size, "truncated_batch_size");
      const rate = number(fields, "sampling_probability");
      if (population === 0n || limit === 0n || rate.num === 0n) return constant;
      return {
        kind: "truncated-poisson-sample",
        version: 1,
        rate: toText(rate),
        population: population.toString(),
        limit: (limit < population ? limit : population).toString(),
        event: gaussian(positive(fields, "noise_multiplier"), one),
      };
    },
  },
};
