import { createLedger, openLedger } from "@lethe/ledger";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundledLedger } from "../crash/bundled-ledger.mjs";
import { chargeFaults } from "./charge-faults.mjs";
import { chargeRush } from "./charge-rush.mjs";
import { withAccount } from "./record-history.mjs";

const granted = { cap: "5/1", shares: { ana: "2/1" } };
const none = { overspent: 0, lost: 0, doubled: 0, untold: 0, disordered: 0, refused: 0 };
const ask = (id, principal, cost, told, begin, end) => ({
  id,
  principal,
  cost: `${cost}/1`,
  told,
  begin,
  end,
});
const chain = (...ids) => ids.map((id, i) => ({ id, place: i + 1 }));

describe("chargeFaults", () => {
  const a = ask("a", "ana", 2, 1, 0, 1);
  const b = ask("b", "ben", 3, 2, 2, 3);
  const cases = [
    ["nothing", [a, b], chain("a", "b"), {}],
    ["nothing in one id asked twice", [a, ask("a", "ana", 2, 1, 7, 9), b], chain("a", "b"), {}],
    ["the account's cap", [a, b, ask("c", "ben", 1, 3, 4, 5)], chain("a", "b", "c"), { overspent: 1 }],
    ["an analyst's cap", [a, ask("c", "ana", 1, 2, 4, 5)], chain("a", "c"), { overspent: 1 }],
    ["a charge that is gone", [a, b], chain("a"), { lost: 1 }],
    ["a charge in another place", [b, { ...a, told: 2 }], chain("a", "b"), { lost: 1 }],
    [
      "a charge taken twice",
      [a, b],
      [...chain("a", "b"), { id: "b", place: 3 }],
      { doubled: 1, lost: 1, overspent: 1 },
    ],
    ["a charge nobody was told of", [a], chain("a", "b"), { untold: 1 }],
    ["charges against time", [{ ...a, begin: 4, end: 5 }, b], chain("a", "b"), { disordered: 1 }],
    ["nothing in a refusal at the end", [a, b, ask("c", "ben", 1, "refused", 4, 5)], chain("a", "b"), {}],
    [
      "nothing in a refusal beside the last charge",
      [a, b, ask("c", "ben", 1, "refused", 0, 2)],
      chain("a", "b"),
      {},
    ],
    ["a refusal too early", [a, b, ask("c", "ben", 1, "refused", 0, 1)], chain("a", "b"), { refused: 1 }],
    ["nothing in a refused share", [a, b, ask("c", "ana", 1, "refused", 1, 1)], chain("a", "b"), {}],
  ];
  it.each(cases)("finds %s", (_, asked, held, faults) => {
    expect(chargeFaults(asked, held, granted)).toEqual({ ...none, ...faults });
  });
});

describe("many clients of two processes", () => {
  let ledgerModule;
  beforeAll(async () => {
    ledgerModule = await bundledLedger();
  });
  afterAll(() => ledgerModule.remove());

  const caps = { cap: "60/1", shares: { ana: "2/1", ben: "60/1" } };

  it("spend an account to its end and no further", () =>
    withAccount({ createLedger }, { ...caps, failureCap: 100, failureCapEach: 100 }, async (directory) => {
      const questions = (client) =>
        Array.from({ length: 8 }, (_, i) => ({
          id: i === 0 ? `first ${client % 4}` : `${client} ${i}`,
          principal: client % 4 === 0 ? "ana" : "ben",
          cost: i % 2 === 0 ? "1/1" : "1/2",
        }));
      const clients = Array.from({ length: 16 }, (_, client) => questions(client));
      const { asked } = await chargeRush(ledgerModule.moduleUrl, directory, clients, 2);
      const ledger = await openLedger(directory, { clock: () => 0 });
      const { charges } = await ledger.report();
      await ledger.close();
      const held = charges.map(({ requestId, sequence }) => ({ id: requestId, place: sequence }));
      expect(chargeFaults(asked, held, caps)).toEqual(none);
      expect(asked.filter(({ told }) => told === "refused").length).toBeGreaterThan(20);
    }));
});
