import { beforeAll, describe, expect, it } from "vitest";
import { serverWith } from "../../postgres/server-with.ts";
import { hasPostgres } from "../../postgres/start-postgres.ts";
import { bundledGateways } from "./bundled-gateways.mjs";
import { foundFault } from "./found-fault.mjs";
import { killRound, stormServer } from "./kill-round.mjs";

describe.skipIf(!hasPostgres())("gateways that share a ledger in PostgreSQL", () => {
  const own = serverWith("CREATE ROLE gateway LOGIN", stormServer);
  beforeAll(() => own.admin.on("error", () => {}));

  it("break no promise while they die, their server dies, and their way is cut", async () => {
    const gateways = await bundledGateways();
    try {
      const options = { seed: 1, kills: 16, serverEvery: 8, affordable: 200 };
      const { found, verified, happened } = await killRound(own.server, gateways, options);
      expect(found).toEqual({ overspent: [], unpaid: [], lost: [], doubled: [], refused: [], odd: [] });
      expect(verified).toBe(true);
      expect(happened.gateways).toBeGreaterThanOrEqual(16);
      expect(Math.min(happened.servers, happened.charged, happened.unsettled)).toBeGreaterThan(0);
    } finally {
      gateways.remove();
    }
  });

  // The others, and those that a dead server shows: npm run bench -- ledger-postgres-kills --faults.
  it("are found out where their ledger forgets unfinished reservations", async () => {
    const { kinds } = await foundFault(own.server, "forgets-unfinished-reservations", {
      seed: 100,
      serverEvery: null,
    });
    expect(kinds).toContain("overspent");
  });
});
