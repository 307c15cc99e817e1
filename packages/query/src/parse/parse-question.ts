import { LetheError } from "@lethe/core";
import type { ParseResult, SelectStmt } from "@pgsql/types";
import { bigQueryWords } from "./bigquery-words.ts";
import { checkDepth, checkLength } from "./check-size.ts";
import { cutExplain } from "./cut-explain.ts";
import { cutOptions } from "./cut-options.ts";
import { type Grammar, grammarAtHand, loadGrammar } from "./grammar.ts";
import { parameterNames } from "./named-parameters.ts";
import { otherWords } from "./other-words.ts";
import { checkParameters, type ParameterValue, placeParameters } from "./parameters.ts";
import type { ParsedQuestion } from "./parsed-question.ts";
import { qualifies } from "./qualify.ts";
import { scanTokens, type Token } from "./scan-tokens.ts";
import { placePrivacy } from "./tree/place-privacy.ts";
import { placeQualify } from "./tree/place-qualify.ts";
import { placeSchemas } from "./tree/place-schemas.ts";
import { placeToday } from "./tree/place-today.ts";
import { relocate } from "./tree/relocate.ts";

const oneSelect = "ask one SELECT, such as SELECT COUNT(*) FROM a_table";

function syntax(message: string, fix: string, offset: number): LetheError {
  return new LetheError("query.syntax", message, { fix, offset });
}

/** The grammar's own message speaks of the question alone. It counts characters, where its tree counts bytes. */
function refusal(error: unknown, text: string): LetheError {
  const deep = new LetheError("query.too-large", "the question nests too deeply", {
    fix: "split the question",
  });
  if (error instanceof RangeError) return deep;
  const details = (error as { sqlDetails?: { message: string; cursorPosition: number } }).sqlDetails;
  if (!details) return syntax("the question cannot be read", oneSelect, 0);
  if (details.message.startsWith("memory exhausted")) return deep;
  const offset = [...text].slice(0, details.cursorPosition).join("").length;
  return syntax(details.message, fixFor(text, offset), offset);
}

function fixFor(text: string, offset: number): string {
  const ticked = [...scanTokens(text)].some(({ start }) => text.charAt(start) === "`");
  if (ticked) return 'write names in double quotes, "name", or bare';
  if (/^with\s+differential_privacy/i.test(text.slice(offset)))
    return "write WITH DIFFERENTIAL_PRIVACY directly behind a SELECT";
  return "correct the SQL there; the grammar is PostgreSQL's";
}

/** The tokens that are left of a text, where others were blanked out. */
function uncut(text: string, tokens: readonly Token[]): readonly Token[] {
  return tokens.filter(({ start }) => text.charAt(start) !== " ");
}

/** UTF-16 index of a byte offset in the UTF-8 form; the identity for ASCII. */
function byteIndex(text: string): (byte: number) => number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is the question
  if (/^[\x00-\x7f]*$/.test(text)) return (byte) => byte;
  const starts: number[] = [];
  let index = 0;
  for (const character of text) {
    const point = character.codePointAt(0)!;
    const bytes = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    for (let i = 0; i < bytes; i += 1) starts.push(index);
    index += character.length;
  }
  return (byte) => starts[byte] ?? index;
}

function theSelect(result: ParseResult, indexOf: (byte: number) => number): SelectStmt {
  const statements = result.stmts ?? [];
  const [first, second] = statements;
  if (!first) throw syntax("the text holds no question", oneSelect, 0);
  if (second)
    throw new LetheError(
      "query.unsupported",
      `the text holds ${statements.length} statements, but one question is answered at a time`,
      {
        fix: "ask one question at a time",
        offset: indexOf(second.stmt_location ?? 0),
      },
    );
  const statement = first.stmt;
  if (!statement || !("SelectStmt" in statement))
    throw new LetheError("query.unsupported", "only a SELECT is answered", {
      fix: oneSelect,
      offset: indexOf(first.stmt_location ?? 0),
    });
  return statement.SelectStmt;
}

/**
 * Reads one question with PostgreSQL's own grammar, after EXPLAIN PRIVACY and BigQuery's WITH DIFFERENTIAL_PRIVACY clause
 * have been cut out.
 * Every offset, of errors and of the tree, is a UTF-16 index into the text; see placeOf.
 * `parameters` are the values of $1, $2 …, or of BigQuery's @name in the order of first appearance (listParameters), bound as constants of the tree.
 * `today` is the day in UTC, as YYYY-MM-DD, that CURRENT_DATE and now() stand for; without it they are left as they are, which resolving refuses.
 * Errors: query.too-large (64 KiB, 2,000 nested parts), query.syntax, query.unsupported (not one SELECT), query.parameter.
 */
export async function parseQuestion(
  text: string,
  parameters: readonly ParameterValue[] = [],
  today: string | null = null,
): Promise<ParsedQuestion> {
  checkText(text);
  checkParameters(parameters);
  return readQuestion(await loadGrammar(), text, parameters, today);
}

/** Reads a text when the grammar is at hand, as it is once a question was parsed. Errors: those of {@link parseQuestion}, and internal.invariant before. */
export function parseAgain(text: string): ParsedQuestion {
  const grammar = grammarAtHand();
  if (grammar) return readQuestion(grammar, text, [], null);
  throw new LetheError("internal.invariant", "a text is read again before any was read", {
    fix: "report this with the question asked",
  });
}

function checkText(text: string): void {
  checkLength(text);
  const strange = /[\0\p{Cs}]/u.exec(text);
  if (strange) throw syntax("the text holds a NUL or half a character", "remove it", strange.index);
}

function readQuestion(
  grammar: Grammar,
  text: string,
  parameters: readonly ParameterValue[],
  today: string | null,
): ParsedQuestion {
  checkText(text);
  const values = checkParameters(parameters);
  const tokens = [...scanTokens(text)];
  checkDepth(tokens);
  const statement = cutExplain(text, tokens);
  const names = values.length > 0 ? parameterNames(text, tokens) : [];
  const used = new Set<number>();
  const cut = cutOptions({ ...statement, names, parameters: values, used });
  if (statement.tokens.length === 0) throw syntax("the text holds no question", oneSelect, 0);
  const indexOf = byteIndex(cut.text);
  const words = bigQueryWords(otherWords(cut.text, tokens), uncut(cut.text, tokens), names);
  let result: ParseResult;
  try {
    result = grammar.parseSync(words);
  } catch (error) {
    throw refusal(error, text);
  }
  const select = theSelect(result, indexOf);
  relocate(select, indexOf);
  placeQualify(select, qualifies(cut.text, tokens));
  if (cut.within !== null) placePrivacy(select, cut.within);
  placeSchemas(select);
  placeParameters(select, values, used);
  const readsToday = today !== null && placeToday(select, today);
  return {
    ...{ text, parameters: values, select, options: cut.options, explains: statement.explains },
    ...(readsToday ? { today } : {}),
  };
}

/**
 * Returns what reads one SELECT as PostgreSQL's grammar has it, without the words of other dialects and with its parameters as they stand. Offsets are UTF-16 indexes into the text.
 * Errors: those of {@link parseQuestion}, but for query.parameter.
 */
export async function selectReader(): Promise<(text: string) => SelectStmt> {
  const grammar = await loadGrammar();
  return (text) => {
    checkText(text);
    checkDepth(scanTokens(text));
    const indexOf = byteIndex(text);
    let result: ParseResult;
    try {
      result = grammar.parseSync(text);
    } catch (error) {
      throw refusal(error, text);
    }
    const select = theSelect(result, indexOf);
    relocate(select, indexOf);
    return select;
  };
}
