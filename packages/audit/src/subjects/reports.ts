import { parseRational, type Rational, ratio } from "@lethe/core";
import {
  type LocalMechanism,
  randomizedResponseFor,
  subsetResponseFor,
  unaryResponseFor,
} from "@lethe/core/local";
import { divide, multiply, one, subtract } from "@lethe/core/numeric";
import type { Output } from "../subject.ts";
import { exactly } from "../verify/hockey-stick.ts";
import { type CoreSubject, coreSubject } from "./core-subject.ts";
import { nameOf, whole } from "./laws/law.ts";

const options = 4;

function local<R extends number | readonly number[], P>(
  id: string,
  make: () => LocalMechanism<R, P>,
  law: (value: number, parameters: P) => ReadonlyMap<string, Rational>,
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
      law: (value) =>
        whole(new Map([...law(value, mechanism.parameters)].map(([name, mass]) => [name, exactly(mass)]))),
    };
  });
}

const budget = { options, epsilon: ratio(1n) } as const;

/** Every set of options in rising order. */
const sets: readonly (readonly number[])[] = Array.from({ length: 2 ** options }, (_, mask) =>
  Array.from({ length: options }, (__, at) => at).filter((at) => (mask >> at) & 1),
);

/** Reports that leave a device already private. */
export const reportSubjects: readonly CoreSubject[] = [
  local(
    "randomized-response",
    () => randomizedResponseFor(budget),
    (value, { truth }) => {
      const told = parseRational(truth);
      const other = divide(subtract(one, told), ratio(BigInt(options - 1)));
      return new Map(
        Array.from({ length: options }, (_, at) => [at.toString(), at === value ? told : other]),
      );
    },
  ),
  local(
    "unary-response",
    () => unaryResponseFor(budget),
    (value, { own, other }) =>
      new Map(
        sets.map((set) => [
          nameOf(set),
          Array.from({ length: options }, (_, at) => {
            const chance = parseRational(at === value ? own : other);
            return set.includes(at) ? chance : subtract(one, chance);
          }).reduce(multiply),
        ]),
      ),
  ),
  local(
    "subset-response",
    () => subsetResponseFor(budget),
    (value, { size, own }) => {
      const possible = sets.filter((set) => set.length === size);
      const around = possible.filter((set) => set.includes(value)).length;
      const inside = divide(parseRational(own), ratio(BigInt(around)));
      const outside = divide(subtract(one, parseRational(own)), ratio(BigInt(possible.length - around)));
      return new Map(possible.map((set) => [nameOf(set), set.includes(value) ? inside : outside]));
    },
  ),
];
