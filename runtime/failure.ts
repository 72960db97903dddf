// How a request fails: a kind, never a number. The numbers of each protocol era are chosen in one
// table, wire/eras.ts.

export type FailureKind =
  | 'not_found'
  | 'not_in_context'
  | 'unknown_resource'
  | 'access_denied'
  | 'too_large'
  | 'invalid_uri'
  | 'invalid_scheme'
  | 'invalid_params'
  | 'store'
  | 'upstream'
  | 'upstream_unsupported'
  | 'upstream_error'
  | 'rate_limited'
  | 'unauthorized'
  | 'forbidden'
  | 'header_mismatch'
  | 'unsupported_media'
  | 'session_not_found'
  | 'no_such_page'
  | 'not_allowed'
  | 'body_too_large'
  | 'approval'
  | 'damaged'
  | 'no_bundle'
  | 'unknown_method'
  | 'unsupported_version'
  | 'invalid_request'
  | 'parse_error'
  | 'internal';

/** What goes out as the error's `data`, beside kind, uri and resource. */
export type FailureDetail = {
  /** A sentence: why. */
  reason: string;
  uri?: string;
  /** A word finer than the kind, shown in its place. */
  word?: string;
  /** From advice.ts: what to do next, how it is set up, which resource explains it. */
  hint?: string;
  setup?: string;
  docs?: string;
  [more: string]: unknown;
};

/** The error of an upstream server, which goes out as it came in. */
export type Foreign = { code: number; data: unknown };

const MARK: unique symbol = Symbol.for('fieldguide.failure');

/**
 * Known by a mark, not by its class: each lazily loaded file of the package has a copy of this class, and a
 * failure may be thrown in one and caught in another.
 */
export class Failure extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && MARK in value;
  }
  readonly [MARK] = true;
  readonly kind: FailureKind;
  readonly detail: FailureDetail;
  readonly foreign: Foreign | undefined;
  constructor(kind: FailureKind, message: string, detail: FailureDetail, foreign?: Foreign) {
    super(message);
    this.kind = kind;
    this.detail = detail;
    this.foreign = foreign;
  }
}
