import { expect, it } from "vitest";
import { requireDurable } from "./require-durable.ts";
import type { Run } from "./tables.ts";

const whole = {
  version: "150018",
  encoding: "UTF8",
  transaction_read_only: "off",
  fsync: "on",
  full_page_writes: "on",
  synchronous_commit: "on",
};
const asked = (server: Readonly<Record<string, string>>): Promise<void> =>
  requireDurable((async () => [server]) as unknown as Run);

it("a server of version 15 or later that keeps what it commits is taken", async () => {
  for (const version of ["150000", "160014", "170010", "180004"])
    await expect(asked({ ...whole, version })).resolves.toBeUndefined();
});

it.each([
  [{ version: "140022" }, "release before 15", "PostgreSQL 15 or later"],
  [{ encoding: "LATIN1" }, "encoding LATIN1", "UTF8"],
  [{ transaction_read_only: "on" }, "takes no writes", "primary"],
  [{ fsync: "off" }, "fsync = off", "fsync = on"],
  [{ full_page_writes: "off" }, "full_page_writes = off", "full_page_writes = on"],
  [{ synchronous_commit: "off" }, "synchronous_commit = off", "synchronous_commit = on"],
] as const)("a server with %o is refused, and the error says what to do", async (fault, said, fix) => {
  await expect(asked({ ...whole, ...fault })).rejects.toMatchObject({
    code: "people.unreadable",
    message: expect.stringContaining(said),
    fix: expect.stringContaining(fix),
  });
});
