import { type AttachedImage, toPreloadOfFirstPicture } from '#features/posts/contract.ts'

/** The width in pixels that the pictures of a message have together. */
export const MESSAGE_PICTURES_WIDTH = 300

/** The number of the newest messages that are visible when a chat without unread messages opens. */
const VISIBLE_MESSAGES = 8

/**
 * Returns the picture that the page of a chat preloads: the newest one among the newest messages; null if they
 * have none. It is not urgent, because a chat with unread messages opens further up. `messages` are in any
 * order.
 */
export function toPreloadOfNewestPicture(
  messages: readonly { id: number; images: readonly AttachedImage[] }[],
) {
  const newest = messages.toSorted((a, b) => b.id - a.id).slice(0, VISIBLE_MESSAGES)
  return toPreloadOfFirstPicture(newest.find(({ images }) => images.length)?.images ?? [], {
    availableWidth: MESSAGE_PICTURES_WIDTH,
    isUrgent: false,
  })
}
