import { expect, it } from "vitest";
import { releaseNamed } from "./release-named.ts";
import { inFolder } from "./testing/command-line.ts";

const release = { version: 1, certificate: { requestId: "monday" } };

it("the release that a target is of is a file's where there is such a file, and else the id of a request", () =>
  inFolder({ "release.json": JSON.stringify(release) }, async () => {
    expect(releaseNamed(undefined)).toEqual({});
    expect(releaseNamed("monday")).toEqual({ targetRelease: "monday" });
    expect(releaseNamed("release.json")).toEqual({ targetRelease: release });
  }));

it.each([
  ["no JSON", "version: 1"],
  ["null", "null"],
  ["a list", "[1]"],
  ["no certificate", "{}"],
  ["an empty certificate", '{"certificate":null}'],
  ["a request that is no text", '{"certificate":{"requestId":7}}'],
])("a file with %s is refused as no release", (_, text) =>
  inFolder({ "release.json": text }, async () => {
    expect(() => releaseNamed("release.json")).toThrowError(
      expect.objectContaining({ code: "release.invalid", message: "release.json holds no release" }),
    );
  }),
);
