import {
  type LocalMechanism,
  randomizedResponseFor,
  ratio,
  subsetResponseFor,
  unaryResponseFor,
} from "@lethe/core";
import type { Output } from "../subject.ts";
import { type CoreSubject, coreSubject } from "./core-subject.ts";

const options = 4;

function local<R extends number | readonly number[]>(
  id: string,
  make: () => LocalMechanism<R, unknown>,
): CoreSubject {
  return coreSubject<number>(id, () => {
    const mechanism = make();
    return {
      event: mechanism.event,
      adjacency: "replace-one",
      neighbours: [[0, 3]],
      run: (value, bits): Output => {
        const report = mechanism.respond(value, bits);
        return typeof report === "number" ? [report] : report;
      },
      canGive: (_value, output) =>
        new Set(output).size === output.length &&
        output.every((part) => Number.isInteger(part) && (part as number) >= 0 && (part as number) < options),
    };
  });
}

const budget = { options, epsilon: ratio(1n) } as const;

/** Reports that leave a device already private. */
export const reportSubjects: readonly CoreSubject[] = [
  local("randomized-response", () => randomizedResponseFor(budget)),
  local("unary-response", () => unaryResponseFor(budget)),
  local("subset-response", () => subsetResponseFor(budget)),
];
