import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { inFolder } from "../testing/command-line.ts";
import { rowsAlone } from "./run-audits.ts";
import { writeReport } from "./write-report.ts";

it("a report goes into a new file with what was run and when, and replaces none", () =>
  inFolder({ "taken.html": "older" }, async () => {
    await writeReport("page.html", rowsAlone([]), "A <function>");
    expect(readFileSync("page.html", "utf8")).toMatch(
      /^<!doctype html>\n[\s\S]*<p class="soft">A &lt;function&gt;, \d{4}-\d\d-\d\d \d\d:\d\d UTC<\/p>/,
    );
    await expect(writeReport("taken.html", rowsAlone([]), "x")).rejects.toMatchObject({
      code: "cli.file",
      message: "cannot write the report taken.html (EEXIST)",
    });
    expect(readFileSync("taken.html", "utf8")).toBe("older");
  }));
