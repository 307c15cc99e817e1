// npm run trino:sql -- URL < FILE: runs the statements of a file, or those that are typed until Ctrl-D, on a Trino without passwords, such as that of npm run trino.
// It is asked as the user that the URL names, or else as owner. Rows are printed with tabs between their values. A semicolon at a line's end ends a statement.
import { text } from "node:stream/consumers";
import { askAs } from "./ask.mjs";

const [place] = process.argv.slice(2);
if (!URL.canParse(place ?? "")) {
  console.error("write npm run trino:sql -- http://owner@127.0.0.1:PORT < FILE");
  process.exit(2);
}
const { origin: url, username } = new URL(place);
const statements = (await text(process.stdin)).split(/;[ \t]*(?:\n|$)/).filter((each) => each.trim() !== "");
try {
  for (const statement of statements)
    for (const row of await askAs(username || "owner", url, statement))
      console.log(row.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join("\t"));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
