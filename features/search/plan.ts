import type { AppContext } from '#core/context.ts'
import { fieldError } from '#core/http/errors.ts'
import * as messages from '#features/messages/searched.ts'
import * as listed from '#features/people/listed.ts'
import { isMember, type MemberViewer, type ViewerContext } from '#features/people/visibility.ts'
import { newestId, rowFrom } from '#features/posts/searched.ts'
import type { Match } from './fulltext.ts'
import type { AttachmentKind } from './operators-contract.ts'
import { parse, type Query, type Term } from './query.ts'
import { author, has, type Kind, place, sources } from './sources.ts'
import { fold } from './words.ts'

// From what somebody has typed to what the index is asked.

export type SearchContext = ViewerContext & Pick<AppContext, 'settings'>

export interface Input {
  q: string
  in?: Place | undefined
  time_zone?: string | undefined
}
export interface Place {
  kind: 'group' | 'person'
  id: number
}

export interface Plan extends Query {
  /** Ids of members; null: of anybody. */
  authors: readonly number[] | null
  /** Null: everywhere. */
  places: readonly Place[] | null
}

/** 422 without a word, or, if filters are enough, without both. */
export async function make(
  viewer: SearchContext,
  { q, in: where, time_zone }: Input,
  filtersAreEnough = false,
): Promise<Plan> {
  const query = parse(q, time_zone ?? viewer.settings.current().time_zone ?? 'UTC')
  if (!wanted(query.terms).length && !(filtersAreEnough && query.filters.length))
    throw fieldError('q', { en: 'Write a word to look for.', ja: '探す言葉を入れてください。' })
  const [authors, named] = await Promise.all([authorsOf(viewer, query.from), placesOf(viewer, query.in)])
  const places = where ? (named ? named.filter((one) => isSame(one, where)) : [where]) : named
  return { ...query, authors, places }
}

/** Everything of one kind, in a place or everywhere. */
export const withoutWords = (kind: AttachmentKind, where: Place | undefined): Plan => ({
  ...{ filters: [], terms: [], from: [], in: [], has: [kind], since: null, until: null },
  ...{ authors: null, places: where ? [where] : null },
})

export const wanted = (terms: readonly Term[]) => terms.filter(({ isExcluded }) => !isExcluded)

const isSame = (a: Place, b: Place) => a.kind === b.kind && a.id === b.id

/** People or places that names may mean together. */
const MAX_NAMED = 50

/** Of `me`, handles and names: exact ones, else those that contain the text. */
async function authorsOf(viewer: ViewerContext, names: readonly string[]) {
  if (!names.length) return null
  if (!isMember(viewer)) return []
  const found = await Promise.all(names.map((name) => peopleNamed(viewer, name)))
  return found.flat().slice(0, MAX_NAMED)
}

const me = new Set(['me', '自分', 'わたし', '私'])

async function peopleNamed(viewer: MemberViewer, name: string) {
  if (me.has(name.toLowerCase())) return [viewer.me.id]
  const handle = name.replace(/^@/, '').toLowerCase()
  const byHandle = await listed.query(viewer).where('users.handle', '=', handle).execute()
  if (byHandle.length) return byHandle.map(({ id }) => id)
  const found = await listed.query(viewer).where(listed.nameContains(name)).limit(MAX_NAMED).execute()
  const exact = found.filter((row) => fold(row.name) === fold(name))
  return (exact.length ? exact : found).map(({ id }) => id)
}

async function placesOf(viewer: ViewerContext, names: readonly string[]): Promise<Place[] | null> {
  if (!names.length) return null
  if (!isMember(viewer)) return []
  const all = await messages.places(viewer)
  const named = all.map((one) => ({ ...one, shown: fold(one.name ?? one.other?.name ?? '') }))
  const found = names.flatMap((given) => {
    const name = fold(given.replace(/^[#@]/, ''))
    const exact = named.filter(({ shown }) => shown === name)
    return exact.length ? exact : named.filter(({ shown }) => shown.includes(name))
  })
  return found
    .flatMap(({ id, other, name }): Place[] =>
      name !== null ? [{ kind: 'group', id }] : other ? [{ kind: 'person', id: other.id }] : [],
    )
    .slice(0, MAX_NAMED)
}

/** What the index is asked of one kind; the door decides of each hit who may see it. */
export async function ask(viewer: ViewerContext, kind: Kind, plan: Plan, inNames = false) {
  const facets = plan.has.map((one) => [has(one)])
  if (plan.authors) facets.push(plan.authors.map(author))
  const places = await scope(viewer, kind, plan.places)
  // A place that is asked for is always a condition; all places of the viewer only narrow the search.
  if (plan.places || (!wanted(plan.terms).length && !facets.length)) facets.push(places)
  const match: Match = { terms: plan.terms, facets, inNames }
  return { match, scope: places, ...(await span(viewer, kind, plan)) }
}

/** The places where the viewer may see something. */
async function scope(viewer: ViewerContext, kind: Kind, places: readonly Place[] | null) {
  if (!isMember(viewer)) return kind === 'message' || places ? [] : [place('everyone')]
  if (kind === 'message') {
    const own = await messages.placeIds(viewer)
    if (!places) return own.map(place)
    const asked = await Promise.all(
      places.map((one) => (one.kind === 'group' ? one.id : messages.privatePlace(viewer, one.id))),
    )
    return own.filter((id) => asked.includes(id)).map(place)
  }
  if (places) return places.map((one) => (one.kind === 'group' ? place(one.id) : author(one.id)))
  const groups = await messages.placeIds(viewer)
  return [...(['everyone', 'members', 'followers'] as const), ...groups]
    .map(place)
    .concat(author(viewer.me.id))
}

/** The ids of the texts of the time, as ids follow time. */
async function span({ db }: ViewerContext, kind: Kind, { since, until }: Pick<Query, 'since' | 'until'>) {
  const { table } = sources[kind]
  const from = since === null ? 0 : await firstSince(since)
  const before = until === null ? Number.MAX_SAFE_INTEGER : await firstSince(until)
  return { from, before }

  async function firstSince(time: string) {
    let low = 1
    let high = (await newestId(db, table)) + 1
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const row = await rowFrom(db, table, middle)
      if (!row || row.created_at >= time) high = middle
      else low = row.id + 1
    }
    return low
  }
}
