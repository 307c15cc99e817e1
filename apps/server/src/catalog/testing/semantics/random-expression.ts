import type { Dice } from "./dice.ts";

/** The types that the statements compute with. */
export type Kind = "integer" | "bigint" | "text" | "boolean" | "integers" | "texts";

export const kinds: readonly Kind[] = ["integer", "bigint", "text", "boolean", "integers", "texts"];

/** How SQL writes a type. */
export const typeNames: Readonly<Record<Kind, string>> = {
  integer: "integer",
  bigint: "bigint",
  text: "text",
  boolean: "boolean",
  integers: "integer[]",
  texts: "text[]",
};

export interface Column {
  readonly name: string;
  readonly kind: Kind;
}

/** What an expression may be made of. */
export interface Around {
  readonly dice: Dice;
  readonly columns: readonly Column[];
}

type Make = (around: Around, depth: number) => string;

const texts =
  "''|'a'|'b'|'Abc'|'aXb'|'a b'|'  pad '|'a%b'|'a_b'|'100%'|'x.y'|'it''s'|'ÄÖ'|'日本'|'pg_class'|'12'|'-7'|'select'|'a,b,c'|'\"q\"'|'a$b'|'$&'|'a\\b'|'😀x'|'été'".split(
    "|",
  );
const integers = "0|1|-1|2|3|7|10|-12|255|65536|2147483647|-2147483648|NULL::integer".split("|");
const bigints = "0::bigint|1::bigint|(-3)::bigint|2147483648|9223372036854775807|NULL::bigint".split("|");
const patterns = "'a%'|'%b'|'_b_'|'a\\%b'|'%'|''|'A%'|'a!%b' ESCAPE '!'|'%ö%'".split("|");
const expressions = [
  ...["'^a'", "'b$'", "'a.b'", "'^(a|b)$'", "'[a-c]+'", "'[^a]'", "'a{1,2}'", "'\\d'", "'\\w+'", "'^pg_'"],
  ...[
    "'(a)(b)?'",
    "'.*'",
    "'^$'",
    "'a|b'",
    "'a|ab'",
    "'(a|ab)(b|c)?'",
    "'[[:alpha:]]'",
    "'[[:upper:]]'",
    "'\\s'",
  ],
];

const literals: Readonly<Record<Kind, Make>> = {
  integer: ({ dice }) => bracketed(dice.pick(integers)),
  bigint: ({ dice }) => dice.pick(bigints),
  text: ({ dice }) => (dice.chance(0.1) ? "NULL::text" : dice.pick(texts)),
  boolean: ({ dice }) => dice.pick(["true", "false", "NULL::boolean"]),
  integers: ({ dice }) =>
    dice.pick(["'{}'::integer[]", "'{1,2,NULL}'::integer[]", "ARRAY[3,1,2]", "NULL::integer[]"]),
  texts: ({ dice }) =>
    dice.pick([
      "'{}'::text[]",
      "ARRAY['a','b']",
      `'{a,"b c",NULL,""}'::text[]`,
      "string_to_array('a,b,,c', ',')",
    ]),
};

const bracketed = (text: string): string => (text.startsWith("-") ? `(${text})` : text);

const of =
  (kind: Kind): Make =>
  (around, depth) =>
    randomExpression(kind, around, depth);
const [int, big, txt, bool, ints, strs] = kinds.map(of) as [Make, Make, Make, Make, Make, Make];
const any: Make = (around, depth) => randomExpression(around.dice.pick(kinds), around, depth);

/** A template whose holes are expressions. */
const form =
  (parts: TemplateStringsArray, ...holes: readonly Make[]): Make =>
  (around, depth) =>
    parts.reduce(
      (text, part, at) => text + part + (at < holes.length ? (holes[at] as Make)(around, depth - 1) : ""),
      "",
    );
const small: Make = ({ dice }) => String(dice.below(6) - 1);
const sep: Make = ({ dice }) => dice.pick(["','", "'a'", "' '", "''", "'--'"]);
const pattern: Make = ({ dice }) => dice.pick(patterns);
const regex: Make = ({ dice }) => dice.pick(expressions);
const compared: Make = ({ dice }) => dice.pick(["=", "<>", "<", "<=", ">", ">="]);
const same: Make = (around, depth) => {
  const kind = around.dice.pick(kinds);
  return `(${randomExpression(kind, around, depth)} ${compared(around, depth)} ${randomExpression(kind, around, depth)})`;
};
const sameDistinct: Make = (around, depth) => {
  const kind = around.dice.pick(kinds);
  return `(${randomExpression(kind, around, depth)} IS ${around.dice.pick(["", "NOT "])}DISTINCT FROM ${randomExpression(kind, around, depth)})`;
};

const choices: Readonly<Record<Kind, readonly Make[]>> = {
  integer: [
    form`(${int} + ${int})`,
    form`(${int} - ${int})`,
    form`(${int} * ${int})`,
    form`(${int} / ${int})`,
    form`(${int} % ${int})`,
    form`(- ${int})`,
    form`(${int} & ${int})`,
    form`abs(${int})`,
    form`length(${txt})`,
    form`strpos(${txt}, ${txt})`,
    form`position(${txt} IN ${txt})`,
    form`ascii(${txt})`,
    form`octet_length(${txt})`,
    form`array_length(${ints}, 1)`,
    form`array_upper(${strs}, 1)`,
    form`array_lower(${ints}, 1)`,
    form`cardinality(${strs})`,
    form`(${ints})[${small}]`,
    form`array_position(${ints}, ${int})`,
    form`CASE ${int} WHEN ${int} THEN ${int} ELSE ${int} END`,
    form`(CASE WHEN ${bool} THEN '12' ELSE '-7' END)::integer`,
    form`${bool}::integer`,
    form`${big}::integer`,
    form`sign(${int}::bigint::integer)::integer`,
  ],
  bigint: [
    form`(${big} + ${int})`,
    form`(${int} - ${big})`,
    form`(${big} * ${big})`,
    form`(${big} / ${int})`,
    form`(${big} % ${big})`,
    form`${int}::bigint`,
    form`abs(${big})`,
    form`'42'::bigint`,
    form`('9' || ${int}::text)::bigint`,
  ],
  text: [
    form`(${txt} || ${txt})`,
    form`(${txt} || ${int})`,
    form`upper(${txt})`,
    form`lower(${txt})`,
    form`initcap(${txt})`,
    form`substring(${txt} FROM ${small} FOR 2)`,
    form`substr(${txt}, ${small})`,
    form`substring(${txt} FROM ${regex})`,
    form`left(${txt}, ${small})`,
    form`right(${txt}, ${small})`,
    form`replace(${txt}, ${sep}, ${txt})`,
    form`translate(${txt}, 'abc', 'xy')`,
    form`split_part(${txt}, ${sep}, 1 + abs(${small}))`,
    form`trim(${txt})`,
    form`trim(both ' a' from ${txt})`,
    form`ltrim(${txt}, 'ab')`,
    form`rtrim(${txt})`,
    form`btrim(${txt}, '"')`,
    form`lpad(${txt}, 4, 'xy')`,
    form`rpad(${txt}, 3)`,
    form`repeat(${txt}, ${small})`,
    form`reverse(${txt})`,
    form`concat(${txt}, ${int}, ${bool})`,
    form`concat_ws(${sep}, ${txt}, NULL, ${txt})`,
    form`quote_ident(${txt})`,
    form`quote_literal(${txt})`,
    form`format('%2$s %1$-4s|%3s|', ${txt}, ${int}, ${txt})`,
    form`format('%s-%I-%L', ${int}, coalesce(${txt}, 'x'), ${txt})`,
    form`regexp_replace(${txt}, ${regex}, '-')`,
    form`regexp_replace(${txt}, ${regex}, '[\\&]', 'g')`,
    form`array_to_string(${strs}, ',')`,
    form`array_to_string(${ints}, '|', '*')`,
    form`${int}::text`,
    form`${bool}::text`,
    form`${ints}::text`,
    form`${strs}::text`,
    form`(${strs})[${small}]`,
    form`md5(${txt})`,
    form`${txt}::name::text`,
    form`${txt}::varchar(2)::text`,
    form`coalesce(${txt}, 'none')`,
    form`CASE WHEN ${bool} THEN ${txt} WHEN ${bool} THEN ${txt} END`,
  ],
  boolean: [
    same,
    same,
    sameDistinct,
    form`(${bool} AND ${bool})`,
    form`(${bool} OR ${bool})`,
    form`(NOT ${bool})`,
    form`(${any} IS NULL)`,
    form`(${any} IS NOT NULL)`,
    form`(${bool} IS TRUE)`,
    form`(${bool} IS NOT FALSE)`,
    form`(${bool} IS UNKNOWN)`,
    form`(${int} IN (${int}, ${int}, ${int}))`,
    form`(${txt} NOT IN (${txt}, ${txt}))`,
    form`(${int} BETWEEN ${int} AND ${int})`,
    form`(${int} NOT BETWEEN SYMMETRIC ${int} AND ${int})`,
    form`(${txt} LIKE ${pattern})`,
    form`(${txt} NOT LIKE ${pattern})`,
    form`(${txt} ILIKE ${pattern})`,
    form`(${txt} ~ ${regex})`,
    form`(${txt} !~ ${regex})`,
    form`(${txt} ~* ${regex})`,
    form`(${int} = ANY (${ints}))`,
    form`(${int} > ALL (${ints}))`,
    form`(${txt} <> ALL (${strs}))`,
    form`(${txt} = ANY (${strs}))`,
    form`(${ints} @> ${ints})`,
    form`(${strs} && ${strs})`,
    form`(${int} IN (SELECT v FROM (VALUES (1), (2), (NULL)) AS s(v) WHERE ${bool}))`,
    form`EXISTS (SELECT 1 FROM (VALUES (1), (NULL)) AS s(v) WHERE v = ${int})`,
    form`((${int}, ${txt}) = (${int}, ${txt}))`,
    form`(${int} = ${big})`,
    form`starts_with(${txt}, ${txt})`,
  ],
  integers: [
    form`ARRAY[${int}, ${int}]`,
    form`array_append(${ints}, ${int})`,
    form`array_cat(${ints}, ${ints})`,
    form`(${ints} || ${int})`,
    form`array_remove(${ints}, ${int})`,
    form`ARRAY(SELECT v FROM (VALUES (2), (1), (NULL)) AS s(v) WHERE v > ${int} ORDER BY v)`,
    form`(${ints})[1:2]`,
  ],
  texts: [
    form`ARRAY[${txt}, ${txt}]`,
    form`string_to_array(${txt}, ${sep})`,
    form`(${strs} || ${txt})`,
    form`array_prepend(${txt}, ${strs})`,
    form`regexp_split_to_array(${txt}, ',')`,
  ],
};

const whole: readonly ((kind: Kind) => Make)[] = [
  (kind) => form`coalesce(${of(kind)}, ${of(kind)})`,
  (kind) => form`nullif(${of(kind)}, ${of(kind)})`,
  (kind) => form`CASE WHEN ${bool} THEN ${of(kind)} ELSE ${of(kind)} END`,
  (kind) => form`greatest(${of(kind)}, ${of(kind)})`,
  (kind) => form`least(${of(kind)}, ${of(kind)})`,
  // What stands in the brackets of ANY would be rows, and no list.
  (kind) => (kind === "integers" || kind === "texts" ? of(kind) : form`(SELECT ${of(kind)})`),
];

/** Makes an expression of a type. */
export function randomExpression(kind: Kind, around: Around, depth: number): string {
  const { dice, columns } = around;
  const fitting = columns.filter((column) => column.kind === kind);
  if (depth <= 0 || dice.chance(0.15))
    return fitting.length > 0 && dice.chance(0.75) ? dice.pick(fitting).name : literals[kind](around, depth);
  const make = dice.chance(0.15) ? dice.pick(whole)(kind) : dice.pick(choices[kind]);
  return make(around, depth);
}

/** Makes a value of a type that stands in a list of rows. */
export const randomLiteral = (kind: Kind, dice: Dice): string => literals[kind]({ dice, columns: [] }, 0);
