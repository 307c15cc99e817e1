import { LetheError } from "@lethe/core";
import { expect, it } from "vitest";
import { fileError } from "./file-error.ts";

it("names the file and the system's code, and leaves a coded error what it is", () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  expect(fileError("/a/ledger.db", full)).toMatchObject({
    code: "ledger.unreadable",
    message: "/a/ledger.db does not fit on the disk",
    fields: { path: "/a/ledger.db", system: "ENOSPC" },
  });
  for (const odd of [Object.assign(new Error("EIO"), { code: "EIO" }), new Error("none"), "a text", null])
    expect(fileError("/a", odd)).toMatchObject({ message: "/a cannot be read or written" });
  const coded = new LetheError("ledger.exists", "there is one", { fix: "choose another" });
  expect(fileError("/a", coded)).toBe(coded);
});
