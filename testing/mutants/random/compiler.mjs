import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/**
 * Says whether a source file with another text still compiles, by the configuration of the root. Only the file itself is judged: what it
 * exports has declared types, so that a fault inside cannot break another file.
 */
export class Compiler {
  #root;
  #texts = new Map();
  #versions = new Map();
  #service;

  constructor(root) {
    this.#root = root;
    const configuration = ts.getParsedCommandLineOfConfigFile(
      join(root, "tsconfig.json"),
      {},
      {
        ...ts.sys,
        onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
          throw new Error(String(messageText));
        },
      },
    );
    const { options, fileNames } = configuration;
    this.#service = ts.createLanguageService({
      getScriptFileNames: () => fileNames,
      getScriptVersion: (file) => String(this.#versions.get(file) ?? 0),
      getScriptSnapshot: (file) => {
        const text = this.#texts.get(file) ?? ts.sys.readFile(file);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => root,
      getCompilationSettings: () => options,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: ts.sys.fileExists,
      readFile: ts.sys.readFile,
      readDirectory: ts.sys.readDirectory,
      directoryExists: ts.sys.directoryExists,
      getDirectories: ts.sys.getDirectories,
    });
  }

  /** Returns for each { path, text } whether it compiles. Different files are asked about together: a program is read once for all of them. */
  compile(changes) {
    const verdicts = new Array(changes.length);
    let left = changes.map((change, at) => ({ ...change, at, file: join(this.#root, change.path) }));
    while (left.length > 0) {
      const first = new Map();
      for (const change of left) if (!first.has(change.file)) first.set(change.file, change);
      for (const { file, text } of first.values()) this.#set(file, text);
      for (const { file, at } of first.values())
        verdicts[at] =
          this.#service.getSyntacticDiagnostics(file).length === 0 &&
          this.#service.getSemanticDiagnostics(file).length === 0;
      for (const file of first.keys()) this.#set(file, readFileSync(file, "utf8"));
      left = left.filter((change) => first.get(change.file) !== change);
    }
    return verdicts;
  }

  #set(file, text) {
    this.#texts.set(file, text);
    this.#versions.set(file, (this.#versions.get(file) ?? 0) + 1);
  }
}
