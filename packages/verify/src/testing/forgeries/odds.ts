import type { Event } from "@lethe/core";
import type { Verdict } from "../../checks/check.ts";
import { accountAddsUp } from "../../checks/price.ts";
import type { Certificate } from "../../format/release.ts";
import { askedAdvantage, oddsHold } from "../../odds/odds-checks.ts";
import { counted, type Draft, type Forgery, ofCertificate, spentOf } from "./forgery.ts";

const hold = async (certificate: Certificate): Promise<Verdict> => {
  const { plan } = certificate;
  return oddsHold({ ...certificate, ran: plan.event, adjacency: plan.adjacency }, await askedAdvantage(plan));
};
const ofEvent =
  (ran: Event) =>
  (certificate: Certificate): Verdict =>
    oddsHold({ ...certificate, ran, adjacency: "add-or-remove-one" });

type Stated = { advantage: number; mu: number | null; truePositives: number };
const oddsOf = (draft: Draft): Stated => draft.certificate.odds as Stated;
/** As an account states it of charges that are not this one alone. */
const spendMore = (draft: Draft): void => {
  spentOf(draft).spent = { measure: "pure", epsilon: "2" };
  Object.assign(spentOf(draft), { membershipAdvantage: 1, truePositives: 1, mu: null });
};

const asking = (advantage: string): string =>
  `SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(advantage = ${advantage}) sector, COUNT(*) AS n FROM people GROUP BY sector`;

export const ofOdds: readonly Forgery[] = [
  ["gains at most", counted, ofCertificate(hold), () => {}],
  [
    "no odds are stated",
    counted,
    ofCertificate(hold),
    (d) => {
      delete (d.certificate as { odds?: unknown }).odds;
    },
  ],
  [
    "over guessing, and less is stated",
    counted,
    ofCertificate(hold),
    (d) => {
      oddsOf(d).advantage *= 0.95;
    },
  ],
  [
    "false ones, and fewer are stated",
    counted,
    ofCertificate(hold),
    (d) => {
      oddsOf(d).truePositives *= 0.95;
    },
  ],
  [
    "a μ is stated that is smaller",
    counted,
    ofCertificate(hold),
    (d) => {
      oddsOf(d).mu! *= 0.95;
    },
  ],
  [
    "larger odds are stated",
    counted,
    ofCertificate(hold),
    (d) => {
      oddsOf(d).advantage = 0.9;
    },
  ],
  [
    "this version does not know all that was run",
    counted,
    ofCertificate(ofEvent({ kind: "bounded-range", version: 1, epsilon: "1/100" })),
    (d) => {
      oddsOf(d).advantage /= 2;
    },
  ],
  [
    "asks to keep to an advantage, and more is gained",
    counted,
    ofCertificate(hold),
    (d) => {
      d.certificate.plan.text = asking("0.01");
    },
  ],
  [
    "those derived keep to what is asked",
    counted,
    ofCertificate(hold),
    (d) => {
      delete (d.certificate as { odds?: unknown }).odds;
      d.certificate.plan.text = asking("0.9");
    },
  ],
  [
    "the membership advantage stated is less than that of what is spent",
    counted,
    ofCertificate(accountAddsUp),
    (d) => {
      spendMore(d);
      spentOf(d).membershipAdvantage = 0.76;
    },
  ],
  [
    "the true positives stated of the account are fewer",
    counted,
    ofCertificate(accountAddsUp),
    (d) => {
      spendMore(d);
      spentOf(d).truePositives = 0.07;
    },
  ],
  [
    "the μ stated of the account is less",
    counted,
    ofCertificate(accountAddsUp),
    (d) => {
      spendMore(d);
      spentOf(d).mu = 2.2;
    },
  ],
];
