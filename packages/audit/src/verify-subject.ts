import type { NoisePaths } from "./enumerate/enumerate-noise.ts";
import type { Side, Subject } from "./subject.ts";
import { type Verification, verify } from "./verify/verify.ts";

const lawOf = ({ law }: Side): NoisePaths => (law as () => NoisePaths)();

/** {@link verify} for a subject; null where one of its laws cannot be enumerated. */
export function verifySubject({ claim, pairs }: Subject): Verification | null {
  if (pairs.some((sides) => sides.some(({ law }) => law === null))) return null;
  return verify<Side>({ claim, law: lawOf }, pairs);
}
