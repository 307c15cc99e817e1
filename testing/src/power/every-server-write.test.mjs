import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasPostgres, startPostgres } from "../postgres/start-postgres.ts";
import { everyWriteOfMoves, everyWriteOfQuestions } from "./every-server-write.mjs";
import { hasCompiler, powerSupply } from "./power-supply.mjs";

/* Moves in a slice: npm run bench -- ledger-postgres-writes takes each write. */
describe.skipIf(!hasPostgres() || !hasCompiler())("a ledger whose server loses its power at a write", () => {
  const own = {};
  beforeAll(async () => {
    own.supply = await powerSupply((settings, environment) =>
      startPostgres(settings, undefined, null, environment),
    );
  });
  afterAll(() => own.supply?.stop());

  it.each(["kept", "torn", "lost"])(
    "keeps every promise at each write of a question, with what was written %s",
    async (how) => {
      const { cuts, found } = await everyWriteOfQuestions(own.supply, how);
      expect(found).toEqual([]);
      // A charge and an answer are each written and flushed.
      expect(cuts).toBeGreaterThanOrEqual(4);
    },
  );

  it.each(["there", "back"])("keeps every promise at writes of a move %s", async (way) => {
    const { cuts, found } = await everyWriteOfMoves(own.supply, "lost", way, { stride: 5 });
    expect(found).toEqual([]);
    expect(cuts).toBeGreaterThan(0);
  });

  it("is found out at a disk that says that it has written what it has not", async () => {
    const { found } = await everyWriteOfQuestions(own.supply, "lied", { keepsHead: false });
    expect(found).toContain("lied 3: the charge of lied-3 was lost");
    // The gateway that goes on sees by itself that its charge is gone.
    expect(found).toContain("lied 3: was told ledger.restored");
  });
});
