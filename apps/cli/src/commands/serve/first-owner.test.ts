import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readServiceConfig } from "@lethe/serve";
import { afterAll, expect, it } from "vitest";
import { firstName, firstOwner } from "./first-owner.ts";
import { openPeople, peopleHouse } from "./service-files.ts";

const folder = mkdtempSync(join(tmpdir(), "lethe-first-owner-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("is made by one of the processes that start together, and by none that comes later", async () => {
  const config = readServiceConfig("version: 1\n");
  const kept = await openPeople({ base: folder, config });
  try {
    const house = peopleHouse(kept, config);
    const [one, other] = await Promise.all([firstOwner(house), firstOwner(house)]);
    expect([one, other].filter((token) => token === null)).toHaveLength(1);
    expect(one ?? other).toMatch(/^lethe_[0-9a-f]{16}_/);
    expect((await kept.people.list()).map(({ name, roles, tokens }) => [name, roles, tokens.length])).toEqual(
      [[firstName, ["owner"], 1]],
    );
    expect(await firstOwner(house)).toBeNull();
  } finally {
    await kept.close();
  }
});

it("says what keeps it from being made", async () => {
  const config = readServiceConfig("version: 1\n");
  const kept = await openPeople({ base: join(folder, "other"), config });
  try {
    const house = peopleHouse(kept, config);
    const put = async (): Promise<boolean> => false;
    const store = Object.assign(Object.create(house.store), { put });
    await expect(firstOwner({ ...house, store })).rejects.toMatchObject({ code: "people.changed" });
  } finally {
    await kept.close();
  }
});
