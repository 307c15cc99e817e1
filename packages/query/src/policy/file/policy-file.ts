import type { DatabaseKind } from "../policy.ts";

/** The policy as it is written in YAML, after the schema has checked it. Exact numbers are the texts that were written. */
export interface PolicyFile {
  readonly version: 1;
  readonly privacy_unit: { readonly name: string; readonly adjacency: "add-or-remove-one" | "replace-one" };
  readonly database?: { readonly kind: DatabaseKind; readonly url_env?: string | undefined } | undefined;
  readonly tables: Readonly<Record<string, TableFile>>;
  readonly views?: Readonly<Record<string, string>> | undefined;
  readonly budget: BudgetFile;
  readonly defaults?:
    | { readonly epsilon?: string | undefined; readonly delta?: string | undefined }
    | undefined;
  readonly answers_valid?: string | undefined;
  readonly least_epsilon?: string | undefined;
  readonly release_schedule?: string | undefined;
}

export interface TableFile {
  readonly file?: string | undefined;
  readonly relation?: string | undefined;
  readonly trusted?: boolean | undefined;
  readonly csv?:
    | {
        readonly delimiter?: string | undefined;
        readonly quote?: string | undefined;
        readonly header?: boolean | undefined;
      }
    | undefined;
  readonly unit?: UnitFile | undefined;
  readonly public?: boolean | undefined;
  readonly key?: string | undefined;
  readonly rows_per_key?: Readonly<Record<string, number>> | undefined;
  readonly max_rows?: number | undefined;
  readonly max_rows_before_join?: number | undefined;
  readonly max_groups_contributed?: number | undefined;
  readonly max_rows_contributed_per_group?: number | undefined;
  readonly limit?: "groups-after-filter" | "rows-before-filter" | undefined;
  readonly bound?: "groups-after-filter" | "rows-before-filter" | undefined;
  readonly expected_rows?: number | undefined;
  readonly columns: Readonly<Record<string, ColumnFile>>;
}

export type UnitFile =
  | string
  | { readonly column: string }
  | {
      readonly through: string;
      /** "people.id", or its two names apart where one of them holds a dot. */
      readonly references: string | { readonly table: string; readonly column: string };
    };

export type ColumnFile =
  | {
      readonly type: "number";
      readonly bounds?: [number, number] | undefined;
      readonly default?: number | undefined;
    }
  | {
      readonly type: "integer";
      readonly bounds?: [number, number] | undefined;
      readonly categories?: number[] | undefined;
      readonly default?: number | undefined;
    }
  | {
      readonly type: "text";
      readonly categories?: string[] | undefined;
      readonly default?: string | undefined;
      readonly max_length?: number | undefined;
    }
  | { readonly type: "boolean"; readonly default?: boolean | undefined }
  | {
      readonly type: "date" | "timestamp";
      /** ISO 8601, in UTC. */
      readonly bounds?: [string, string] | undefined;
      readonly default?: string | undefined;
      readonly round_filters?: string | undefined;
    };

/** Exact numbers, as they are written. */
export interface CapsFile {
  readonly epsilon?: string | undefined;
  readonly delta?: string | undefined;
  readonly rho?: string | undefined;
}

export interface WindowFile extends CapsFile {
  readonly per: "day" | "week" | "month" | "quarter";
}

export interface ScopeFile extends CapsFile {
  readonly reserved?: boolean | undefined;
  readonly windows?: readonly WindowFile[] | undefined;
}

export type AnalystsFile = Readonly<Record<string, string | ScopeFile>>;

export interface BudgetFile extends CapsFile {
  readonly measure: "pure" | "approximate" | "zcdp";
  readonly head_file?: string | undefined;
  readonly lifetime?: "none" | undefined;
  readonly windows?: readonly WindowFile[] | undefined;
  readonly analysts?: AnalystsFile | undefined;
  readonly projects?:
    | Readonly<Record<string, ScopeFile & { readonly analysts?: AnalystsFile | undefined }>>
    | undefined;
  readonly datasets?:
    | Readonly<Record<string, Omit<ScopeFile, "reserved"> & { readonly tables: readonly string[] }>>
    | undefined;
  readonly show_account?: boolean | undefined;
  readonly closed?: boolean | undefined;
}
