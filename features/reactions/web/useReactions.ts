import { useEffect, useMemo } from 'react'
import type { ContentInfo } from '#web/AddedContentParts.tsx'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { useStore } from '#web/store.ts'
import { closeToast, showToast } from '#web/ui/Toasts.tsx'
import { type EmojiCount, reactionEndpoints } from '../contract.ts'
import { keepReactions } from './load-reactions.ts'
import * as store from './reaction-store.ts'
import { reactionsText } from './text.ts'

const none: readonly EmojiCount[] = []

/** Up to date while the component is mounted. */
export function useReactions({ kind, id, createdAt, channel }: ContentInfo) {
  const me = useMe()?.id ?? null
  useEffect(() => keepReactions({ kind, id, createdAt, channel }, me), [kind, id, createdAt, channel, me])
  return useStore(store.state, ({ shown }) => shown.get(store.toKey(kind, id))) ?? none
}

/**
 * The offered emoji, and then those with which the member already reacts although they are no longer offered.
 */
export function useEmojiChoices(rows: readonly EmojiCount[]) {
  const offered = useStore(store.state, (state) => state.offered)
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

/** Shows the change at once. After a failure, shows the confirmed state and an error message. */
export function useToggle({ kind, id }: ContentInfo) {
  const explain = useErrorText()
  const t = useText(reactionsText)
  return (emoji: string) => {
    const toastKey = `react ${kind} ${id} ${emoji}`
    const mine = !store.hasOwn(store.toKey(kind, id), emoji)
    sendReaction(kind, id, emoji, mine).then(
      () => closeToast(toastKey),
      (error: unknown) => {
        if (hasStatus(error, 401)) showLogInToast()
        else showToast(t.failed(mine) + explain(error), { key: toastKey, kind: 'error' })
      },
    )
  }
}

/** One request at a time for each emoji. If the member presses again meanwhile, the last wish is sent too. */
async function sendReaction(kind: ContentInfo['kind'], id: number, emoji: string, mine: boolean) {
  const key = store.toKey(kind, id)
  const lastWanted = store.beginChange(key, emoji, mine)
  if (!lastWanted) return
  let rows: readonly EmojiCount[] | null = null
  try {
    let sent: boolean
    do {
      sent = lastWanted()
      const endpoint = endpoints[kind][sent ? 'add' : 'remove']
      rows = (await callEndpoint(endpoint, { id, emoji })).reactions
    } while (lastWanted() !== sent)
  } catch (error) {
    // A 404 after a removal: the member may no longer see the content, but the server has removed the
    // reaction.
    if (lastWanted() || !hasStatus(error, 404)) throw error
    rows = none
  } finally {
    store.endChange(key, emoji, rows)
  }
}
