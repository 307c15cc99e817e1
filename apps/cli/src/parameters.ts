import { LetheError } from "@lethe/core";

export interface ParameterFlags {
  /** "1=42", each. */
  readonly param: readonly string[];
  /** A JSON list, or a JSON object of values by name. */
  readonly params?: string | undefined;
}

type Value = number | string | boolean | null;

function usage(message: string, fix: string): LetheError {
  return new LetheError("cli.usage", message, { fix });
}

const form = `write --param 1=42, --param 2=Oslo (or '2="42"' for a text that looks like a number), or --params '[42, "Oslo", null]', or of @name --params '{"name": 42}'`;

/**
 * The values of $1, $2 …, or of @name, from the command line. In --param a value is JSON where it is a number, true, false, null or a quoted
 * text, and else a text as it stands. Errors: cli.usage.
 */
export function readParameters({
  param,
  params,
}: ParameterFlags): readonly Value[] | Readonly<Record<string, Value>> {
  if (params === undefined) return listed(param);
  if (param.length > 0)
    throw usage("--param and --params are given together", "give all values in one of the two");
  const given = parsed(params);
  const values = typeof given === "object" && given !== null ? Object.values(given) : [undefined];
  if (!values.every(isValue))
    throw usage(
      "--params is no JSON list of numbers, texts, true, false and null, nor an object of them",
      form,
    );
  return given as readonly Value[] | Readonly<Record<string, Value>>;
}

function listed(param: readonly string[]): readonly Value[] {
  const values = new Map<number, Value>();
  for (const said of param) {
    const [, number, text] = /^([1-9]\d{0,3})=(.*)$/s.exec(said) ?? [];
    if (number === undefined || text === undefined) throw usage("--param needs a number and a value", form);
    if (values.has(Number(number))) throw usage(`--param gives $${number} twice`, "give each value once");
    const value = parsed(text);
    values.set(Number(number), isValue(value) ? value : text);
  }
  return Array.from(values, (_, at) => {
    const value = values.get(at + 1);
    if (value === undefined) throw usage(`--param gives no value for $${at + 1}`, form);
    return value;
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isValue(value: unknown): value is Value {
  return value === null || ["number", "string", "boolean"].includes(typeof value);
}
