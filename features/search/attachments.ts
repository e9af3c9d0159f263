import type { PagedResponse } from '#core/http/pagination.ts'
import { lookup } from '#features/conversations/attachments.ts'
import { splitText } from '#features/people/text-parts-contract.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import * as attached from '#features/posts/attachments.ts'
import { postPlace } from '#features/posts/tables.ts'
import { replyPlace } from '#features/replies/tables.ts'
import { type Cursor, merged } from './collect.ts'
import type { Place } from './plan.ts'
import * as plans from './plan.ts'
import * as read from './read.ts'
import type { Attached } from './schemas.ts'
import { type Kind, kinds, type Text } from './sources.ts'

interface Input extends Cursor {
  in?: Place | undefined
  has: 'picture' | 'file' | 'link'
  limit: number
}

/** All pictures, files or links of a place, newest first; of all places if there is none. */
export async function list(viewer: MemberViewer, input: Input): Promise<PagedResponse<Attached[]>> {
  const plan = plans.withoutWords(input.has, input.in)
  const ask = (kind: Kind) => plans.ask(viewer, kind, plan)
  const { rows, next } = await merged(viewer, kinds, ask, input, input.limit)
  const [place, filesOf] = await Promise.all([read.places(viewer, rows), attachmentsOf(viewer, rows)])
  const body = rows.flatMap(({ kind, text }): Attached[] => {
    const where = place(kind, text)
    if (!where) return []
    const { url, user } = where
    const { images, files } = filesOf(kind, text.id)
    return [{ kind, id: text.id, url, created_at: text.created_at, user, images, files, links: links(text) }]
  })
  return { body, next }
}

async function attachmentsOf(viewer: MemberViewer, rows: readonly { kind: Kind; text: Text }[]) {
  const idsOf = (kind: Kind) => rows.flatMap((row) => (row.kind === kind ? row.text.id : []))
  const [post, reply, message] = await Promise.all([
    attached.read(viewer, postPlace, idsOf('post')),
    attached.read(viewer, replyPlace, idsOf('reply')),
    lookup(viewer, idsOf('message')),
  ])
  const lookups = { post, reply, message }
  return (kind: Kind, id: number) => lookups[kind](id)
}

/** The title of the link card belongs to the first one. */
function links({ body, link_title }: Text) {
  const found = splitText(body ?? '').flatMap((part) =>
    part.kind === 'address' && /^https?:/i.test(part.href) ? part.href : [],
  )
  return [...new Set(found)].map((url, index) => ({ url, title: index ? null : link_title }))
}
