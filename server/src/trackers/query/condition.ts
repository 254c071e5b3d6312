/** Numbers from one to another; a bound that is absent leaves that side open. */
export interface Range {
  readonly from?: number;
  readonly to?: number;
  /** Whether a bound itself is left out. */
  readonly isFromOpen?: boolean;
  readonly isToOpen?: boolean;
}

/** What every artifact has, whatever the fields of its tracker. Instants are in milliseconds. */
export type Fact = 'id' | 'number' | 'rank' | 'submittedOn' | 'modifiedOn';

/** The other end of a link. */
export type LinkEnd =
  | { readonly is: 'anything' }
  /** Counts as not linked where the viewer may not see it. */
  | { readonly is: 'artifact'; readonly id: number }
  /** An artifact of a tracker with this short name, in any project; `isNot`: with another one. */
  | { readonly is: 'tracker'; readonly name: string; readonly isNot: boolean }
  | { readonly is: 'id in'; readonly range: Range }
  | { readonly is: 'id matching'; readonly pattern: string };

/**
 * What an artifact must be to be found, made from criteria and queries and answered by the search index. All texts
 * are folded. Patterns are regular expressions that run in linear time and match any part of the folded text.
 */
export type Condition =
  | { readonly is: 'anything' }
  | { readonly is: 'nothing' }
  | { readonly is: 'all of' | 'any of'; readonly conditions: readonly Condition[] }
  | { readonly is: 'not'; readonly condition: Condition }
  /** A list has at least one of these entries of the index. */
  | { readonly is: 'listed'; readonly fieldId: number; readonly entries: readonly number[] }
  /** The field has a value that is not empty: a text, a number, a date, a file, a choice other than None. */
  | { readonly is: 'filled'; readonly fieldId: number }
  /** A number or a date, as the type of the field measures it. */
  | { readonly is: 'measured'; readonly fieldId: number; readonly range: Range }
  | { readonly is: 'containing'; readonly fieldId: number; readonly part: string }
  /** A text, or the decimal digits of a number. Fields without a value do not match. */
  | { readonly is: 'matching'; readonly fieldId: number; readonly pattern: string; readonly isNot: boolean }
  /** One attached file whose name or description contains the text. */
  | { readonly is: 'file'; readonly fieldId: number; readonly part: string }
  | { readonly is: 'fact'; readonly fact: Fact; readonly range: Range }
  | { readonly is: 'fact matching'; readonly fact: Fact; readonly pattern: string; readonly isNot: boolean }
  | { readonly is: 'by'; readonly who: 'submitter' | 'editor'; readonly accountIds: readonly number[] }
  /** A comment that the viewer may see contains the text; an empty text: there is a comment at all. */
  | { readonly is: 'commented'; readonly part: string }
  /** `type`: the short name of a link type, empty for links without one; absent: any. */
  | {
      readonly is: 'linked';
      readonly direction: 'forward' | 'reverse';
      readonly type?: string;
      readonly end: LinkEnd;
    }
  /** Artifacts that were found in another way. */
  | { readonly is: 'these'; readonly ids: readonly number[] }
  /** A cross reference, in either direction, whose other end has this id. */
  | { readonly is: 'referenced'; readonly id: number };
