// charges.overspend: charges with which the account or an analyst exceeds its cap (target 0), when 64 clients in eight
// processes spend one account of 100,000 charges to its end and beyond. charges.violations: charges lost, doubled or out
// of the order in which they were told, and refusals of what would have fitted (target 0). charges.granted,
// charges.refused: how many there were of each. charges.speed: durable charges a second, all processes together.
// ledger.flush: writing 4 KiB and flushing them, on the same disk.
// Options: --charges N (100,000), --clients N (64), --processes N (8). A flush a charge takes long: with TMPDIR on a disk in
// memory the same is over in minutes.
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chargeFaults } from "../testing/src/linear/charge-faults.mjs";
import { chargeRush } from "../testing/src/linear/charge-rush.mjs";
import { fraction } from "../testing/src/linear/fraction.mjs";
import { withAccount } from "../testing/src/linear/record-history.mjs";
import { figure, median } from "./figure.mjs";

const moduleUrl = new URL("../packages/ledger/dist/index.mjs", import.meta.url).href;
const analysts = ["ana", "ben", "cleo", "dan"];

export default async function bench(options) {
  const charges = numberOption(options, "--charges", 100_000);
  const clients = numberOption(options, "--clients", 64);
  const processes = numberOption(options, "--processes", 8);
  const module = await import(moduleUrl);
  // Costs are 1, 2 and 3 in turn. Ana's share ends long before the account does.
  const total = BigInt(2 * charges);
  const shares = Object.fromEntries(analysts.map((name) => [name, fraction(total)]));
  shares.ana = fraction(total, 5n);
  const granted = { cap: fraction(total), shares };

  const { asked, seconds, faults } = await withAccount(
    module,
    { ...granted, failureCap: 2 * charges },
    async (directory) => {
      const rush = await chargeRush(moduleUrl, directory, questions(charges, clients), processes);
      await module.verifyLedger(directory);
      const ledger = await module.openLedger(directory, { clock: Date.now });
      const report = await ledger.report();
      await ledger.close();
      const chain = report.charges.map(({ requestId, sequence }) => ({ id: requestId, place: sequence }));
      return { ...rush, faults: chargeFaults(rush.asked, chain, granted) };
    },
  );
  const { overspent, ...others } = faults;
  const told = asked.filter((question) => question.told !== "refused");
  const paid = new Set(told.map(({ id }) => id)).size;
  figure(
    "charges.overspend",
    overspent,
    `of ${paid} charges by ${clients} clients in ${processes} processes`,
  );
  figure(
    "charges.violations",
    Object.values(others).reduce((sum, n) => sum + n, 0),
    Object.keys(others).join(", "),
  );
  figure("charges.granted", paid, "charges");
  figure("charges.refused", asked.length - told.length, "questions");
  figure("charges.speed", paid / seconds, "charges/s");
  figure("ledger.flush", flushMs(), "ms");
}

/** More than the account covers; every twentieth is asked by two clients at once under one id. */
function questions(charges, clients) {
  const each = Math.ceil((1.15 * charges) / clients);
  return Array.from({ length: clients }, (_, client) =>
    Array.from({ length: each }, (__, i) => {
      const owner = i % 20 === 0 ? client - (client % 2) : client;
      const n = owner * each + i;
      return { id: `q${n}`, principal: analysts[n % 4], cost: fraction(BigInt(1 + (n % 3))) };
    }),
  );
}

function flushMs() {
  const folder = mkdtempSync(join(tmpdir(), "lethe-flush-"));
  const file = openSync(join(folder, "file"), "w");
  const times = Array.from({ length: 100 }, () => {
    const begin = performance.now();
    writeSync(file, Buffer.alloc(4096, 1));
    fsyncSync(file);
    return performance.now() - begin;
  });
  closeSync(file);
  rmSync(folder, { recursive: true, force: true });
  return median(times);
}

function numberOption(options, name, otherwise) {
  const place = options.indexOf(name);
  if (place < 0) return otherwise;
  const value = Number(options[place + 1]);
  if (!(Number.isSafeInteger(value) && value >= 1)) throw new Error(`${name} must be a whole number ≥ 1`);
  return value;
}
