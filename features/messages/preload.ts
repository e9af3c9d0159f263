import type { AttachedImage } from '#features/posts/contract.ts'
import { preloadPicture } from '#features/posts/preload.ts'
import { PICTURES_WIDTH } from './contract.ts'

/** An estimate for a chat without unread messages. */
const VISIBLE_MESSAGES = 8

/**
 * First picture of the newest message that has any, if it is likely to be visible. Not urgent: a chat with
 * unread messages opens at the first of them. `messages` are in any order.
 */
export function preloadMessagePicture(messages: readonly { id: number; images: readonly AttachedImage[] }[]) {
  const newest = messages.toSorted((a, b) => b.id - a.id).slice(0, VISIBLE_MESSAGES)
  return preloadPicture(newest.find(({ images }) => images.length)?.images ?? [], {
    availableWidth: PICTURES_WIDTH,
    isUrgent: false,
  })
}
