import { existsSync, readdirSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inInstance, lockDown, openInstance } from "./instance.ts";
import type { EngineLimits } from "./limits.ts";
import { type Fixture, fixture } from "./testing/engine-fixture.ts";

let house: Fixture;
let limits: EngineLimits;
beforeEach(() => {
  house = fixture("t: { file: t.csv, unit: row, columns: { a: { type: text } } }");
  limits = {
    memory: 64 << 20,
    threads: 3,
    timeoutMs: 1000,
    maxGroups: 10,
    maxValues: 100,
    spillDirectory: house.path("spill"),
  };
});
afterEach(() => house.remove());

const spills = (): readonly string[] => readdirSync(house.path("spill"));

describe("an instance", () => {
  it("loads nothing by itself, keeps within its limits and spills into a folder of its own", async () => {
    await inInstance(limits, async (connection) => {
      const asked = await connection.runAndReadAll("SELECT name, value FROM duckdb_settings()");
      const settings = Object.fromEntries(asked.getRows());
      expect(settings).toMatchObject({
        autoinstall_known_extensions: "false",
        autoload_known_extensions: "false",
        allow_community_extensions: "false",
        preserve_insertion_order: "false",
        threads: "3",
        memory_limit: "64.0 MiB",
      });
      const [folder] = spills();
      expect(folder).toMatch(/^spill-\d+-/);
      expect(settings.temp_directory).toBe(house.path(`spill/${folder}`));
    });
  });

  it("has a folder that no other has, and removes it when it is closed", async () => {
    const [one, two] = [await openInstance(limits), await openInstance(limits)];
    expect(spills().length).toBe(2);
    one.close();
    expect(spills().length).toBe(1);
    two.close();
    expect(spills()).toEqual([]);
  });

  it("is closed whether its work succeeds or fails, and gives what the work gives", async () => {
    expect(await inInstance(limits, async () => 7)).toBe(7);
    const failing = inInstance(limits, () => Promise.reject(new Error("the work")));
    await expect(failing).rejects.toThrow("the work");
    expect(spills()).toEqual([]);
  });

  it("tells an app that catches signals how its folder is removed", async () => {
    const standing: (() => void)[] = [];
    const instance = await openInstance({
      ...limits,
      removedAtEnd: (remove) => {
        standing.push(remove);
        return remove;
      },
    });
    expect(standing.length).toBe(1);
    standing[0]!();
    expect(spills()).toEqual([]);
    instance.close();
  });

  it("is not made under a limit that is none", async () => {
    await expect(openInstance({ ...limits, threads: 0 })).rejects.toMatchObject({
      code: "parameter.invalid",
    });
    expect(existsSync(house.path("spill"))).toBe(false);
  });
});

describe("a locked instance", () => {
  it("reads the files that were named, whatever their names, and no other", async () => {
    const names = ["a.csv", "it's.csv", "other.csv"];
    for (const name of names) house.write(name, "x\n1\n");
    const count = (name: string): string =>
      `SELECT count(*) FROM read_csv('${house.path(name).replaceAll("'", "''")}')`;
    await inInstance(limits, async (connection) => {
      await lockDown(connection, [house.path("a.csv"), house.path("it's.csv")]);
      for (const name of ["a.csv", "it's.csv"])
        expect((await connection.runAndReadAll(count(name))).getRows()).toEqual([[1n]]);
      await expect(connection.run(count("other.csv"))).rejects.toThrow(/disabled by configuration/);
      await expect(connection.run("SET threads = 1")).rejects.toThrow(/locked/);
      await expect(connection.run("SET enable_external_access = true")).rejects.toThrow();
    });
  });

  it("reads no file at all where none was named", async () => {
    house.write("a.csv", "x\n1\n");
    await inInstance(limits, async (connection) => {
      await lockDown(connection, []);
      await expect(connection.run(`FROM read_csv('${house.path("a.csv")}')`)).rejects.toThrow(
        /disabled by configuration/,
      );
    });
  });
});
