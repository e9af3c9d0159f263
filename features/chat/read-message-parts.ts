import type { MemberViewerContext } from '#features/people/visibility.ts'
import { type MessageAttachments, readMessageAttachmentsLookupFunction } from './attachments.ts'
import type { ForwardedMark, QuotedMessage } from './contract.ts'
import { readForwardedMarksByMessageId } from './read-message-forwards.ts'
import { readQuotedMessagesById } from './read-quotes.ts'

/**
 * The parts of a message that are not in its row: the pictures, the files, the quote and the forwarding mark.
 */
export interface MessagePartsFromOtherTables extends MessageAttachments {
  /** The message that the message quotes, as the viewer may see it. */
  quoted?: QuotedMessage | undefined
  /** The mark that the message was forwarded from another chat; absent if it was not. */
  forwarded?: ForwardedMark | undefined
}

interface MessageWithParts {
  id: number
  quotes_id: number | null
}

/**
 * Reads the parts of several messages that are stored in other tables. Returns a function that takes the
 * row of one of these messages and returns its parts.
 */
export async function readMessagePartsLookupFunction(
  viewer: MemberViewerContext,
  rows: readonly MessageWithParts[],
) {
  const ids = rows.map(({ id }) => id)
  const attachments = await readMessageAttachmentsLookupFunction(viewer, ids)
  const quotes = await readQuotedMessagesById(
    viewer,
    rows.flatMap(({ quotes_id }) => quotes_id ?? []),
  )
  const marks = await readForwardedMarksByMessageId(viewer, ids)
  return ({ id, quotes_id }: MessageWithParts): MessagePartsFromOtherTables => ({
    ...attachments(id),
    quoted: quotes_id === null ? undefined : quotes.get(quotes_id),
    forwarded: marks.get(id),
  })
}

export const readPartsOfOneMessageFromOtherTables = async (
  viewer: MemberViewerContext,
  row: MessageWithParts,
) => (await readMessagePartsLookupFunction(viewer, [row]))(row)
