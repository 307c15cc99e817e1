import {
  boundedGeometric,
  boundedGeometricEvent,
  boundedGeometricFor,
  type Noise,
  noiseEvent,
  noiseSampler,
  ratio,
} from "@lethe/core";
import type { NoisePaths } from "../enumerate/enumerate-noise.ts";
import type { Enclosure } from "../verify/hockey-stick.ts";
import {
  discreteGaussianMass,
  discreteLaplaceMass,
  type Mass,
  roundedGaussianMass,
} from "../verify/masses.ts";
import { type CoreSubject, coreSubject, integers } from "./core-subject.ts";

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

function noise(id: string, each: Noise, shift: readonly bigint[], mass?: Mass): CoreSubject {
  return coreSubject<readonly bigint[]>(id, () => {
    const sampler = noiseSampler(each);
    return {
      event: noiseEvent(each, {
        l1: shift.reduce((a, b) => a + b, 0n),
        l2Squared: shift.reduce((a, b) => a + b * b, 0n),
      }),
      neighbours: [[shift.map(() => 0n), shift]],
      run: (values, bits) => values.map((value) => value + sampler.sample(bits)),
      canGive: integers(shift.length),
      ...(mass ? { law: shiftedLaw(mass) } : {}),
    };
  });
}

/** Noise on integers. */
export const noiseSubjects: readonly CoreSubject[] = [
  noise(
    "discrete-laplace",
    { mechanism: "discrete-laplace@1", scale: "1" },
    [1n],
    discreteLaplaceMass(ratio(1n)),
  ),
  noise("discrete-laplace-vector", { mechanism: "discrete-laplace@1", scale: "7/3" }, [3n, 1n]),
  noise(
    "rounded-gaussian",
    { mechanism: "rounded-gaussian@1", sigma: "2" },
    [2n],
    roundedGaussianMass(ratio(2n)),
  ),
  noise("rounded-gaussian-vector", { mechanism: "rounded-gaussian@1", sigma: "3/2" }, [1n, 1n, 1n]),
  noise(
    "discrete-gaussian",
    { mechanism: "discrete-gaussian@1", sigmaSquared: "4" },
    [2n],
    discreteGaussianMass(ratio(4n)),
  ),
  coreSubject<bigint>("bounded-geometric", () => {
    const setting = boundedGeometricFor({ lo: 0n, hi: 9n, sensitivity: 1n, epsilon: ratio(1n) });
    const run = boundedGeometric(setting);
    return {
      event: boundedGeometricEvent(setting),
      neighbours: [
        [0n, 1n],
        [4n, 5n],
      ],
      run: (value, bits) => [run(value, bits)],
      canGive: (_value, [given]) => typeof given === "bigint" && given >= 0n && given <= 9n,
    };
  }),
];
