import { mkdirSync, readFileSync, statSync } from "node:fs";
import { expect, it } from "vitest";
import { ownersLog } from "./owners-log.ts";
import { inFolder } from "./testing/command-line.ts";
import { workspaceOf } from "./workspace.ts";

it("the owner's log holds each detail on a line with its time, and only the owner may read it", () =>
  inFolder({}, async () => {
    mkdirSync(".lethe");
    const log = ownersLog(workspaceOf());
    log("first");
    log("second");
    const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
    expect(readFileSync(".lethe/owner.log", "utf8")).toMatch(new RegExp(`^${time} first\n${time} second\n$`));
    expect(statSync(".lethe/owner.log").mode & 0o777).toBe(0o600);
  }));

it("a log that cannot be written stops nothing", () =>
  inFolder({}, async () => {
    expect(() => ownersLog(workspaceOf("nowhere/lethe.yaml"))("lost")).not.toThrow();
  }));
