import { parseRational } from "@lethe/core";
import type { Policy } from "@lethe/query";
import { leastIsPaid } from "../../service/least.ts";
import { scheduleFollows } from "../../service/schedule.ts";
import { counted, type Forgery, ofCertificate } from "./forgery.ts";

const zcdp = { budget: { delta: parseRational("1e-6") } } as unknown as Policy;
const unpoliced = ofCertificate((certificate) => leastIsPaid(certificate, null));

/** The least price, and the time that an answer was given. */
export const ofService: readonly Forgery[] = [
  ["the plan states no least price", counted, unpoliced, () => undefined],
  [
    "no less was charged than the least epsilon, 1/2",
    counted,
    unpoliced,
    (d) => {
      d.certificate.plan.leastEpsilon = "1/2";
    },
  ],
  [
    "less was charged than the least epsilon that the plan states",
    counted,
    unpoliced,
    (d) => {
      d.certificate.plan.leastEpsilon = "100";
    },
  ],
  [
    "the least price of a zCDP account follows from the policy's delta",
    counted,
    unpoliced,
    (d) => {
      d.certificate.plan.leastEpsilon = "1";
      d.certificate.charge = { measure: "zcdp", rho: "1", delta: "0" };
    },
  ],
  [
    // The ρ that alone gives (1, 1e-6)-DP is 0.0168…: a hundredth is less.
    "less was charged than the least epsilon that the plan states",
    counted,
    ofCertificate((certificate) => leastIsPaid(certificate, zcdp)),
    (d) => {
      d.certificate.plan.leastEpsilon = "1";
      d.certificate.charge = { measure: "zcdp", rho: "1/100", delta: "0" };
    },
  ],
  ["the certificate states no release schedule", counted, ofCertificate(scheduleFollows), () => undefined],
  [
    "the answer was given 500 ms, which follow from its plan",
    counted,
    ofCertificate(scheduleFollows),
    (d) => {
      d.certificate.schedule = { each: 500, statements: 1 };
    },
  ],
  [
    "the time that the answer was given does not follow from its plan",
    counted,
    ofCertificate(scheduleFollows),
    (d) => {
      d.certificate.schedule = { each: 500, statements: 2 };
    },
  ],
];
