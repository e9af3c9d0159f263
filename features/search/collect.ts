import { setImmediate as nextTurn } from 'node:timers/promises'
import { isPostgres } from '#core/database/database.ts'
import * as messages from '#features/messages/searched.ts'
import type { MemberViewer, ViewerContext } from '#features/people/visibility.ts'
import { subjects } from '#features/reactions/subjects.ts'
import * as fulltext from './fulltext.ts'
import { type Kind, kinds, type Text, texts } from './sources.ts'

// From ids of the index to texts that the viewer may see, and the pages of several kinds as one list.

/** Texts and ms that one search takes for each kind. Then it answers with what it has, and where to go on. */
const MAX_LOOKED_AT = 10_000
const MAX_TIME = 50
const FIRST = 40
const MANY = 3000
/** Hits that go through the door together. */
const BATCH = 200
/** Texts that are read before the door. */
const READ = 40

interface Found {
  texts: Text[]
  /** Below this id may be more; 0 at the end. */
  before: number
}

export interface Asked {
  match: fulltext.Match
  /** Words of the places where the viewer may see something: they narrow the match if it needs a second look. */
  scope: readonly string[]
  from: number
  before: number
  /** What the index does not know. */
  fits?: (text: Text) => boolean
}

/** Up to `limit` or more, newest first, of those that the viewer may see. */
export async function collect(
  viewer: ViewerContext,
  kind: Kind,
  asked: Asked,
  limit: number,
): Promise<Found> {
  const { match, scope, from, fits } = asked
  const found: Text[] = []
  let { before } = asked
  if (fulltext.isEmpty(match) || !scope.length || before <= Math.max(from, 1))
    return { texts: found, before: 0 }
  const end = performance.now() + MAX_TIME
  const narrows = isPostgres(viewer.db) || scope.length <= fulltext.MAX_PLACES
  let looked = 0
  // The first hits are often enough. Where most of the others are not for the viewer, many are asked for at once,
  // because each question costs as much again.
  for (let size = Math.max(FIRST, 2 * limit); looked < MAX_LOOKED_AT; size = narrows ? BATCH : MANY) {
    const bounds = { scope: looked && narrows ? scope : null, from, before, limit: size }
    const ids = await fulltext.find(viewer.db, kind, match, bounds)
    const together = fits ? READ : BATCH
    for (let at = 0; at < ids.length; at += together) {
      const batch = ids.slice(at, at + together)
      found.push(...(await visible(viewer, kind, batch, fits)))
      before = batch.at(-1)!
      if (found.length > limit || performance.now() > end) return { texts: found, before }
      // SQLite answers at once: this lets others go on.
      await nextTurn()
    }
    if (ids.length < size) return { texts: found, before: 0 }
    looked += ids.length
  }
  return { texts: found, before }
}

/** The door: what the viewer may see of these at this moment. */
async function visible(
  viewer: ViewerContext,
  kind: Kind,
  ids: readonly number[],
  fits: ((text: Text) => boolean) | undefined,
) {
  const fitting = fits ? (await texts(viewer.db, kind, ids)).filter(fits) : null
  const candidates = fitting ? fitting.map(({ id }) => id) : ids
  if (!candidates.length) return []
  const allowed =
    kind === 'message'
      ? await messages.visibleIds(viewer as MemberViewer, candidates)
      : await subjects[kind].listVisibleIds(viewer, candidates)
  const isAllowed = new Set(allowed)
  const found = fitting?.filter(({ id }) => isAllowed.has(id)) ?? (await texts(viewer.db, kind, allowed))
  return found.sort((a, b) => b.id - a.id)
}

export interface Row {
  kind: Kind
  text: Text
}

export interface Cursor {
  before_post?: number | undefined
  before_reply?: number | undefined
  before_message?: number | undefined
}
const cursorOf = (kind: Kind) => `before_${kind}` as const

export const isFirst = (cursor: Cursor) => kinds.every((kind) => cursor[cursorOf(kind)] === undefined)

/** The newest of several kinds, as one list. A kind that is at its end has the cursor 1. */
export async function merged(
  viewer: ViewerContext,
  of: readonly Kind[],
  ask: (kind: Kind) => Promise<Asked>,
  cursor: Cursor,
  limit: number,
) {
  const parts = await Promise.all(
    of.map(async (kind) => {
      const asked = await ask(kind)
      const begin = Math.min(asked.before, cursor[cursorOf(kind)] ?? asked.before)
      const { texts: found, before } = await collect(viewer, kind, { ...asked, before: begin }, limit)
      return { kind, begin, found, before, taken: 0 }
    }),
  )
  const rows: Row[] = []
  while (rows.length < limit) {
    const heads = parts.filter(({ found, taken }) => taken < found.length)
    if (!heads.length) break
    // Within a kind, the order is that of the ids, as the cursors say where a page ends.
    const newest = heads.reduce((a, b) =>
      b.found[b.taken]!.created_at >= a.found[a.taken]!.created_at ? b : a,
    )
    rows.push({ kind: newest.kind, text: newest.found[newest.taken++]! })
  }
  const isMore = parts.some(({ found, taken, before }) => taken < found.length || before > 1)
  const next = parts.map(({ kind, begin, found, before, taken }) => {
    const at = taken === found.length ? Math.max(before, 1) : (found[taken - 1]?.id ?? Math.min(begin, LAST))
    return [cursorOf(kind), at] as const
  })
  return { rows, next: isMore ? Object.fromEntries(next) : null }
}
/** The largest cursor that a query parameter may have. */
const LAST = 999_999_999_999_999
