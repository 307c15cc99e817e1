import {
  type BitSource,
  canonicalJson,
  type Event,
  exponentialFor,
  invalidParameter,
  type Noise,
  noiseEvent,
  noiseSampler,
  parseRational,
  permuteAndFlipFor,
  reportNoisyMaxFor,
  type ScoreSensitivity,
  type Sensitivity,
} from "@lethe/core";

/** How far inputs may move between neighbours, as the caller declared it; a norm that is left out is not bounded. */
export interface Limits {
  readonly l1?: bigint;
  readonly l2Squared?: bigint;
  /** The most that one input moves. */
  readonly max?: bigint;
  /** The most that a difference of two inputs moves. */
  readonly range?: bigint;
}

/** One call of a mechanism: all that is public, the inputs that are not, and the draw. */
export interface MechanismCall {
  readonly mechanism: string;
  /** Everything but the inputs, as one text. */
  readonly parameters: string;
  readonly event: Event;
  readonly inputs: readonly bigint[];
  readonly limits: Limits;
  draw(bits: BitSource): unknown;
}

/** A private choice by scores. */
export interface ChoiceRequest extends ScoreSensitivity {
  readonly mechanism: "exponential" | "permute-and-flip" | "report-noisy-max";
  /** Exact text. */
  readonly epsilon: string;
}

/** What a function under audit may ask of its data: the only way to something that may leave. Arguments are plain data. */
export interface Mechanisms {
  /** Each value plus its own draw of the noise; neighbours move the values by at most the sensitivity. */
  addNoise(values: readonly bigint[], noise: Noise, sensitivity: Sensitivity): bigint[];
  /** The index of the chosen candidate. */
  choose(scores: readonly bigint[], request: ChoiceRequest): number;
}

type Calls = { readonly [M in keyof Mechanisms]: (...args: Parameters<Mechanisms[M]>) => MechanismCall };

const choosers = {
  exponential: exponentialFor,
  "permute-and-flip": permuteAndFlipFor,
  "report-noisy-max": reportNoisyMaxFor,
} as const;

/** Every mechanism by the name of its method. A new one is a method of {@link Mechanisms} and an entry here. */
const calls: Calls = {
  addNoise: (values, noise, sensitivity) => ({
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
  choose(scores, { mechanism, epsilon, sensitivity, monotone = false }) {
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
};

function integers(values: readonly bigint[]): readonly bigint[] {
  if (!(Array.isArray(values) && values.every((value) => typeof value === "bigint"))) {
    throw invalidParameter("inputs", "others", "a list of integers (bigint)");
  }
  return [...values];
}

/** The call that a method's name and arguments mean. Errors: parameter.invalid. */
export function callOf(method: string, args: readonly unknown[]): MechanismCall {
  if (!Object.hasOwn(calls, method)) {
    throw invalidParameter("mechanism", method, `one of ${Object.keys(calls).join(", ")}`);
  }
  return (calls[method as keyof Calls] as (...all: readonly unknown[]) => MechanismCall)(...args);
}

export const methods: readonly (keyof Mechanisms)[] = Object.keys(calls) as (keyof Mechanisms)[];
