import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasPostgres, serverWith } from "@lethe/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { connect } from "../connection.ts";
import { readPostgresUrl } from "../place.ts";
import { openPostgresStore } from "../postgres-store.ts";

describe.skipIf(!hasPostgres())("a server that asks for a password", () => {
  const own = serverWith("CREATE ROLE gateway LOGIN PASSWORD 'right'");
  afterEach(() => vi.unstubAllEnvs());

  /** What a session says of the way in: "in", or the error's code and message. */
  async function enters(query = ""): Promise<string> {
    const place = readPostgresUrl(`${own.server.urlOf("gateway")}${query}`);
    try {
      await (await connect(place, 5000)).end();
      return "in";
    } catch (error) {
      const { code, message } = error as Error & { readonly code?: string };
      return `${code} ${message}`;
    }
  }

  async function askForPasswords(): Promise<void> {
    const path = join(own.server.directory, "data", "pg_hba.conf");
    writeFileSync(path, `host all gateway all scram-sha-256\n${readFileSync(path, "utf8")}`);
    await own.admin.query("SELECT pg_reload_conf()");
    while ((await enters()) === "in") await new Promise((resolve) => setTimeout(resolve, 20));
  }

  it("that lacks the database says so", async () => {
    const url = own.server.urlOf("gateway").replace(/\w+$/, "elsewhere");
    await expect(openPostgresStore(url)).rejects.toMatchObject({
      code: "ledger.missing",
      message: expect.stringMatching(/database that is not there$/),
    });
  });

  it("takes it from PGPASSWORD or the password file, and is refused by name without one", async () => {
    const file = join(own.server.directory, "pgpass");
    vi.stubEnv("PGPASSWORD", undefined);
    vi.stubEnv("PGPASSFILE", file);
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    await askForPasswords();
    expect(await enters()).toMatch(/^ledger\.unreadable .* asks for a password, and there is none$/);

    const { port } = new URL(own.server.url);
    writeFileSync(file, `127.0.0.1:${port}:postgres:gateway:right\n`, { mode: 0o600 });
    expect(await enters()).toBe("in");
    vi.stubEnv("PGPASSWORD", "wrong");
    expect(await enters()).toMatch(/^28P01 /);
    vi.stubEnv("PGPASSWORD", "right");
    rmSync(file);
    expect(await enters()).toBe("in");
    expect(warned).not.toHaveBeenCalled();
  });

  it("is refused by name where it takes no TLS and the URL asks for it", async () => {
    expect(await enters("?sslmode=verify-full")).toMatch(/^ledger\.unreadable .* takes no TLS/);
  });
});
