import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** A sentence that a source file can say: its text, with § in the place of each value, and a pattern that fits it. */
export interface Sentence {
  readonly place: string;
  readonly text: string;
  readonly pattern: RegExp;
}

/** Every text of two words or more in the sources of a folder that names accept: what these can say. */
export function sentencesOf(
  folder: string,
  isSource: (name: string) => boolean = () => true,
): readonly Sentence[] {
  const names = readdirSync(folder).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && isSource(name),
  );
  return names.flatMap((name) => {
    const source = ts.createSourceFile(
      name,
      readFileSync(join(folder, name), "utf8"),
      ts.ScriptTarget.Latest,
      true,
    );
    return [...textsIn(source)].map((text) => ({ place: name, text, pattern: patternOf(text) }));
  });
}

function* textsIn(node: ts.Node): Iterable<string> {
  if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
  if (ts.isStringLiteralLike(node) && isSentence(node.text)) yield node.text;
  if (ts.isTemplateExpression(node)) {
    const text = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join("§");
    if (isSentence(text)) yield text;
  }
  const parts: ts.Node[] = [];
  ts.forEachChild(node, (part) => void parts.push(part));
  for (const part of parts) yield* textsIn(part);
}

const isSentence = (text: string): boolean => /\S \S/.test(text.replaceAll("§", ""));

function patternOf(text: string): RegExp {
  const quoted = text.split("§").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(quoted.join(".*"), "s");
}
