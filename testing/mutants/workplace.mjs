import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/**
 * A copy of the working tree to break things in: its files are hard links, what was installed is linked to, and the
 * packages of the workspace are the copy's own. The working tree is never written: a file is replaced, not changed.
 */
export class Workplace {
  #root;
  #edits = new Map();

  constructor(root) {
    this.#root = root;
    this.folder = mkdtempSync(join(tmpdir(), "lethe-mutants-"));
    const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], {
      cwd: root,
      encoding: "utf8",
    });
    for (const file of files.split("\0").filter(Boolean)) {
      mkdirSync(dirname(join(this.folder, file)), { recursive: true });
      linkOrCopy(join(root, file), join(this.folder, file));
    }
    this.#install();
  }

  /** Replaces the one occurrence of `from`; gives a function that puts the file back. */
  change({ file, from, to }) {
    return this.replace(file, changed(readFileSync(join(this.#root, file), "utf8"), from, to));
  }

  /**
   * Changes the text from `start` to `end` of the source, counted in the text as it was handed in, wherever other edits of the same
   * file have moved it to; gives a function that puts the whole file back.
   */
  edit(file, { start, end, to }) {
    const earlier = this.#edits.get(file) ?? [];
    const edits = [...earlier, { start, end, to }].sort((a, b) => b.start - a.start);
    const apart = edits.filter((edit, at) => at === 0 || edit.end <= edits[at - 1].start);
    this.#edits.set(file, edits);
    const text = apart.reduce(
      (made, edit) => made.slice(0, edit.start) + edit.to + made.slice(edit.end),
      readFileSync(join(this.#root, file), "utf8"),
    );
    const restore = this.replace(file, text);
    return () => {
      this.#edits.delete(file);
      restore();
    };
  }

  /** Puts another text in a file's place; gives a function that puts the file back. */
  replace(file, text) {
    const place = join(this.folder, file);
    rmSync(place);
    writeFileSync(place, text);
    return () => {
      rmSync(place);
      linkOrCopy(join(this.#root, file), place);
    };
  }

  /** Puts a file where none is. */
  add(file, text) {
    writeFileSync(join(this.folder, file), text, { flag: "wx" });
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #install() {
    const [installed, own] = [join(this.#root, "node_modules"), join(this.folder, "node_modules")];
    mkdirSync(join(own, "@lethe"), { recursive: true });
    for (const name of readdirSync(installed)) {
      if (name !== "@lethe" && !name.startsWith(".vite") && name !== ".cache")
        symlinkSync(join(installed, name), join(own, name));
    }
    // The links of the workspace are relative, and so lead into the copy.
    for (const name of readdirSync(join(installed, "@lethe")))
      execFileSync("cp", ["-P", join(installed, "@lethe", name), join(own, "@lethe", name)]);
  }
}

/** Builds a copy as `npm test` does. A fault that the build notices leaves nothing built, which tests then notice. */
export function buildIn(folder) {
  try {
    execFileSync(process.execPath, [join(folder, "scripts/build.mjs")], { cwd: folder, stdio: "ignore" });
  } catch {
    // The tests that start the program judge.
  }
}

/** The text with its one occurrence of `from` changed. Throws when there is none, or more than one. */
export function changed(text, from, to) {
  const count = text.split(from).length - 1;
  if (count !== 1) throw new Error(`the text to change occurs ${count} times`);
  return text.replace(from, () => to);
}

function linkOrCopy(from, to) {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}
