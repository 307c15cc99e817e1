import ts from "typescript";

/**
 * The formulas of one source file: its exported functions and values whose docstring names a source.
 * [{ name, line, statement, source, direction }]; source or direction is null where the docstring has no such line.
 * A docstring that has neither is no formula's.
 */
export function readFormulas(path, text) {
  return exportsOf(path, text)
    .map(({ name, line, doc }) => ({ name, line, ...readDoc(doc) }))
    .filter(({ source, direction }) => source !== null || direction !== null);
}

/** Exported functions, values and classes: [{ name, line, doc }]. Types and re-exports are none. */
export function exportsOf(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return file.statements.filter(isExported).flatMap((statement) => {
    const doc = docOf(statement, text);
    const line = file.getLineAndCharacterOfPosition(statement.getStart()).line + 1;
    return namesOf(statement).map((name) => ({ name, line, doc }));
  });
}

/** The names that a file imports, as their module exports them: what a test can be about. */
export function importsOf(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const named = file.statements
    .filter(ts.isImportDeclaration)
    .map(({ importClause }) => importClause?.namedBindings)
    .filter((bindings) => bindings && ts.isNamedImports(bindings));
  return new Set(
    named.flatMap(({ elements }) => elements.map(({ propertyName, name }) => (propertyName ?? name).text)),
  );
}

function isExported(statement) {
  return (
    ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  );
}

function namesOf(statement) {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const isNamed = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
  return isNamed && statement.name ? [statement.name.text] : [];
}

/** The last doc comment before a statement, without its stars. */
function docOf(statement, text) {
  const comments = ts.getLeadingCommentRanges(text, statement.getFullStart()) ?? [];
  const last = comments.map(({ pos, end }) => text.slice(pos, end)).findLast((one) => one.startsWith("/**"));
  return (last ?? "")
    .replace(/^\/\*\*|\*\/$/g, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd())
    .join("\n")
    .trim();
}

const label = "(?:Source|Direction|Errors|Shapes?|Units|Domain|Proof|Cost)";

/** What a docstring says: its first sentence, and what stands behind `Source:` and `Direction:`. */
export function readDoc(doc) {
  const [prose = ""] = doc.split(/^@/m);
  return {
    statement: firstSentence(
      prose.split(new RegExp(String.raw`^\s*${label}:|(?<=[.)] )${label}:`, "m"))[0] ?? "",
    ),
    source: labelled(prose, "Source"),
    direction: labelled(prose, "Direction"),
  };
}

function labelled(prose, name) {
  const behind = String.raw`\b${name}:\s*([\s\S]+?)(?=\s+${label}:|\n\s*\n|$(?![\s\S]))`;
  const found = new RegExp(behind).exec(prose)?.[1];
  return found === undefined ? null : oneLine(found).replace(/\.$/, "");
}

const oneLine = (text) => text.replace(/\s+/g, " ").trim();

/** Returns a text up to the first full stop that ends a sentence: not one of an abbreviation, of a number, or between brackets. */
function firstSentence(text) {
  const line = oneLine(text.split(/\n\s*\n/)[0] ?? "");
  let depth = 0;
  for (let i = 0; i < line.length; i += 1) {
    if ("([{".includes(line[i])) depth += 1;
    else if (")]}".includes(line[i])) depth -= 1;
    else if (
      line[i] === "." &&
      depth <= 0 &&
      /^(?:\s|$)/.test(line.slice(i + 1)) &&
      !abbreviated(line.slice(0, i))
    )
      return line.slice(0, i);
  }
  return line;
}

const abbreviated = (before) =>
  /(?:^|[\s(])(?:Thm|Prop|Def|Sec|Eq|Cor|Alg|App|al|cf|e\.g|i\.e|vs|resp|approx)$/.test(before);
