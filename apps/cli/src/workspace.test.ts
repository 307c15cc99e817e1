import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { inFolder } from "./testing/command-line.ts";
import { fileError, policyOf, readText, workspaceOf } from "./workspace.ts";

it("a policy's state lies in the folder .lethe beside it, whatever the policy is called", () => {
  const base = resolve("/srv/clinic");
  expect(workspaceOf(join(base, "own.yaml"))).toEqual({
    policyPath: join(base, "own.yaml"),
    base,
    state: join(base, ".lethe"),
    ledger: join(base, ".lethe", "ledger"),
    seed: join(base, ".lethe", "seed"),
    log: join(base, ".lethe", "owner.log"),
  });
  expect(workspaceOf()).toEqual(workspaceOf("lethe.yaml"));
});

it("a policy that is not there is told apart from one that cannot be read", () =>
  inFolder({}, async (folder) => {
    mkdirSync("folder.yaml");
    expect(() => policyOf(workspaceOf("none.yaml"))).toThrowError(
      expect.objectContaining({
        code: "policy.unreadable",
        message: expect.stringMatching(/^there is no policy .*none\.yaml$/),
        fix: expect.stringContaining("lethe init FILE"),
      }),
    );
    expect(() => policyOf(workspaceOf("folder.yaml"))).toThrowError(
      expect.objectContaining({ code: "cli.file", fix: "name a file, not a folder" }),
    );
    expect(() => readText(join(folder, "none"), "the release")).toThrowError(
      expect.objectContaining({ code: "cli.file", fix: "check the path" }),
    );
  }));

it.each([
  ["ENOENT", "check the path"],
  ["ENOTDIR", "check the path"],
  ["EISDIR", "name a file, not a folder"],
  ["ENAMETOOLONG", "choose a shorter name"],
  ["ENOSPC", "make room on the disk"],
  ["EACCES", "check the file's permissions and the disk"],
])("the system's %s is told with the path, what the file was for, and: %s", (code, fix) => {
  expect(fileError("write", "a/b", "the plot", Object.assign(new Error("secret"), { code }))).toMatchObject({
    code: "cli.file",
    message: `cannot write the plot a/b (${code})`,
    fix,
    fields: { path: "a/b", reason: code },
  });
});

it("an error of no known kind is told without its words", () => {
  expect(fileError("read", "a", "the event", new Error("secret")).message).toBe(
    "cannot read the event a (unknown error)",
  );
});
