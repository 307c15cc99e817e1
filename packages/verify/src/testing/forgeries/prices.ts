import { accountAddsUp, chargeCoversTheEvent, lossesHold, plainSumAgrees } from "../../checks/price.ts";
import { counted, type Forgery, lossOf, ofCertificate } from "./forgery.ts";

export const ofPrices: readonly Forgery[] = [
  [
    "charged ε 0.1",
    counted,
    ofCertificate(chargeCoversTheEvent),
    (d) => {
      lossOf(d.certificate.charge).epsilon = "1/10";
    },
  ],
  [
    "what was charged is not what the plan states",
    counted,
    ofCertificate(chargeCoversTheEvent),
    (d) => {
      d.certificate.charge = { measure: "pure", epsilon: "9" };
    },
  ],
  [
    "more than was charged",
    counted,
    ofCertificate(plainSumAgrees),
    (d) => {
      lossOf(d.certificate.charge).epsilon = "1/10";
    },
  ],
  [
    "less was charged, for a finer composition",
    { text: counted.text },
    ofCertificate(plainSumAgrees),
    (d) => {
      lossOf(d.certificate.charge).epsilon = "1/10";
    },
  ],
  [
    "is less than the event costs",
    counted,
    ofCertificate(lossesHold),
    (d) => {
      d.certificate.losses = [{ measure: "zcdp", rho: "1/1000", delta: "0" }];
    },
  ],
  [
    "is less than the event costs",
    counted,
    ofCertificate(lossesHold),
    (d) => {
      d.certificate.losses = [{ measure: "approximate", epsilon: "1/1000", delta: "1/100" }];
    },
  ],
  [
    "the account is kept in several measures",
    counted,
    ofCertificate(accountAddsUp),
    (d) => {
      d.certificate.account.spent = { measure: "zcdp", rho: "1", delta: "0" };
    },
  ],
  [
    "the charge is more than all that is spent",
    counted,
    ofCertificate(accountAddsUp),
    (d) => {
      d.certificate.account.spent = { measure: "pure", epsilon: "1/10" };
    },
  ],
  [
    "more is spent than was granted",
    counted,
    ofCertificate(accountAddsUp),
    (d) => {
      lossOf(d.certificate.account.spent).epsilon = "11";
    },
  ],
  [
    "granted less spent is not what is left",
    counted,
    ofCertificate(accountAddsUp),
    (d) => {
      d.certificate.account.left = d.certificate.account.granted;
    },
  ],
  [
    "the membership advantage stated is less than that of what is spent",
    counted,
    ofCertificate(accountAddsUp),
    (d) => {
      d.certificate.account.membershipAdvantage = 0.01;
    },
  ],
];
