import { fillChannelNameParameters } from '#core/contract.ts'
import { chatChannelDefinitions } from '#features/chat/channel-contract.ts'
import type { ContentRef } from '#web/AddedContentParts.tsx'
import { callEndpoint } from '#web/api.ts'
import { ContentBatchLoader } from '#web/content-loader.ts'
import { onOwnAccountProfileOrFollowsChange } from '#web/me.ts'
import { initialPageData } from '#web/page-data.ts'
import { listenToChannel } from '#web/realtime.ts'
import { type ReactionRealtimeEvents, reactionEndpoints } from '../contract.ts'
import {
  receiveReactionEvent,
  storeInitialReactions,
  storeReactionSummaries,
  toReactionSubjectKey,
} from './reaction-store.ts'

// Loads the reactions to the posts, replies and messages that are on the page, and keeps them up to date by
// live events.

const loader = new ContentBatchLoader({
  initialKeys: storeInitialReactions(),
  request: (ids) => callEndpoint(reactionEndpoints.summaries, ids),
  store: storeReactionSummaries,
  events: {
    ReactionsChanged({ subject, subject_id, reactions }: ReactionRealtimeEvents['ReactionsChanged']) {
      const key = toReactionSubjectKey(subject, subject_id)
      if (loader.recordChange(key)) receiveReactionEvent(key, { counts: reactions })
    },
  },
})

let stopOwnEvents: (() => void) | undefined
/**
 * Receives the changes of the member's own reactions, which may come from another window. Without the
 * feature `chat`, the channel of these events does not exist.
 */
function receiveOwnEvents(me: number) {
  if (stopOwnEvents || !initialPageData.app.features.includes('chat')) return
  stopOwnEvents = listenToChannel(fillChannelNameParameters(chatChannelDefinitions.member, { user: me }), {
    events: {
      OwnReactionChanged({ subject, subject_id, emoji, mine }: ReactionRealtimeEvents['OwnReactionChanged']) {
        const key = toReactionSubjectKey(subject, subject_id)
        if (loader.recordChange(key)) receiveReactionEvent(key, { emoji, mine })
      },
    },
  })
}

/** Keeps the reactions to something on the page up to date until the returned function is called. */
export function keepReactionsUpToDate(content: ContentRef, me: number | null) {
  const stop = loader.keepUpToDate(content)
  if (me !== null) receiveOwnEvents(me)
  return stop
}

onOwnAccountProfileOrFollowsChange((change) => {
  if (change !== 'account') return
  stopOwnEvents?.()
  stopOwnEvents = undefined
})
