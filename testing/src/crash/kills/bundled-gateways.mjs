import { fileURLToPath } from "node:url";
import { bundledLedger } from "../bundled-ledger.mjs";
import { plantedFaults } from "./planted-faults.mjs";

const gateway = fileURLToPath(new URL("gateway-process.mjs", import.meta.url));

/** The program of a gateway, from the sources, and the ledger's module for whoever judges; with a planted fault in both, where one is named. */
export async function bundledGateways(fault = null) {
  const bundle = await bundledLedger({
    programs: { gateway },
    fault: fault === null ? [] : plantedFaults[fault],
  });
  const module = await import(/* @vite-ignore */ bundle.moduleUrl);
  return { module, program: bundle.pathOf("gateway"), remove: bundle.remove };
}
