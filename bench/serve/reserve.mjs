import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requestFor } from "../../testing/src/crash/request-for.mjs";
import { figure, median } from "../figure.mjs";

const fraction = (num, den = 1n) => ({ num: BigInt(num), den: BigInt(den) });

/** Measures a charge and its settlement in ledgers with few and with many analysts, each of whom has a cap. */
export async function benchReserve() {
  let few = null;
  for (const analysts of [10, 5000, 50_000]) {
    const took = await reserveWith(analysts);
    figure(`serve.reserve.${analysts}`, took, "ms", few);
    few ??= took;
  }
}

async function reserveWith(count) {
  const { createLedger } = await import(
    new URL("../../packages/ledger/dist/index.mjs", import.meta.url).href
  );
  const parent = mkdtempSync(join(tmpdir(), "lethe-reserve-"));
  const budget = {
    measure: "pure",
    epsilon: fraction(1_000_000),
    delta: fraction(0),
    rho: null,
    analysts: Object.fromEntries(Array.from({ length: count }, (_, at) => [`analyst${at}`, fraction(100)])),
  };
  try {
    const ledger = await createLedger(join(parent, "ledger"), {
      budget,
      policyHash: "",
      source: "s",
      clock: Date.now,
    });
    const release = "x".repeat(2000);
    const times = [];
    for (let at = 0; at < 330; at += 1) {
      const began = performance.now();
      const principal = `analyst${(at * 7919) % count}`;
      const { charge } = await ledger.reserve({ ...requestFor(`q${at}`, "100"), principal });
      await ledger.settle(charge, release);
      // The first few fill caches.
      if (at >= 30) times.push(performance.now() - began);
    }
    await ledger.close();
    return median(times);
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}
