import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { passwordFrom } from "./password-file.ts";

const folder = mkdtempSync(join(tmpdir(), "lethe-passwords-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const gateway = { host: "db.example", port: 5432, database: "budgets", user: "lethe_gateway" };

function found(lines: readonly string[], signIn = gateway): string | null {
  const path = join(folder, "pgpass");
  writeFileSync(path, `${lines.join("\n")}\n`, { mode: 0o600 });
  return passwordFrom(path, signIn);
}

it("takes the first line that fits", () => {
  const lines = [
    "# db.example:5432:budgets:lethe_gateway:no",
    "db.example:5433:budgets:lethe_gateway:other port",
    "db.example:5432:budgets:lethe_gateway:first",
    "*:*:*:*:last",
  ];
  expect(found(lines)).toBe("first");
  expect(found(lines, { ...gateway, port: 5433 })).toBe("other port");
  expect(found(lines, { ...gateway, user: "ada" })).toBe("last");
  expect(found(lines.slice(0, 3), { ...gateway, user: "ada" })).toBeNull();
});

it("reads a backslash as libpq does, and a colon in a password", () => {
  expect(found(["*:*:*:lethe_gateway:a\\:b\\\\c:d"])).toBe("a:b\\c:d");
  expect(found(["*:*:bud\\gets:*:x"])).toBe("x");
  expect(found(["*:*:a\\:b:*:x"], { ...gateway, database: "a:b" })).toBe("x");
});

it("takes nothing from a line that lacks a part, from no file, and from a file that others may read", () => {
  expect(found(["", "db.example:5432:budgets:lethe_gateway", "*:*:*:*:"])).toBeNull();
  expect(passwordFrom(join(folder, "none"), gateway)).toBeNull();
  expect(passwordFrom(folder, gateway)).toBeNull();
  if (process.platform === "win32") return;
  expect(found(["*:*:*:*:x"])).toBe("x");
  chmodSync(join(folder, "pgpass"), 0o640);
  expect(passwordFrom(join(folder, "pgpass"), gateway)).toBeNull();
});
