import { type AttachedImage, toPreloadImageOfFirstPicture } from '#features/posts/contract.ts'

/** The width in pixels that the pictures of a message have together. */
export const MESSAGE_PICTURES_WIDTH = 300

/** An estimate of how many messages are visible when a chat without unread messages opens. */
const VISIBLE_MESSAGES = 8

/**
 * Returns what the page of a chat needs to preload a picture: the first picture of the newest message that has
 * pictures. Looks only at the newest `VISIBLE_MESSAGES`, and returns null if these messages have no pictures.
 * The picture is not urgent, because a chat with unread messages opens at the first of them, so the picture may
 * be outside the window. `messages` are in any order.
 */
export function toPreloadImageOfNewestMessage(
  messages: readonly { id: number; images: readonly AttachedImage[] }[],
) {
  const newest = messages.toSorted((a, b) => b.id - a.id).slice(0, VISIBLE_MESSAGES)
  return toPreloadImageOfFirstPicture(newest.find(({ images }) => images.length)?.images ?? [], {
    availableWidth: MESSAGE_PICTURES_WIDTH,
    isUrgent: false,
  })
}
