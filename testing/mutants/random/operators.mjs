import ts from "typescript";

const K = ts.SyntaxKind;

const others = new Map([
  ["<", ["<=", ">="]],
  ["<=", ["<", ">"]],
  [">", [">=", "<="]],
  [">=", [">", "<"]],
  ["===", ["!=="]],
  ["!==", ["==="]],
  ["&&", ["||"]],
  ["||", ["&&"]],
  ["+", ["-"]],
  ["-", ["+"]],
  ["*", ["/", "+"]],
  ["/", ["*"]],
  ["%", ["*"]],
  ["**", ["*"]],
  ["<<", [">>"]],
  [">>", ["<<"]],
  [">>>", [">>", "<<"]],
  ["&", ["|"]],
  ["|", ["&"]],
  ["^", ["&"]],
  ["+=", ["-=", "="]],
  ["-=", ["+=", "="]],
  ["*=", ["/=", "="]],
  ["/=", ["*="]],
  ["|=", ["&="]],
  ["&=", ["|="]],
]);

const counterparts = new Map(
  [
    ["min", "max"],
    ["floor", "ceil"],
    ["some", "every"],
    ["smaller", "larger"],
    ["least", "greatest"],
    ["up", "down"],
    ["low", "high"],
    ["lower", "upper"],
    ["left", "right"],
    ["first", "last"],
    ["ceilOf", "floorOf"],
    ["startsWith", "endsWith"],
    ["indexOf", "lastIndexOf"],
  ].flatMap(([a, b]) => [
    [a, b],
    [b, a],
  ]),
);

const dropped = new Set(
  "filter sort toSorted reverse toReversed slice concat trim toLowerCase toUpperCase normalize flat".split(
    " ",
  ),
);

/**
 * All single faults that a syntax tree has room for, as { start, end, to, operator }: the text from `start` to `end` becomes `to`.
 * The operators are the usual ones of mutation testing, and those of this house: directed rounding the other way, a guard that is gone.
 */
export function faultsOf(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const faults = [];
  const add = (node, to, operator) =>
    faults.push({ start: node.getStart(source), end: node.getEnd(), to, operator });
  const visit = (node) => {
    if (isSilent(node)) return;
    for (const faultsIn of kinds) faultsIn(node, add);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults;
}

/** Types, imports and words that are only said have no behaviour to get wrong. */
function isSilent(node) {
  return (
    ts.isTypeNode(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node)
  );
}

const kinds = [binary, unary, condition, literal, callee, droppedCall, statement];

function binary(node, add) {
  if (!ts.isBinaryExpression(node)) return;
  const token = node.operatorToken;
  for (const to of others.get(token.getText()) ?? []) add(token, to, "operator");
  if (token.kind === K.QuestionQuestionToken) add(node, node.left.getText(), "no-default");
}

function unary(node, add) {
  if (ts.isPostfixUnaryExpression(node) || ts.isPrefixUnaryExpression(node)) {
    const operand = node.operand.getText();
    if (node.operator === K.ExclamationToken) add(node, operand, "negation");
    if (node.operator === K.MinusToken) add(node, operand, "sign");
    if (node.operator === K.PlusPlusToken) add(node, node.getText().replace("++", "--"), "step");
    if (node.operator === K.MinusMinusToken) add(node, node.getText().replace("--", "++"), "step");
  }
}

function condition(node, add) {
  const asked =
    ts.isIfStatement(node) || ts.isWhileStatement(node)
      ? node.expression
      : ts.isConditionalExpression(node)
        ? node.condition
        : null;
  if (asked === null) return;
  add(asked, `!(${asked.getText()})`, "condition");
  if (!ts.isWhileStatement(node)) add(asked, "true as boolean", "condition");
  add(asked, "false as boolean", "condition");
}

function literal(node, add) {
  if (node.kind === K.TrueKeyword) add(node, "false", "literal");
  if (node.kind === K.FalseKeyword) add(node, "true", "literal");
  if (ts.isNumericLiteral(node) && !isPlace(node)) {
    const value = Number(node.text);
    add(node, String(value + 1), "literal");
    add(node, value === 0 ? "-1" : value === 1 ? "0" : `(${value} / 2)`, "literal");
  }
  if (ts.isBigIntLiteral(node)) {
    const value = BigInt(node.text.slice(0, -1).replaceAll("_", ""));
    add(node, `${value + 1n}n`, "literal");
    add(node, value === 0n ? "(-1n)" : `${value - 1n}n`, "literal");
  }
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0) add(node, "[]", "literal");
}

/** A number that is a key of an object or of a type. */
function isPlace(node) {
  return ts.isPropertyAssignment(node.parent) && node.parent.name === node;
}

/** A name that has a counterpart: min for max, roundedUp for roundedDown. */
function callee(node, add) {
  if (!ts.isIdentifier(node)) return;
  const called =
    (ts.isCallExpression(node.parent) && node.parent.expression === node) ||
    (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node);
  if (!called) return;
  const to = counterparts.get(node.text) ?? otherDirection(node.text);
  if (to !== null) add(node, to, "counterpart");
}

function otherDirection(name) {
  const turned = name.replace(/(Up|Down)(?=$|[A-Z])/, (word) => (word === "Up" ? "Down" : "Up"));
  return turned === name ? null : turned;
}

function droppedCall(node, add) {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
  if (dropped.has(node.expression.name.text)) add(node, node.expression.expression.getText(), "dropped-call");
}

function statement(node, add) {
  if (ts.isExpressionStatement(node) || ts.isThrowStatement(node)) add(node, ";", "dropped-statement");
  if (ts.isIfStatement(node) && !node.elseStatement) add(node, ";", "dropped-guard");
  if (ts.isReturnStatement(node) && node.expression && ts.isIfStatement(node.parent))
    add(node, ";", "dropped-return");
  if (ts.isBreakStatement(node) || ts.isContinueStatement(node)) add(node, ";", "dropped-statement");
}
