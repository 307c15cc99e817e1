import { accountAddsUp, chargeCoversTheEvent, lossesHold, plainSumAgrees } from "../../checks/price.ts";
import type { AccountWindow } from "../../format/release.ts";
import { counted, type Draft, type Forgery, lossOf, ofCertificate, spentOf } from "./forgery.ts";

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
      spentOf(d).spent = { measure: "zcdp", rho: "1", delta: "0" };
    },
  ],
  [
    "the charge is more than all that is spent",
    counted,
    ofCertificate(accountAddsUp),
    (d) => {
      spentOf(d).spent = { measure: "pure", epsilon: "1/10" };
    },
  ],
  [
    "more is spent than was granted",
    counted,
    ofCertificate(accountAddsUp),
    (d) => {
      lossOf(spentOf(d).spent).epsilon = "11";
    },
  ],
  [
    "granted less spent is not what is left",
    counted,
    ofCertificate(accountAddsUp),
    (d) => {
      spentOf(d).left = spentOf(d).granted;
    },
  ],
  [
    "the membership advantage stated is less than that of what is spent",
    counted,
    ofCertificate(accountAddsUp),
    (d) => {
      spentOf(d).membershipAdvantage = 0.01;
    },
  ],
  [
    "what is spent of ε 10 is not told to whoever asked",
    counted,
    ofCertificate(accountAddsUp),
    (d) => {
      d.certificate.account = { granted: { measure: "pure", epsilon: "10" } };
    },
  ],
  [
    "the charge is more than was granted",
    counted,
    ofCertificate(accountAddsUp),
    (d) => {
      d.certificate.account = { granted: { measure: "pure", epsilon: "1/10" } };
    },
  ],
  [
    "the account is kept in several measures",
    counted,
    ofCertificate(accountAddsUp),
    (d) => {
      d.certificate.account = { granted: { measure: "zcdp", rho: "10", delta: "0" } };
    },
  ],
  [
    "the account grants ε 10 a day, ε 20 a month, unbounded over time: what all its releases tell has no bound",
    counted,
    ofCertificate(accountAddsUp),
    windowed(pureWindow("day", "10"), pureWindow("month", "20")),
  ],
  [
    "the charge is more than a window grants",
    counted,
    ofCertificate(accountAddsUp),
    windowed(pureWindow("day", "1/10"), pureWindow("month", "20")),
  ],
  [
    "neither a lifetime nor a window bounds the account",
    counted,
    ofCertificate(accountAddsUp),
    windowed({ per: "day", measure: "pure", main: null, delta: null }),
  ],
  ["neither a lifetime nor a window bounds the account", counted, ofCertificate(accountAddsUp), windowed()],
  [
    "the account is kept in several measures",
    counted,
    ofCertificate(accountAddsUp),
    windowed({ per: "day", measure: "zcdp", main: "10", delta: "0" }),
  ],
  [
    // A window that limits no δ bounds no account that has one.
    "neither a lifetime nor a window bounds the account",
    { text: counted.text },
    ofCertificate(accountAddsUp),
    windowed({ per: "day", measure: "approximate", main: "100", delta: null }),
  ],
  [
    "the charge is more than a window grants",
    { text: counted.text },
    ofCertificate(accountAddsUp),
    (d) => {
      lossOf(d.certificate.charge).delta = "1/1000";
      windowed({ per: "day", measure: "approximate", main: "100", delta: "1/1000000" })(d);
    },
  ],
  [
    "ε 100, δ 0.5 a week, unbounded over time",
    { text: counted.text },
    ofCertificate(accountAddsUp),
    windowed({ per: "week", measure: "approximate", main: "100", delta: "1/2" }),
  ],
];

function pureWindow(per: AccountWindow["per"], main: string): AccountWindow {
  return { per, measure: "pure", main, delta: null };
}

function windowed(...windows: AccountWindow[]): (draft: Draft) => void {
  return ({ certificate }) => {
    certificate.account = { lifetime: "none", windows: windows.map((each) => ({ ...each })) };
  };
}
