import { invalidParameter, parseRational } from "@lethe/core";
import { canonicalJson } from "@lethe/core/canonical";
import {
  exponentialFor,
  type Noise,
  noiseEvent,
  noiseSampler,
  permuteAndFlipFor,
  type QuantileSetting,
  quantileEvent,
  releaseQuantile,
  reportNoisyMaxFor,
  type ScoreSensitivity,
  type Sensitivity,
  type SparseVectorAnswer,
  type SparseVectorQuestion,
} from "@lethe/core/mechanisms";
import type { MechanismCall } from "./recorded-call.ts";
import type { SparseConversations, SparseRequest } from "./sparse-conversations.ts";

/** A private choice by scores. */
export interface ChoiceRequest extends ScoreSensitivity {
  readonly mechanism: "exponential" | "permute-and-flip" | "report-noisy-max";
  /** Exact text. */
  readonly epsilon: string;
}

/** The mechanisms that a function under audit may call on its data: the only way to something that may leave. Arguments are plain data. */
export interface Mechanisms {
  /** Returns each value plus its own draw of the noise; neighbours move the values by at most the sensitivity. */
  addNoise(values: readonly bigint[], noise: Noise, sensitivity: Sensitivity): bigint[];
  /** Returns the index of the chosen candidate. */
  choose(scores: readonly bigint[], request: ChoiceRequest): number;
  /** Returns a number of the range near the quantile of a person's rows: all of them, unclamped. */
  quantile(values: readonly bigint[], setting: QuantileSetting): bigint;
  /** Opens and pays for a sparse vector, and returns its number, by which {@link askSparseVector} asks it. */
  openSparseVector(request: SparseRequest): number;
  /** Returns whether the value is above the threshold, 0 unless stated, and a noisy number where one is paid for. */
  askSparseVector(opened: number, question: SparseVectorQuestion): SparseVectorAnswer;
}

type Calls = {
  readonly [M in keyof Mechanisms]: (
    run: SparseConversations,
    ...args: Parameters<Mechanisms[M]>
  ) => MechanismCall;
};

const choosers = {
  exponential: exponentialFor,
  "permute-and-flip": permuteAndFlipFor,
  "report-noisy-max": reportNoisyMaxFor,
} as const;

/** Every mechanism by the name of its method. A new one is a method of {@link Mechanisms} and an entry here. */
const calls: Calls = {
  addNoise: (_run, values, noise, sensitivity) => ({
    mechanism: noise.mechanism,
    parameters: canonicalJson({ noise, sensitivity, length: values.length }),
    event: noiseEvent(noise, sensitivity),
    inputs: integers(values),
    limits: { l1: sensitivity.l1, l2Squared: sensitivity.l2Squared },
    draw(bits) {
      const sampler = noiseSampler(noise);
      return values.map((value) => value + sampler.sample(bits));
    },
  }),
  choose(_run, scores, { mechanism, epsilon, sensitivity, monotone = false }) {
    if (!Object.hasOwn(choosers, mechanism)) {
      throw invalidParameter("mechanism", mechanism, `one of ${Object.keys(choosers).join(", ")}`);
    }
    const chooser = choosers[mechanism]({ epsilon: parseRational(epsilon), sensitivity, monotone });
    return {
      mechanism,
      parameters: canonicalJson({ epsilon, sensitivity, monotone, length: scores.length }),
      event: chooser.event,
      inputs: integers(scores),
      limits: { max: sensitivity, range: monotone ? sensitivity : 2n * sensitivity },
      draw: (bits) => chooser.choose(scores, bits),
    };
  },
  quantile: (_run, values, setting) => ({
    mechanism: "quantile",
    parameters: canonicalJson({ ...setting }),
    event: quantileEvent(setting),
    inputs: integers(values),
    limits: { rows: { most: setting.rows ?? 1n, adjacency: setting.adjacency } },
    draw: (bits) => releaseQuantile(setting, values, bits),
  }),
  openSparseVector: (run, request) => run.open(request),
  askSparseVector: (run, opened, question) => run.ask(opened, question),
};

function integers(values: readonly bigint[]): readonly bigint[] {
  if (!(Array.isArray(values) && values.every((value) => typeof value === "bigint"))) {
    throw invalidParameter("inputs", "others", "a list of integers (bigint)");
  }
  return [...values];
}

/** The call that a method's name and arguments mean, in a run with its conversations. Errors: parameter.invalid, mechanism.spent. */
export function callOf(method: string, args: readonly unknown[], run: SparseConversations): MechanismCall {
  if (!Object.hasOwn(calls, method)) {
    throw invalidParameter("mechanism", method, `one of ${Object.keys(calls).join(", ")}`);
  }
  const call = calls[method as keyof Calls] as (
    of: SparseConversations,
    ...all: readonly unknown[]
  ) => MechanismCall;
  return call(run, ...args);
}

export const methods: readonly (keyof Mechanisms)[] = Object.keys(calls) as (keyof Mechanisms)[];
