/** An answer that is JSON text already. */
export class JsonText<T> {
  readonly bytes: Buffer
  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
  toJSON(): T {
    return JSON.parse(this.bytes.toString())
  }
}

/** One page of a list, and the query parameters of the next page; null on the last page. */
export interface Paged<T> {
  body: T
  next: Record<string, number> | null
}

/** Makes a page of at most `limit` rows out of up to `limit + 1` fetched ones: the extra row says that a next page exists. */
export function paged<Row, T>(
  rows: Row[],
  limit: number,
  next: (last: Row) => Record<string, number>,
  body: (rows: Row[]) => T,
): Paged<T> {
  const shown = rows.slice(0, limit)
  return { body: body(shown), next: rows.length > limit ? next(shown.at(-1)!) : null }
}
