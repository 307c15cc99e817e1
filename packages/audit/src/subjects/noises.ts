import { ratio } from "@lethe/core";
import {
  boundedGeometric,
  boundedGeometricEvent,
  boundedGeometricFor,
  type Noise,
  noiseEvent,
  noiseSampler,
  type Sensitivity,
} from "@lethe/core/mechanisms";
import { multiply } from "@lethe/core/numeric";
import type { NoisePaths } from "../enumerate/enumerate-noise.ts";
import { paired } from "../paired.ts";
import type { Enclosure } from "../verify/hockey-stick.ts";
import {
  discreteGaussianMass,
  discreteLaplaceMass,
  type Mass,
  roundedGaussianMass,
} from "../verify/masses.ts";
import { type CoreSubject, coreSubject } from "./core-subject.ts";
import { nameOf, whole } from "./laws/law.ts";
import { clampedLaplace, hasMass, multisets } from "./laws/noise-laws.ts";
import { measuredIntegers } from "./measured-integers.ts";

/** Far enough out that what is left weighs nothing beside any claim. */
const reach = 48n;

/** The law of one number plus noise, from the noise's definition. */
function shiftedLaw(mass: Mass): (values: readonly bigint[]) => NoisePaths {
  return ([value = 0n]) => {
    const masses = new Map<string, Enclosure>();
    for (let z = -reach; z <= reach; z += 1n) masses.set(z.toString(), mass.at(z - value));
    return { masses, residual: mass.beyond(reach - (value < 0n ? -value : value)) };
  };
}

function noise(
  id: string,
  each: Noise,
  mass: Mass,
  shift: readonly bigint[],
  law: (values: readonly bigint[]) => NoisePaths,
): CoreSubject {
  return coreSubject<readonly bigint[]>(id, () => {
    const sampler = noiseSampler(each);
    const reachable = hasMass(mass);
    return {
      event: noiseEvent(each, sensitivityOf(shift)),
      neighbours: [[shift.map(() => 0n), shift]],
      run: (values, bits) => values.map((value) => value + sampler.sample(bits)),
      law,
      canGive: (values, output) =>
        output.length === values.length &&
        paired(output, values).every(([part, value]) => typeof part === "bigint" && reachable(part - value)),
      // Each draw is alike, so their order says nothing.
      nameOf: (output) => nameOf([...(output as bigint[])].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))),
    };
  });
}

function sensitivityOf(shift: readonly bigint[]): Sensitivity {
  return {
    l1: shift.reduce((a, b) => a + b, 0n),
    l2Squared: shift.reduce((a, b) => a + b * b, 0n),
  };
}

const laplaceMass = discreteLaplaceMass(ratio(1n));
const roundedMass = roundedGaussianMass(ratio(2n));
const roundedVectorMass = roundedGaussianMass(ratio(3n, 2n));
const discreteMass = discreteGaussianMass(ratio(4n));

/** Noise on integers. */
export const noiseSubjects: readonly CoreSubject[] = [
  noise(
    "discrete-laplace",
    { mechanism: "discrete-laplace@1", scale: "1" },
    laplaceMass,
    [1n],
    shiftedLaw(laplaceMass),
  ),
  measuredIntegers<readonly bigint[]>("discrete-laplace-vector", () => {
    const each = { mechanism: "discrete-laplace@1", scale: "7/3" } as const;
    const sampler = noiseSampler(each);
    return {
      event: noiseEvent(each, sensitivityOf([3n, 1n])),
      scale: ratio(7n, 3n),
      neighbours: [
        [
          [0n, 0n],
          [3n, 1n],
        ],
      ],
      measured: (values) => values,
      run: (values, bits) => values.map((value) => value + sampler.sample(bits)),
    };
  }),
  noise(
    "rounded-gaussian",
    { mechanism: "rounded-gaussian@1", sigma: "2" },
    roundedMass,
    [2n],
    shiftedLaw(roundedMass),
  ),
  noise(
    "rounded-gaussian-vector",
    { mechanism: "rounded-gaussian@1", sigma: "3/2" },
    roundedVectorMass,
    [1n, 1n, 1n],
    ([value = 0n]) => {
      const far = 12n;
      // One of three draws beyond it.
      const residual = multiply(ratio(3n), roundedVectorMass.beyond(far));
      return { masses: multisets(roundedVectorMass, value, 3, far), residual };
    },
  ),
  noise(
    "discrete-gaussian",
    { mechanism: "discrete-gaussian@1", sigmaSquared: "4" },
    discreteMass,
    [2n],
    shiftedLaw(discreteMass),
  ),
  coreSubject<bigint>("bounded-geometric", () => {
    const range = { lo: 0n, hi: 9n };
    const setting = boundedGeometricFor({ ...range, sensitivity: 1n, epsilon: ratio(1n) });
    const run = boundedGeometric(setting);
    return {
      event: boundedGeometricEvent(setting),
      neighbours: [
        [0n, 1n],
        [4n, 5n],
      ],
      run: (value, bits) => [run(value, bits)],
      law: (value) => whole(clampedLaplace(ratio(1n), value, range)),
    };
  }),
];
