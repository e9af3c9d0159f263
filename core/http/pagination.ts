export class SerializedJson<T> {
  readonly bytes: Buffer
  private parsed: T | undefined
  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
  /** The parsed text. It is kept, because pages need it each time they show a cached response. */
  get value(): T {
    this.parsed ??= JSON.parse(this.bytes.toString()) as T
    return this.parsed
  }
  toJSON(): T {
    return this.value
  }
}

/**
 * A response with one page of a list. `next` has the query parameters of the next page; it is null on the
 * last page.
 */
export interface PagedResponse<T> {
  body: T
  next: Record<string, number | string> | null
}

/**
 * Makes a response with at most `limit` rows from up to `limit + 1` rows. The extra row only shows that a
 * next page exists.
 */
export function paged<Row, T>(
  rows: Row[],
  limit: number,
  next: (last: Row) => Record<string, number | string>,
  body: (rows: Row[]) => T,
): PagedResponse<T> {
  const shown = rows.slice(0, limit)
  return { body: body(shown), next: rows.length > limit ? next(shown.at(-1)!) : null }
}
