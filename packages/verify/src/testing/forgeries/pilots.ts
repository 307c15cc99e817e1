import { requestsBelongTogether } from "../../checks/pilot.ts";
import type { Release } from "../../format/release.ts";
import { counted, type Draft, type Forgery, type Judge, spentOf } from "./forgery.ts";

/** The pilot of a release is a release, and checks of it. */
const staged =
  (change: (pilot: Draft, release: Draft) => void, isAlone = false): Judge =>
  (release) => {
    const [pilot, second] = [structuredClone(release) as Draft, structuredClone(release) as Draft];
    pilot.certificate.requestId = "request-1 (pilot)";
    pilot.certificate.ledger.sequence = 0;
    if (!isAlone) second.certificate.target = {} as never;
    change(pilot, second);
    return requestsBelongTogether(second as Release, pilot as Release, []);
  };
export const ofPilots: readonly Forgery[] = [
  ["both charges together are more than all that is spent", counted, staged(() => {}), () => {}],
  [
    "the pilot is another account's, or another principal's",
    counted,
    staged((pilot) => {
      pilot.certificate.principal = "bo";
    }),
    () => {},
  ],
  [
    "the pilot is of another request",
    counted,
    staged((pilot) => {
      pilot.certificate.requestId = "x";
    }),
    () => {},
  ],
  [
    "the pilot asks something else",
    counted,
    staged((pilot) => {
      pilot.certificate.plan.text = "x";
    }),
    () => {},
  ],
  [
    "the pilot was charged after what it suggested",
    counted,
    staged((pilot) => {
      pilot.certificate.ledger.sequence = 9;
    }),
    () => {},
  ],
  [
    "no second request was paid, and the answer is not the pilot's",
    counted,
    staged((pilot) => void pilot.rows.pop(), true),
    () => {},
  ],
  [
    "the numbers are those of the pilot, which verifies",
    counted,
    staged((pilot, second) => {
      pilot.certificate.ledger = second.certificate.ledger;
    }, true),
    () => {},
  ],
  [
    "the pilot verifies, asks the same question",
    counted,
    staged((_, second) => {
      spentOf(second).spent = { measure: "pure", epsilon: "9" };
    }),
    () => {},
  ],
  [
    "the pilot does not verify: price: it is too low",
    counted,
    (release) =>
      requestsBelongTogether(release, release, [{ name: "price", outcome: "failed", says: "it is too low" }]),
    () => {},
  ],
];
