import type { MemberViewerContext } from '#features/people/visibility.ts'
import { type MessageAttachments, readAttachmentsByMessage } from './attachments.ts'
import type { QuotedMessage } from './contract.ts'
import { readQuotedMessages } from './read-quotes.ts'

/** The parts of a message that are not in its row: the pictures, the files and the quoted message. */
export interface MessageParts extends MessageAttachments {
  /** The message that this one quotes, as the viewer may see it. */
  quoted?: QuotedMessage | undefined
}

interface MessageWithParts {
  id: number
  quotes_id: number | null
}

/** Reads the parts of messages. Returns a function that returns the parts of one of them. */
export async function readPartsByMessage(viewer: MemberViewerContext, rows: readonly MessageWithParts[]) {
  const ids = rows.map(({ id }) => id)
  const attachments = await readAttachmentsByMessage(viewer, ids)
  const quotes = await readQuotedMessages(
    viewer,
    rows.flatMap(({ quotes_id }) => quotes_id ?? []),
  )
  return ({ id, quotes_id }: MessageWithParts): MessageParts => ({
    ...attachments(id),
    quoted: quotes_id === null ? undefined : quotes.get(quotes_id),
  })
}

export const readPartsOfMessage = async (viewer: MemberViewerContext, row: MessageWithParts) =>
  (await readPartsByMessage(viewer, [row]))(row)
