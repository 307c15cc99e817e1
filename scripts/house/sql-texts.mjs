import ts from "typescript";

/** SQL that is a dialect's to write: operators between blanks, clauses, casts, conditions, aggregates. */
const dialectSql = [
  / (?:<<|>>|&|\|\||::|[-+*/%]|[<>]=?|<>|=) /,
  /::/,
  /\b(?:SELECT|FROM|WHERE|JOIN|UNION|VALUES|WITH|MATERIALIZED|OVER|PARTITION|FILTER|NULLS|HAVING) /,
  /\b(?:CASE|WHEN|THEN|ELSE|END|EXISTS|NOT|AND|OR|BETWEEN|IN|IS|GROUP|ORDER|LIMIT|OFFSET)\b/,
  /\b(?:CAST|coalesce|count|sum|min|max|least|greatest|nullif|md5|bit_\w+|row_number|dense_rank)\(/,
  /^(?:NULL|TRUE|FALSE)$/,
];

/** Every string of a module's text, and every part of its templates, that is SQL: { line, text }. */
export function sqlTexts(text) {
  const source = ts.createSourceFile("module.ts", text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    const isText =
      ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    const isName = ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isNewExpression(node);
    if (isText && dialectSql.some((pattern) => pattern.test(node.text)))
      found.push({ line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, text: node.text });
    // What a module is called and what an error says is English.
    if (!isName) ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
