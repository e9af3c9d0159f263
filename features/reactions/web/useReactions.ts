import { useEffect, useMemo } from 'react'
import type { PostReplyOrMessageInfo } from '#web/AddedContentParts.tsx'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { useStore } from '#web/store.ts'
import { closeToast, showToast } from '#web/ui/Toasts.tsx'
import { type EmojiReactionCountWithMine, reactionEndpoints } from '../contract.ts'
import { keepReactionsUpToDate } from './load-reactions.ts'
import {
  beginOptimisticReactionChange,
  endOptimisticReactionChange,
  hasOwnReaction,
  reactionStore,
  toReactionSubjectKey,
} from './reaction-store.ts'
import { reactionsText } from './text.ts'

const none: readonly EmojiReactionCountWithMine[] = []

/**
 * Returns the reactions to a post, reply or message, and keeps them up to date while the component is
 * mounted.
 */
export function useReactions({ kind, id, createdAt, channel }: PostReplyOrMessageInfo) {
  const me = useMe()?.id ?? null
  useEffect(
    () => keepReactionsUpToDate({ kind, id, createdAt, channel }, me),
    [kind, id, createdAt, channel, me],
  )
  return useStore(reactionStore, ({ shown }) => shown.get(toReactionSubjectKey(kind, id))) ?? none
}

/**
 * Returns the emoji that the member can add, and then those with which the member already reacts although the
 * admins no longer offer them.
 */
export function useSelectableReactionEmoji(rows: readonly EmojiReactionCountWithMine[]) {
  const offered = useStore(reactionStore, (state) => state.offered)
  return useMemo(() => {
    const former = rows.filter(({ emoji, mine }) => mine && !offered.includes(emoji))
    return [...offered, ...former.map(({ emoji }) => emoji)]
  }, [rows, offered])
}

const endpoints = {
  post: { add: reactionEndpoints.addToPost, remove: reactionEndpoints.removeFromPost },
  reply: { add: reactionEndpoints.addToReply, remove: reactionEndpoints.removeFromReply },
  message: { add: reactionEndpoints.addToMessage, remove: reactionEndpoints.removeFromMessage },
}

/**
 * Returns a function that adds a reaction of the member, or removes it if the member already reacts with the
 * emoji. The page shows the change at once. If the request fails, the page shows what the server has
 * confirmed, and an error message.
 */
export function useToggleReaction({ kind, id }: PostReplyOrMessageInfo) {
  const explain = useErrorFormatter()
  const t = useText(reactionsText)
  return (emoji: string) => {
    const toastKey = `react ${kind} ${id} ${emoji}`
    const mine = !hasOwnReaction(toReactionSubjectKey(kind, id), emoji)
    sendReaction(kind, id, emoji, mine).then(
      () => closeToast(toastKey),
      (error: unknown) => {
        if (isErrorWithStatus(error, 401)) showLogInPromptToast()
        else showToast(t.failed(mine) + explain(error), { key: toastKey, kind: 'error' })
      },
    )
  }
}

/**
 * Sends to the server that the member adds a reaction (`mine` is true) or removes one. Sends one request at a
 * time for each emoji. If the member presses the button again meanwhile, another request sends what the
 * member wants last.
 */
async function sendReaction(kind: PostReplyOrMessageInfo['kind'], id: number, emoji: string, mine: boolean) {
  const key = toReactionSubjectKey(kind, id)
  const lastWanted = beginOptimisticReactionChange(key, emoji, mine)
  if (!lastWanted) return
  let rows: readonly EmojiReactionCountWithMine[] | null = null
  try {
    let sent: boolean
    do {
      sent = lastWanted()
      const endpoint = endpoints[kind][sent ? 'add' : 'remove']
      rows = (await callEndpoint(endpoint, { id, emoji })).reactions
    } while (lastWanted() !== sent)
  } catch (error) {
    // Ignores a 404 after a removal: the member may no longer see the post, reply or message, but the server
    // has removed the reaction.
    if (lastWanted() || !isErrorWithStatus(error, 404)) throw error
    rows = none
  } finally {
    endOptimisticReactionChange(key, emoji, rows)
  }
}
