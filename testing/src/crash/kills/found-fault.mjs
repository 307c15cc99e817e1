import { bundledGateways } from "./bundled-gateways.mjs";
import { killRound } from "./kill-round.mjs";

/**
 * Plays rounds on a ledger with a planted fault until one is found broken, `rounds` at most: short budgets, and a way that often ends about a COMMIT. Gives the kinds of
 * promises that were broken, none where nothing was found, and after how many rounds.
 */
export async function foundFault(server, fault, { seed, rounds = 8, kills = 16, serverEvery = 8 }) {
  const gateways = await bundledGateways(fault);
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const { found } = await killRound(server, gateways, {
        seed: seed + round,
        kills,
        serverEvery,
        affordable: 30,
        way: { commit: 0.3, drop: 0 },
      });
      const kinds = Object.keys(found).filter((kind) => found[kind].length > 0);
      if (kinds.length > 0) return { kinds, round };
    }
    return { kinds: [], round: null };
  } finally {
    gateways.remove();
  }
}
