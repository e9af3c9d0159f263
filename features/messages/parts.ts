import type { Attachments } from '#features/conversations/attachments.ts'
import * as attached from '#features/conversations/attachments.ts'
import type { ForwardedMark, QuotedMessage } from '#features/conversations/message-schemas.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import * as quotes from './quotes.ts'
import * as readForwards from './read-forwards.ts'

export interface MessageParts extends Attachments {
  /** As the viewer may see it. */
  quoted?: QuotedMessage | undefined
  forwarded?: ForwardedMark | undefined
}

interface MessageWithParts {
  id: number
  quotes_id: number | null
}

/** Resolves to a function that takes the row of one of these messages. */
export async function lookupParts(viewer: MemberViewer, rows: readonly MessageWithParts[]) {
  const ids = rows.map(({ id }) => id)
  const attachments = await attached.lookup(viewer, ids)
  const quoted = await quotes.get(
    viewer,
    rows.flatMap(({ quotes_id }) => quotes_id ?? []),
  )
  const marks = await readForwards.marks(viewer, ids)
  return ({ id, quotes_id }: MessageWithParts): MessageParts => ({
    ...attachments(id),
    quoted: quotes_id === null ? undefined : quoted.get(quotes_id),
    forwarded: marks.get(id),
  })
}

export const getParts = async (viewer: MemberViewer, row: MessageWithParts) =>
  (await lookupParts(viewer, [row]))(row)
