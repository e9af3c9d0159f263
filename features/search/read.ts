import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { type PagedResponse, paged } from '#core/http/pagination.ts'
import * as messages from '#features/messages/searched.ts'
import { profilePath } from '#features/people/contract.ts'
import * as listed from '#features/people/listed.ts'
import * as people from '#features/people/read.ts'
import { isMember, type ViewerContext } from '#features/people/visibility.ts'
import * as replies from '#features/replies/searched.ts'
import { type Cursor, isFirst, merged, type Row } from './collect.ts'
import * as fulltext from './fulltext.ts'
import type { Input, Plan, SearchContext } from './plan.ts'
import * as plans from './plan.ts'
import { needsLook } from './query.ts'
import type { Hit, HitKind } from './schemas.ts'
import { around, beginning, finder, type Snippet } from './snippets.ts'
import { allTexts, fileNames, type Kind, kinds, type Text } from './sources.ts'
import { fold } from './words.ts'

/** Signs between words, and the exact time; undefined if the index knows all. */
function condition({ terms, since, until }: Plan) {
  const known = new Set([...fulltext.asked(terms), ...fulltext.excluded(terms)])
  const unknown = terms.filter((term) => needsLook(term) || !known.has(term))
  if (since === null && until === null && !unknown.length) return undefined
  const looks = unknown.map((term) => ({ ...term, find: finder(term) }))
  return (text: Text) => {
    if ((since !== null && text.created_at < since) || (until !== null && text.created_at >= until))
      return false
    if (!looks.length) return true
    const parts = [...allTexts(text), ...fileNames(text)].map(fold)
    return looks.every(({ find, isExcluded }) => parts.some((part) => part.search(find) >= 0) !== isExcluded)
  }
}

export type ListInput = Input &
  Cursor & { kind?: HitKind | '' | undefined; limit: number; after?: number | undefined }

export async function list(viewer: SearchContext, input: ListInput): Promise<PagedResponse<Hit[]>> {
  const plan = await plans.make(viewer, input)
  return page(viewer, plan, input.kind || null, input, input.limit)
}

/** Members of a page before the texts, if it has all kinds. */
const FEW = 5

export async function page(
  viewer: ViewerContext,
  plan: Plan,
  kind: HitKind | null,
  cursor: Cursor & { after?: number | undefined },
  limit: number,
): Promise<PagedResponse<Hit[]>> {
  if (kind === 'person') return members(viewer, plan, limit, cursor.after)
  if (kind === 'group') return groupsFrom(await groups(viewer, plan), limit, cursor.after)
  const inNames = kind === 'file'
  const fits = condition(plan)
  const ask = async (one: Kind) => ({
    ...(await plans.ask(viewer, one, plan, inNames)),
    ...(fits && { fits }),
  })
  const of = kind === null || inNames ? kinds : [kind]
  const { rows, next } = await merged(viewer, of, ask, cursor, limit)
  const found = await hits(viewer, plan, kind, rows)
  if (kind !== null || !isFirst(cursor)) return { body: found, next }
  const first = [...(await members(viewer, plan, FEW)).body, ...(await groups(viewer, plan)).slice(0, FEW)]
  return { body: [...first, ...found], next }
}

const hasFilters = ({ authors, places, has, since, until }: Plan) =>
  authors !== null || places !== null || has.length > 0 || since !== null || until !== null

/** By id. Their names or readings have all words. */
async function members(viewer: ViewerContext, plan: Plan, limit: number, after?: number) {
  if (!isMember(viewer) || hasFilters(plan)) return { body: [], next: null }
  const conditions = plan.terms.map(({ text, isExcluded }) =>
    isExcluded ? sql<boolean>`not ${listed.nameContains(text)}` : listed.nameContains(text),
  )
  const rows = await listed
    .query(viewer)
    .select('users.created_at')
    .where(sql<boolean>`(${sql.join(conditions, sql` and `)})`)
    .$if(after !== undefined, (query) => query.where('users.id', '>', after!))
    .orderBy('users.id')
    .limit(limit + 1)
    .execute()
  const finders = plans.wanted(plan.terms).map((term) => finder({ ...term, isExact: false }))
  const body = rows.slice(0, limit).map(({ created_at, bio, reading, handle: _, ...row }): Hit => {
    const user = people.fromRow(viewer.media, row)
    const shown = around(row.name, finders) ?? (reading && around(reading, finders)) ?? beginning(bio ?? '')
    return {
      kind: 'person',
      id: row.id,
      url: profilePath(row),
      title: row.name,
      ...(shown || beginning('')),
      created_at,
      user,
    }
  })
  return { body, next: rows.length > limit ? { after: rows[limit - 1]!.id } : null }
}

/** Of the viewer, with the words in the name or the description. */
async function groups(viewer: ViewerContext, plan: Plan): Promise<Hit[]> {
  if (!isMember(viewer) || hasFilters(plan)) return []
  const finders = plan.terms.map((term) => ({ ...term, find: finder(term) }))
  const own = finders.filter(({ isExcluded }) => !isExcluded).map(({ find }) => find)
  return (await messages.places(viewer)).flatMap(({ id, name, description, created_at }) => {
    if (name === null) return []
    const folded = fold(`${name}\n${description ?? ''}`)
    if (!finders.every(({ find, isExcluded }) => folded.search(find) >= 0 !== isExcluded)) return []
    const shown =
      (description && around(description, own)) || around(name, own) || beginning(description ?? '')
    return {
      kind: 'group' as const,
      id,
      url: `/group-chat/${id}`,
      title: name,
      ...shown,
      created_at,
      user: null,
    }
  })
}

function groupsFrom(all: readonly Hit[], limit: number, after = 0) {
  const rows = all.filter(({ id }) => id > after).sort((a, b) => a.id - b.id)
  return paged(
    rows,
    limit,
    (last) => ({ after: last.id }),
    (shown) => shown,
  )
}

/** A text, or the files of it whose names have all words. */
async function hits(viewer: ViewerContext, plan: Plan, kind: HitKind | null, rows: readonly Row[]) {
  const finders = plans.wanted(plan.terms).map(finder)
  const place = await places(viewer, rows)
  const found: Hit[] = []
  for (const row of rows) {
    found.push(...hitsOf(row))
    // Long texts take a while to mark: this lets others go on.
    if (found.length % 8 === 0) await nextTurn()
  }
  return found

  function hitsOf({ kind: own, text }: Row): Hit[] {
    const where = place(own, text)
    if (!where) return []
    const base = { ...where, created_at: text.created_at }
    const files = text.files.filter(
      ({ name, is_voice }) =>
        name !== null && !is_voice && finders.every((find) => fold(name).search(find) >= 0),
    )
    const asFiles = files.map(
      ({ id, name }): Hit => ({
        ...base,
        kind: 'file',
        id,
        title: name!,
        ...(around(name!, finders) ?? beginning(name!)),
      }),
    )
    if (kind === 'file') return asFiles
    const shown = bestPart(text, finders)
    if (kind === null && asFiles.length && shown?.part === 'file') return asFiles
    const whole = { ...base, kind: own, id: text.id, ...(shown ?? beginning(text.body ?? '')) }
    return kind === null ? [whole, ...asFiles] : [whole]
  }
}

/** The part of a text in which most of the words stand. */
function bestPart(text: Text, finders: readonly RegExp[]) {
  const parts: { part?: Hit['part']; text: string }[] = [
    { text: text.body ?? '' },
    ...text.more,
    ...fileNames(text).map((name) => ({ part: 'file' as const, text: name })),
  ]
  let best: (Snippet & Pick<Hit, 'part'>) | null = null
  let most = 0
  for (const { part, text: one } of parts) {
    const folded = fold(one)
    const count = finders.filter((find) => folded.search(find) >= 0).length
    if (count <= most) continue
    const found = around(one, finders)
    if (found) best = { ...found, ...(part && { part }) }
    most = count
  }
  return best
}

/** Resolves to a function that gives the address, title and author of a row; undefined if one is gone. */
export async function places(viewer: ViewerContext, rows: readonly Row[]) {
  const idsOf = (kind: Kind) => rows.flatMap((row) => (row.kind === kind ? row.text.id : []))
  const authorIds = [...new Set(rows.map(({ text }) => text.user_id))]
  const inChats = rows.flatMap(({ text }) => (typeof text.place === 'number' ? text.place : []))
  const [authors, chats, answers] = await Promise.all([
    people.listAuthors(viewer, authorIds),
    isMember(viewer) && inChats.length ? messages.places(viewer, [...new Set(inChats)]) : [],
    replies.texts(viewer.db, idsOf('reply')),
  ])
  const users = new Map(authors.map((user) => [user.id, user]))
  const byId = new Map(chats.map((chat) => [chat.id, chat]))
  const postOf = new Map(answers.map(({ id, post_id }) => [id, post_id]))
  return (kind: Kind, { id, user_id, place }: Text) => {
    const user = users.get(user_id)
    const chat = typeof place === 'number' ? byId.get(place) : undefined
    if (!user) return undefined
    if (kind === 'message') {
      if (!chat) return undefined
      const path = chat.name !== null ? `/group-chat/${chat.id}` : `/privatechat/${chat.other?.id}`
      return { url: `${path}?message=${id}`, title: chat.name ?? chat.other?.name ?? '', user }
    }
    const url = kind === 'post' ? `/posts/${id}` : `/posts/${postOf.get(id)}?reply=${id}`
    return { url, title: chat?.name ?? '', user }
  }
}
