import ts from "typescript";
import { docComments } from "./comments.mjs";

/**
 * Returns the facts about one file that the rules need:
 *   lines, imports [{ specifier, names, line }] (static, type-only, re-exported, dynamic alike; names is null for "*"),
 *   uses [{ what, line }] for `any`, ambient randomness, clocks and `crypto`,
 *   texts: the string literals, comments: the doc comments, assertions: how often `!` says that something is there,
 *   exports { names, whole }: the names that leave it, and the modules that it passes on whole.
 * Read from the syntax tree, so that comments and strings do not count.
 */
export function readModule(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const imports = [];
  const uses = [];
  const texts = [];
  const exported = { names: [], whole: [] };
  let assertions = 0;
  const lineOf = (node) => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;

  const visit = (node) => {
    if (ts.isImportDeclaration(node)) {
      imports.push({ specifier: node.moduleSpecifier.text, names: importedNames(node), line: lineOf(node) });
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
      const names =
        node.exportClause && ts.isNamedExports(node.exportClause) ? namesOf(node.exportClause) : null;
      imports.push({ specifier: node.moduleSpecifier.text, names, line: lineOf(node) });
    } else if (ts.isCallExpression(node) && isModuleCall(node)) {
      imports.push({ specifier: node.arguments[0].text, names: null, line: lineOf(node) });
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      imports.push({ specifier: node.argument.literal.text, names: null, line: lineOf(node) });
    }
    if (ts.isStringLiteral(node)) texts.push(node.text);
    if (ts.isNonNullExpression(node)) assertions++;
    leaving(node, exported);
    const what = ambient(node);
    if (what) uses.push({ what, line: lineOf(node) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  return { path, lines, imports, uses, texts, assertions, exports: exported, comments: docComments(text) };
}

/** Adds the names that a statement exports, or the module that it passes on whole. */
function leaving(node, { names, whole }) {
  if (ts.isExportDeclaration(node)) {
    if (node.exportClause && ts.isNamedExports(node.exportClause))
      names.push(...node.exportClause.elements.map(({ name }) => name.text));
    else if (node.moduleSpecifier && !node.exportClause) whole.push(node.moduleSpecifier.text);
    return;
  }
  if (!node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return;
  if (ts.isVariableStatement(node))
    names.push(...node.declarationList.declarations.map(({ name }) => name.getText()));
  else if (node.name) names.push(node.name.text);
}

const namesOf = (clause) => clause.elements.map((element) => (element.propertyName ?? element.name).text);

function importedNames({ importClause }) {
  if (!importClause) return [];
  const bindings = importClause.namedBindings;
  if (bindings && ts.isNamespaceImport(bindings)) return null;
  return [...(importClause.name ? ["default"] : []), ...(bindings ? namesOf(bindings) : [])];
}

function isModuleCall({ expression, arguments: [specifier] }) {
  const loads =
    expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(expression) && expression.text === "require");
  return loads && specifier !== undefined && ts.isStringLiteralLike(specifier);
}

const clocks = new Set(["Math.random", "Date.now", "performance.now", "process.hrtime"]);

/** The name of the ambient thing that a node reaches for, or null. */
function ambient(node) {
  if (node.kind === ts.SyntaxKind.AnyKeyword) return "any";
  if (ts.isPropertyAccessExpression(node)) {
    const name = `${node.expression.getText()}.${node.name.text}`;
    if (clocks.has(name)) return name;
    if (name === "globalThis.crypto") return "crypto";
  }
  if (ts.isNewExpression(node) && node.expression.getText() === "Date" && !node.arguments?.length)
    return "new Date()";
  if (ts.isCallExpression(node) && node.expression.getText() === "Date") return "Date()";
  if (ts.isIdentifier(node) && node.text === "crypto" && isReference(node)) return "crypto";
  return null;
}

/** An identifier that stands for the variable, not for a property, a key or a declared name. */
function isReference(node) {
  const parent = node.parent;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  return !(
    ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isImportSpecifier(parent) ||
    ts.isExportSpecifier(parent)
  );
}
