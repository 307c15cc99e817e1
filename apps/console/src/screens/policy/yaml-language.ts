import { StreamLanguage, type StringStream } from "@codemirror/language";

/** The words of YAML that a reader tells apart: keys, texts, numbers, truths and comments. */
export const yamlLanguage = StreamLanguage.define<null>({ name: "yaml", token });

function token(stream: StringStream): string | null {
  if (stream.match(/^#.*/)) return "comment";
  if (stream.match(/^(?:[\w.-]+|"[^"]*")(?=\s*:(?:\s|$))/)) return "keyword";
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'[^']*'?/)) return "string";
  if (stream.match(/^(?:true|false|null)\b/)) return "bool";
  if (stream.match(/^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w-])/)) return "number";
  if (!stream.match(/^[\w.-]+/)) stream.next();
  return null;
}
